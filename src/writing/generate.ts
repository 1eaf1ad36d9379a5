import { resolve } from 'node:path';
import { UserError } from '../errors.ts';
import { isSameText, withLineEndsOf } from '../formats/bytes.ts';
import { nameWithin, type Obstacle, OTHER_NAMES } from '../paths/locate.ts';
import { watchInterruption } from '../shell/interruption.ts';
import { applyChanges, type FileChange, readFiles } from './changes.ts';
import type { FileSystem } from './disk.ts';

interface RenderedFile {
  path: string;
  contents: Buffer;
  /** Whether it replaces a file that exists and differs. */
  replaces: boolean;
}

/** What to do, and the report. */
interface Plan {
  changes: FileChange[];
  /** Paths are relative to the target, with `/`. */
  files: { path: string; action: 'created' | 'unchanged' | 'overwritten' | 'updated' | 'kept' }[];
}

/** An existing file whose content differs from the new content. */
export interface Difference {
  /** Relative to the target, with `/`. */
  name: string;
  old: Buffer;
  contents: Buffer;
}

type Problem = Obstacle | (Difference & { kind: 'differs'; why: string });

/** Compares the rendered files with existing ones. Writes nothing. */
function compareFiles(
  rendered: readonly RenderedFile[],
  directory: string,
  mayOverwrite: (name: string, old: Buffer) => boolean,
): { plan: Plan; problems: Problem[] } {
  const plan: Plan = { changes: [], files: [] };
  const problems = new Map<string, Problem>();
  const refuse = (problem: Problem) => void problems.set(problem.name, problem);
  const files = new Map(rendered.map(file => [nameWithin(directory, file.path), file]));
  const disk = readFiles(directory, files.keys());
  for (const [name, { contents: fresh, replaces }] of files) {
    const file = disk.get(name);
    const add = (action: Plan['files'][number]['action'], change?: Omit<FileChange, 'name'>) => {
      plan.files.push({ path: name, action });
      if (change) plan.changes.push({ name, ...change });
    };
    if (!file) add('created', { after: fresh });
    else if ('why' in file) refuse(file);
    else {
      const old = file.contents;
      const contents = withLineEndsOf(old, fresh);
      if (isSameText(old, contents)) add('unchanged');
      else if (file.hasOtherNames) refuse({ name, kind: 'unsafe', why: OTHER_NAMES });
      else if (!replaces && !mayOverwrite(name, old)) {
        refuse({ name, kind: 'differs', why: 'already exists with different content', old, contents });
      } else {
        const isAppended = replaces && contents.subarray(0, old.length).equals(old);
        add(isAppended ? 'updated' : 'overwritten', { before: old, after: contents });
      }
    }
  }
  return { plan, problems: [...problems.values()] };
}

/** One `UserError` that names every obstacle. */
function refusalOf(problems: readonly Problem[], directory: string): UserError {
  const differing = problems.filter(({ kind }) => kind === 'differs').length;
  const advice = [
    'Nothing was written.',
    differing > 0 && 'Pass --force to overwrite the files that differ; your changes in them are lost.',
    differing < problems.length &&
      `Move or rename ${differing > 0 ? 'the others' : 'them'} first; --force won't overwrite them.`,
  ];
  return new UserError(`Cannot generate into ${directory} because of existing files:`, {
    reason: problems.some(({ kind }) => kind === 'unsafe') ? 'unsafe-link' : 'conflict',
    problems: problems.map(({ name, why }) => `${name} ${why}`).sort(),
    hint: advice.filter(Boolean).join(' '),
  });
}

interface GenerationTarget {
  /** Absolute. It may not exist yet. */
  directory: string;
  force: boolean;
  /**
   * Called before existing files that differ are overwritten, if nothing else is in the way. Throws to keep them.
   * Without it, such files stop the run.
   */
  consent?: ((differences: readonly Difference[]) => Promise<void>) | undefined;
}

/**
 * Renders files in memory, then writes all of them, or nothing. A refusal, a disk error and an interruption each throw
 * one `UserError` and leave the disk unchanged. An error in `render` is thrown unchanged. Its `kept` are existing files
 * that stay, absolute or relative to the target. Returns the target, absolute, and its files, sorted by path.
 */
export async function generate(
  render: (signal: AbortSignal) => Promise<{ files: readonly RenderedFile[]; kept: readonly string[] }>,
  target: GenerationTarget,
  files?: FileSystem,
): Promise<{ directory: string; files: Plan['files'] }> {
  const { directory } = target;
  const interruption = watchInterruption();
  try {
    const rendering = await render(interruption.signal);
    const plan = await planFiles(rendering.files, target);
    await applyChanges(directory, plan.changes, files, interruption);
    const kept = rendering.kept.map(path => nameWithin(directory, resolve(directory, path)));
    const all = [...kept.map(path => ({ path, action: 'kept' as const })), ...plan.files];
    return { directory, files: all.sort((one, other) => (one.path < other.path ? -1 : 1)) };
  } finally {
    interruption.ignore();
  }
}

/** The plan, with the user's consent if needed. Consent covers only the contents that the user was shown. */
async function planFiles(
  files: readonly RenderedFile[],
  { directory, force, consent }: GenerationTarget,
): Promise<Plan> {
  const agreed = new Map<string, Buffer>();
  for (;;) {
    const mayOverwrite = (name: string, old: Buffer) => force || agreed.get(name)?.equals(old) === true;
    const { plan, problems } = compareFiles(files, directory, mayOverwrite);
    if (problems.length === 0) return plan;
    const differing = problems.filter(problem => problem.kind === 'differs');
    if (!consent || differing.length < problems.length) throw refusalOf(problems, directory);
    await consent(differing);
    for (const { name, old } of differing) agreed.set(name, old);
  }
}
