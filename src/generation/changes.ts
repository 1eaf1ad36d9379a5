import { readFileSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { UserError } from '../errors.ts';
import type { Interruption } from '../shell/interruption.ts';
import { carryOut, type FileSystem } from './commit.ts';
import { explainingDiskErrors } from './disk-error.ts';
import type { FileWrite } from './plan.ts';
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
  for (const name of names) {
    const file = explainingDiskErrors(`read ${name}`, () => readIn(root, name));
    if (file) found.set(name, file);
  }
  return found;
}

function readIn(root: string, name: string): FileOnDisk | Blocked | undefined {
  const destination = findDestination(root, name);
  if ('why' in destination) return { why: destination.why };
  if (destination.isFree) return undefined;
  return { contents: readFileSync(destination.path), isLinked: destination.path !== join(root, name) };
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
  const plan = { root, writes: [] as FileWrite[], deletions: [] as string[] };
  for (const { name, before, after } of changes) {
    const path = explainingDiskErrors(`read ${name}`, () => unchangedPath(root, name, before));
    if (after === undefined) plan.deletions.push(path);
    else plan.writes.push({ path, contents: after, replacedMode: before && statSync(path).mode & 0o7777 });
  }
  await carryOut(plan, interruption, files);
}

/** The real path of a file that is as expected. */
function unchangedPath(root: string, name: string, before: Buffer | undefined): string {
  const destination = findDestination(root, name);
  if ('why' in destination) {
    throw new UserError(`${name} ${destination.why}. Nothing was changed.`, { reason: 'conflict' });
  }
  const { path, isFree } = destination;
  if (isFree ? before === undefined : before?.equals(readFileSync(path))) return path;
  throw new UserError(`${name} has just changed. Nothing was written.`, {
    reason: 'conflict',
    hint: 'Run the same command again.',
  });
}
