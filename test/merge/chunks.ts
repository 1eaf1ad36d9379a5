import type { Chunk } from '../../src/merge/lines.ts';

/** Lines, with `/` between them. */
export const rows = (text: string): string[] => (text === '' ? [] : text.split('/'));

/** A chunk with the lines of each side; `/` separates them. */
export const chunk = (
  source: Chunk['source'],
  user: string,
  base: string,
  botcli: string,
  more: Partial<Chunk> = {},
): Chunk => ({
  user: rows(user),
  base: rows(base),
  botcli: rows(botcli),
  source,
  ...more,
});
/** A chunk that nobody has changed. */
export const same = (text: string): Chunk => chunk('nobody', text, text, text);
