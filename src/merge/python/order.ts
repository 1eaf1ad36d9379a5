import { pairLines } from '../hunks.ts';
import type { Lines, Versions } from '../lines.ts';
import { type Statement, wordOf } from './draft.ts';
import { readLines } from './read.ts';

/**
 * Puts the functions, classes and values at the top of the base and of botcli's version where the user has moved them.
 * So changes of botcli's find them there.
 */
export function followOrder({ user, base, botcli }: Versions<Lines>): Versions<Lines> {
  const parts = { user: findParts(user), base: findParts(base), botcli: findParts(botcli) };
  const [old, now] = [keysOf(parts.base), keysOf(parts.user)];
  const [known, there] = [new Set(old), new Set(now)];
  const [before, after] = [old.filter(key => there.has(key)), now.filter(key => known.has(key))];
  const still = new Set(pairLines(before, after)?.map(([at]) => before[at]));
  const moved = new Set(after.filter(key => !still.has(key) && MOVABLE.test(key)));
  if (moved.size === 0) return { user, base, botcli };
  return { user, base: reorder(base, parts.base, now, moved), botcli: reorder(botcli, parts.botcli, now, moved) };
}

/** A statement at the top of a module, with its block, its decorators, and what is above it: lines `[start, end)`. */
interface Part {
  /** What it defines, such as `def greet`, or how it begins. */
  key: string;
  start: number;
  end: number;
}

const MOVABLE = /^(?:def|class|=) /;

function findParts(lines: Lines): Part[] {
  const parts: Part[] = [];
  let isDecorated = false;
  for (const statement of readLines(lines).statements) {
    const last = parts.at(-1);
    const isInside = statement.depth > 0 || CLAUSES.includes(wordOf(statement));
    if (last && (isInside || isDecorated || statement.start < last.end)) {
      last.end = Math.max(last.end, statement.end);
      if (isDecorated) last.key = keyOf(statement);
    } else parts.push({ key: keyOf(statement), start: last?.end ?? 0, end: statement.end });
    if (!isInside) isDecorated = wordOf(statement) === '@';
  }
  return parts;
}

const CLAUSES = ['elif', 'else', 'except', 'finally'];

function keyOf({ tokens }: Statement): string {
  const codes = tokens.map(({ code }) => code);
  const [first, second, third] = codes[0] === 'async' ? codes.slice(1) : codes;
  if (first === 'def' || first === 'class') return `${first} ${second}`;
  return second === '=' || second === ':' ? `= ${first}` : `${first} ${second} ${third}`;
}

/** The keys of parts that have one of their own, in order. */
function keysOf(parts: readonly Part[]): string[] {
  const counts = new Map<string, number>();
  for (const { key } of parts) counts.set(key, (counts.get(key) ?? 0) + 1);
  return [...counts].flatMap(([key, count]) => (count === 1 ? key : []));
}

/** Puts each moved part after the one that it follows in an order: the nearest one that is there and stays. */
function reorder(lines: Lines, parts: readonly Part[], order: readonly string[], moved: ReadonlySet<string>): Lines {
  const own = new Set(keysOf(parts));
  const [moving, staying] = [
    parts.filter(({ key }) => moved.has(key) && own.has(key)),
    parts.filter(({ key }) => !moved.has(key) || !own.has(key)),
  ];
  const byKey = new Map(moving.map(part => [part.key, part]));
  const stays = new Set(staying.flatMap(({ key }) => (own.has(key) ? key : [])));
  const first: Part[] = [];
  const followers = new Map([[TOP, first]]);
  let above = TOP;
  for (const key of order) {
    const part = byKey.get(key);
    if (part) followers.get(above)?.push(part);
    else if (stays.has(key)) {
      above = key;
      followers.set(above, []);
    }
  }
  const ordered = [...first, ...staying.flatMap(part => [part, ...(followers.get(part.key) ?? [])])];
  return [...ordered.flatMap(({ start, end }) => lines.slice(start, end)), ...lines.slice(parts.at(-1)?.end)];
}

const TOP = '';
