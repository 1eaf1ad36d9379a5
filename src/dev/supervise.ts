import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { explainSystemError } from '../errors.ts';
import { ofWindows, startOf } from '../programs.ts';
import type { Environment } from '../shells.ts';
import { orElse } from '../std.ts';
import { createTail, follow, type StreamName } from './output.ts';
import type { Reporter } from './reporter.ts';
import type { Stop } from './stop.ts';

type TakeLines = Parameters<typeof follow>[1];

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

const isWindows = process.platform === 'win32';

/** The variable by which what a process starts can be recognized, even in another process group. */
const MARK = 'BOTCLI_PART';

/** A process that leads a group, and all that it started. */
interface Tree {
  pid: number | undefined;
  /** Its value of `BOTCLI_PART`. */
  mark: string;
  hasExited?: boolean;
}

/** A process as the system shows it. */
interface Process {
  pid: number;
  parent: number;
  group: number;
  /** Whether it has the variable of the tree. */
  isMarked: boolean;
}

/**
 * The processes of a tree that are running. On Windows, only its first one is known.
 *
 * @param earlier Those of a moment ago: what one of them has started still belongs to the tree once that one has ended.
 */
function membersOf(tree: Tree, earlier: readonly number[] = []): number[] {
  const { pid, mark, hasExited = false } = tree;
  if (isWindows) return pid === undefined || hasExited ? [] : [pid];
  return membersAmong(process.platform === 'linux' ? listed(mark) : shown(mark), tree, earlier);
}

/**
 * Which processes belong to a tree: those in its group, those with its mark, and all that these have started. A program
 * may clear its variables, or overwrite them with a title, and may leave the group.
 */
export function membersAmong(processes: readonly Process[], { pid }: Tree, earlier: readonly number[] = []): number[] {
  const members = new Set(processes.filter(one => one.isMarked || one.group === pid || earlier.includes(one.pid)));
  const pids = new Set([...members].map(one => one.pid));
  // A set's iteration also visits what is added meanwhile.
  for (const { pid: parent } of members) {
    for (const one of processes) {
      if (one.parent !== parent || pids.has(one.pid)) continue;
      pids.add(one.pid);
      members.add(one);
    }
  }
  return [...pids];
}

/** All processes, from the system's directory of them, without those that have ended. */
function listed(mark: string): Process[] {
  const text = `${MARK}=${mark}`;
  return readdirSync('/proc').flatMap(name => {
    if (!/^\d+$/.test(name)) return [];
    // It may be another user's, or have just ended.
    const stat = read(`/proc/${name}/stat`);
    // A program's name is in parentheses, and may have some itself.
    const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    if (state === undefined || 'ZX'.includes(state)) return [];
    const isMarked = read(`/proc/${name}/environ`).includes(text);
    return [{ pid: Number(name), parent: Number(parent), group: Number(group), isMarked }];
  });
}

const read = (path: string): string => orElse(() => readFileSync(path, 'latin1'), '');

/** The same, as `ps` shows them. */
function shown(mark: string): Process[] {
  const { stdout } = spawnSync('/bin/ps', ['-A', '-ww', '-E', '-o', 'pid=,ppid=,pgid=,stat=,command='], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return (stdout ?? '').split('\n').flatMap(line => {
    const [, pid, parent, group, state = 'Z'] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)/.exec(line) ?? [];
    if (state.startsWith('Z')) return [];
    const isMarked = line.includes(`${MARK}=${mark}`);
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), isMarked }];
  });
}

/** Sends a signal to the group of a tree. Returns whether the system has signals: Windows has none. */
function signalGroup(tree: Tree, signal: NodeJS.Signals): boolean {
  if (!isWindows && tree.pid !== undefined) send(-tree.pid, signal);
  return !isWindows;
}

/** Kills a tree. Returns the processes that there were. */
function killTree(tree: Tree, earlier?: readonly number[]): number[] {
  const members = membersOf(tree, earlier);
  if (tree.pid !== undefined && !(isWindows && tree.hasExited)) {
    if (isWindows)
      spawnSync(ofWindows('taskkill.exe', process.env), ['/PID', String(tree.pid), '/T', '/F'], { windowsHide: true });
    else send(-tree.pid, 'SIGKILL');
  }
  for (const pid of members) send(pid, 'SIGKILL');
  return members;
}

/** Sends a signal to a process, unless it has just ended. */
const send = (pid: number, signal: NodeJS.Signals): boolean => orElse(() => process.kill(pid, signal), false);

type PartName = Parameters<Reporter['output']>[0];

/** What to know about a part's process. */
interface Watcher {
  /** Returns the lines to show. */
  read?(lines: readonly string[], stream: StreamName): readonly string[];
  /** Called when it has ended; `isExpected` if it was asked to. */
  onEnd(ending: Awaited<Running['ended']>, isExpected: boolean, lastLines: readonly string[]): void;
}

/** The processes of the parts that are running, at most one of each. */
export function createRunningParts(report: Reporter, stop: Stop) {
  const parts = new Map<PartName, Running>();
  /** Those that were asked to end. */
  const asked = new WeakSet<Running>();
  /** Ends a part, and waits until nothing of it is left. */
  const end = async (name: PartName): Promise<void> => {
    const running = parts.get(name);
    if (!running) return;
    asked.add(running);
    await running.stop(stop);
  };
  return {
    end,
    endAll: () => Promise.all([...parts.keys()].map(end)),
    get: (name: PartName): Running | undefined => parts.get(name),
    /** Starts a part, and shows its output. */
    start(name: PartName, command: Command, { read, onEnd }: Watcher): void {
      const tail = createTail();
      const running = startProcess(command, (lines, stream) => {
        tail.take(lines);
        const shown = read ? read(lines, stream) : lines;
        return shown.length > 0 ? report.output(name, shown) : undefined;
      });
      parts.set(name, running);
      running.ended.then(ending => {
        if (parts.get(name) === running) parts.delete(name);
        onEnd(ending, asked.has(running), tail.lines);
      });
    },
  };
}
