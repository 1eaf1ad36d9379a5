import { readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { changeReal } from '../paths/open.ts';
import { hashOf } from '../project/files/state.ts';
import { hasCode, isSystemError } from '../system-errors.ts';
import type { FileSystem } from './disk.ts';
import type { Journal } from './journal.ts';
import { hashAt, moveOver, moveToFreePlace, removeNearby } from './moves.ts';
import { oldIn, removeScratch, type Scratch } from './scratch.ts';

/** A run that has begun to change a project: what it does, and where its backups are. */
interface Started {
  /** The real path of the project. */
  root: string;
  scratch: Scratch;
  journal: Journal;
}

/** The files that an undo didn't restore. */
interface Unrestored {
  /** The disk refused. */
  failed: string[];
  /** Somebody has changed or deleted them since, so they stay as they are. */
  changed: string[];
}

/**
 * Restores each file that the run has changed, the last one first, and only if it still is what the run made of it. Keeps
 * the scratch directory if the disk refuses, so that the next run can try again.
 *
 * It can begin again after it was cut off itself.
 */
export function undo(started: Started, files: FileSystem): Unrestored {
  const { root, scratch, journal } = started;
  const unrestored: Unrestored = { failed: [], changed: [] };
  for (const [at, entry] of [...journal.entries.entries()].reverse()) {
    try {
      if (!restore(at, entry, started, files)) unrestored.changed.unshift(entry.path);
    } catch (error) {
      if (!isSystemError(error)) throw error;
      unrestored.failed.unshift(entry.path);
    }
  }
  if (unrestored.failed.length > 0) return unrestored;
  for (const name of [...journal.directories].reverse()) removeIfEmpty(join(root, name), files);
  removeScratch(scratch, files);
  return unrestored;
}

/** False if the file is neither what it was nor what the run made of it. */
function restore(
  at: number,
  entry: Journal['entries'][number],
  { root, scratch }: Started,
  files: FileSystem,
): boolean {
  const path = join(root, entry.path);
  removeNearby(path, scratch, files);
  const present = hashAt(path);
  if (present === entry.old) return true;
  if (entry.old === null) {
    // After a power failure, a new file may be empty. Nobody loses anything with it.
    if (present !== entry.new && present !== hashOf('')) return false;
    changeReal(path, place => files.unlinkSync(place));
    return true;
  }
  if (present !== entry.new) return false;
  const move = entry.new === null ? moveToFreePlace : moveOver;
  changeReal(path, place => move(oldIn(scratch, at), place, scratch, files));
  return true;
}

/** Ends a run that has changed everything: removes directories that it emptied, and its scratch directory. */
export function finish({ root, scratch, journal }: Started, files: FileSystem): void {
  for (const { path } of journal.entries.filter(entry => entry.new === null)) removeEmpty(dirname(path), root, files);
  for (const { path } of journal.entries) removeNearby(join(root, path), scratch, files);
  removeScratch(scratch, files);
}

/** Removes a directory of the project that has become empty, and then its parent if that is empty, too. */
function removeEmpty(name: string, root: string, files: FileSystem): void {
  if (name !== '.' && removeIfEmpty(join(root, name), files)) removeEmpty(dirname(name), root, files);
}

/** Removes a directory, if it is empty. Whether it is gone: one that stays does no harm. */
export function removeIfEmpty(path: string, files: FileSystem): boolean {
  try {
    // On Windows, trying to remove a full one would take two seconds.
    if (readdirSync(path).length > 0) return false;
    changeReal(path, place => files.rmdirSync(place));
    return true;
  } catch (error) {
    return hasCode(error, ['ENOENT']);
  }
}
