import { resolve } from 'node:path';
import { UserError, type UserErrorDetails } from '../errors.ts';
import { isSameText, withLineEndsOf } from '../formats/bytes.ts';
import { explainingDiskErrors } from '../paths/disk-error.ts';
import { findTarget, hasOtherNames, locate, nameWithin, OTHER_NAMES, sameAs } from '../paths/locate.ts';
import { watchInterruption } from '../shell/interruption.ts';
import { type Change, carryOut } from './commit.ts';
import { type FileSystem, modeOf, readWhole } from './disk.ts';

type FileAction = 'created' | 'unchanged' | 'overwritten' | 'updated' | 'kept';

/** One file of the report. Its path is relative to the target, with `/`. */
interface FileReport {
  path: string;
  action: FileAction;
}

interface RenderedFile {
  path: string;
  contents: Buffer;
  /** Whether it replaces a file that exists and differs. */
  replaces: boolean;
}

/** Everything that a commit does. */
interface Plan {
  /** The real path of the target. */
  root: string;
  changes: Change[];
  files: FileReport[];
}

/** An existing file whose content differs from the new content. */
interface Difference {
  /** Relative to the target, with `/`. */
  name: string;
  old: Buffer;
  contents: Buffer;
}

type Problem = Extract<ReturnType<typeof locate>, { why: string }> | (Difference & { kind: 'differs'; why: string });

/** What to do with one file, at its real path. */
type Verdict =
  | { action: FileAction; path: string; contents: Buffer; before?: Buffer; mode?: number }
  | { problem: Problem };

/** Compares the rendered files with existing ones. Writes nothing. Throws one `UserError` that names every obstacle. */
export function planFiles(
  rendered: readonly RenderedFile[],
  directory: string,
  mayOverwrite: (name: string, old: Buffer) => boolean,
): Plan {
  const { root } = findTarget(directory);
  const plan: Plan = { root, changes: [], files: [] };
  const problems = new Map<string, Problem>();
  const names = new Map<string, string>();
  for (const file of rendered) {
    const name = nameWithin(directory, file.path);
    const verdict = explainingDiskErrors(`read ${name}`, () => planOne(root, name, file, mayOverwrite));
    if ('problem' in verdict) {
      problems.set(verdict.problem.name, verdict.problem);
      continue;
    }
    const { action, path, before, mode, contents } = verdict;
    plan.files.push({ path: name, action });
    const other = names.get(path);
    if (other) problems.set(name, { name, kind: 'unsafe', why: sameAs(other) });
    names.set(path, name);
    if (action !== 'unchanged') plan.changes.push({ path, before, after: contents, mode });
  }
  if (problems.size > 0) throw refuse([...problems.values()], directory);
  return plan;
}

function planOne(
  root: string,
  name: string,
  file: RenderedFile,
  mayOverwrite: Parameters<typeof planFiles>[2],
): Verdict {
  const { replaces } = file;
  const destination = locate(root, name);
  if ('why' in destination) return { problem: destination };
  const { path } = destination;
  if (destination.isFree) return { action: 'created', path, contents: file.contents };
  const old = readWhole(path);
  const contents = withLineEndsOf(old, file.contents);
  if (isSameText(old, contents)) return { action: 'unchanged', path, contents };
  if (hasOtherNames(path)) return { problem: { name, kind: 'unsafe', why: OTHER_NAMES } };
  if (!replaces && !mayOverwrite(name, old)) {
    return { problem: { name, kind: 'differs', why: 'already exists with different content', old, contents } };
  }
  const isAppended = replaces && contents.subarray(0, old.length).equals(old);
  return { action: isAppended ? 'updated' : 'overwritten', path, before: old, mode: modeOf(path), contents };
}

/** Only files are in the way, and `--force` would overwrite all of them. */
export class ConflictError extends UserError {
  readonly differences: readonly Difference[];

  constructor(message: string, details: UserErrorDetails, differences: readonly Difference[]) {
    super(message, details);
    this.differences = differences;
  }
}

function refuse(problems: Problem[], directory: string): UserError {
  const kinds = new Set(problems.map(problem => problem.kind));
  const obstacles = kinds.has('differs') ? 'the others' : 'them';
  const advice = [
    'Nothing was written.',
    kinds.has('differs') && 'Pass --force to overwrite the files that differ; your changes in them are lost.',
    (kinds.has('blocked') || kinds.has('unsafe')) && `Move or rename ${obstacles} first; --force won't overwrite them.`,
  ];
  const message = `Cannot generate into ${directory} because of existing files:`;
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

interface Rendering {
  files: readonly RenderedFile[];
  /** Paths of existing files that stay, absolute or relative to the target. */
  kept: readonly string[];
}

interface GenerationTarget {
  /** Absolute. It may not exist yet. */
  directory: string;
  force: boolean;
  /**
   * Called before existing files that differ are overwritten, if nothing else is in the way. Throws to keep them. Without
   * it, such files stop the run.
   */
  consent?: ((differences: ConflictError['differences']) => Promise<void>) | undefined;
}

export interface GenerationReport {
  /** The target, absolute. */
  directory: string;
  /** Sorted by path. */
  files: Plan['files'];
}

/**
 * Renders files in memory, then writes all of them, or nothing. A refusal, a disk error and an interruption each throw one
 * `UserError` and leave the disk unchanged. An error in `render` is thrown unchanged.
 */
export async function generate(
  render: (signal: AbortSignal) => Promise<Rendering>,
  target: GenerationTarget,
  files?: FileSystem,
): Promise<GenerationReport> {
  const { directory } = target;
  const interruption = watchInterruption();
  try {
    const rendering = await render(interruption.signal);
    const plan = await planWithConsent(rendering.files, target);
    await carryOut(plan, interruption, files);
    return { directory, files: report(plan.files, rendering.kept, directory) };
  } finally {
    interruption.ignore();
  }
}

/** The plan, with the user's consent if needed. Consent covers only the contents that the user was shown. */
async function planWithConsent(
  files: Rendering['files'],
  { directory, force, consent }: GenerationTarget,
): Promise<Plan> {
  const agreed = new Map<string, Buffer>();
  for (;;) {
    try {
      return planFiles(files, directory, (name, old) => force || agreed.get(name)?.equals(old) === true);
    } catch (error) {
      if (!consent || !(error instanceof ConflictError)) throw error;
      await consent(error.differences);
      for (const { name, old } of error.differences) agreed.set(name, old);
    }
  }
}

function report(written: Plan['files'], paths: readonly string[], directory: string): Plan['files'] {
  const kept = paths.map(path => ({ path: nameWithin(directory, resolve(directory, path)), action: 'kept' as const }));
  return [...kept, ...written].sort((one, other) => (one.path < other.path ? -1 : 1));
}
