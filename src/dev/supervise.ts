import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { startOf } from '../search-path.ts';
import type { Environment } from '../shells.ts';
import { explainSystemError } from '../system-errors.ts';
import { follow } from './output.ts';
import { isWindows, killTree, MARK, membersOf, signalGroup } from './process-tree.ts';
import type { Stop } from './stop.ts';

type TakeLines = Parameters<typeof follow>[1];
type Tree = Parameters<typeof killTree>[0];

/** A program to run. Its first word is an absolute path. */
export interface Command {
  words: readonly [string, ...string[]];
  cwd: string;
  env: Environment;
  /** Hides secrets in a line that it prints. */
  hide?: (line: string) => string;
}

/** How a process ended. The code is 127 if it could not be started. */
interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** How a process ended: `with exit code 1`, `because of SIGKILL`. */
export const howItEnded = ({ code, signal }: Ending): string =>
  signal ? `because of ${signal}` : `with exit code ${code}`;

/** A process, and all that it starts. */
interface Running {
  /** How the process ended. Then nothing that it started is left, and its output has been taken. */
  readonly ended: Promise<Ending>;
  hasEnded(): boolean;
  /** Ends it as Ctrl-C would. What is left after five seconds, or once somebody is in a hurry, is killed. */
  stop(stop?: Stop): Promise<void>;
}

/** How long a program may take to end, in milliseconds. */
const GRACE_MS = 5000;
const POLL_MS = 50;

/** What is running. All of it ends with botcli, even if that fails. */
const live = new Set<Tree>();

function killAll(): void {
  for (const tree of live) killTree(tree);
}

/** Starts a program in a process group of its own. */
export function startProcess({ words, cwd, env, hide }: Command, takeHidden: TakeLines): Running {
  const take: TakeLines = hide ? (lines, stream) => takeHidden(lines.map(hide), stream) : takeHidden;
  const [program, ...args] = words;
  const mark = randomUUID();
  const settings: SpawnOptions = {
    cwd,
    env: { ...env, [MARK]: mark },
    // Windows passes Ctrl-C on to what is in its window, so this isn't hidden from it.
    detached: !isWindows,
    stdio: ['ignore', 'pipe', 'pipe'],
  };
  const say = (error: unknown) => {
    // The system doesn't say which of both it hasn't found.
    const why = existsSync(cwd) ? explainSystemError(error) : `there is no directory ${cwd}`;
    return take([`${program} can't be started: ${why}`], 'stderr');
  };
  let child: ChildProcess;
  try {
    const { file: started, args: passed, ...verbatim } = startOf(program, args, env);
    child = spawn(started, passed, { ...settings, ...verbatim });
  } catch (error) {
    // Node throws some reasons, and reports others as an event.
    return neverStarted(say(error));
  }
  const tree: Tree = { pid: child.pid, mark };
  if (live.size === 0) process.on('exit', killAll);
  live.add(tree);
  const flow = follow(child, take);
  let stopping: Promise<void> | undefined;
  let isOver = false;
  const exited = new Promise<Ending>(resolve => {
    child.once('error', async error => {
      await say(error);
      resolve(NOT_STARTED);
    });
    child.once('exit', (code, signal) => resolve({ code, signal }));
  });
  exited.then(() => {
    tree.hasExited = true;
  });
  const ended = exited.then(async ending => {
    await (stopping ?? endTree(tree, 'SIGTERM'));
    await flow.finish(() => stopping !== undefined);
    isOver = true;
    live.delete(tree);
    if (live.size === 0) process.off('exit', killAll);
    return ending;
  });
  return {
    ended,
    hasEnded: () => isOver,
    async stop(stop) {
      stopping ??= endTree(tree, 'SIGINT', stop);
      await stopping;
      await ended;
    },
  };
}

/** A process that the system didn't start. */
const NOT_STARTED: Ending = { code: 127, signal: null };

function neverStarted(said: Promise<void> | undefined): Running {
  const ended = Promise.resolve(said).then(() => NOT_STARTED);
  return { ended, hasEnded: () => true, stop: async () => void (await ended) };
}

/**
 * Runs a program until it ends.
 *
 * @throws The reason of the signal, after the program and all that it started have ended.
 */
export async function runProcess(command: Command, take: TakeLines, stopped: Stop): Promise<Ending> {
  const { signal } = stopped;
  signal.throwIfAborted();
  const running = startProcess(command, take);
  const stop = () => running.stop(stopped);
  signal.addEventListener('abort', stop, { once: true });
  const ending = await running.ended;
  signal.removeEventListener('abort', stop);
  signal.throwIfAborted();
  return ending;
}

/** Asks a tree to end, waits until it has, and kills what is left. */
async function endTree(tree: Tree, request: 'SIGINT' | 'SIGTERM', stop?: Stop): Promise<void> {
  let members = membersOf(tree);
  // On Windows, only Ctrl-C asks: it has reached all programs of the window by itself.
  const wasAsked = signalGroup(tree, request) || stop?.signal.aborted;
  const end = Date.now() + (wasAsked ? GRACE_MS : 0);
  while (members.length > 0 && Date.now() < end && !stop?.hurry.aborted) {
    await sleep(POLL_MS);
    members = membersOf(tree, members);
  }
  // What is killed may have started something meanwhile.
  for (let round = 0; round < 20; round++) {
    members = killTree(tree, members);
    if (members.length === 0) return;
    await sleep(POLL_MS / 5);
  }
}
