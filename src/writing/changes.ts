import { join, resolve } from 'node:path';
import { UserError } from '../errors.ts';
import { couldNotUndo, explainingDiskErrors, hasJustChanged } from '../paths/disk-error.ts';
import { findTarget, hasOtherNames, locate, locateEnvFile, type Obstacle, sameAs } from '../paths/locate.ts';
import type { Interruption } from '../shell/interruption.ts';
import { Commit } from './commit.ts';
import { type FileSystem, modeOf, readWhole } from './disk.ts';

/** A file on disk; or why a path can't be read or written as one. */
export type FileState =
  | {
      contents: Buffer;
      /** Whether the path, or a part of it, is a symbolic link. */
      isLinked: boolean;
      /** Whether it may be a secret, so that it must not be shown or merged: `hasOtherNames`. */
      hasOtherNames: boolean;
    }
  | Obstacle;

export interface FileChange {
  /** Relative to the directory, with `/`. */
  name: string;
  /** What is there now; absent if there is no file. */
  before?: Buffer | undefined;
  /** What to write; absent to delete the file. */
  after?: Buffer | undefined;
}

/** Looks up files. One that doesn't exist is absent from the result. */
export function readFiles(directory: string, names: Iterable<string>): Map<string, FileState> {
  const { root } = findTarget(directory);
  const found = new Map<string, FileState>();
  const owners = new Map<string, string>();
  const places = [...names].map(name => {
    const place = locate(root, name);
    return { name, place, isLinked: 'path' in place && place.path !== join(root, name) };
  });
  // A link comes after the file that it points to, so that the file counts.
  for (const { name, place, isLinked } of places.sort((one, other) => Number(one.isLinked) - Number(other.isLinked))) {
    if ('why' in place) {
      found.set(name, place);
      continue;
    }
    const { path, isFree } = place;
    const owner = owners.get(path);
    owners.set(path, owner ?? name);
    const read = () => ({ contents: readWhole(path), hasOtherNames: hasOtherNames(path), isLinked });
    if (owner) found.set(name, { name, kind: 'unsafe', why: sameAs(owner) });
    else if (!isFree) found.set(name, explainingDiskErrors(`read ${name}`, read));
  }
  return found;
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
  const commit = new Commit({ root, changes: plan }, files);
  commit.write();
  await interruption.settle();
  const { aborted, reason } = interruption.signal;
  if (!aborted) return commit.finish();
  const left = commit.undo();
  if (left.length === 0) throw reason;
  const { exitCode } = reason as UserError;
  throw new UserError('Interrupted.', { exitCode, reason: 'interrupted', hint: couldNotUndo(left) });
}

/** The real path of a file that is as expected. */
function unchangedPath(root: string, name: string, before: Buffer | undefined): string {
  const { path, isFree } = allowed(locate(root, name), 'Nothing was changed.');
  if (isFree ? before === undefined : before?.equals(readWhole(path))) return path;
  throw hasJustChanged(name);
}

/** A place that botcli may change. */
function allowed(place: ReturnType<typeof locate>, outcome: string): Extract<typeof place, { path: string }> {
  if ('path' in place) return place;
  throw new UserError(`${place.name} ${place.why}. ${outcome}`, { reason: 'conflict' });
}

/** Why an env file of a project can't be changed or created; undefined if it can. */
export function obstacleTo(directory: string, name: string): string | undefined {
  const destination = locateEnvFile(findTarget(directory).root, name);
  return 'why' in destination ? `${destination.name} ${destination.why}` : undefined;
}

/** Changes or creates an env file that only its owner may read: all of it or nothing, and never through a link. */
export function changeEnvFile(directory: string, name: string, change: (old?: Buffer) => Buffer): void {
  const { root } = findTarget(directory);
  const { path, isFree } = allowed(locateEnvFile(root, name), 'It was not changed.');
  const [before, mode] = explainingDiskErrors(`read ${name}`, () =>
    isFree ? [undefined, OWNER_ONLY] : [readWhole(path), modeOf(path) & OWNER_ONLY],
  );
  commitAll({ root, changes: [{ path, before, after: change(before), mode }] });
}

/** Writes, replaces or deletes files of a project, by their names: all of them, or none if botcli may not or can't. */
export function putFiles(directory: string, contents: Readonly<Record<string, string | undefined>>): void {
  const { root } = findTarget(directory);
  const changes = Object.entries(contents).map(([name, text]) => {
    const { path, isFree } = allowed(locate(root, name), 'Nothing was changed.');
    const before = isFree ? undefined : explainingDiskErrors(`read ${name}`, () => readWhole(path));
    return { path, before, after: text === undefined ? undefined : Buffer.from(text) };
  });
  commitAll({ root, changes });
}

function commitAll(work: ConstructorParameters<typeof Commit>[0]): void {
  const commit = new Commit(work);
  commit.write();
  commit.finish();
}

const OWNER_ONLY = 0o600;
