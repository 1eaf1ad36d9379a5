import assert from 'node:assert/strict';
import type { Labels } from '../../src/formats/markers.ts';
import { mergeFile } from '../../src/merge/index.ts';

export const LABELS: Labels = { yours: 'yours', base: 'botcli 0.1.0', ours: 'botcli 0.2.0' };

/** Merges texts. */
export function mergeTexts(
  path: string,
  user: string,
  base: string,
  botcli: string,
): ReturnType<typeof mergeFile> & { text: string } {
  const sides = { user: Buffer.from(user), base: Buffer.from(base), botcli: Buffer.from(botcli) };
  const merged = mergeFile(path, sides, LABELS);
  return { ...merged, text: merged.contents.toString() };
}

/** The merge of texts whose lines `/` separates; the reasons of its conflicts if it has any. */
export function mergeRows(path: string, user: string, base: string, botcli: string, separator = '/'): string {
  const [mine = '', old = '', ours = ''] = [user, base, botcli].map(rows => rows.replaceAll(separator, '\n'));
  const { text, conflicts } = mergeTexts(path, mine, old, ours);
  return conflicts.length > 0
    ? `conflict: ${conflicts.map(({ reason }) => reason).join(' ')}`
    : text.replaceAll('\n', separator);
}

/** A case of a merge: what it is about, and lines of each version and of the merge. */
type Case = [about: string, user: string, base: string, botcli: string, merged: string];

/**
 * Reads cases. Each has a line that says what it is about, and indented ones that say what becomes of the base:
 * `user <-- base --> botcli ==> merged`, where `(empty)` is nothing.
 */
export function readCases(table: string): Case[] {
  const blocks = table.trim().split(/\n(?! {2})/);
  return blocks.map(block => {
    const [about = '', ...lines] = block.split(/\n {2}/);
    const parts = lines.join(' ').split(/ (?:<--|-->|==>) /);
    const [user = '', base = '', botcli = '', merged = ''] = parts.map(part => (part === '(empty)' ? '' : part));
    return [about, user, base, botcli, merged];
  });
}

/** Tests the cases of a table. They are about this file, or about the one with which a case begins. */
export const testMerges =
  (title: string, path: string, separator?: string) =>
  (table: readonly string[], ...values: string[]) =>
    describe(title, () => {
      for (const [about, user, base, botcli, merged] of readCases(String.raw({ raw: table }, ...values))) {
        const [, own = path] = /^(\S*\.\w+): /.exec(about) ?? [];
        it(about, () => assert.equal(mergeRows(own, user, base, botcli, separator), merged));
      }
    });
