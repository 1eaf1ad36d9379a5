import { diffArrays } from 'diff';

/** A text as lines without their ends. */
export type Lines = readonly string[];

/** Lines `[start, end)` of the base, and the lines that replace them. */
interface Hunk {
  side: 'user' | 'botcli';
  start: number;
  end: number;
  lines: Lines;
}

/** Two equal lines: their places in the one text and in the other. */
type Pair = readonly [one: number, other: number];

/** A comparison takes time that grows with the square of the differences; this many take half a second. */
const MOST_DIFFERENCES = 2_000;

/** The changes that turn the base into another version; nothing if there are too many. */
function findHunks(base: Lines, other: Lines, side: Hunk['side']): Hunk[] | undefined {
  const pairs = pairLines(base, other);
  const whole: Part = { one: [0, base.length], other: [0, other.length] };
  return (
    pairs &&
    between(pairs, whole).flatMap(({ one: [start, end], other: range }) => {
      const lines = other.slice(...range);
      return start < end || lines.length > 0 ? [{ side, start, end, lines }] : [];
    })
  );
}

/** A part of each text: lines `[start, end)`. */
interface Part {
  one: readonly [start: number, end: number];
  other: readonly [start: number, end: number];
}

/**
 * Pairs the lines that two texts have in common, in order; nothing if there are too many differences. Lines that each
 * text has once come first: so it doesn't matter how much was inserted between them.
 */
export function pairLines(one: Lines, other: Lines): Pair[] | undefined {
  const pairs: Pair[] = [];
  const parts: Part[] = [{ one: [0, one.length], other: [0, other.length] }];
  for (let part = parts.pop(); part; part = parts.pop()) {
    const rest = pairEnds(one, other, part, pairs);
    if (rest.one[0] === rest.one[1] || rest.other[0] === rest.other[1]) continue;
    const anchors = findAnchors(one, other, rest);
    const found = anchors.length > 0 ? anchors : compare(one, other, rest);
    if (!found) return undefined;
    pairs.push(...found);
    if (anchors.length > 0) parts.push(...between(anchors, rest));
  }
  return slide(
    pairs.sort(([first], [second]) => first - second),
    one,
    other,
  );
}

/**
 * Moves lines that only one text has as far down as they may be. So those that both sides could have at several places are
 * at the same one: a function and the blank lines below it, rather than above.
 */
function slide(pairs: readonly Pair[], one: Lines, other: Lines): Pair[] {
  let [at, to] = [0, 0];
  return pairs.map(([end, until]) => {
    const pair: Pair = one[at] === other[to] ? [at, to] : [end, until];
    [at, to] = [pair[0] + 1, pair[1] + 1];
    return pair;
  });
}

/** Pairs the lines at the beginning and the end of a part. Returns what is between them. */
function pairEnds(one: Lines, other: Lines, part: Part, pairs: Pair[]): Part {
  let [[start, end], [from, to]] = [part.one, part.other];
  while (start < end && from < to && one[start] === other[from]) pairs.push([start++, from++]);
  while (start < end && from < to && one[end - 1] === other[to - 1]) pairs.push([--end, --to]);
  return { one: [start, end], other: [from, to] };
}

/** The lines that are once in each part: as many as are in the same order. */
function findAnchors(one: Lines, other: Lines, part: Part): Pair[] {
  const [here, there] = [placesOf(one, part.one), placesOf(other, part.other)];
  const both = [...here].flatMap(([line, at]): Pair[] => {
    const to = there.get(line) ?? -1;
    return at !== -1 && to !== -1 ? [[at, to]] : [];
  });
  return longestRise(both);
}

/** The place of each line that isn't blank; -1 if it's there twice. */
function placesOf(lines: Lines, [start, end]: Part['one']): Map<string, number> {
  const places = new Map<string, number>();
  lines.slice(start, end).forEach((line, at) => {
    if (line.trim() !== '') places.set(line, places.has(line) ? -1 : start + at);
  });
  return places;
}

