import { resolve } from 'node:path';
import { UserError } from '../errors.ts';
import { type Interruption, watchInterruption } from '../shell/interruption.ts';
import { Commit, type FileSystem } from './commit.ts';
import { leftBehind } from './disk-error.ts';
import { ConflictError, type Difference, type FileReport, type Plan, planFiles, type RenderedFile } from './plan.ts';
import { type Generators, ownGenerators, render } from './rendering.ts';
import { nameWithin } from './target.ts';

export type { Difference, FileAction, FileReport } from './plan.ts';

/** What to generate, and where. */
export interface GenerationRequest {
  /** The generator to run, such as `botcli:app`. */
  namespace: string;
  /** The target, absolute. It may not exist yet. */
  directory: string;
  /** Passed to the generator as they are. The target itself comes as the option `directory`, to composed ones too. */
  options: Record<string, unknown>;
  /** Overwrite files that exist with other content, except those that a generator keeps. */
  force: boolean;
  /**
   * Asked before files with other content are overwritten, when nothing else is in the way. Throws to leave them; left
   * out, they refuse the run.
   */
  consent?: (differences: readonly Difference[]) => Promise<void>;
}

/** What was done. */
export interface GenerationReport {
  /** The target, absolute. */
  directory: string;
  /** Sorted by path. */
  files: FileReport[];
}

/** What tests put in place of the real thing. */
export interface GenerationSeams {
  generators?: Generators;
  files?: FileSystem;
}

/**
 * Runs a generator in memory, then writes all that it rendered or nothing at all. A refusal, an error of the disk and
 * an interruption are each one `UserError`, and leave the disk as it was; an error of the generator comes out as it is.
 */
export async function generate(request: GenerationRequest, seams: GenerationSeams = {}): Promise<GenerationReport> {
  const { namespace, options } = request;
  const { generators = ownGenerators(), files } = seams;
  const directory = resolve(request.directory);
  const interruption = watchInterruption();
  try {
    const rendering = await render({ namespace, directory, options, generators }, interruption.signal);
    const plan = await planWithConsent(rendering.files, directory, request);
    await write(plan, interruption, files);
    return { directory, files: report(plan.files, rendering.skipped, directory) };
  } finally {
    interruption.ignore();
  }
}

/** The plan, with a person's consent where it takes one: to overwrite the files as they were when they were shown. */
async function planWithConsent(
  files: readonly RenderedFile[],
  directory: string,
  { force, consent }: GenerationRequest,
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

async function write(plan: Plan, interruption: Interruption, files?: FileSystem): Promise<void> {
  const commit = new Commit(plan.root, files);
  commit.write(plan.writes);
  await interruption.settle();
  if (interruption.signal.aborted) {
    const left = commit.undo();
    if (left.length === 0) throw interruption.signal.reason;
    const { exitCode } = interruption.signal.reason as UserError;
    throw new UserError('Interrupted.', { exitCode, reason: 'interrupted', hint: leftBehind(left) });
  }
  commit.finish();
}

function report(written: FileReport[], skipped: string[], directory: string): FileReport[] {
  const kept = skipped.map(path => nameWithin(directory, resolve(directory, path)));
  const actions = new Map<string, FileReport>(kept.map(path => [path, { path, action: 'kept' }]));
  for (const file of written) actions.set(file.path, file);
  return [...actions.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
}
