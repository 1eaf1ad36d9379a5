import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UserError } from '../errors.ts';
import type { Interruption } from '../shell/interruption.ts';
import { carryOut } from './commit.ts';
import { type FileSystem, modeOf } from './disk.ts';
import { explainingDiskErrors, hasJustChanged } from './disk-error.ts';
import { findDestination, findTarget } from './target.ts';

/** A file as it is on disk. */
export interface FileOnDisk {
  contents: Buffer;
  /** Whether the path, or a part of it, is a symbolic link. */
  isLinked: boolean;
}

/** A path that can't be read or written as a file, and why: words to follow its name. */
export interface Blocked {
  why: string;
}

/** A change to one file. */
export interface FileChange {
  /** Relative to the directory, with `/`. */
  name: string;
  /** What is there now; absent if there is no file. */
  before?: Buffer | undefined;
  /** What to write; absent to delete the file. */
  after?: Buffer | undefined;
}

/** Looks up files. One that doesn't exist is absent from the result. */
export function readFiles(directory: string, names: Iterable<string>): Map<string, FileOnDisk | Blocked> {
  const { root } = findTarget(directory);
  const found = new Map<string, FileOnDisk | Blocked>();
  const owners = new Map<string, string>();
  // A link comes after the file that it points to, so that the file counts.
  const sorted = [...names].sort((one, other) => Number(isLink(root, one)) - Number(isLink(root, other)));
  for (const name of sorted) {
    const file = explainingDiskErrors(`read ${name}`, () => readIn(root, name, owners));
    if (file) found.set(name, file);
  }
  return found;
}

function isLink(root: string, name: string): boolean {
  const destination = findDestination(root, name);
  return 'path' in destination && destination.path !== join(root, name);
}

function readIn(root: string, name: string, owners: Map<string, string>): FileOnDisk | Blocked | undefined {
  const destination = findDestination(root, name);
  if ('why' in destination) return { why: destination.why };
  const { path, isFree } = destination;
  if (isFree) return undefined;
  const owner = owners.get(path);
  if (owner) return { why: `is the same file as ${owner} (through a symbolic link)` };
  owners.set(path, name);
  return { contents: readFileSync(path), isLinked: path !== join(root, name) };
}

/**
 * Makes all changes, or none. A disk error, an interruption, and a file that isn't as `before` says each throw one
 * `UserError` and leave the disk unchanged. Directories that become empty are removed.
 */
export async function applyChanges(
  directory: string,
  changes: readonly FileChange[],
  interruption: Interruption,
  files?: FileSystem,
): Promise<void> {
  const { root } = findTarget(resolve(directory));
  const plan = changes.map(({ name, before, after }) =>
    explainingDiskErrors(`read ${name}`, () => {
      const path = unchangedPath(root, name, before);
      return { path, before, after, ...(before && { mode: modeOf(path) }) };
    }),
  );
  await carryOut({ root, changes: plan }, interruption, files);
}

/** The real path of a file that is as expected. */
function unchangedPath(root: string, name: string, before: Buffer | undefined): string {
  const destination = findDestination(root, name);
  if ('why' in destination) {
    throw new UserError(`${name} ${destination.why}. Nothing was changed.`, { reason: 'conflict' });
  }
  const { path, isFree } = destination;
  if (isFree ? before === undefined : before?.equals(readFileSync(path))) return path;
  throw hasJustChanged(name);
}
