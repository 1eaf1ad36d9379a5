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
 * Merges .env.example by variable. A variable that the user changed, moved, commented out, removed or wrote twice is
 * theirs: it stays as it is. One that they have already isn't added again. A new one goes to the group with its heading.
 */
export function settleVariables(versions: Versions<Lines>): Versions<Lines> {
  const [user, base, all] = [readEntries(versions.user), readEntries(versions.base), readEntries(versions.botcli)];
  const [userTexts, baseTexts, botcliTexts] = [byName(user), byName(base), byName(all)];
  const isAdded = ({ name }: Entry) => name !== undefined && !userTexts.has(name) && !baseTexts.has(name);
  const isKnown = ({ name = '' }: Entry) => baseTexts.has(name);
  const isOwn = ({ name }: Entry) => name !== undefined && !baseTexts.has(name) && !botcliTexts.has(name);
  const groups = groupsOf(all);
  const headingsOfNew = groups.filter(group => !group.some(isKnown)).map(([heading]) => heading);
  const botcli = all.filter(entry => !isAdded(entry) && !(entry.isHeading && headingsOfNew.includes(entry)));
  const isEdited = (name: string) =>
    userTexts.get(name) !== baseTexts.get(name) || user.filter(entry => entry.name === name).length > 1;
  const isKept = (name: string) => isEdited(name) && userTexts.has(name);
  /** Whether the user keeps some of a group that goes. Then its heading is the user's. */
  const isOfUser = (names: readonly string[], heading: string) => {
    const own = user.findIndex(({ text }) => text === heading);
    const all = own === -1 ? names : [...names, ...groupBelow(user, own)];
    return all.some(isKept) && !names.some(name => botcliTexts.has(name));
  };
  const settled = (entries: readonly Entry[]) =>
    entries.flatMap(({ name, isHeading, text }, at) => {
      if (isHeading) return entries !== user && isOfUser(groupBelow(entries, at), text) ? [] : [text];
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
  const once = withoutRepeated(merged, new Set([...userTexts.values(), ...botcliTexts.values()]));
  const entries = readEntries(once.flatMap(text => text.split('\n')));
  const lines = insertAdded(entries, groups, isAdded, isOwn).flatMap(({ text }) => text.split('\n'));
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

/** The entries before the first heading, and those from each heading to the next one. */
function groupsOf(entries: readonly Entry[]): Entry[][] {
  const groups: Entry[][] = [[]];
  for (const entry of entries) {
    if (entry.isHeading) groups.push([]);
    groups.at(-1)?.push(entry);
  }
  return groups;
}

/** A group, without those that the user has begun in it with a blank line, for variables of their own. */
function splitOwn(group: Entry[], isOwn: (entry: Entry) => boolean): Entry[][] {
  const last = group.findLastIndex(entry => entry.name !== undefined && !isOwn(entry));
  const start = group.findIndex(({ text }, at) => text === '' && at > last);
  const hasOwn = start > 0 && group.slice(start).some(isOwn);
  return hasOwn ? [group.slice(0, start), group.slice(start)] : [group];
}

/** Inserts new variables into their groups, and new groups after those that they follow. */
function insertAdded(
  entries: readonly Entry[],
  model: readonly Entry[][],
  isAdded: (entry: Entry) => boolean,
  isOwn: (entry: Entry) => boolean,
): readonly Entry[] {
  const result = groupsOf(entries).flatMap(group => splitOwn(group, isOwn));
  const isIn = (group: readonly Entry[], one: Entry) =>
    group.some(({ name, text }) => (one.name === undefined ? text.trim() === one.text.trim() : name === one.name));
  let home = result[0] ?? [];
  for (const group of model) {
    const [heading] = group;
    const known = heading?.isHeading ? result.find(([first]) => first && isIn([first], heading)) : result[0];
    if (!known && heading && group.some(isAdded)) result.splice(result.indexOf(home) + 1, 0, [heading]);
    home = known ?? result.find(one => heading && one.includes(heading)) ?? home;
    group.forEach((entry, at) => {
      if (!isAdded(entry)) return;
      const before = group.slice(0, at).findLast(one => isIn(home, one));
      const place = before ? home.findIndex(one => isIn([one], before)) + 1 : home.length;
      home.splice(place, 0, entry);
    });
  }
  return result.flat();
}

/** The variables from a heading to the next one, or to a blank line, which begins a group of the user's. */
function groupBelow(entries: readonly Entry[], heading: number): string[] {
  const next = entries.findIndex(({ isHeading, text }, at) => (isHeading || text === '') && at > heading);
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

/** The variables in a text, also those that are commented out. */
export const listVariables = (text: string): string[] => [...byName(readEntries(text.split(/\r?\n/))).keys()];

/** A text without some variables, and without the headings of groups that have no others. */
export function withoutVariables(text: string, names: readonly string[]): string {
  const isGone = ({ name }: Entry) => name !== undefined && names.includes(name);
  const groups = groupsOf(readEntries(text.split('\n'))).map(group => {
    const rest = group.filter(entry => !isGone(entry));
    return group.some(isGone) && !rest.some(({ name }) => name !== undefined)
      ? rest.filter(one => !one.isHeading)
      : rest;
  });
  return groups.flatMap(group => group.map(entry => entry.text)).join('\n');
}
