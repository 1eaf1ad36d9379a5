import { type Lines, mergeItems, type Versions } from './lines.ts';

/** A variable with the comment above it, the heading of a group with the blank line above it, or any other line. */
interface Entry {
  name?: string;
  isHeading?: boolean;
  text: string;
}

const VARIABLE = /^(?:#\s*)?(?:export\s+)?([A-Z][A-Z0-9_]*)\s*=/;
const IS_SET = /^\s*(?:export\s+)?([A-Za-z_]\w*)\s*=/;
const HEADING = /^# ---/;

/**
 * Merges .env.example by variable. A variable that the user changed, moved, commented out or removed is theirs: it stays as
 * it is. One that they have already isn't added again.
 */
export function settleVariables(versions: Versions<Lines>): Versions<Lines> {
  const [user, base, botcli] = [readEntries(versions.user), readEntries(versions.base), readEntries(versions.botcli)];
  const [userTexts, baseTexts, botcliTexts] = [byName(user), byName(base), byName(botcli)];
  const isEdited = (name: string) => userTexts.get(name) !== baseTexts.get(name);
  const isKept = (name: string) => isEdited(name) && userTexts.has(name);
  /** Whether the user has all of a new group already, or keeps some of a group that goes. Then its heading is the user's. */
  const isOfUser = (names: readonly string[], entries: readonly Entry[]) =>
    entries === botcli
      ? names.length > 0 && names.every(name => isKept(name) && !baseTexts.has(name))
      : names.some(isKept) && !names.some(name => botcliTexts.has(name));
  const settled = (entries: readonly Entry[]) =>
    entries.flatMap(({ name, isHeading, text }, at) => {
      if (isHeading) return entries !== user && isOfUser(groupBelow(entries, at), entries) ? [] : [text];
      if (name === undefined) return [text];
      if (isEdited(name) && entries === user) return [text];
      if (isEdited(name)) return baseTexts.has(name) && botcliTexts.has(name) ? (userTexts.get(name) ?? []) : [];
      // A variable that the user didn't touch becomes botcli's, wherever it is now.
      return botcliTexts.get(name) ?? [];
    });
  // Without the user's own variables, and with botcli's as they are now, only additions and other lines differ.
  const settledVersions = { user: settled(user), base: settled(base), botcli: settled(botcli) };
  // The user's additions belong to the group above them, unless a blank line begins a group of their own.
  const merged = mergeItems(settledVersions, ([line]) => line !== '');
  if (!merged) return versions;
  const lines = withoutRepeated(merged, new Set([...userTexts.values(), ...botcliTexts.values()])).flatMap(text =>
    text.split('\n'),
  );
  return { user: lines, base: lines, botcli: lines };
}

/** Leaves out a variable that is there twice because both sides moved it. */
function withoutRepeated(texts: readonly string[], variables: ReadonlySet<string>): string[] {
  const known = new Set<string>();
  return texts.filter(text => {
    const isRepeated = variables.has(text) && known.has(text);
    known.add(text);
    return !isRepeated;
  });
}

const byName = (entries: readonly Entry[]): Map<string, string> =>
  new Map(entries.flatMap(({ name, text }) => (name === undefined ? [] : [[name, text]])));

/** The variables from a heading to the next one. */
function groupBelow(entries: readonly Entry[], heading: number): string[] {
  const next = entries.findIndex(({ isHeading }, at) => isHeading && at > heading);
  return entries.slice(heading, next === -1 ? entries.length : next).flatMap(({ name }) => name ?? []);
}

function readEntries(lines: Lines): Entry[] {
  const entries: Entry[] = [];
  /** The comments above a variable, or the blank line above a heading. */
  let above: string[] = [];
  const flush = () => {
    entries.push(...above.map(text => ({ text })));
    above = [];
  };
  for (const line of lines) {
    const [, name] = VARIABLE.exec(line) ?? IS_SET.exec(line) ?? [];
    const isHeading = HEADING.test(line);
    // A blank line belongs to a heading, and a comment to a variable.
    if ((above[0] === '') !== isHeading) flush();
    if (name !== undefined || isHeading) {
      entries.push({ ...(name === undefined ? { isHeading } : { name }), text: [...above, line].join('\n') });
      above = [];
    } else if (line === '' || line.startsWith('#')) {
      if (line === '') flush();
      above.push(line);
    } else {
      flush();
      entries.push({ text: line });
    }
  }
  flush();
  return entries;
}
