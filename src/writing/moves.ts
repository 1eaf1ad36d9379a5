import { lstatSync, readFileSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { isThere } from '../paths/locate.ts';
import { hashOf } from '../project/files/state.ts';
import { hasCode } from '../system-errors.ts';
import { createFile, type FileSystem, LARGEST_FILE, modeOf, readWhole, removeFile, tryLink } from './disk.ts';
import { nameNearby, type Scratch } from './scratch.ts';

/** The SHA-256 of a file; null if nothing is there, undefined if it is anything else. */
export function hashAt(path: string): string | null | undefined {
  if (!isThere(path)) return null;
  const stat = lstatSync(path);
  return stat.isFile() && stat.size <= LARGEST_FILE ? hashOf(readWhole(path)) : undefined;
}

/** Whether no directory of a real path has become a link since. */
export const isInPlace = (path: string): boolean => realpathSync(dirname(path)) === dirname(path);

/** Keeps a file under a second name. */
export function backUp(path: string, backup: string, files: FileSystem): void {
  if (tryLink(path, backup, files)) return;
  createFile(backup, { contents: readWhole(path), mode: modeOf(path), isDurable: true }, files);
}

/** Moves a file out of the scratch directory to a place where nothing is. */
export function moveToFreePlace(from: string, to: string, scratch: Scratch, files: FileSystem): void {
  // Unlike a rename, a hard link fails if a file has appeared there in the meantime.
  if (tryLink(from, to, files)) return;
  if (isThere(to)) throw Object.assign(new Error(`EEXIST: ${to}`), { code: 'EEXIST', syscall: 'link' });
  moveOver(from, to, scratch, files);
}

/** Moves a file out of the scratch directory over another one, in one step. */
export function moveOver(from: string, to: string, scratch: Scratch, files: FileSystem): void {
  try {
    files.renameSync(from, to);
  } catch (error) {
    // Part of the project may be mounted from another disk.
    if (!hasCode(error, ['EXDEV'])) throw error;
    const nearby = join(dirname(to), nameNearby(scratch));
    removeFile(nearby, files);
    createFile(nearby, { contents: readFileSync(from), mode: modeOf(from), isDurable: true }, files);
    files.renameSync(nearby, to);
  }
}

/** Removes what a killed run left next to a target. */
export function removeNearby(path: string, scratch: Scratch, files: FileSystem): void {
  const nearby = join(dirname(path), nameNearby(scratch));
  if (basename(nearby) !== scratch.name && lstatSync(nearby, { throwIfNoEntry: false })?.isFile()) {
    removeFile(nearby, files);
  }
}
