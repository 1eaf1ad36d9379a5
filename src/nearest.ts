import { distance } from 'fastest-levenshtein';

/** Nobody means one of more names, and each comparison takes time. Longer words aren't typos, either. */
const MOST_CANDIDATES = 1000;
const LONGEST = 200;

/**
 * The candidate that a mistyped word most likely means, ignoring case: the shortest one that starts with the word, else
 * the closest one within some edits. Undefined if none is close.
 *
 * @param limit How many edits at most. Default: two, or a third of the word's length, if that is more.
 */
export function nearest(
  word: string,
  candidates: readonly string[],
  limit = Math.max(2, Math.floor(word.length / 3)),
): string | undefined {
  const typed = word.toLowerCase();
  if (typed === '' || typed.length > LONGEST || candidates.length > MOST_CANDIDATES) return undefined;
  let best: { candidate: string; cost: number } | undefined;
  for (const candidate of candidates) {
    if (candidate.length > LONGEST) continue;
    const meant = candidate.toLowerCase();
    // Hardly anybody mistypes the first letter.
    const edits = distance(typed, meant) + (typed[0] === meant[0] ? 0 : 1);
    // A prefix costs less than one edit. The shorter the rest, the lower the cost.
    const cost = meant.startsWith(typed) ? 1 - 1 / (edits + 1) : edits;
    // As many edits as letters means that the two words have nothing in common.
    if (cost > limit || cost >= Math.max(typed.length, meant.length)) continue;
    if (best === undefined || cost < best.cost) best = { candidate, cost };
  }
  return best?.candidate;
}

/** Asks "Did you mean …?" with the closest name; undefined if none is close. `show` formats the name. */
export function didYouMean(
  word: string,
  names: readonly string[],
  show = (name: string): string => name,
): string | undefined {
  const meant = nearest(word, names);
  return meant === undefined ? undefined : `Did you mean ${show(meant)}?`;
}
