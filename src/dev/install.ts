import { join } from 'node:path';
import { isSecret } from '../catalog/index.ts';
import { type Facts, valueFor } from '../check/checks/facts.ts';
import { INSTALL_UV } from '../check/checks/machine.ts';
import { hintOf, UserError } from '../errors.ts';
import { forDevelopment } from '../existing/package-manager.ts';
import { findProgram, onlyIn, withOwnPrograms } from '../programs.ts';
import { keysOf } from '../project/variables/environment.ts';
import type { Terminal } from '../shell/terminal.ts';
import { shellPath } from '../shells.ts';
import { isCopyable, onOneLine } from '../text.ts';

import type { Part } from './parts.ts';
import { inSeconds, secondsOf } from './reporter.ts';
import type { Surroundings } from './stop.ts';
import { type Command, createTail, howItEnded, runProcess } from './supervise.ts';

const PASSWORD = /PASS(?:WORD|WD|PHRASE)?$/i;

/**
 * A command of a tool in a folder of the project. Nothing that it prints has the project's keys.
 *
 * @throws {UserError} Exit code 1: the tool isn't on the PATH.
 */
export function commandIn(
  facts: Facts,
  { program, args, folder, source = INSTALL_UV, env = {} }: Pick<Part, 'program' | 'args' | 'folder'> & Partial<Part>,
  terminal: Terminal,
): Command {
  const { root } = facts.project;
  const path = findProgram(program, terminal.env, root);
  if (!path) {
    const place = onlyIn(program, terminal.env, root);
    const message = place
      ? `${program} is only in ${onOneLine(place)}, where botcli runs no programs`
      : `${program} isn't installed, or isn't on the PATH`;
    const why = place && 'botcli runs no programs that a project brings along, and none in node_modules.';
    throw new UserError(message, { reason: 'program-missing', hint: hintOf(why, `Install it: ${source}`) });
  }
  // Python otherwise keeps output back, and on Windows can't print all of it.
  const piped = { PYTHONUNBUFFERED: '1', PYTHONIOENCODING: 'utf-8' };
  const own = withOwnPrograms(terminal.env, root);
  terminal.hidden.hide(secretsOf(facts));
  return {
    words: [path, ...args],
    cwd: join(root, folder),
    env: { ...(folder === 'client' ? forDevelopment(own, program) : own), ...piped, ...env },
    hide: terminal.hidden.inLog,
  };
}

/** The keys and passwords that the bot knows: those in its env file, and what its services take from the shell. */
export function secretsOf({ env, project: { config } }: Facts): string[] {
  const names = [...env.file.entries.keys(), ...keysOf(config).map(key => key.env)];
  return names.filter(name => isSecret(name) || PASSWORD.test(name)).flatMap(name => valueFor(name, env) ?? []);
}

/** The command that installs the packages of a folder. */
function installOf(
  folder: Part['folder'],
  { client }: Facts,
): Pick<Part, 'program' | 'args' | 'folder'> & Partial<Part> {
  if (folder === 'server' || !client) return { program: 'uv', args: ['sync'], folder: 'server' };
  const { name, install, source } = client.manager;
  return { program: name, args: install, folder, source };
}

/** Installs what a folder's programs need. Undefined if that worked, or else why not. */
export async function install(
  folder: Part['folder'],
  facts: Facts,
  { stop, report, terminal }: Surroundings,
): Promise<UserError | undefined> {
  const order = installOf(folder, facts);
  const part = folder === 'server' ? 'bot' : 'client';
  const words = `${order.program} ${order.args[0]}`;
  const start = Date.now();
  const tail = createTail();
  const doing = `Installing packages: ${words} in ${folder}/`;
  if (terminal.interactive) terminal.progress.show(doing);
  else report.say(doing);
  try {
    const ending = await runProcess(commandIn(facts, order, terminal), lines => void tail.take(lines), stop);
    terminal.progress.clear();
    if (ending.code === 0) {
      const ms = Date.now() - start;
      const text = `${terminal.style.green('✓')} ${words} in ${folder}/: ${inSeconds(ms)}`;
      report.event(part, 'installing', { command: words, seconds: secondsOf(ms) }, text);
      return undefined;
    }
    return new UserError(`${words} failed in ${facts.place(folder)}/, ${howItEnded(ending)}`, {
      reason: 'install-failed',
      problems: tail.lines,
      hint: isCopyable(facts.place(folder))
        ? `Repeat it with: cd ${shellPath(facts.place(folder), terminal.env)}, then ${words}`
        : `Repeat it there with: ${words}`,
    });
  } finally {
    terminal.progress.clear();
  }
}

/**
 * Installs what the parts of a project lack: the bot's packages, and with `hasClient` also its web client's.
 *
 * @throws {UserError} Exit code 1: a tool isn't on the PATH, or has failed, with its last lines.
 */
export async function installAll(facts: Facts, surroundings: Surroundings, hasClient = false): Promise<void> {
  const { client } = facts;
  // Before anything takes time, all tools must be there.
  if (hasClient) commandIn(facts, installOf('client', facts), surroundings.terminal);
  const isDue = hasClient && client !== undefined && (!client.isInstalled || client.mismatched.length > 0);
  for (const folder of isDue ? (['server', 'client'] as const) : (['server'] as const)) {
    const failure = await install(folder, facts, surroundings);
    if (failure) throw failure;
  }
}