/** The longest row of pairs that rise on both sides; they rise on the first. */
function longestRise(pairs: readonly Pair[]): Pair[] {
  /** The last pair of the best row of each length, and the pair before each. */
  const ends: Pair[] = [];
  const before = new Map<Pair, Pair | undefined>();
  for (const pair of pairs) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((ends[middle]?.[1] ?? 0) < pair[1]) low = middle + 1;
      else high = middle;
    }
    before.set(pair, ends[low - 1]);
    ends[low] = pair;
  }
  const row: Pair[] = [];
  for (let pair = ends.at(-1); pair; pair = before.get(pair)) row.push(pair);
  return row.reverse();
}

/** What is before, between and after pairs of a part. */
function between(pairs: readonly Pair[], { one, other }: Part): Part[] {
  let [start, from] = [one[0], other[0]];
  return [...pairs, [one[1], other[1]] as const].map(([end, to]) => {
    const part: Part = { one: [start, end], other: [from, to] };
    [start, from] = [end + 1, to + 1];
    return part;
  });
}

/** Pairs lines that have no anchors between them. */
function compare(one: Lines, other: Lines, part: Part): Pair[] | undefined {
  let [at, to] = [part.one[0], part.other[0]];
  const changes = diffArrays(one.slice(...part.one), other.slice(...part.other), { maxEditLength: MOST_DIFFERENCES });
  return changes?.flatMap(({ added, removed, count }) => {
    const pairs = added || removed ? [] : Array.from({ length: count }, (_, index): Pair => [at + index, to + index]);
    if (!added) at += count;
    if (!removed) to += count;
    return pairs;
  });
}

/** The three versions of something: the user's, the one that both come from, and botcli's new one. */
export interface Versions<Version> {
  user: Version;
  base: Version;
  botcli: Version;
}

/** Who changed the lines of a chunk. */
type Source = 'nobody' | 'user' | 'botcli' | 'both' | 'conflict';

/** A part of the merge, with its lines in each version. */
export interface Chunk extends Versions<Lines> {
  source: Source;
  /** Why it is a conflict. */
  reason?: string;
  /** Whether it is one only because of another conflict. */
  follows?: boolean;
}

export const SAME_LINES = 'You and botcli changed the same lines.';
const MOVED_TWICE = 'You and botcli moved the same lines to different places.';

/**
 * Merges line by line. Changes are in conflict only if their ranges in the base overlap; changes that merely touch are both
 * applied. Of two insertions at one point, botcli's comes first. The same change on both sides is applied once.
 *
 * @returns The parts in order; nothing if the versions have too little in common.
 */
export function mergeLines({ user, base, botcli }: Versions<Lines>): Chunk[] | undefined {
  const [userHunks, botcliHunks] = [findHunks(base, user, 'user'), findHunks(base, botcli, 'botcli')];
  if (!userHunks || !botcliHunks) return undefined;
  const chunks: Chunk[] = [];
  let at = 0;
  for (const group of groupHunks([...botcliHunks, ...userHunks], base.length === 0)) {
    const start = Math.min(...group.map(hunk => hunk.start));
    const end = Math.max(...group.map(hunk => hunk.end));
    if (start > at) chunks.push(unchanged(base.slice(at, start)));
    chunks.push(toChunk(base, group, start, end));
    at = end;
  }
  if (at < base.length) chunks.push(unchanged(base.slice(at)));
  return refuseMoves(chunks);
}

