import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { UserError } from '../errors.ts';
import { couldNotUndo, explainDiskError, hasJustChanged } from '../paths/disk-error.ts';
import { nameIn } from '../paths/locate.ts';
import { changeReal } from '../paths/open.ts';
import type { Interruption } from '../shell/interruption.ts';
import { isSystemError } from '../system-errors.ts';
import { type Change, inOrder, isAsPlanned, journalOf, make, stage, writeJournal } from './changing.ts';
import { type FileSystem, patient } from './disk.ts';
import type { Journal } from './journal.ts';
import { isInPlace } from './moves.ts';
import { makeScratch, type Scratch } from './scratch.ts';
import { finish, removeIfEmpty, undo } from './undo.ts';

interface Work {
  /** The real path of the project. */
  root: string;
  changes: readonly Change[];
}

/** Does all of it, or throws one `UserError` and leaves the disk unchanged. */
export async function carryOut(work: Work, interruption: Interruption, files?: FileSystem): Promise<void> {
  const commit = new Commit(work, files);
  commit.write();
  await interruption.settle();
  if (interruption.signal.aborted) {
    const left = commit.undo();
    if (left.length === 0) throw interruption.signal.reason;
    const { exitCode } = interruption.signal.reason as UserError;
    throw new UserError('Interrupted.', { exitCode, reason: 'interrupted', hint: couldNotUndo(left) });
  }
  commit.finish();
}

/**
 * Changes all files or none. First it puts new contents and backups into a scratch directory, which is when a full disk
 * shows. Then it writes a journal, and moves each file into its place with one call, the state file last. A run that is
 * killed leaves the journal, with which the next one restores every file (`repair.ts`).
 *
 * It is synchronous on purpose: a signal handler can't run between two calls.
 */
export class Commit {
  readonly #root: string;
  readonly #changes: readonly Change[];
  readonly #files: FileSystem;
  readonly #journal: Journal;
  /** The project's directory and those above it that didn't exist, each after its parent. */
  readonly #parents: readonly string[];
  #scratch: Scratch | undefined;
  /** How many changes have begun. */
  #begun = 0;
  /** What to say if the next call fails. */
  #doing = '';

  constructor({ root, changes }: Work, files: FileSystem = patient()) {
    this.#root = root;
    this.#changes = inOrder(root, changes);
    this.#files = files;
    this.#journal = journalOf(root, this.#changes);
    this.#parents = missingAt(root);
  }

  /** Makes every change, or undoes everything and throws. */
  write(): void {
    if (this.#changes.length === 0) return;
    try {
      for (const path of this.#parents) this.#makeDirectory(path);
      this.#doing = `write to ${this.#root}`;
      const scratch = makeScratch(this.#root, this.#files);
      this.#scratch = scratch;
      for (const [at, change] of this.#changes.entries()) this.#stage(at, change, scratch);
      this.#doing = `write to ${this.#root}`;
      // A single change is one call, which needs no journal.
      if (this.#changes.length > 1) writeJournal(this.#journal, scratch, this.#files);
      for (const name of this.#journal.directories) this.#makeDirectory(join(this.#root, name));
      for (const [at, change] of this.#changes.entries()) this.#make(at, change, scratch);
    } catch (error) {
      throw explainDiskError(this.#doing, error, this.undo());
    }
  }

  /** Undoes every change. Returns the names of the paths that could not be restored. */
  undo(): string[] {
    try {
      const entries = this.#journal.entries.slice(0, this.#begun);
      const started = { root: this.#root, journal: { ...this.#journal, entries } };
      const { failed } = this.#scratch ? undo({ ...started, scratch: this.#scratch }, this.#files) : { failed: [] };
      if (failed.length === 0) for (const path of [...this.#parents].reverse()) removeIfEmpty(path, this.#files);
      return failed;
    } catch {
      return [this.#scratch?.name ?? this.#root];
    }
  }

  /** Removes the backups, and directories that have become empty. After this, nothing can be undone. */
  finish(): void {
    if (!this.#scratch) return;
    try {
      finish({ root: this.#root, scratch: this.#scratch, journal: this.#journal }, this.#files);
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
    if (!existsSync(path)) changeReal(path, place => this.#files.mkdirSync(place));
  }

  #stage(at: number, change: Change, scratch: Scratch): void {
    this.#describe(change);
    stage(at, change, scratch, this.#files);
    // Another program may have changed the file since it was read.
    if (!isAsPlanned(at, change, scratch)) throw hasJustChanged(this.#name(change.path));
  }

  #make(at: number, change: Change, scratch: Scratch): void {
    this.#describe(change);
    if (!isInPlace(change.path) || !isAsPlanned(at, change, scratch)) throw hasJustChanged(this.#name(change.path));
    this.#begun = at + 1;
    make(at, change, scratch, this.#files);
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

/** A directory and those above it that don't exist, each after its parent. */
const missingAt = (path: string): string[] => (existsSync(path) ? [] : [...missingAt(dirname(path)), path]);
