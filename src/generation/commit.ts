import * as nodeFiles from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { UserError } from '../errors.ts';
import { isSystemError } from '../system-errors.ts';
import { explainDiskError } from './disk-error.ts';
import type { FileWrite } from './plan.ts';

/** The calls that change the disk. Tests let each of them fail. */
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

interface Step {
  path: string;
  undo: () => void;
}

/** Errors of a file system, or a mount, that has no hard links or refuses this one. */
const NO_HARD_LINK = new Set(['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK', 'EINVAL']);

/**
 * Writes files all or none. All of them are staged beside their places first, which is where a full disk or a missing
 * permission shows; then each is moved in with one call. Whatever was there before stays within reach until `finish`.
 *
 * It is synchronous on purpose: a signal that has a listener can't come between two calls.
 */
export class Commit {
  readonly #root: string;
  readonly #files: FileSystem;
  /** No secret: where the name is taken, the file isn't made. */
  readonly #token = Math.random().toString(36).slice(2);
  readonly #steps: Step[] = [];
  readonly #backups: string[] = [];
  #count = 0;
  #current = '';

  constructor(root: string, files: FileSystem = nodeFiles) {
    this.#root = root;
    this.#files = files;
  }

  /** Writes everything, or takes everything back and throws. */
  write(writes: readonly FileWrite[]): void {
    try {
      const staged = writes.map(write => ({ write, temporary: this.#stage(write) }));
      for (const { write, temporary } of staged) this.#moveIn(write, temporary);
    } catch (error) {
      const action = `write ${this.#name(this.#current)}`;
      throw explainDiskError(action, error, this.undo());
    }
  }

  /** Takes everything back, last step first. Returns the names of what could not be taken back. */
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

  /** Lets go of the files that were replaced. There is no way back from here. */
  finish(): void {
    const left: string[] = [];
    for (const backup of this.#backups) {
      try {
        this.#remove(backup);
      } catch {
        left.push(this.#name(backup));
      }
    }
    if (left.length === 0) return;
    throw new UserError('Everything is written, but the earlier version of some files could not be removed:', {
      reason: 'disk',
      problems: left,
    });
  }

  #stage(write: FileWrite): string {
    const directory = dirname(write.path);
    this.#makeDirectory(directory);
    this.#current = write.path;
    const temporary = this.#besides(write.path);
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

  #createFile(path: string, { contents, replacedMode }: FileWrite): void {
    const descriptor = this.#files.openSync(path, 'wx', replacedMode);
    this.#steps.push({ path, undo: () => this.#remove(path) });
    try {
      // The mode given to `open` loses what the umask forbids; a file that is replaced keeps all of its mode.
      if (replacedMode !== undefined) this.#files.fchmodSync(descriptor, replacedMode);
      this.#files.writeFileSync(descriptor, contents);
    } finally {
      this.#files.closeSync(descriptor);
    }
  }

  #moveIn(write: FileWrite, temporary: string): void {
    this.#current = write.path;
    if (write.replacedMode === undefined) this.#moveToFreePlace(write, temporary);
    else this.#moveOver(write.path, temporary);
  }

  /** A hard link, other than a rename, fails when a file has appeared there meanwhile. */
  #moveToFreePlace(write: FileWrite, temporary: string): void {
    const { path } = write;
    if (this.#tryLink(temporary, path)) this.#steps.push({ path, undo: () => this.#remove(path) });
    else this.#createFile(path, write);
    this.#files.unlinkSync(temporary);
  }

  #moveOver(path: string, temporary: string): void {
    const backup = this.#besides(path);
    if (!this.#tryLink(path, backup)) this.#files.renameSync(path, backup);
    this.#backups.push(backup);
    const undo = () => {
      this.#files.renameSync(backup, path);
      // Renaming between two links of one file does nothing: then the place was never taken over.
      this.#remove(backup);
    };
    this.#steps.push({ path, undo });
    this.#files.renameSync(temporary, path);
  }

  /** False where hard links can't be had; the callers know another way. */
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

  /** A name that nobody else uses, short enough for any directory. */
  #besides(path: string): string {
    this.#count += 1;
    return join(dirname(path), `.botcli-${this.#token}-${this.#count}.tmp`);
  }

  /** How a person calls a path: relative to the target, or in full when it is the target or above. */
  #name(path: string): string {
    const name = relative(this.#root, path);
    return name === '' || name.startsWith('..') ? path : name;
  }
}
