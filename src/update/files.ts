import { withLineEndsOf } from '../formats/bytes.ts';
import type { Labels } from '../formats/markers.ts';
import { isRewritten, mergeFile } from '../merge/index.ts';
import { OTHER_NAMES } from '../paths/locate.ts';
import { type FileRecord, textHashOf } from '../project/files/state.ts';
import { unique } from '../std.ts';
import type { FileChange, FileState } from '../writing/changes.ts';
import type { Tree } from './base.ts';

/** What becomes of a file. */
type UpdateAction =
  | 'created'
  | 'updated'
  | 'merged'
  | 'deleted'
  | 'unchanged'
  | 'kept'
  | 'orphaned'
  | 'spared'
  | 'absent'
  | 'own'
  | 'conflict';

/** Lines, or a whole file, about which the user has to decide. */
type Conflict = { path: string } & ReturnType<typeof mergeFile>['conflicts'][number];

/** Something of botcli's that stays because a file of the user's uses it. */
interface KeptUse {
  what: string;
  by: string;
  /** What the file does with it. */
  verb: 'imports' | 'reads';
}

/** One file of an update. */
export interface FileUpdate {
  path: string;
  action: UpdateAction;
  /** What to do to the disk, if anything. */
  change?: FileChange;
  conflicts: readonly Conflict[];
  /** What the update would have taken away, and why it stays. */
  keeps?: readonly KeptUse[];
  /** The change that writes conflict markers instead of deciding. What isn't a text file can't have them. */
  marked?: FileChange;
  /** The hash to record: of what botcli would write. Absent for a file of the user's own. */
  recorded?: string | undefined;
}

/** A project before and after. */
export interface Situation {
  record: FileRecord;
  user: ReadonlyMap<string, FileState>;
  /** What the new choices render. */
  botcli: Tree;
  /** What the recorded choices render, if any file needs it; or why they can't: a sentence without a full stop. */
  base: Tree | string;
  /** What this release renders from the recorded choices, if any file may be deleted. */
  here: Tree | string;
  labels: Labels;
}

/**
 * Whether a file can't be judged without the base: it was edited or added, and the new choices may change it. Or it
 * would be deleted, and this release wouldn't write it.
 */
export const needsBase = (known: Omit<Situation, 'base' | 'labels'>): boolean =>
  [...known.botcli].some(([path, contents]) => {
    const file = known.user.get(path);
    return file !== undefined && ![known.record.get(path), textHashOf(contents)].includes(hashOfFile(file));
  }) || listDeletable(known).some(path => !isRendered(path, known.record, known.here));

/** The files that are as recorded, and that the new choices don't have. */
export const listDeletable = ({ record, user, botcli }: Pick<Situation, 'record' | 'user' | 'botcli'>): string[] =>
  [...record].flatMap(([path, hash]) => {
    const file = user.get(path);
    return !botcli.has(path) && file && hashOfFile(file) === hash ? [path] : [];
  });

/** Whether a recorded file is really one of these, and not just said to be by a state file, which anyone can write. */
function isRendered(path: string, record: FileRecord, tree: Tree | string): boolean {
  const contents = typeof tree === 'string' ? undefined : tree.get(path);
  return contents !== undefined && textHashOf(contents) === record.get(path);
}

/** What isn't a file equals nothing. */
const hashOfFile = (file: FileState): string => ('why' in file ? 'not a file' : textHashOf(file.contents));

/** Decides what becomes of each file, in the order of their paths. */
export const mergeProject = (situation: Situation): FileUpdate[] =>
  unique([...situation.record.keys(), ...situation.botcli.keys()])
    .sort()
    .flatMap(path => decide(path, situation) ?? []);