/** Makes changes of botcli's conflicts that move lines to a place, if the user has moved the same ones to another. */
function refuseMoves(chunks: readonly Chunk[]): Chunk[] {
  const linesOf = (source: Source, side: keyof Versions<Lines>) =>
    new Set(chunks.flatMap(chunk => (chunk.source === source ? chunk[side].map(line => line.trim()) : [])));
  const [gone, mine] = [linesOf('both', 'base'), linesOf('user', 'user')];
  // Words like `else:` may be any other ones.
  const moved = new Set([...gone].filter(line => mine.has(line) && /\w\W+\w|\w[(,]/.test(line)));
  return chunks.map(chunk =>
    chunk.source === 'botcli' && chunk.botcli.some(line => moved.has(line.trim()))
      ? { ...chunk, source: 'conflict', reason: MOVED_TWICE }
      : chunk,
  );
}

/** The lines that a chunk contributes to the merge; the user's if it is a conflict. */
export const outcomeOf = ({ source, user, botcli }: Chunk): Lines => (source === 'botcli' ? botcli : user);

const unchanged = (lines: Lines): Chunk => ({ source: 'nobody', user: lines, base: lines, botcli: lines });

/** Puts changes in the order of the base, and those that are in each other's way into one group. */
function groupHunks(hunks: readonly Hunk[], isNew: boolean): Hunk[][] {
  const groups: Hunk[][] = [];
  for (const hunk of [...hunks].sort((one, other) => one.start - other.start || one.end - other.end)) {
    // Changes of one side never touch, so only the last group can be in the way.
    const last = groups.at(-1);
    if (last?.some(other => other.side !== hunk.side && collide(other, hunk, isNew))) last.push(hunk);
    else groups.push([hunk]);
  }
  return groups;
}

/**
 * Whether a change is in the way of the next one. An insertion is in the way of a range only strictly inside it. Two
 * insertions are in order, unless one contains the other, or both are whole files.
 */
function collide(one: Hunk, next: Hunk, isNew: boolean): boolean {
  // The next one can't end here unless both are insertions.
  if (one.start === next.end) return isNew || contains(one.lines, next.lines) || contains(next.lines, one.lines);
  return next.start < one.end;
}

/** Whether lines occur in others, in a row. */
const contains = (lines: Lines, part: Lines): boolean =>
  part.length === 0 || lines.some((_, at) => part.every((line, index) => lines[at + index] === line));

const isSame = (one: Lines, other: Lines): boolean =>
  one.length === other.length && one.every((line, at) => line === other[at]);

function toChunk(base: Lines, group: readonly Hunk[], start: number, end: number): Chunk {
  const apply = (side: Hunk['side']) => applyHunks(base, group, side, start, end);
  const [user, botcli] = [apply('user'), apply('botcli')];
  const chunk = { user, base: base.slice(start, end), botcli };
  const [first] = group;
  if (group.length === 1 && first) return { ...chunk, source: first.side };
  if (isSame(user, botcli)) return { ...chunk, source: 'both' };
  if ([...user, ...botcli].every(line => line.trim() === '')) return { ...chunk, source: 'user' };
  if (start === end && base.length > 0) return { ...chunk, source: contains(user, botcli) ? 'user' : 'botcli' };
  return { ...chunk, source: 'conflict', reason: SAME_LINES };
}

function applyHunks(base: Lines, group: readonly Hunk[], side: Hunk['side'], start: number, end: number): string[] {
  let at = start;
  const changed = group
    .filter(hunk => hunk.side === side)
    .flatMap(hunk => {
      const before = base.slice(at, hunk.start);
      at = hunk.end;
      return [...before, ...hunk.lines];
    });
  return [...changed, ...base.slice(at, end)];
}

/**
 * Merges items whose order doesn't matter: what one side removed is gone, and what one side added is there. So there are no
 * conflicts. Nothing is returned if the versions have too little in common.
 *
 * @param isFirst Whether the user's additions come first where both sides add something.
 */
export function mergeItems(
  { user, base, botcli }: Versions<Lines>,
  isFirst: (added: Lines) => boolean,
): string[] | undefined {
  const [userHunks, botcliHunks] = [findHunks(base, user, 'user'), findHunks(base, botcli, 'botcli')];
  if (!userHunks || !botcliHunks) return undefined;
  const removed = new Set<number>();
  const added = new Map<number, Lines>();
  const first = userHunks.filter(({ lines }) => isFirst(lines));
  for (const { start, end, lines } of [...first, ...botcliHunks, ...userHunks]) {
    for (let at = start; at < end; at += 1) removed.add(at);
    const known = added.get(start) ?? [];
    if (!contains(known, lines)) added.set(start, contains(lines, known) ? lines : [...known, ...lines]);
  }
  return [...base, ''].flatMap((item, at) => {
    const stays = at < base.length && !removed.has(at);
    return [...(added.get(at) ?? []), ...(stays ? [item] : [])];
  });
}

/** Items by a key, for keys that just one of them has. */
export function once<Item, Key>(items: Iterable<Item>, keyOf: (item: Item) => Key | undefined): Map<Key, Item> {
  const found = new Map<Key, Item | undefined>();
  for (const item of items) {
    const key = keyOf(item);
    if (key !== undefined) found.set(key, found.has(key) ? undefined : item);
  }
  return new Map([...found].flatMap(([key, item]) => (item === undefined ? [] : [[key, item] as const])));
}
