import assert from 'node:assert/strict';
import { mergeTexts } from './merging.ts';

/** Changes some code. False if that can't be done there. */
type Edit<Code> = (code: Code) => boolean;

/**
 * Merges edits of both sides. If they give the same text in both orders, a clean merge must give it, too.
 *
 * @param matters What of a text must be the same.
 * @returns Undefined if it's unknown which result is right.
 */
export function mergeEdits<Code>(
  path: string,
  { base, user, botcli }: { base: Code; user: readonly Edit<Code>[]; botcli: readonly Edit<Code>[] },
  textOf: (code: Code) => string,
  matters = (text: string) => text,
): 'clean' | 'conflict' | undefined {
  const edited = (edits: readonly Edit<Code>[]) => {
    const code = structuredClone(base);
    return edits.every(edit => edit(code)) ? textOf(code) : undefined;
  };
  const [mine, ours] = [edited(user), edited(botcli)];
  const [one, other] = [edited([...user, ...botcli]), edited([...botcli, ...user])];
  if (mine === undefined || ours === undefined || one === undefined || one !== other) return undefined;
  const { text, conflicts } = mergeTexts(path, mine, textOf(base), ours);
  if (conflicts.length > 0) return 'conflict';
  assert.equal(matters(text), matters(one), `${textOf(base)}\n${mine}\n${ours}`);
  return 'clean';
}
