import * as nodeFiles from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { UserError } from '../errors.ts';
import type { Interruption } from '../shell/interruption.ts';
import { isSystemError } from '../system-errors.ts';
import { couldNotUndo, explainDiskError } from './disk-error.ts';
import type { FileWrite } from './plan.ts';

/** The calls that change the disk. Tests make each of them fail. */
export type FileSystem = Pick<
  typeof nodeFiles,
  | 'mkdirSync'
  | 'rmdirSync'
  | 'openSync'
  | 'fchmodSync'
  | 'writeFileSync'
  | 'closeSync'
  | 'linkSync'
  | 'renameSync'
  | 'unlinkSync'
>;

/** What to do to the disk. Paths are real ones. */
export interface Work {
  root: string;
  writes: readonly FileWrite[];
  deletions?: readonly FileDeletion[];
}

/** A file to delete, and what it must still contain then. */
export interface FileDeletion {
  path: string;
  expected: Buffer;
}

/** Does all of it, or throws one `UserError` and leaves the disk unchanged. */
export async function carryOut(work: Work, interruption: Interruption, files?: FileSystem): Promise<void> {
  const commit = new Commit(work.root, files);
  commit.write(work.writes, work.deletions);
  await interruption.settle();
  if (interruption.signal.aborted) {
    const left = commit.undo();
    if (left.length === 0) throw interruption.signal.reason;
    const { exitCode } = interruption.signal.reason as UserError;
    throw new UserError('Interrupted.', { exitCode, reason: 'interrupted', hint: couldNotUndo(left) });
  }
  commit.finish();
}

interface Step {
  path: string;
  undo: () => void;
}

/** The error for a file that isn't as it was read, though nothing was written yet. */
export const hasJustChanged = (name: string): UserError =>
  new UserError(`${name} has just changed. Nothing was written.`, {
    reason: 'conflict',
    hint: 'Run the same command again.',
  });

/** Errors of a file system or mount that doesn't support hard links, or refuses this one. */
const NO_HARD_LINK = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK', 'EINVAL']);

/**
 * Writes all files or none. It first stages every file next to its destination, which is when a full disk or a missing
 * permission shows. Then it moves each file in with one call. Replaced files can be restored until `finish`.
 *
 * It is synchronous on purpose: a signal handler can't run between two calls.
 */
export class Commit {
  readonly #root: string;
  readonly #files: FileSystem;
  /** No secret: where the name is taken, the file isn't made. */
  readonly #token = Math.random().toString(36).slice(2);
  readonly #steps: Step[] = [];
  readonly #backups: string[] = [];
  readonly #deleted: string[] = [];
  #count = 0;
  #current = '';

  constructor(root: string, files: FileSystem = nodeFiles) {
    this.#root = root;
    this.#files = files;
  }

