import assert from 'node:assert/strict';
import { randomOf } from '../support/random.ts';
import { mergeTexts } from './merging.ts';

// Both sides edit the same random code. If their edits give the same result in both orders, the merge must give that result
// or a conflict. Only the indentation of a component may differ.

/** A statement or a tag; with a body, the first line of a block, and its last one, if it has one. */
interface Row {
  id: number;
  text: string;
  end?: string;
  body?: Row[];
}

/** Where a row is: in which list, at which index, and where that list's first line is. */
interface Place {
  list: Row[];
  at: number;
  outer: Place | undefined;
}

/** Changes the code at a place. False if that can't be done there. */
type Edit = (place: Place, id: number) => boolean;

const rowAt = ({ list, at }: Place): Row => list[at] as Row;
const isScript = ({ text }: Row): boolean => /[;>}{(]$/.test(text);
const isTag = ({ text }: Row): boolean => /^[<{]/.test(text);
const isRoot = (row: Row | undefined): boolean => /^(return|<main>)/.test(row?.text ?? '');

const leafOf = (row: Row, name: string): string =>
  isTag(row) ? `<${name.replace(/^./, first => first.toUpperCase())} />` : `${name}()${isScript(row) ? ';' : ''}`;
const openWith = (row: Row, name: string) => {
  if (!isScript(row)) return { text: `if ${name}:` };
  return isTag(row) ? { text: `<p id="${name}">`, end: '</p>' } : { text: `if (${name}) {`, end: '}' };
};

const wrap =
  (word: string, count = 1): Edit =>
  ({ list, at }, id) => {
    const rows = list.slice(at, at + count);
    if (rows.length < count || rows.some(isRoot)) return false;
    list.splice(at, count, { id, ...openWith(rows[0] as Row, `${word}${id}`), body: rows });
    return true;
  };

const unwrap: Edit = place => {
  const row = rowAt(place);
  if (!row.body || isRoot(row) || isRoot(row.body[0])) return false;
  place.list.splice(place.at, 1, ...row.body);
  return true;
};

const change =
  (word: string): Edit =>
  (place, id) => {
    const row = rowAt(place);
    if (isRoot(row)) return false;
    Object.assign(row, row.body ? openWith(row, `${word}${id}`) : { text: leafOf(row, `${word}${id}`) });
    return true;
  };

/** Moves a row into the block next to it. */
const moveInto =
  (step: 1 | -1): Edit =>
  ({ list, at }) => {
    const [row, block] = [list[at] as Row, list[at + step]];
    if (!block?.body || isRoot(block) || isRoot(row) || (row.body && !isScript(row))) return false;
    list.splice(at, 1);
    if (step === 1) block.body.unshift(row);
    else block.body.push(row);
    return true;
  };

/** Moves the first or the last row of a block out of it. */
const moveOut =
  (isLast: boolean): Edit =>
  ({ list, at, outer }) => {
    if (!outer || list.length < 2 || at !== (isLast ? list.length - 1 : 0)) return false;
    outer.list.splice(outer.at + (isLast ? 1 : 0), 0, ...list.splice(at, 1));
    return true;
  };

const add: Edit = (place, id) => {
  place.list.splice(place.at + 1, 0, { id, text: leafOf(rowAt(place), `ours${id}`) });
  return !isRoot(rowAt(place));
};

const remove: Edit = ({ list, at }) => list.length > 1 && !list[at]?.body && list.splice(at, 1).length === 1;

const allIn = (rows: readonly Row[]): Row[] => rows.flatMap(row => [row, ...allIn(row.body ?? [])]);

function find(list: Row[], id: number, outer?: Place): Place | undefined {
  for (const [at, row] of list.entries()) {
    const place = { list, at, outer };
    const found = row.id === id ? place : find(row.body ?? [], id, place);
    if (found) return found;
  }
  return undefined;
}

const linesOf = (rows: readonly Row[], indent: string): string[] =>
  rows.flatMap(({ text, body, end }) => [
    indent + text,
    ...(body ? linesOf(body, `${indent}    `) : []),
    ...(end ? [indent + end] : []),
  ]);

type Random = (limit: number) => number;
const pickOf =
  (random: Random) =>
  <One>(some: readonly One[]): One =>
    some[random(some.length)] as One;

/** Random rows: blocks with `heads`, and `leaves` between them. */
function makeRows(random: Random, next: () => number, kind: Kind, length: number, depth = 0): Row[] {
  return Array.from({ length }, () => {
    const [id, pick] = [next(), pickOf(random)];
    if (depth > 1 || random(3) > 0) return { id, text: pick(kind.leaves(id)) };
    const [text, end] = pick(kind.heads(id));
    return { id, text, ...(end && { end }), body: makeRows(random, next, kind, 1 + random(3), depth + 1) };
  });
}

interface Kind {
  heads(id: number): (readonly [text: string, end?: string])[];
  leaves(id: number): string[];
}

const PYTHON: Kind = {
  heads: id => [[`if c${id}:`], [`for i${id} in r${id}():`], [`with w${id}():`], [`while t${id}():`]],
  leaves: id => [`a${id}()`, `x${id} = f${id}(1)`, `log("m${id}")`],
};
const SCRIPT: Kind = {
  heads: id => [
    [`if (c${id}) {`, '}'],
    ['on(() => {', '});'],
  ],
  leaves: id => [`a${id}();`, `x = f(${id});`],
};
const JSX: Kind = {
  heads: () => [['<div>', '</div>']],
  leaves: id => [`<A${id} />`, `<B id={${id}} />`, `{f(${id})}`],
};

const MOVES = [unwrap, moveInto(1), moveInto(-1), wrap('mine'), change('mine')];

const files: [
  path: string,
  rounds: number,
  make: (random: Random, next: () => number) => Row[],
  user: Edit[],
  botcli: Edit[],
  textOf: (rows: readonly Row[]) => string,
][] = [
  [
    'bot.py',
    3000,
    (random, next) => makeRows(random, next, PYTHON, 4 + random(4)),
    [...MOVES, moveOut(true), moveOut(false)],
    [wrap('ours'), change('ours'), add, remove],
    rows => `def main():\n${linesOf(rows, '    ').join('\n')}\n`,
  ],
  [
    'App.tsx',
    1500,
    (random, next) => {
      const main = { id: next(), text: '<main>', end: '</main>', body: makeRows(random, next, JSX, 2 + random(3)) };
      const last = { id: next(), text: 'return (', end: ');', body: [main] };
      return [...makeRows(random, next, SCRIPT, 2 + random(3)), last];
    },
    [...MOVES, wrap('mine', 2), remove],
    [wrap('ours'), change('ours'), add, add, remove],
    rows => `${linesOf(rows, '').join('\n')}\n`,
  ],
];

describe('edits of both sides in random code', () => {
  for (const [path, rounds, make, user, botcli, textOf] of files)
    for (const seed of [1, 3])
      it(`of ${path} merge as if made one after the other, or are a conflict (seed ${seed})`, () => {
        const random = randomOf(seed);
        const pick = pickOf(random);
        const counts = { clean: 0, conflict: 0 };
        for (let round = 0; round < rounds; round += 1) {
          let ids = 0;
          const next = () => ids++;
          const base = make(random, next);
          const makeEdits = (kinds: readonly Edit[]) =>
            Array.from({ length: 1 + random(2) }, () => {
              const [{ id }, kind, own] = [pick(allIn(base)), pick(kinds), 1000 + next()];
              return (rows: Row[]) => {
                const place = find(rows, id);
                return place !== undefined && kind(place, own);
              };
            });
          const [mine, ours] = [makeEdits(user), makeEdits(botcli)];
          /** The text after edits; nothing if one can't be made. */
          const edited = (edits: typeof mine) => {
            const code = structuredClone(base);
            return edits.every(edit => edit(code)) ? textOf(code) : undefined;
          };
          const [own = '', its = ''] = [edited(mine), edited(ours)];
          const [one = '', other] = [edited([...mine, ...ours]), edited([...ours, ...mine])];
          if (own === '' || its === '' || one !== other) continue;
          const { text, conflicts } = mergeTexts(path, own, textOf(base), its);
          counts[conflicts.length > 0 ? 'conflict' : 'clean'] += 1;
          const matters = (all: string) => (path === 'bot.py' ? all : all.replace(/^ +/gm, ''));
          if (conflicts.length === 0) assert.equal(matters(text), matters(one), `${textOf(base)}\n${own}\n${its}`);
        }
        assert(counts.clean > 2 * counts.conflict && counts.clean > 200, JSON.stringify(counts));
      });
});
