import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { hasCode, orIfRefused, UserError } from '../errors.ts';
import { explainingDiskErrors } from '../paths/disk-error.ts';
import { orElse } from '../std.ts';
import { type FileSystem, patient } from './disk.ts';

/**
 * Where a run keeps its temporary files: a directory in the project, such as `.botcli-4711-k3j9x0a2.tmp`. As long as it
 * exists, no other run writes there. Its name says which process it belongs to.
 */
interface Scratch {
  name: string;
  path: string;
  /** The process that made it. */
  pid: number;
}

const NAME = /^\.botcli-([1-9]\d{0,9})-([0-9a-z]{1,16})\.tmp$/;

/** The files in it: new contents and backups, by the number of their change. */
const FILE = /^\d+\.(new|old)$/;

/** Scratch directories in a directory, of any run. */
function listScratch(root: string): Scratch[] {
  return namesIn(root).flatMap(name => {
    const pid = NAME.exec(name)?.[1];
    const path = join(root, name);
    const isOurs = pid && lstatSync(path, { throwIfNoEntry: false })?.isDirectory();
    return isOurs ? [{ name, path, pid: Number(pid) }] : [];
  });
}

const namesIn = (directory: string): string[] =>
  orIfRefused(['ENOENT', 'ENOTDIR', 'EACCES'], () => readdirSync(directory).sort(), []);

/** Makes a scratch directory for a run. Throws a `UserError` if another run has one. */
export function makeScratch(root: string, files: FileSystem) {
  const { pid } = process;
  const name = `.botcli-${pid}-${Math.random().toString(36).slice(2, 10)}.tmp`;
  const scratch = { name, path: join(root, name), pid };
  // It may contain secrets for a moment.
  files.mkdirSync(scratch.path, { mode: 0o700 });
  // Two runs that look before either has made its own would both go on. After that, at least one sees the other.
  const others = listScratch(root).filter(one => one.name !== name && (one.pid === pid || isLive(one)));
  if (others.length > 0) {
    removeScratch(scratch, files);
    throw isBusy();
  }
  return {
    name,
    newOf: (at: number): string => join(scratch.path, `${at}.new`),
    oldOf: (at: number): string => join(scratch.path, `${at}.old`),
    remove: () => removeScratch(scratch, files),
  };
}

function removeScratch({ path }: Scratch, files: FileSystem): void {
  for (const name of namesIn(path).filter(one => FILE.test(one))) files.unlinkSync(join(path, name));
  files.rmdirSync(path);
}

/** The names of the scratch directories that interrupted runs have left in a directory. */
export const findRemains = (directory: string): string[] =>
  explainingDiskErrors(`read ${directory}`, () =>
    listScratch(directory).flatMap(one => (isLive(one) || hasOthers(one) ? [] : one.name)),
  );

/**
 * Removes the temporary files that interrupted runs have left in a directory, and notes it. Nothing else needs to be
 * done: each file of the project is old or new. Throws a `UserError` if another run is at work, or the disk refuses.
 */
export function removeRemains(
  directory: string,
  note: (sentence: string) => void,
  files: FileSystem = patient(),
): void {
  const left = explainingDiskErrors(`read ${directory}`, () => listScratch(directory));
  explainingDiskErrors(`clean up ${directory}`, () => {
    if (left.some(isLive)) throw isBusy();
    const ours = left.filter(one => !hasOthers(one));
    for (const scratch of ours) removeScratch(scratch, files);
    if (ours.length > 0) note(REMOVED);
  });
}

const REMOVED =
  'botcli was interrupted here. Its temporary files are removed now, and running that command again finishes its work.';

/** Whether it contains anything that no run puts there. */
const hasOthers = ({ path }: Scratch): boolean =>
  namesIn(path).some(name => !FILE.test(name) || !lstatSync(join(path, name)).isFile());

/** A commit takes less than a second, and changes its scratch directory all the time. In milliseconds. */
const LONGEST_PAUSE = 60_000;

/** Whether the process that made it may still be working. Process numbers are used again, so its age counts, too. */
function isLive({ path, pid }: Scratch): boolean {
  const { mtimeMs } = statSync(path);
  return Math.abs(Date.now() - mtimeMs) < LONGEST_PAUSE && mayRun(pid, mtimeMs);
}

/** Whether another process that wrote something at this time may still be running. */
export const mayRun = (pid: number, since: number): boolean =>
  pid !== process.pid && isRunning(pid) && !isOver(pid, since);

/** Linux counts the time since it started in hundredths of a second. */
const TICKS = 100;

/** Whether a process has ended and its parent hasn't noticed, or began after this time. Only Linux says so. */
const isOver = (pid: number, since: number): boolean =>
  orElse(() => {
    const [state = '', ...more] = readFileSync(`/proc/${pid}/stat`, 'latin1')
      .replace(/^.*\) /s, '')
      .split(' ');
    const age = 1000 * (uptime() - Number(more[18]) / TICKS);
    return 'ZX'.includes(state) || Date.now() - age > since + 2000;
  }, false);

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Other users' processes can't be signaled.
    return hasCode(error, ['EPERM']);
  }
}

/** The error for a project that another run is changing. */
const isBusy = (): UserError =>
  new UserError('Another botcli is changing this project. Nothing was written.', {
    reason: 'conflict',
    hint: 'Run the same command again when it has finished.',
  });
