import { existsSync, lstatSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { hasCode, isSystemError, orIfRefused, UserError } from '../errors.ts';
import { explainDiskError, explainingDiskErrors, hasJustChanged } from '../paths/disk-error.ts';
import { findTarget, hasOtherNames, isThere, locate, locateEnvFile, nameIn, type Obstacle } from '../paths/locate.ts';
import { readReal } from '../paths/read.ts';
import { hashOf, STATE_FILE } from '../project/files/state.ts';
import { type Interruption, watchInterruption } from '../shell/interruption.ts';
import { unique } from '../std.ts';
import { type FileSystem, patient } from './disk.ts';
import { makeScratch } from './scratch.ts';

type Scratch = ReturnType<typeof makeScratch>;

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
    if (owner) found.set(name, { name, kind: 'unsafe', why: `is the same file as ${owner} (through a symbolic link)` });
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
  files?: FileSystem,
  interruption: Interruption = watchInterruption(),
): Promise<void> {
  try {
    const { root } = findTarget(resolve(directory));
    const plan = changes.map(({ name, before, after }) =>
      explainingDiskErrors(`read ${name}`, () => {
        const path = unchangedPath(root, name, before);
        return { path, before, after, ...(before && { mode: modeOf(path) }) };
      }),
    );
    const commit = new Commit(root, plan, files);
    commit.write();
    await interruption.settle();
    const { aborted, reason } = interruption.signal;
    if (!aborted) return commit.finish();
    const left = commit.undo();
    if (left.length === 0) throw reason;
    const { exitCode } = reason as UserError;
    throw new UserError('Interrupted.', { exitCode, reason: 'interrupted', hint: couldNotUndo(left) });
  } finally {
    interruption.ignore();
  }
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
  commitAll(root, [{ path, before, after: change(before), mode }]);
}

/** Writes, replaces or deletes files of a project, by their names: all of them, or none if botcli may not or can't. */
export function putFiles(directory: string, contents: Readonly<Record<string, string | undefined>>): void {
  const { root } = findTarget(directory);
  const changes = Object.entries(contents).map(([name, text]) => {
    const { path, isFree } = allowed(locate(root, name), 'Nothing was changed.');
    const before = isFree ? undefined : explainingDiskErrors(`read ${name}`, () => readWhole(path));
    return { path, before, after: text === undefined ? undefined : Buffer.from(text) };
  });
  commitAll(root, changes);
}

function commitAll(root: string, changes: readonly Change[]): void {
  const commit = new Commit(root, changes);
  commit.write();
  commit.finish();
}

const OWNER_ONLY = 0o600;

/** A change to one file. */
interface Change {
  /** The real path: no part of it is a link. */
  path: string;
  /** What the file must still contain; absent if there must be no file. */
  before?: Buffer | undefined;
  /** What to write; absent to delete the file. */
  after?: Buffer | undefined;
  /** All permissions of the written file. Default: what the umask leaves. */
  mode?: number | undefined;
}

/**
 * Changes all files or none. First it puts new contents and backups into a scratch directory, which is when a full disk
 * shows. Then it moves each file into its place with one call, the state file last. If the run is killed, each file is
 * the old one or the new one, and the same command again finishes it.
 *
 * It is synchronous on purpose: a signal handler can't run between two calls.
 */
class Commit {
  readonly #root: string;
  readonly #changes: readonly Change[];
  readonly #files: FileSystem;
  /** The directories that don't exist, each after its parent: that of the project, and those above and in it. */
  readonly #directories: readonly string[];
  #scratch: Scratch | undefined;
  /** How many changes have begun. */
  #begun = 0;
  /** What to say if the next call fails. */
  #doing = '';

  /** @param root The real path of the project. */
  constructor(root: string, changes: readonly Change[], files: FileSystem = patient()) {
    const isState = ({ path }: Change) => path === join(root, STATE_FILE);
    this.#root = root;
    // The state file says what is there, so it comes last.
    this.#changes = [...changes.filter(change => !isState(change)), ...changes.filter(isState)];
    this.#files = files;
    const written = this.#changes.filter(({ after }) => after).map(({ path }) => dirname(path));
    this.#directories = unique([root, ...written].flatMap(missingDirectories));
  }

