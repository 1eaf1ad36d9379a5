import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import type { Facts } from '../check/checks/facts.ts';
import { explainSystemError, isSystemError, UserError } from '../errors.ts';
import { usualPorts } from '../project/client.ts';
import type { Terminal } from '../shell/terminal.ts';
import { withoutChatter } from './bot-log.ts';
import { commandIn } from './install.ts';
import type { createLog, StreamName } from './output.ts';
import { anyPort, PATIENCE_MS, partsOf, STARTED_BY, untilReady } from './parts.ts';
import type { Stop } from './stop.ts';
import { howItEnded, startProcess } from './supervise.ts';

/** A bot to run once. */
export interface FreshBot {
  facts: Facts;
  log: ReturnType<typeof createLog>;
  /** What it runs for, such as `the conversation`. */
  during: string;
  /** Variables in addition to the user's. */
  env?: Readonly<Record<string, string>>;
  /** Takes its output. `gone` ends what the bot is used for, with an error. */
  onLines(lines: readonly string[], stream: StreamName, gone: (error: UserError) => void): void;
}

/**
 * Runs a bot on a free port for as long as `use` takes. `use` gets the address for conversations, and a `Stop` that is also aborted when the bot ends.
 *
 * @throws {UserError} The bot has ended, or never got ready.
 */
export async function withFreshBot<Result>(
  { facts, log, during, env, onLines }: FreshBot,
  stop: Stop,
  terminal: Terminal,
  use: (url: string, within: Stop, port: number) => Promise<Result>,
): Promise<Result> {
  const port = await anyPort();
  const ports = { ...usualPorts(facts.project.config), bot: port };
  const [part] = partsOf(facts.project.config, ports, { tunnel: false });
  if (!part) throw new Error('no bot');
  const failure = (message: string) => {
    const problems = withoutChatter(log.lastLines).map(terminal.hidden.inError);
    return new UserError(message, { reason: 'part-ended', problems });
  };
  const gone = new AbortController();
  let isReady = false;
  const command = commandIn(facts, { ...part, env: { [STARTED_BY]: 'test', ...env } }, terminal);
  const bot = startProcess(command, (lines, stream) => {
    log.take(lines);
    onLines(lines, stream, error => gone.abort(error));
    return undefined;
  });
  bot.ended.then(ending => {
    const moment = isReady ? `during ${during}` : 'before it was ready';
    gone.abort(failure(`The bot ended ${moment}, ${howItEnded(ending)}`));
  });
  // What talks to a bot that is gone has nothing to end well.
  const within = {
    signal: AbortSignal.any([stop.signal, gone.signal]),
    hurry: AbortSignal.any([stop.hurry, gone.signal]),
  };
  try {
    const isOver = () => within.signal.aborted;
    isReady = await untilReady({ port, isOver, sleep: ms => terminal.sleep(ms) });
    within.signal.throwIfAborted();
    if (!isReady) throw failure(`The bot didn't answer on port ${port} within ${PATIENCE_MS / 60_000} minutes`);
    return await use(`ws://localhost:${port}/ws`, within, port);
  } catch (error) {
    await bot.stop(stop);
    // What the bot said about it has arrived now.
    const why = faultIn(log.lastLines, facts);
    if (!(error instanceof UserError && error.reason === 'part-ended' && error.problems.length === 0 && why))
      throw error;
    throw error.withMessage(error.message, { problems: [terminal.hidden.inError(why)] });
  } finally {
    await bot.stop(stop);
  }
}

/** The line with the last error of a program of Python, after its traceback; -1 if there is none. */
export const pythonErrorAt = (lines: readonly string[]): number =>
  lines.findLastIndex(line => /^[\w.]+(?:Error|Exception)\b/.test(line));

/** The last error in a log of Python, with its place in the project. */
function faultIn(lines: readonly string[], { project: { root } }: Facts): string | undefined {
  const end = pythonErrorAt(lines);
  const [place] = lines
    .slice(0, Math.max(0, end))
    .flatMap(line => {
      const [, path = '', at] = /^ +File "(.+)", line (\d+)/.exec(line) ?? [];
      const name = relative(root, path).split(sep).join('/');
      return path && !/^\.\.|\.venv/.test(name) ? [`${name}, line ${at}`] : [];
    })
    .slice(-1);
  return lines[end] && [lines[end], ...(place ? [`(${place})`] : [])].join(' ');
}

/** A directory for a command's log of the bot, outside the project. */
export async function makeDirectory({ cwd, env }: Terminal, command = 'test'): Promise<string> {
  // The framework runs in another directory.
  const parent = resolve(cwd, tmpdir());
  try {
    return await mkdtemp(join(parent, `botcli-${command}-`));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const [name = 'TMPDIR'] = ['TMPDIR', 'TMP', 'TEMP'].filter(one => env[one]);
    throw new UserError(`Can't create a directory for the bot's log in "${parent}": ${explainSystemError(error)}`, {
      reason: 'disk',
      hint: `Set ${name} to another directory for temporary files.`,
    });
  }
}
