import { lstatSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { uptime } from 'node:os';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import { orElse } from '../or-else.ts';
import { hasCode, orIfRefused } from '../system-errors.ts';
import { type FileSystem, removeFile } from './disk.ts';

/**
 * Where a run keeps its temporary files: a directory in the project, such as `.botcli-4711-k3j9x0a2.tmp`. As long as it
 * exists, no other run writes there. Its name says which process it belongs to.
 */
export interface Scratch {
  name: string;
  path: string;
  /** The process that made it. */
  pid: number;
}

const NAME = /^\.botcli-([1-9]\d{0,9})-([0-9a-z]{1,16})\.tmp$/;

/** The files in it: new contents and backups, by their number in the journal. */
const FILE = /^(journal\.json|journal\.new|\d+\.(new|old))$/;

export const journalIn = ({ path }: Scratch): string => join(path, 'journal.json');
export const newIn = ({ path }: Scratch, at: number): string => join(path, `${at}.new`);
export const oldIn = ({ path }: Scratch, at: number): string => join(path, `${at}.old`);

/**
 * An empty directory in it, with the number that this disk has given the scratch directory. A project that is cloned or
 * unpacked can't contain it, so it tells what a run has left here from what a stranger has planted.
 */
export const proofIn = ({ path }: Pick<Scratch, 'path'>): string =>
  join(path, `at-${statSync(path, { bigint: true }).ino}`);

/** Whether a run of botcli has made it, and in this place. */
export const isProven = (scratch: Scratch): boolean =>
  lstatSync(proofIn(scratch), { throwIfNoEntry: false })?.isDirectory() === true;

/** Scratch directories in a directory, of any run. */
export function listScratch(root: string): Scratch[] {
  return namesIn(root).flatMap(name => {
    const pid = NAME.exec(name)?.[1];
    const path = join(root, name);
    const isOurs = pid && lstatSync(path, { throwIfNoEntry: false })?.isDirectory();
    return isOurs ? [{ name, path, pid: Number(pid) }] : [];
  });
}

const namesIn = (directory: string): string[] =>
  orIfRefused(['ENOENT', 'ENOTDIR', 'EACCES'], () => readdirSync(directory).sort(), []);

/**
 * Makes a scratch directory.
 *
 * @throws {UserError} Another run has one.
 */
export function makeScratch(root: string, files: FileSystem): Scratch {
  const scratch = scratchOf(root, Math.random().toString(36).slice(2, 10));
  // It may contain secrets for a moment.
  files.mkdirSync(scratch.path, { mode: 0o700 });
  try {
    files.mkdirSync(proofIn(scratch));
  } catch (error) {
    files.rmdirSync(scratch.path);
    throw error;
  }
  // Two runs that look before either has made its own would both go on. After that, at least one sees the other.
  if (listScratch(root).filter(isProven).length <= 1) return scratch;
  removeScratch(scratch, files);
  throw isBusy();
}

/** Renames the scratch directory of a dead process to one of this process. Only one of two runs succeeds. */
export function takeOver(root: string, { name, path }: Scratch, files: FileSystem): Scratch {
  const mine = scratchOf(root, NAME.exec(name)?.[2] ?? '');
  if (mine.path !== path) files.renameSync(path, mine.path);
  return mine;
}

function scratchOf(root: string, token: string): Scratch {
  const name = `.botcli-${process.pid}-${token}.tmp`;
  return { name, path: join(root, name), pid: process.pid };
}

/** The name of a temporary file next to a target, where a scratch directory is on another disk. */
export const nameNearby = ({ name }: Scratch): string => name.replace(/-\d+-/, '-');

/** What isn't one of our files in a scratch directory, and must not be touched. */
export const strangersIn = (scratch: Scratch): string[] =>
  namesIn(scratch.path).filter(name => {
    const path = join(scratch.path, name);
    return path !== proofIn(scratch) && !(FILE.test(name) && lstatSync(path).isFile());
  });

/** Whether nothing is in it: its run was killed before it wrote anything, or after it had removed everything. */
export const isEmpty = ({ path }: Scratch): boolean => namesIn(path).length === 0;

/** Removes a scratch directory, its journal first: then there is nothing to undo. */
export function removeScratch(scratch: Scratch, files: FileSystem): void {
  removeFile(journalIn(scratch), files);
  for (const name of namesIn(scratch.path).filter(one => FILE.test(one))) removeFile(join(scratch.path, name), files);
  if (isProven(scratch)) files.rmdirSync(proofIn(scratch));
  files.rmdirSync(scratch.path);
}

/** A commit takes less than a second, and changes its scratch directory all the time. In milliseconds. */
const LONGEST_PAUSE = 60_000;

/** Whether the process that made it may still be working. Process numbers are used again, so its age counts, too. */
export function isLive(scratch: Scratch): boolean {
  const { path, pid } = scratch;
  if (pid === process.pid || !isProven(scratch) || !isRunning(pid)) return false;
  const { mtimeMs } = statSync(path);
  return Math.abs(Date.now() - mtimeMs) < LONGEST_PAUSE && !isOver(pid, mtimeMs);
}

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
export const isBusy = (): UserError =>
  new UserError('Another botcli is changing this project. Nothing was written.', {
    reason: 'conflict',
    hint: 'Run the same command again when it has finished.',
  });