  /** Makes every change, or undoes everything and throws. */
  write(): void {
    if (this.#changes.length === 0) return;
    try {
      for (const path of this.#directories) this.#makeDirectory(path);
      this.#doing = `write to ${this.#root}`;
      const scratch = makeScratch(this.#root, this.#files);
      this.#scratch = scratch;
      for (const [at, change] of this.#changes.entries()) this.#stage(at, change, scratch);
      for (const [at, change] of this.#changes.entries()) this.#make(at, change, scratch);
    } catch (error) {
      const left = this.undo();
      throw explainDiskError(this.#doing, error, left.length > 0 ? couldNotUndo(left) : undefined);
    }
  }

  /**
   * Restores each file that it has changed, the last one first, and only if it still is what the run made of it.
   * Returns the names of the paths that could not be restored.
   */
  undo(): string[] {
    try {
      const failed = this.#scratch ? this.#undoChanges(this.#scratch) : [];
      if (failed.length > 0) return failed;
      this.#scratch?.remove();
      for (const path of [...this.#directories].reverse()) removeIfEmpty(path, this.#files);
      return [];
    } catch {
      return [this.#scratch?.name ?? this.#root];
    }
  }

  /** Removes the backups, and directories that have become empty. After this, nothing can be undone. */
  finish(): void {
    if (!this.#scratch) return;
    try {
      for (const { path, after } of this.#changes) if (!after) this.#removeEmpty(dirname(path));
      this.#scratch.remove();
    } catch (error) {
      if (!isSystemError(error)) throw error;
      throw new UserError(`Everything was written, but ${this.#scratch.name} could not be removed.`, {
        reason: 'disk',
        hint: 'It has only temporary files. The next botcli init or update tries again to remove it.',
      });
    }
  }

  #makeDirectory(path: string): void {
    this.#doing = `write ${this.#name(path)}`;
    if (existsSync(path)) return;
    expectReal(path);
    this.#files.mkdirSync(path);
  }

  /** Puts the new content of a file, and a backup of the old one, into the scratch directory. */
  #stage(at: number, change: Change, scratch: Scratch): void {
    const { path, before, after, mode } = change;
    this.#describe(change);
    // After a power failure, no text that was on the disk may be lost.
    const isDurable = before !== undefined;
    if (after) createFile(scratch.newOf(at), { contents: after, mode, isDurable }, this.#files);
    if (before) backUp(path, scratch.oldOf(at), this.#files);
    // Another program may have changed the file since it was read.
    if (!isAsPlanned(at, change, scratch)) throw hasJustChanged(this.#name(path));
  }

  /** Makes a staged change, in one call. */
  #make(at: number, change: Change, scratch: Scratch): void {
    const { path, before, after } = change;
    this.#describe(change);
    if (!isReal(path) || !isAsPlanned(at, change, scratch)) throw hasJustChanged(this.#name(path));
    this.#begun = at + 1;
    if (!after) this.#files.unlinkSync(path);
    else if (before) this.#files.renameSync(scratch.newOf(at), path);
    else moveToFreePlace(scratch.newOf(at), path, this.#files);
  }

  #undoChanges(scratch: Scratch): string[] {
    const failed: string[] = [];
    for (const [at, change] of [...this.#changes.slice(0, this.#begun).entries()].reverse()) {
      try {
        this.#restore(at, change, scratch);
      } catch (error) {
        if (!isSystemError(error)) throw error;
        failed.unshift(nameIn(this.#root, change.path));
      }
    }
    return failed;
  }

  #restore(at: number, { path, before, after }: Change, scratch: Scratch): void {
    if (hashAt(path) !== (after ? hashOf(after) : null)) return;
    expectReal(path);
    if (!before) this.#files.unlinkSync(path);
    else if (after) this.#files.renameSync(scratch.oldOf(at), path);
    else moveToFreePlace(scratch.oldOf(at), path, this.#files);
  }

  /** Removes a directory of the project that has become empty, and then its parent if that is empty, too. */
  #removeEmpty(path: string): void {
    if (path !== this.#root && removeIfEmpty(path, this.#files)) this.#removeEmpty(dirname(path));
  }

  #describe({ path, after }: Change): void {
    this.#doing = `${after ? 'write' : 'delete'} ${this.#name(path)}`;
  }

  /** A path as messages show it: in the project, or in full if it is the project or above. */
  #name(path: string): string {
    const name = nameIn(this.#root, path);
    return name === '' || name.startsWith('..') ? path : name;
  }
}

const couldNotUndo = (paths: readonly string[]): string =>
  `Could not undo the changes to: ${paths.join(', ')}\nRun the same command again to make all changes.`;

/** A directory and those above it that don't exist, each after its parent. */
const missingDirectories = (path: string): string[] =>
  existsSync(path) ? [] : [...missingDirectories(dirname(path)), path];

/** Whether a file and its backup are what the change was planned for. A file to create is checked as it is moved in. */
const isAsPlanned = (at: number, { path, before }: Change, scratch: Scratch): boolean =>
  !before || [path, scratch.oldOf(at)].every(one => hashAt(one) === hashOf(before));

/** The SHA-256 of a file; null if nothing is there, undefined if it is anything else. */
function hashAt(path: string): string | null | undefined {
  if (!isThere(path)) return null;
  if (!lstatSync(path).isFile()) return undefined;
  return orIfRefused(['ERR_FS_FILE_TOO_LARGE'], () => hashOf(readWhole(path)), undefined);
}

/** Keeps a file under a second name. */
function backUp(path: string, backup: string, files: FileSystem): void {
  if (tryLink(path, backup, files)) return;
  createFile(backup, { contents: readWhole(path), mode: modeOf(path), isDurable: true }, files);
}

/** Errors of a file system or mount that doesn't support hard links, or refuses this one. */
const NO_HARD_LINK = ['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK', 'EINVAL'];

/** Gives a file a second name. False if hard links don't work here. */
const tryLink = (from: string, to: string, files: FileSystem): boolean =>
  orIfRefused(
    NO_HARD_LINK,
    () => {
      files.linkSync(from, to);
      return true;
    },
    false,
  );

interface NewFile {
  contents: Buffer;
  /** All of its permissions. Default: what the umask leaves. */
  mode?: number | undefined;
  /** Whether it must survive a power failure from now on. That takes milliseconds. */
  isDurable?: boolean;
}

/** Errors of network and virtual disks that can't flush. */
const NO_FLUSH = ['EINVAL', 'ENOSYS', 'ENOTSUP', 'EPERM'];

/** Writes a file where none is. */
function createFile(path: string, { contents, mode, isDurable = false }: NewFile, files: FileSystem): void {
  const descriptor = files.openSync(path, 'wx', mode);
  try {
    // The umask removes bits from the mode given to `open`.
    if (mode !== undefined) files.fchmodSync(descriptor, mode);
    files.writeFileSync(descriptor, contents);
    if (isDurable) orIfRefused(NO_FLUSH, () => files.fdatasyncSync(descriptor), undefined);
  } finally {
    files.closeSync(descriptor);
  }
}

/** Moves a file to a place where nothing is. */
function moveToFreePlace(from: string, to: string, files: FileSystem): void {
  // Unlike a rename, a hard link fails if a file has appeared there in the meantime.
  if (tryLink(from, to, files)) return;
  if (isThere(to)) throw Object.assign(new Error(`EEXIST: ${to}`), { code: 'EEXIST', syscall: 'link' });
  files.renameSync(from, to);
}

/** Whether no directory of a path is a link. None was one when the run began. */
const isReal = (path: string): boolean => realpathSync(dirname(path)) === dirname(path);

function expectReal(path: string): void {
  if (!isReal(path)) throw Object.assign(new Error(`ESTALE: ${path}`), { code: 'ESTALE', syscall: 'open' });
}

/** Removes a directory, if it is empty. Whether it is gone: one that stays does no harm. */
function removeIfEmpty(path: string, files: FileSystem): boolean {
  try {
    // On Windows, trying to remove a full one would take two seconds.
    if (readdirSync(path).length > 0) return false;
    expectReal(path);
    files.rmdirSync(path);
    return true;
  } catch (error) {
    return hasCode(error, ['ENOENT']);
  }
}

const modeOf = (path: string): number => statSync(path).mode & 0o7777;

/** The largest file to compare or to keep as a backup, in bytes. botcli writes none that is nearly as large. */
const LARGEST_FILE = 2 ** 26;

/** Reads a whole file at a real path, as `readReal`. */
const readWhole = (path: string): Buffer => readReal(path, LARGEST_FILE);
