import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { printable } from '../printable.ts';
import { findProgram, startOf, withOwnPrograms } from '../search-path.ts';
import { askConsent } from '../shell/confirmation.ts';
import { Cancelled } from '../shell/terminal/question.ts';
import type { Terminal } from '../shell/terminal.ts';
import type { Run } from './plan.ts';
import { explainConflict, linesOf } from './report.ts';

/**
 * Asks whether to write conflict markers.
 *
 * @throws {UserError} Exit code 1: the user left everything, so nothing is written.
 */
export function askAboutConflicts({ plan: { conflicts } }: Run, terminal: Terminal): Promise<void> {
  const count = conflicts.length === 1 ? 'one place' : `${conflicts.length} places`;
  const consent = {
    about: `You and botcli changed ${count} in different ways`,
    places: conflicts.map(linesOf),
    question: 'What should happen?',
    proceed: { value: 'markers', label: 'Write both versions, with conflict markers' },
    show: {
      label: 'Show the conflicts',
      lines: () => conflicts.flatMap(explainConflict).map(line => `  ${printable(line)}`),
    },
    instead: 'Pass --conflicts markers.',
  };
  return askConsent(consent, terminal);
}

/**
 * Offers to run the commands that check code that was merged, if uv is there. They say nothing about whether the bot
 * works. Does nothing where botcli can't ask.
 */
export async function offerChecks({ project, plan, isDry, json }: Run, terminal: Terminal): Promise<void> {
  const isMerged = plan.files.some(({ path, action }) => action === 'merged' && path.endsWith('.py'));
  const uv =
    isMerged && terminal.interactive && !isDry && !json ? findProgram('uv', terminal.env, project.root) : undefined;
  if (!uv) return;
  const hasNewPackages = plan.changes.some(({ name }) => name === 'server/pyproject.toml');
  const commands = [...(hasNewPackages ? ['sync'] : []), 'run ruff check --fix .', 'run pyright'];
  const names = commands.map(command => `uv ${command}`).join(', ');
  try {
    const question = `Check the merged code now?\nThis runs ${names}.`;
    if (!(await terminal.confirm(question, { instead: 'Run these commands.', isFresh: true }))) return;
  } catch (error) {
    if (error instanceof Cancelled) return;
    throw error;
  }
  const env = withOwnPrograms(terminal.env, project.root);
  for (const command of commands) {
    terminal.note(`\n${terminal.noteStyle.dim(`uv ${command}`)}`);
    const problem = await runIn(join(project.root, 'server'), uv, command.split(' '), env);
    if (problem) return terminal.note(`${terminal.noteStyle.yellow('!')} uv ${command}: ${problem}`);
  }
  terminal.note('\nThese checks found nothing. Talk to the bot to see whether it does what you want.');
}

/** Runs a program in the terminal. Returns why it failed. */
const runIn = (cwd: string, program: string, words: string[], env: Terminal['env']): Promise<string | undefined> =>
  new Promise(resolve => {
    const { file, args, ...verbatim } = startOf(program, words, env);
    const child = spawn(file, args, { cwd, env, stdio: 'inherit', ...verbatim });
    child.on('error', ({ message }) => resolve(message));
    child.on('close', (code, signal) =>
      resolve(code === 0 ? undefined : `ended with ${signal ?? `exit code ${code}`}.`),
    );
  });
