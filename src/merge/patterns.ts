import { type Lines, mergeItems, type Versions } from './lines.ts';

/** Merges a file such as .gitignore: each line is a pattern of its own, and none is added twice. */
export function settlePatterns({ mine, base, theirs }: Versions<Lines>): Versions<Lines> {
  const isKnown = (line: string) => isPattern(line) && mine.includes(line) && !base.includes(line);
  // The last pattern that matches wins, so the user's come last.
  const merged = mergeItems({ mine, base, theirs: theirs.filter(line => !isKnown(line)) }, () => false);
  return merged ? { mine: merged, base: merged, theirs: merged } : { mine, base, theirs };
}

const isPattern = (line: string): boolean => line.trim() !== '' && !line.startsWith('#');
