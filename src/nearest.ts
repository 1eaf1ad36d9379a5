import { distance } from 'fastest-levenshtein';

/**
 * The candidate that a mistyped word most likely meant, whatever its case: the shortest one that the word begins, else
 * the closest within two edits (a third of the word, when it is long). Nothing when none is close.
 */
export function nearest(word: string, candidates: readonly string[]): string | undefined {
  const typed = word.toLowerCase();
  if (typed === '') return undefined;
  const limit = Math.max(2, Math.floor(typed.length / 3));
  let best: { candidate: string; cost: number } | undefined;
  for (const candidate of candidates) {
    const meant = candidate.toLowerCase();
    const edits = distance(typed, meant);
    // A beginning costs less than one edit, the shorter the rest the better.
    const cost = meant.startsWith(typed) ? 1 - 1 / (edits + 1) : edits;
    // As many edits as letters means that the two have nothing in common.
    if (cost > limit || cost >= Math.max(typed.length, meant.length)) continue;
    if (best === undefined || cost < best.cost) best = { candidate, cost };
  }
  return best?.candidate;
}

/** The question which of the names a mistyped word meant; nothing when none is close. `show` is how a name is written. */
export function didYouMean(
  word: string,
  names: readonly string[],
  show = (name: string): string => name,
): string | undefined {
  const meant = nearest(word, names);
  return meant === undefined ? undefined : `Did you mean ${show(meant)}?`;
}
