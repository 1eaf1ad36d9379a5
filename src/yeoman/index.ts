import { resolve } from 'node:path';
import { watchInterruption } from '../shell/interruption.ts';
import { carryOut } from '../writing/commit.ts';
import type { FileSystem } from '../writing/disk.ts';
import {
  ConflictError,
  type Difference,
  type FileReport,
  type Plan,
  planFiles,
  type RenderedFile,
} from '../writing/plan.ts';
import { nameWithin } from '../writing/target.ts';
import { type Generators, ownGenerators, render } from './rendering.ts';

export type { Difference, FileAction, FileReport } from '../writing/plan.ts';

/** What to generate, and where. */
export interface GenerationRequest {
  /** The generator to run, such as `botcli:app`. */
  namespace: string;
  /** The target, absolute. It may not exist yet. */
  directory: string;
  /** Passed to the generator unchanged. Every generator, composed ones included, gets the target as `directory`. */
  options: Record<string, unknown>;
  /** Overwrite existing files that differ, except those that a generator keeps. */
  force: boolean;
  /**
   * Called before existing files that differ are overwritten, if nothing else is in the way. Throws to keep them. Without
   * it, such files stop the run.
   */
  consent?: (differences: readonly Difference[]) => Promise<void>;
}

/** The result of a run. */
export interface GenerationReport {
  /** The target, absolute. */
  directory: string;
  /** Sorted by path. */
  files: FileReport[];
}

/** What tests replace. */
export interface GenerationSeams {
  generators?: Generators;
  files?: FileSystem;
}

/**
 * Runs a generator in memory, then writes everything that it rendered, or nothing. A refusal, a disk error and an
 * interruption each throw one `UserError` and leave the disk unchanged. An error in the generator is thrown unchanged.
 */
export async function generate(request: GenerationRequest, seams: GenerationSeams = {}): Promise<GenerationReport> {
  const { namespace, options } = request;
  const { generators = ownGenerators(), files } = seams;
  const directory = resolve(request.directory);
  const interruption = watchInterruption();
  try {
    const rendering = await render({ namespace, directory, options, generators }, interruption.signal);
    const plan = await planWithConsent(rendering.files, directory, request);
    await carryOut(plan, interruption, files);
    return { directory, files: report(plan.files, rendering.skipped, directory) };
  } finally {
    interruption.ignore();
  }
}

/** The plan, with the user's consent if needed. Consent covers only the contents that the user was shown. */
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

function report(written: FileReport[], skipped: string[], directory: string): FileReport[] {
  const kept = skipped.map(path => nameWithin(directory, resolve(directory, path)));
  const actions = new Map<string, FileReport>(kept.map(path => [path, { path, action: 'kept' }]));
  for (const file of written) actions.set(file.path, file);
  return [...actions.values()].sort((one, other) => (one.path < other.path ? -1 : 1));
}
