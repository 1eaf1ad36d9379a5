import { resolve } from 'node:path';
import { UserError, type UserErrorDetails } from '../errors.ts';
import { isSameText, withLineEndsOf } from '../formats/bytes.ts';
import { explainingDiskErrors } from '../paths/disk-error.ts';
import { findTarget, hasOtherNames, locate, nameWithin, OTHER_NAMES, sameAs } from '../paths/locate.ts';
import { watchInterruption } from '../shell/interruption.ts';
import { type Change, carryOut } from './commit.ts';
import { type FileSystem, modeOf, readWhole } from './disk.ts';

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
  /** The report. Paths are relative to the target, with `/`. */
  files: { path: string; action: 'created' | 'unchanged' | 'overwritten' | 'updated' | 'kept' }[];
}

/** An existing file whose content differs from the new content. */
interface Difference {
  /** Relative to the target, with `/`. */
  name: string;
  old: Buffer;
  contents: Buffer;
}

type Problem = Extract<ReturnType<typeof locate>, { why: string }> | (Difference & { kind: 'differs'; why: string });

/** Compares the rendered files with existing ones. Writes nothing. Throws one `UserError` that names every obstacle. */
export function planFiles(
  rendered: readonly RenderedFile[],
  directory: string,
  mayOverwrite: (name: string, old: Buffer) => boolean,
): Plan {
  const { root } = findTarget(directory);
  const plan: Plan = { root, changes: [], files: [] };
  const problems = new Map<string, Problem>();
  const owners = new Map<string, string>();
  const refuse = (problem: Problem) => void problems.set(problem.name, problem);
  const planOne = (name: string, { contents: fresh, replaces }: RenderedFile) => {
    const place = locate(root, name);
    if ('why' in place) return refuse(place);
    const { path } = place;
    const owner = owners.get(path);
    if (owner) return refuse({ name, kind: 'unsafe', why: sameAs(owner) });
    owners.set(path, name);
    const add = (action: Plan['files'][number]['action'], change?: Omit<Change, 'path'>) => {
      plan.files.push({ path: name, action });
      if (change) plan.changes.push({ path, ...change });
    };
    if (place.isFree) return add('created', { after: fresh });
    const old = readWhole(path);
    const contents = withLineEndsOf(old, fresh);
    if (isSameText(old, contents)) return add('unchanged');
    if (hasOtherNames(path)) return refuse({ name, kind: 'unsafe', why: OTHER_NAMES });
    if (!replaces && !mayOverwrite(name, old))
      return refuse({ name, kind: 'differs', why: 'already exists with different content', old, contents });
    const isAppended = replaces && contents.subarray(0, old.length).equals(old);
    add(isAppended ? 'updated' : 'overwritten', { before: old, mode: modeOf(path), after: contents });
  };
  for (const file of rendered) {
    const name = nameWithin(directory, file.path);
    explainingDiskErrors(`read ${name}`, () => planOne(name, file));
  }
  if (problems.size > 0) throw refusalOf([...problems.values()], directory);
  return plan;
}

/** Only files are in the way, and `--force` would overwrite all of them. */
export class ConflictError extends UserError {
  readonly differences: readonly Difference[];

  constructor(message: string, details: UserErrorDetails, differences: readonly Difference[]) {
    super(message, details);
    this.differences = differences;
  }
}

function refusalOf(problems: Problem[], directory: string): UserError {
  const differing = problems.filter(problem => problem.kind === 'differs');
  const isPassable = differing.length === problems.length;
  const advice = [
    'Nothing was written.',
    differing.length > 0 && 'Pass --force to overwrite the files that differ; your changes in them are lost.',
    !isPassable &&
      `Move or rename ${differing.length > 0 ? 'the others' : 'them'} first; --force won't overwrite them.`,
  ];
  const message = `Cannot generate into ${directory} because of existing files:`;
  const details: UserErrorDetails = {
    reason: problems.some(({ kind }) => kind === 'unsafe') ? 'unsafe-link' : 'conflict',
    problems: problems.map(({ name, why }) => `${name} ${why}`).sort(),
    hint: advice.filter(Boolean).join(' '),
  };
  return isPassable ? new ConflictError(message, details, differing) : new UserError(message, details);
}

interface GenerationTarget {
  /** Absolute. It may not exist yet. */
  directory: string;
  force: boolean;
  /**
   * Called before existing files that differ are overwritten, if nothing else is in the way. Throws to keep them.
   * Without it, such files stop the run.
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
 * Renders files in memory, then writes all of them, or nothing. A refusal, a disk error and an interruption each throw
 * one `UserError` and leave the disk unchanged. An error in `render` is thrown unchanged. Its `kept` are existing files
 * that stay, absolute or relative to the target.
 */
export async function generate(
  render: (signal: AbortSignal) => Promise<{ files: readonly RenderedFile[]; kept: readonly string[] }>,
  target: GenerationTarget,
  files?: FileSystem,
): Promise<GenerationReport> {
  const { directory } = target;
  const interruption = watchInterruption();
  try {
    const rendering = await render(interruption.signal);
    const plan = await planWithConsent(rendering.files, target);
    await carryOut(plan, interruption, files);
    const kept = rendering.kept.map(path => nameWithin(directory, resolve(directory, path)));
    const all = [...kept.map(path => ({ path, action: 'kept' as const })), ...plan.files];
    return { directory, files: all.sort((one, other) => (one.path < other.path ? -1 : 1)) };
  } finally {
    interruption.ignore();
  }
}

/** The plan, with the user's consent if needed. Consent covers only the contents that the user was shown. */
async function planWithConsent(
  files: readonly RenderedFile[],
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
