import { type ChildProcess, type SpawnOptions, spawn, spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { explainSystemError } from '../errors.ts';
import { ofWindows, startOf } from '../programs.ts';
import type { Environment } from '../shells.ts';
import { orElse } from '../std.ts';
import { withoutSequences } from '../text.ts';
import type { Stop } from './surroundings.ts';

/**
 * Takes whole lines of stdout, or of stderr, where Python's log is, as plain text. No more come before the promise that
 * it returns is resolved.
 */
type TakeLines = (lines: readonly string[], isLog: boolean) => Promise<void> | undefined;

/** How long output may take to arrive after a process has ended. */
const DRAIN_MS = 1000;
/** The longest line, in characters. A longer one arrives in pieces. */
const LONGEST_LINE = 65_536;
/** How often a line is passed on that a program writes again and again, such as the progress of a download. */
const PROGRESS_MS = 2000;

/** How many lines of a program's output to keep. */
const LAST_LINES = 20;

/** A program to run. Its first word is an absolute path. */
interface Command {
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
  /** The end of its output. */
  lastLines: readonly string[];
}

/** For a sentence: `with exit code 1`, `because of SIGKILL`. */
export const describeEnding = ({ code, signal }: Omit<Ending, 'lastLines'>): string =>
  signal ? `because of ${signal}` : `with exit code ${code}`;

/** How long a program may take to end, in milliseconds. */
const GRACE_MS = 5000;
const POLL_MS = 50;

/** What is running. All of it ends with botcli, even if that fails. */
const live = new Set<Tree>();

function killAll(): void {
  for (const tree of live) killTree(tree);
}

/** Starts a program in a process group of its own. */
export function startProcess({ words, cwd, env, hide }: Command, takeLines: TakeLines) {
  const lastLines: string[] = [];
  const take: TakeLines = (lines, isLog) => {
    const shown = hide ? lines.map(hide) : lines;
    lastLines.push(...shown.slice(-LAST_LINES));
    lastLines.splice(0, lastLines.length - LAST_LINES);
    return takeLines(shown, isLog);
  };
  const [program, ...args] = words;
  const mark = randomUUID();
  const settings: SpawnOptions = {
    cwd,
    env: { ...env, [MARK]: mark },
    // Windows passes Ctrl-C on to what is in its window, so this isn't hidden from it.
    detached: !isWindows,
    stdio: ['ignore', 'pipe', 'pipe'],
  };
  const explain = async (error: unknown): Promise<Ending> => {
    // The system doesn't say which of both it hasn't found.
    const why = existsSync(cwd) ? explainSystemError(error) : `there is no directory ${cwd}`;
    await take([`${program} can't be started: ${why}`], true);
    return { code: 127, signal: null, lastLines };
  };
  let child: ChildProcess;
  try {
    const { file: started, args: passed, ...verbatim } = startOf(program, args, env);
    child = spawn(started, passed, { ...settings, ...verbatim });
  } catch (error) {
    // Node throws some reasons, and reports others as an event.
    const ended = explain(error);
    return { lastLines, ended, stop: async () => void (await ended) };
  }
  const tree: Tree = { pid: child.pid, mark };
  if (live.size === 0) process.on('exit', killAll);
  live.add(tree);
  const flow = follow(child, take);
  let stopping: Promise<void> | undefined;
  const exited = new Promise<Ending>(resolve => {
    child.once('error', error => resolve(explain(error)));
    child.once('exit', (code, signal) => resolve({ code, signal, lastLines }));
  });
  const finish = async (): Promise<Ending> => {
    const ending = await exited;
    tree.hasExited = true;
    await (stopping ?? endTree(tree, 'SIGTERM'));
    await flow.finish(() => stopping !== undefined);
    live.delete(tree);
    if (live.size === 0) process.off('exit', killAll);
    return ending;
  };
  const ended = finish();
  return {
    lastLines: lastLines as readonly string[],
    /** How the process ended. Then nothing that it started is left, and its output has been taken. */
    ended,
    /** Ends it as Ctrl-C would. What is left after five seconds, or once somebody is in a hurry, is killed. */
    async stop(stop?: Stop): Promise<void> {
      stopping ??= endTree(tree, 'SIGINT', stop);
      await stopping;
      await ended;
    },
  };
}

/** Runs a program until it ends. Throws the reason of the signal, once all that it started has ended. */
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
  if (!isWindows && tree.pid !== undefined) send(-tree.pid, request);
  // Windows has no signals. There, only Ctrl-C asks: it has reached all programs of the window by itself.
  const wasAsked = !isWindows || stop?.signal.aborted;
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

/** A process that leads a group, and all that it started: whatever has this value of `BOTCLI_PART`. */
interface Tree {
  pid: number | undefined;
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
 * The processes of a tree that are running: those in its group, those with its mark, and all that these have started. A
 * program may clear its variables, or overwrite them with a title, and may leave the group. On Windows, only the first
 * one is known.
 *
 * @param earlier Those of a moment ago: what one of them has started still belongs to the tree once that one has ended.
 */
function membersOf({ pid, mark, hasExited = false }: Tree, earlier: readonly number[] = []): number[] {
  if (isWindows) return pid === undefined || hasExited ? [] : [pid];
  const processes = process.platform === 'linux' ? listed(mark) : shown(mark);
  const members = new Set(processes.filter(one => one.isMarked || one.group === pid || earlier.includes(one.pid)));
  // A set's iteration also visits what is added meanwhile.
  for (const { pid: parent } of members) {
    for (const one of processes) if (one.parent === parent) members.add(one);
  }
  return [...members].map(one => one.pid);
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

/** Passes on the lines of a process, each stream's in order. */
function follow({ stdout, stderr }: ChildProcess, take: TakeLines) {
  const streams = [stdout, stderr].filter(stream => stream !== null);
  let taking = 0;
  const passOn = async (stream: Readable) => {
    for await (const lines of linesOf(stream)) {
      taking++;
      await take(lines, stream === stderr);
      taking--;
    }
  };
  const passed = Promise.all(streams.map(passOn)).then(() => true);
  return {
    /** Waits for the rest of the output. A stopped process's output is dropped if nobody takes it. */
    async finish(isStopped: () => boolean): Promise<void> {
      const soon = () => sleep(DRAIN_MS, false, { ref: false });
      while (!(await Promise.race([passed, soon()]))) {
        if (taking > 0 && !isStopped()) continue;
        for (const stream of streams) stream.destroy();
        return;
      }
    },
  };
}

/** The lines of a stream, as they come. */
async function* linesOf(stream: Readable): AsyncGenerator<string[]> {
  let rest = '';
  let progressAt = 0;
  try {
    for await (const chunk of stream.setEncoding('utf8')) {
      const whole = `${rest}${chunk}`.split(/\r?\n/);
      rest = whole.pop() ?? '';
      // The last state of this line may still be arriving. After a carriage return at the end, so may a line feed.
      const end = rest.lastIndexOf('\r', rest.length - 2);
      const state = end === -1 ? '' : lastState(rest.slice(0, end));
      const isDue = state !== '' && Date.now() - progressAt >= PROGRESS_MS;
      if (isDue) progressAt = Date.now();
      if (isDue) whole.push(state);
      if (end !== -1) rest = isDue ? rest.slice(end + 1) : `${state}${rest.slice(end)}`;
      if (rest.length > LONGEST_LINE) {
        whole.push(rest);
        rest = '';
      }
      if (whole.length > 0) yield whole.map(lastState);
    }
  } catch {
    // It was closed before its end.
  }
  if (rest !== '') yield [lastState(rest)];
}

/** What a terminal shows of a line in the end, as plain text: a carriage return begins it again. */
function lastState(line: string): string {
  const text = withoutSequences(line);
  return text.includes('\r') ? (text.split('\r').findLast(state => state.trim() !== '') ?? '') : text;
}
