import { withLineEndsOf } from '../formats/bytes.ts';
import type { Labels } from '../formats/markers.ts';
import { isRewritten, mergeFile, type PathFacts, type Verdict, verdictOf } from '../merge/index.ts';
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

/** Decides what becomes of each file, in the order of their paths. */
export function mergeProject(situation: Situation): FileUpdate[] {
  const { record, user, botcli, base } = situation;
  const paths = unique([...record.keys(), ...botcli.keys()]).sort();
  return paths.flatMap(path => {
    const [file, ours, recorded] = [user.get(path), botcli.get(path), record.get(path)];
    const facts: PathFacts = {
      path,
      ...(recorded && { recorded }),
      ...(file && { user: hashOfFile(file) }),
      ...(ours && { botcli: textHashOf(ours) }),
      inBase: typeof base !== 'string' && base.has(path),
    };
    const verdict = verdictOf(facts);
    if (verdict === 'gone') return [];
    const update = decide(verdict, facts, situation);
    // A file that the user deleted, or that the new choices don't have any more, keeps its record.
    const isOurs = update.action !== 'deleted' && !(verdict === 'kept' && recorded === undefined);
    return [{ ...update, ...(isOurs && { recorded: facts.botcli ?? recorded }) }];
  });
}

/** What isn't a file equals nothing. */
const hashOfFile = (file: FileState): string => ('why' in file ? 'not a file' : textHashOf(file.contents));

function decide(verdict: Exclude<Verdict, 'gone'>, facts: PathFacts, situation: Situation): FileUpdate {
  const { path } = facts;
  const { record, base, here } = situation;
  const [file, after] = [situation.user.get(path), situation.botcli.get(path)];
  const to = (action: UpdateAction, change?: FileChange): FileUpdate => ({
    path,
    action,
    conflicts: [],
    ...(change && { change }),
  });
  if (verdict === 'created') return to('created', { name: path, after });
  if (verdict === 'absent') return isMissed(facts) ? conflicting(path, MISSED) : to('absent');
  if (verdict === 'unchanged' || verdict === 'kept' || verdict === 'orphaned') return to(verdict);
  // What isn't a file isn't as it was recorded, so it's in the way of a merge.
  if (!file || 'why' in file) return conflicting(path, `It ${file?.why}.`);
  const { contents: before, isLinked } = file;
  if (verdict === 'deleted') {
    // A link may lead to a file that others use.
    if (isLinked) return to('orphaned');
    const isOurs = [base, here].some(tree => isRendered(path, record, tree));
    return isOurs ? to('deleted', { name: path, before }) : to('spared');
  }
  const ours = after ?? Buffer.alloc(0);
  if (verdict === 'replaced') return to('updated', { name: path, before, after: withLineEndsOf(before, ours) });
  if (file.hasOtherNames) return conflicting(path, `It ${OTHER_NAMES}.`);
  return mergeOne(path, verdict, { before, after: ours }, situation);
}

/** The bot doesn't run without its code. */
const isMissed = ({ path, recorded, botcli }: PathFacts): boolean =>
  botcli !== undefined && botcli !== recorded && /^server\/(\w+\.py|pyproject\.toml)$/.test(path);

const MISSED = 'You deleted or moved it, and these choices change it. Put it back, or leave these choices.';
const NOT_OURS = 'botcli would create this file, but you have one of that name. Rename yours.';

/** A conflict about a whole file, which markers can't show. */
const conflicting = (path: string, reason: string): FileUpdate => ({
  path,
  action: 'conflict',
  conflicts: [{ path, lines: [1, 0], yours: '', base: '', ours: '', reason }],
});

function mergeOne(
  path: string,
  verdict: Verdict,
  { before, after }: { before: Buffer; after: Buffer },
  situation: Situation,
): FileUpdate {
  const { text, why } = verdict === 'own' ? { text: Buffer.alloc(0) } : baseOf(path, situation);
  const update = mergeWith(path, { before, after, text }, situation.labels, why);
  if (update.action !== 'conflict') return update;
  if (verdict === 'own') return conflicting(path, NOT_OURS);
  const isOwn = text && path.endsWith('.md') && isRewritten(before, text);
  return isOwn ? { path, action: 'own', conflicts: [] } : update;
}

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
