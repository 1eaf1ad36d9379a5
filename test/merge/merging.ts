import { type Labels, type Merged, mergeFile } from '../../src/merge/index.ts';

export const LABELS: Labels = { yours: 'yours', base: 'botcli 0.1.0', ours: 'botcli 0.2.0' };

/** Merges texts. */
export function mergeTexts(path: string, mine: string, base: string, theirs: string): Merged & { text: string } {
  const [yours, old, ours] = [mine, base, theirs].map(text => Buffer.from(text));
  const sides = { mine: yours ?? Buffer.alloc(0), base: old, theirs: ours ?? Buffer.alloc(0) };
  const merged = mergeFile(path, sides, LABELS);
  return { ...merged, text: merged.contents.toString() };
}

/** The merge of texts whose lines `/` separates; the reasons of its conflicts if it has any. */
export function mergeRows(path: string, mine: string, base: string, theirs: string): string {
  const [yours = '', old = '', ours = ''] = [mine, base, theirs].map(rows => rows.replaceAll('/', '\n'));
  const { text, conflicts } = mergeTexts(path, yours, old, ours);
  return conflicts.length > 0
    ? `conflict: ${conflicts.map(({ reason }) => reason).join(' ')}`
    : text.replaceAll('\n', '/');
}
