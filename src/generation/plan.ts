import { readFileSync, statSync } from 'node:fs';
import { UserError, type UserErrorDetails } from '../errors.ts';
import { explainingDiskErrors } from './disk-error.ts';
import { findDestination, findTarget, isThere, nameWithin, type Obstacle } from './target.ts';

/** What was done to a file, or not done. */
export type FileAction = 'created' | 'unchanged' | 'overwritten' | 'updated' | 'kept';

/** One file of the report; its path is relative to the target, with `/`. */
export interface FileReport {
  path: string;
  action: FileAction;
}

/** A file that a generator has rendered. */
export interface RenderedFile {
  path: string;
  contents: Buffer;
  /** What to do with a file that exists and differs. */
  onConflict: 'keep' | 'overwrite' | 'refuse';
}

/** A file to be written, at its real path. */
export interface FileWrite {
  path: string;
  contents: Buffer;
  /** The mode of the file that it replaces; absent for a new file, which has to stay new until it is written. */
  replacedMode?: number;
}

/** Everything that a commit does. */
export interface Plan {
  /** The real path of the target. */
  root: string;
  writes: FileWrite[];
  files: FileReport[];
}

/** A file that exists with other content than what would be written. */
export interface Difference {
  /** Relative to the target, with `/`. */
  name: string;
  old: Buffer;
  contents: Buffer;
}

type Problem = Obstacle | (Difference & { kind: 'differs'; why: string });

/** Whether a file that exists with other content may be overwritten. */
type MayOverwrite = (name: string, old: Buffer) => boolean;

/** What is to be done with one file; its real path is absent when the file is kept, whatever it is. */
type Verdict = { action: FileAction; path?: string; replacedMode?: number } | { problem: Problem };

/** Compares what was rendered with what is there. Writes nothing; throws one `UserError` that names every obstacle. */
export function planFiles(rendered: readonly RenderedFile[], directory: string, mayOverwrite: MayOverwrite): Plan {
  const { root } = findTarget(directory);
  const plan: Plan = { root, writes: [], files: [] };
  const problems = new Map<string, Problem>();
  const names = new Map<string, string>();
  for (const file of rendered) {
    const name = nameWithin(directory, file.path);
    const verdict = explainingDiskErrors(`read ${name}`, () => judge(root, name, file, mayOverwrite));
    if ('problem' in verdict) {
      problems.set(verdict.problem.name, verdict.problem);
      continue;
    }
    const { action, path, replacedMode } = verdict;
    plan.files.push({ path: name, action });
    if (!path) continue;
    const other = names.get(path);
    if (other) problems.set(name, { name, kind: 'unsafe', why: `is the same file as ${other}, by a symbolic link` });
    names.set(path, name);
    if (action !== 'unchanged') plan.writes.push({ path, contents: file.contents, replacedMode });
  }
  if (problems.size > 0) throw refuse([...problems.values()], directory);
  return plan;
}

function judge(root: string, name: string, file: RenderedFile, mayOverwrite: MayOverwrite): Verdict {
  const { contents, onConflict } = file;
  // Looked up by its own path: a file to keep may be anything, a link that leaves the target too.
  if (onConflict === 'keep' && isThere(file.path)) return { action: 'kept' };
  const destination = findDestination(root, name);
  if ('why' in destination) return { problem: destination };
  const { path } = destination;
  if (destination.isFree) return { action: 'created', path };
  const old = readFileSync(path);
  if (old.equals(contents)) return { action: 'unchanged', path };
  if (onConflict === 'refuse' && !mayOverwrite(name, old)) {
    return { problem: { name, kind: 'differs', why: 'exists with other content', old, contents } };
  }
  const isAppended = onConflict === 'overwrite' && contents.subarray(0, old.length).equals(old);
  return { action: isAppended ? 'updated' : 'overwritten', path, replacedMode: statSync(path).mode & 0o7777 };
}

/** Files are in the way, and nothing else: what `--force` overwrites. */
export class ConflictError extends UserError {
  readonly differences: readonly Difference[];

  constructor(message: string, details: UserErrorDetails, differences: readonly Difference[]) {
    super(message, details);
    this.differences = differences;
  }
}

function refuse(problems: Problem[], directory: string): UserError {
  const kinds = new Set(problems.map(problem => problem.kind));
  const advice = [
    'Nothing was written.',
    kinds.has('differs') && 'Pass --force to overwrite the files with other content.',
    (kinds.has('blocked') || kinds.has('unsafe')) && 'What --force does not overwrite has to be moved away first.',
  ];
  const message = `Cannot generate into ${directory}, because of what is there already:`;
  const details: UserErrorDetails = {
    reason: kinds.has('unsafe') ? 'unsafe-link' : 'conflict',
    problems: problems.map(({ name, why }) => `${name} ${why}`).sort(),
    hint: advice.filter(Boolean).join(' '),
  };
  const differing = problems.filter(problem => problem.kind === 'differs');
  return differing.length === problems.length
    ? new ConflictError(message, details, differing)
    : new UserError(message, details);
}
