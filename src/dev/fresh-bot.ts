import { appendFileSync, renameSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, relative, resolve, sep } from 'node:path';
import type { Facts } from '../check/checks/facts.ts';
import { explainSystemError, isSystemError, UserError } from '../errors.ts';
import { usualPorts } from '../project/client.ts';
import type { Terminal } from '../shell/terminal.ts';
import { withoutChatter } from './bot-log.ts';
import { PATIENCE_MS, partsOf, STARTED_BY, untilReady } from './parts.ts';
import { commandIn } from './prepare.ts';
import type { Stop } from './stop.ts';
import { createTail, howItEnded, type StreamName, startProcess } from './supervise.ts';
import { setupFile } from './talk/settling.ts';

export interface FreshBot {
  facts: Facts;
  log: ReturnType<typeof createLog>;
  command: 'talk' | 'test';
  /** Takes its output. `gone` ends what the bot is used for, with an error. */
  onLines(lines: readonly string[], stream: StreamName, gone: (error: UserError) => void): void;
}

/** Runs a bot on a free port while it's used. Throws if it never gets ready, or ends, which also aborts `within`. */
export async function withFreshBot<Result>(
  { facts, log, command, onLines }: FreshBot,
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
  const { path, code, env } = setupFile(log.directory, facts);
  await writeFile(path, code);
  const order = commandIn(facts, { ...part, env: { [STARTED_BY]: command, ...env } }, terminal);
  const bot = startProcess(order, (lines, stream) => {
    log.take(lines);
    onLines(lines, stream, error => gone.abort(error));
    return undefined;
  });
  bot.ended.then(ending => {
    const during = command === 'talk' ? 'during the conversation' : 'during the conversations';
    gone.abort(failure(`The bot ended ${isReady ? during : 'before it was ready'}, ${howItEnded(ending)}`));
  });
  // What talks to a bot that is gone has nothing to end well.
  const within = {
    signal: AbortSignal.any([stop.signal, gone.signal]),
    hurry: AbortSignal.any([stop.hurry, gone.signal]),
  };
  try {
    isReady = await untilReady(port, () => within.signal.aborted, terminal);
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
    await rm(path, { force: true });
  }
}

/** A port that nothing listens on. */
const anyPort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

/** The line with the last error of a program of Python, after its traceback; -1 if there is none. */
export const pythonErrorAt = (lines: readonly string[]): number =>
  lines.findLastIndex(line => /^[\w.]+(?:Error|Exception)\b/.test(line));

/** The last error in a log of Python, with its place in the project. */
function faultIn(lines: readonly string[], { project: { root } }: Facts): string | undefined {
  const end = pythonErrorAt(lines);
  const places = lines.slice(0, Math.max(0, end)).flatMap(line => {
    const [, path = '', at] = /^ +File "(.+)", line (\d+)/.exec(line) ?? [];
    const name = relative(root, path).split(sep).join('/');
    return path && !/^\.\.|\.venv/.test(name) ? [`(${name}, line ${at})`] : [];
  });
  return lines[end] && [lines[end], ...places.slice(-1)].join(' ');
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

/** How long a log may get before it begins again, in bytes. What was in it is kept once, next to it. */
const MOST_BYTES = 32 * 2 ** 20;

/** Writes a bot's output into a file of at most `most` bytes in a directory. A full disk doesn't end the bot. */
export function createLog(directory: string, most = MOST_BYTES) {
  const path = join(directory, 'bot.log');
  const tail = createTail();
  let size = 0;
  let problem: string | undefined;
  const write = (text: string) => {
    if (problem !== undefined) return;
    const more = Buffer.byteLength(text);
    try {
      if (size > 0 && size + more > most) {
        renameSync(path, `${path}.1`);
        size = 0;
      }
      appendFileSync(path, text);
      size += more;
    } catch (error) {
      problem = explainSystemError(error);
    }
  };
  // It's there even if the bot says nothing.
  write('');
  return {
    directory,
    path,
    take(lines: readonly string[]): void {
      tail.take(lines);
      write(`${lines.join('\n')}\n`);
    },
    /** The last lines, also if they couldn't be written. */
    lastLines: tail.lines,
    get place(): string {
      return problem === undefined ? `The bot's log is ${path}` : `The bot's log ${path} is incomplete: ${problem}`;
    },
  };
}
