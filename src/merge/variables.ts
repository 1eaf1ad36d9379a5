import { type Lines, mergeItems, type Versions } from './lines.ts';

/** A variable with the comment above it, or any other line. */
interface Entry {
  name?: string;
  text: string;
}

const VARIABLE = /^(?:#\s*)?(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=/;
const IS_SET = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/;
const DESCRIPTION = /^#(?! ---)/;

/**
 * Merges .env.example by variable. A variable that the user changed, moved, commented out or removed is theirs: it stays as
 * it is. One that they have already isn't added again.
 */
export function settleVariables(versions: Versions<Lines>): Versions<Lines> {
  const [mine, base, theirs] = [readEntries(versions.mine), readEntries(versions.base), readEntries(versions.theirs)];
  const [yours, old, ours] = [byName(mine), byName(base), byName(theirs)];
  const isYours = (name: string) => yours.get(name) !== old.get(name);
  const settled = (entries: readonly Entry[]) =>
    entries.flatMap(({ name, text }) => {
      if (name === undefined) return [text];
      if (isYours(name)) return entries === mine ? [text] : [];
      // A variable that the user didn't touch becomes botcli's, wherever it is now.
      return ours.get(name) ?? [];
    });
  // Without the user's own variables, and with botcli's as they are now, only additions and other lines differ.
  // The user's additions belong to the group above them, so they come first.
  const merged = mergeItems({ mine: settled(mine), base: settled(base), theirs: settled(theirs) }, 'mine');
  if (!merged) return versions;
  const lines = merged.flatMap(text => text.split('\n'));
  return { mine: lines, base: lines, theirs: lines };
}

const byName = (entries: readonly Entry[]): Map<string, string> =>
  new Map(entries.flatMap(({ name, text }) => (name === undefined ? [] : [[name, text]])));

function readEntries(lines: Lines): Entry[] {
  const entries: Entry[] = [];
  let comments: string[] = [];
  const flush = () => {
    entries.push(...comments.map(text => ({ text })));
    comments = [];
  };
  for (const line of lines) {
    const [, name] = VARIABLE.exec(line) ?? IS_SET.exec(line) ?? [];
    if (name !== undefined) entries.push({ name, text: [...comments, line].join('\n') });
    else if (DESCRIPTION.test(line)) {
      comments.push(line);
      continue;
    } else {
      flush();
      entries.push({ text: line });
    }
    comments = [];
  }
  flush();
  return entries;
}
