import gt from 'semver/functions/gt.js';
import { usageError } from '../errors.ts';
import {
  type FrameworkTable,
  findTouched,
  loadFrameworkTable,
  readCode,
  renameIn,
  type Touched,
} from '../existing/framework.ts';
import type { Project } from '../existing/open-project.ts';
import { PYPROJECT } from '../existing/pyproject.ts';
import { readPythonFiles } from '../existing/python/files.ts';
import { readText } from '../paths/read.ts';
import { textHashOf } from '../project/files/state.ts';
import { FRAMEWORK_PIN, frameworkPin, PIPECAT_RELEASE } from '../project/release.ts';
import type { FileChange } from '../writing/changes.ts';

/** A move of a project to another release of the framework. */
export interface FrameworkMove {
  from: string;
  to: string;
  table: FrameworkTable;
  /** The user's files as they are before botcli merges them: with new names, and the release. */
  edits: ReadonlyMap<string, string>;
  renamed: ReturnType<typeof renameIn>['renamed'];
  touched: readonly Touched[];
  /** Python files that weren't read, and why: words that follow the name. */
  unread: ReadonlyMap<string, string>;
}

/**
 * What another release of the framework means for a project. Nothing if the project stays with its release; an error,
 * with exit code 2, if it can't move. `next` is the release that botcli's own changes lead to.
 */
export async function planFramework(
  { root, state }: Project,
  options: { framework?: boolean; 'framework-release'?: string; rename?: boolean },
  next: string | undefined,
): Promise<Omit<FrameworkMove, 'touched'> | undefined> {
  const { 'framework-release': typed, framework = typed !== undefined, rename = true } = options;
  const pyproject = readText(root, PYPROJECT) ?? '';
  const from = frameworkPin(pyproject);
  if (!framework && (!from || !next || !gt(next, from))) return undefined;
  const table = await loadFrameworkTable();
  const to = typed ?? (framework ? PIPECAT_RELEASE : (next ?? PIPECAT_RELEASE));
  if (!from) {
    throw usageError(`${PYPROJECT} has no pipecat-ai with a single release. Nothing was changed.`, {
      hint: `Name the release that the bot runs with, such as pipecat-ai==${PIPECAT_RELEASE}`,
    });
  }
  if (gt(from, to)) throw usageError(`The bot has pipecat-ai ${from}, which is newer than ${to}. Nothing was changed.`);
  const { texts: all, unread } = readPythonFiles(root, true);
  const texts = new Map(all);
  const garbled = [...texts].flatMap(([path, text]) =>
    text.includes('\uFFFD') ? [[path, "isn't UTF-8"] as const] : [],
  );
  for (const [path] of garbled) texts.delete(path);
  // What nobody edited, botcli writes anew.
  const own = new Map([...texts].filter(([path, text]) => textHashOf(Buffer.from(text)) !== state.files.get(path)));
  const { code, broken } = readCode(own);
  const { texts: edits, renamed } = rename
    ? renameIn(code, table, to, all)
    : { texts: new Map<string, string>(), renamed: [] };
  const isOwn = textHashOf(Buffer.from(pyproject)) !== state.files.get(PYPROJECT) || to !== PIPECAT_RELEASE;
  if (isOwn && from !== to) edits.set(PYPROJECT, pyproject.replace(FRAMEWORK_PIN, `$1${to}`));
  return {
    from,
    to,
    table,
    edits,
    renamed,
    unread: new Map([...unread, ...garbled, ...broken.map(path => [path, "isn't sound Python"] as const)]),
  };
}

/** What changes for a project as it is after an update. */
export function touchedAfter(
  { root }: Project,
  changes: readonly FileChange[],
  move: Omit<FrameworkMove, 'touched'>,
): Touched[] {
  const texts = new Map(readPythonFiles(root, true).texts);
  for (const { name, after } of changes) {
    if (!after) texts.delete(name);
    else if (name.endsWith('.py')) texts.set(name, after.toString());
  }
  return findTouched(readCode(texts).code, move.table, move.from, move.to);
}