  /** Writes and deletes everything, or undoes everything and throws. */
  write(writes: readonly FileWrite[], deletions: readonly FileDeletion[] = []): void {
    let verb = 'write';
    try {
      const staged = writes.map(write => ({ write, temporary: this.#stage(write) }));
      for (const { write, temporary } of staged) this.#moveIn(write, temporary);
      verb = 'delete';
      for (const deletion of deletions) this.#moveAway(deletion);
    } catch (error) {
      throw explainDiskError(`${verb} ${this.#name(this.#current)}`, error, this.undo());
    }
  }

  /** Undoes every step, the last one first. Returns the names of the paths that could not be restored. */
  undo(): string[] {
    const left: string[] = [];
    for (let step = this.#steps.pop(); step; step = this.#steps.pop()) {
      try {
        step.undo();
      } catch {
        left.push(this.#name(step.path));
      }
    }
    return left;
  }

  /** Deletes the backups of replaced and deleted files, and empty directories. After this, nothing can be undone. */
  finish(): void {
    const left: string[] = [];
    for (const backup of this.#backups) {
      try {
        this.#remove(backup);
      } catch {
        left.push(this.#name(backup));
      }
    }
    for (const path of this.#deleted) this.#removeEmpty(dirname(path));
    if (left.length === 0) return;
    throw new UserError('Everything was written, but these backup files could not be removed:', {
      reason: 'disk',
      problems: left,
    });
  }

  #stage(write: FileWrite): string {
    const directory = dirname(write.path);
    this.#makeDirectory(directory);
    this.#current = write.path;
    const temporary = this.#nextTo(write.path);
    this.#createFile(temporary, write);
    return temporary;
  }

  #makeDirectory(path: string): void {
    this.#current = path;
    if (nodeFiles.existsSync(path)) return;
    this.#makeDirectory(dirname(path));
    this.#current = path;
    this.#files.mkdirSync(path);
    this.#steps.push({ path, undo: () => this.#files.rmdirSync(path) });
  }

  #createFile(path: string, { contents, replacedMode, mode }: FileWrite): void {
    const descriptor = this.#files.openSync(path, 'wx', replacedMode ?? mode);
    this.#steps.push({ path, undo: () => this.#remove(path) });
    try {
      // The umask removes bits from the mode given to `open`. A replaced file keeps its whole mode.
      if (replacedMode !== undefined) this.#files.fchmodSync(descriptor, replacedMode);
      this.#files.writeFileSync(descriptor, contents);
    } finally {
      this.#files.closeSync(descriptor);
    }
  }

  #moveIn(write: FileWrite, temporary: string): void {
    this.#current = write.path;
    if (write.replacedMode === undefined) this.#moveToFreePlace(write, temporary);
    else this.#moveOver(write, temporary);
  }

  /** Unlike a rename, a hard link fails if a file has appeared there in the meantime. */
  #moveToFreePlace(write: FileWrite, temporary: string): void {
    const { path } = write;
    if (this.#tryLink(temporary, path)) this.#steps.push({ path, undo: () => this.#remove(path) });
    else this.#createFile(path, write);
    this.#files.unlinkSync(temporary);
  }

  #moveOver({ path, expected }: FileWrite, temporary: string): void {
    const backup = this.#nextTo(path);
    if (!this.#tryLink(path, backup)) this.#files.renameSync(path, backup);
    this.#backups.push(backup);
    const undo = () => {
      this.#files.renameSync(backup, path);
      // Renaming one link of a file to another does nothing. That happens if the file was never replaced.
      this.#remove(backup);
    };
    this.#steps.push({ path, undo });
    this.#checkBackup(backup, expected);
    this.#files.renameSync(temporary, path);
  }

  /** Renames the file, so that it can be restored until `finish`. */
  #moveAway({ path, expected }: FileDeletion): void {
    this.#current = path;
    const backup = this.#nextTo(path);
    this.#files.renameSync(path, backup);
    this.#backups.push(backup);
    this.#deleted.push(path);
    this.#steps.push({ path, undo: () => this.#files.renameSync(backup, path) });
    this.#checkBackup(backup, expected);
  }

  /** Fails if another program, such as a second run, has changed the file since it was read. */
  #checkBackup(backup: string, expected: Buffer | undefined): void {
    if (expected && !expected.equals(nodeFiles.readFileSync(backup))) throw hasJustChanged(this.#name(this.#current));
  }

  /** Removes a directory below the root that has become empty, and then its parent if that is empty, too. */
  #removeEmpty(path: string): void {
    if (relative(this.#root, path) === '' || relative(this.#root, path).startsWith('..')) return;
    try {
      this.#files.rmdirSync(path);
    } catch {
      // It isn't empty, or is gone already. An empty directory that stays does no harm.
      return;
    }
    this.#removeEmpty(dirname(path));
  }

  /** False if hard links don't work here; the callers then use another way. */
  #tryLink(from: string, to: string): boolean {
    try {
      this.#files.linkSync(from, to);
      return true;
    } catch (error) {
      if (isSystemError(error) && NO_HARD_LINK.has(error.code)) return false;
      throw error;
    }
  }

  #remove(path: string): void {
    try {
      this.#files.unlinkSync(path);
    } catch (error) {
      if (!isSystemError(error) || error.code !== 'ENOENT') throw error;
    }
  }

  /** A unique name in the same directory, short enough for any file system. */
  #nextTo(path: string): string {
    this.#count += 1;
    return join(dirname(path), `.botcli-${this.#token}-${this.#count}.tmp`);
  }

  /** A path as messages show it: relative to the target, or in full if it is the target or a parent. */
  #name(path: string): string {
    const name = relative(this.#root, path);
    return name === '' || name.startsWith('..') ? path : name;
  }
}
