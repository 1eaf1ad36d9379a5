import { findHunks, type Hunk, type Lines } from './hunks.ts';

export type { Lines } from './hunks.ts';

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
  /** What the reason is about, if others need to know. */
  about?: 'settings';
  /** Whether it is one only because of another conflict. */
  follows?: boolean;
}

export const SAME_LINES = 'You and botcli changed the same lines.';

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
  return chunks;
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
