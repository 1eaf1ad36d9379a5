import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { orElse } from '../or-else.ts';
import { ofWindows } from '../search-path.ts';

export const isWindows = process.platform === 'win32';

/** The variable by which what a process starts can be recognized, even in another process group. */
export const MARK = 'BOTCLI_PART';

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
export function membersOf(tree: Tree, earlier: readonly number[] = []): number[] {
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
export function signalGroup(tree: Tree, signal: NodeJS.Signals): boolean {
  if (!isWindows && tree.pid !== undefined) send(-tree.pid, signal);
  return !isWindows;
}

/** Kills a tree. Returns the processes that there were. */
export function killTree(tree: Tree, earlier?: readonly number[]): number[] {
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