/** Decides what becomes of a file. Nothing if neither the disk nor the new choices have it. */
function decide(path: string, situation: Situation): FileUpdate | undefined {
  const { record, base, here, labels } = situation;
  const [file, ours, recorded] = [situation.user.get(path), situation.botcli.get(path), record.get(path)];
  const [now, next] = [file && hashOfFile(file), ours && textHashOf(ours)];
  const inBase = typeof base !== 'string' && base.has(path);
  // A file that the user deleted, or that the new choices don't have any more, keeps its record.
  const to = (action: UpdateAction, change?: FileChange): FileUpdate => ({
    path,
    action,
    conflicts: [],
    ...(change && { change }),
    ...(action !== 'deleted' && { recorded: next ?? recorded }),
  });
  const refuse = (reason: string): FileUpdate => ({
    ...to('conflict'),
    conflicts: [{ path, lines: [1, 0], yours: '', base: '', ours: '', reason }],
  });
  if (!file) {
    if (!ours) return undefined;
    if (recorded === undefined && !inBase) return to('created', { name: path, after: ours });
    return next !== recorded && NEEDED.test(path) ? refuse(MISSED) : to('absent');
  }
  if (now === next) return to('unchanged');
  // The user's own from the beginning, such as an existing AGENTS.md.
  if (recorded === undefined && (inBase || !ours)) return { path, action: 'kept', conflicts: [] };
  if (now !== recorded && !ours) return to('orphaned');
  if (now !== recorded && next === recorded) return to('kept');
  if ('why' in file) return refuse(`It ${file.why}.`);
  const { contents: before } = file;
  if (!ours) {
    // A link may lead to a file that others use.
    if (file.isLinked) return to('orphaned');
    return [base, here].some(tree => isRendered(path, record, tree))
      ? to('deleted', { name: path, before })
      : to('spared');
  }
  if (now === recorded) return to('updated', { name: path, before, after: withLineEndsOf(before, ours) });
  if (file.hasOtherNames) return refuse(`It ${OTHER_NAMES}.`);
  const { text, why } = recorded === undefined ? { text: Buffer.alloc(0) } : baseOf(path, situation);
  const update = { ...mergeWith(path, { before, after: ours, text }, labels, why), recorded: next };
  if (update.action !== 'conflict') return update;
  if (recorded === undefined) return refuse(NOT_OURS);
  return text && path.endsWith('.md') && isRewritten(before, text) ? to('own') : update;
}

/** The bot doesn't run without its code. */
const NEEDED = /^server\/(\w+\.py|pyproject\.toml)$/;

const MISSED = 'You deleted or moved it, and these choices change it. Put it back, or leave these choices.';
const NOT_OURS = 'botcli would create this file, but you have one of that name. Rename yours.';

function mergeWith(
  path: string,
  { before, after, text }: { before: Buffer; after: Buffer; text: Buffer | undefined },
  labels: Labels,
  why?: string,
): FileUpdate {
  const { contents, conflicts, marked } = mergeFile(path, { user: before, base: text, botcli: after }, labels);
  if (conflicts.length > 0) {
    const explained = conflicts.map(conflict => ({ path, ...conflict, ...(why && { reason: why }) }));
    const hasMarks = !marked.equals(before);
    return {
      path,
      action: 'conflict',
      conflicts: explained,
      ...(hasMarks && { marked: { name: path, before, after: marked } }),
    };
  }
  if (contents.equals(before)) return { path, action: 'kept', conflicts: [] };
  return { path, action: 'merged', conflicts: [], change: { name: path, before, after: contents } };
}

/** Merges a file again, as if botcli had written another text. */
export function mergeAgain(update: FileUpdate, situation: Situation, rewrite: (base: string) => string): FileUpdate {
  const { path, action, change, recorded } = update;
  const { before } = change ?? {};
  const after = situation.botcli.get(path);
  if (!before || !after) return update;
  // What nobody edited is just what botcli wrote.
  const written = action === 'updated' ? before : (baseOf(path, situation).text ?? before);
  const text = Buffer.from(rewrite(written.toString().replaceAll('\r\n', '\n')));
  return { ...mergeWith(path, { before, after, text }, situation.labels), recorded };
}

/** The text that botcli wrote, if it is certain. */
function baseOf(path: string, { record, base }: Situation): { text?: Buffer; why?: string } {
  if (typeof base === 'string') return { why: `What botcli wrote isn't available: ${base}.` };
  const text = base.get(path);
  if (text && textHashOf(text) === record.get(path)) return { text };
  const why = record.has(path) ? 'this botcli writes another text for the recorded choices' : 'it has no record';
  return { why: `What botcli wrote isn't available: ${why}.` };
}
