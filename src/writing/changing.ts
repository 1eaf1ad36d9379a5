import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { nameIn } from '../paths/locate.ts';
import { changeReal } from '../paths/open.ts';
import { hashOf, STATE_FILE } from '../project/files/state.ts';
import { unique } from '../unique.ts';
import { createFile, type FileSystem } from './disk.ts';
import { type Journal, journalText } from './journal.ts';
import { backUp, hashAt, moveOver, moveToFreePlace } from './moves.ts';
import { journalIn, newIn, oldIn, type Scratch } from './scratch.ts';

/** A change to one file, at its real path. */
export interface Change {
  path: string;
  /** What the file must still contain; absent if there must be no file. */
  before?: Buffer | undefined;
  /** What to write; absent to delete the file. */
  after?: Buffer | undefined;
  /** All permissions of the written file. Default: what the umask leaves. */
  mode?: number | undefined;
}

/** The changes in the order in which they are made: the state file says what is there, so it comes last. */
export function inOrder(root: string, changes: readonly Change[]): Change[] {
  const isLast = ({ path }: Change) => path === join(root, STATE_FILE);
  return [...changes.filter(change => !isLast(change)), ...changes.filter(isLast)];
}

export function journalOf(root: string, changes: readonly Change[]): Journal {
  const hash = (contents: Buffer | undefined) => (contents ? hashOf(contents) : null);
  const written = changes.filter(({ after }) => after);
  return {
    entries: changes.map(({ path, before, after }) => ({
      path: nameIn(root, path),
      old: hash(before),
      new: hash(after),
    })),
    directories: unique(written.flatMap(({ path }) => missingAbove(path, root))).map(path => nameIn(root, path)),
  };
}

/** The directories between a file and the project's own that don't exist, each after its parent. */
function missingAbove(path: string, root: string): string[] {
  const parent = dirname(path);
  return parent === root || existsSync(parent) ? [] : [...missingAbove(parent, root), parent];
}

/** Puts the new content of a file, and a backup of the old one, into the scratch directory. */
export function stage(at: number, { path, before, after, mode }: Change, scratch: Scratch, files: FileSystem): void {
  // After a power failure, no text that was on the disk may be lost.
  const isDurable = before !== undefined;
  if (after) createFile(newIn(scratch, at), { contents: after, mode, isDurable }, files);
  if (before) backUp(path, oldIn(scratch, at), files);
}

/** Writes the journal, under another name first: it is complete, or there is none. */
export function writeJournal(journal: Journal, scratch: Scratch, files: FileSystem): void {
  const draft = join(scratch.path, 'journal.new');
  createFile(draft, { contents: Buffer.from(journalText(journal)), isDurable: true }, files);
  files.renameSync(draft, journalIn(scratch));
}

/** Whether a file and its backup are what the change was planned for. A file to create is checked as it is moved in. */
export const isAsPlanned = (at: number, { path, before }: Change, scratch: Scratch): boolean =>
  !before || [path, oldIn(scratch, at)].every(one => hashAt(one) === hashOf(before));

/** Makes a staged change, in one call. */
export function make(at: number, { path, before, after }: Change, scratch: Scratch, files: FileSystem): void {
  changeReal(path, place => {
    if (!after) files.unlinkSync(place);
    else if (before) moveOver(newIn(scratch, at), place, scratch, files);
    else moveToFreePlace(newIn(scratch, at), place, scratch, files);
  });
}
