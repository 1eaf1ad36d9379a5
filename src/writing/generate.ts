import { resolve } from 'node:path';
import { nameWithin } from '../paths/locate.ts';
import { watchInterruption } from '../shell/interruption.ts';
import { carryOut } from './commit.ts';
import type { FileSystem } from './disk.ts';
import { ConflictError, planFiles } from './plan.ts';

type Plan = ReturnType<typeof planFiles>;

interface Rendering {
  files: Parameters<typeof planFiles>[0];
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
