import { type Lines, mergeItems, type Versions } from './lines.ts';

/** Merges a file such as .gitignore: each line is a pattern of its own, and none is added twice. */
export function settlePatterns({ user, base, botcli }: Versions<Lines>): Versions<Lines> {
  const isKnown = (line: string) => isPattern(line) && user.includes(line) && !base.includes(line);
  // The last pattern that matches wins, so the user's come last.
  const merged = mergeItems({ user, base, botcli: botcli.filter(line => !isKnown(line)) }, () => false);
  return merged ? { user: merged, base: merged, botcli: merged } : { user, base, botcli };
}

/** What a file such as .gitignore may have been: then all patterns of both sides stay. */
export const guessPatterns = ({ user, botcli }: Omit<Versions<Lines>, 'base'>): Lines =>
  user.filter(line => botcli.includes(line));

const isPattern = (line: string): boolean => line !== '' && !line.startsWith('#');
