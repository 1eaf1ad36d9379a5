import assert from 'node:assert/strict';
import { randomOf } from '../support/random.ts';
import { mergeEdits } from './both-orders.ts';

// Both sides edit the same random code. If their edits give the same result in both orders, the merge must give that result
// or a conflict.

/** A statement; with a body, the header of a block. */
interface Row {
  id: number;
  text: string;
  body?: Row[];
}

/** Where a statement is: in which list, at which index, and where that list's header is. */
interface Place {
  list: Row[];
  at: number;
  outer: Place | undefined;
}

/** Changes the code at a place. False if that can't be done there. */
type Edit = (place: Place, id: number) => boolean;

const rowAt = ({ list, at }: Place): Row => list[at] as Row;

function wrap(word: string): Edit {
  return (place, id) => {
    place.list[place.at] = { id, text: `if ${word}${id}:`, body: [rowAt(place)] };
    return true;
  };
}

function change(word: string): Edit {
  return (place, id) => {
    const row = rowAt(place);
    row.text = row.body ? `if ${word}${id}:` : `${word}${id}()`;
    return true;
  };
}

/** Moves a statement into the block next to it. */
function moveInto(step: 1 | -1): Edit {
  return ({ list, at }) => {
    const [row, block] = [list[at], list[at + step]];
    if (!row || row.body || !block?.body) return false;
    list.splice(at, 1);
    if (step === 1) block.body.unshift(row);
    else block.body.push(row);
    return true;
  };
}

/** Moves the first or the last statement of a block out of it. */
function moveOut(isLast: boolean): Edit {
  return ({ list, at, outer }) => {
    if (!outer || list.length < 2 || at !== (isLast ? list.length - 1 : 0)) return false;
    outer.list.splice(outer.at + (isLast ? 1 : 0), 0, ...list.splice(at, 1));
    return true;
  };
}

const unwrap: Edit = ({ list, at }) => {
  const body = list[at]?.body;
  if (body) list.splice(at, 1, ...body);
  return body !== undefined;
};

const add: Edit = ({ list, at }, id) => list.splice(at + 1, 0, { id, text: `ours${id}()` }).length === 0;

const remove: Edit = ({ list, at }) => list.length > 1 && !list[at]?.body && list.splice(at, 1).length === 1;

const USER = [wrap('mine'), unwrap, moveInto(1), moveInto(-1), moveOut(true), moveOut(false), change('mine')];
const BOTCLI = [wrap('ours'), change('ours'), add, remove];

const allIn = (rows: readonly Row[]): Row[] => rows.flatMap(row => [row, ...allIn(row.body ?? [])]);

function find(list: Row[], id: number, outer?: Place): Place | undefined {
  for (const [at, row] of list.entries()) {
    const place = { list, at, outer };
    const found = row.id === id ? place : find(row.body ?? [], id, place);
    if (found) return found;
  }
  return undefined;
}

const linesOf = (rows: readonly Row[], indent = '    '): string[] =>
  rows.flatMap(({ text, body }) => [indent + text, ...(body ? linesOf(body, `${indent}    `) : [])]);

const textOf = (rows: readonly Row[]): string => `def main():\n${linesOf(rows).join('\n')}\n`;

describe('edits of both sides in random code', () => {
  for (const seed of [1, 2]) {
    it(`merge as if made one after the other, or are a conflict (seed ${seed})`, () => {
      const random = randomOf(seed);
      const pick = <One>(some: readonly One[]): One => some[random(some.length)] as One;
      const heads = (id: number) => [`if c${id}:`, `for i${id} in r${id}():`, `with w${id}():`, `while t${id}():`];
      const counts = { clean: 0, conflict: 0 };
      for (let round = 0; round < 3000; round += 1) {
        let next = 0;
        const makeRow = (depth: number): Row => {
          const id = next++;
          if (depth > 1 || random(3) > 0)
            return { id, text: pick([`a${id}()`, `x${id} = f${id}(1)`, `log("m${id}")`]) };
          return { id, text: pick(heads(id)), body: makeRows(depth + 1, 1 + random(3)) };
        };
        const makeRows = (depth: number, length: number) => Array.from({ length }, () => makeRow(depth));
        const base = makeRows(0, 4 + random(4));
        const makeEdit = (kinds: readonly Edit[]) => {
          const [{ id }, kind, own] = [pick(allIn(base)), pick(kinds), 1000 + next++];
          return (rows: Row[]) => {
            const place = find(rows, id);
            return place !== undefined && kind(place, own);
          };
        };
        const makeEdits = (kinds: readonly Edit[]) => Array.from({ length: 1 + random(2) }, () => makeEdit(kinds));
        const edits = { base, user: makeEdits(USER), botcli: makeEdits(BOTCLI) };
        const outcome = mergeEdits('bot.py', edits, textOf);
        if (outcome) counts[outcome] += 1;
      }
      assert(counts.clean > 2 * counts.conflict, JSON.stringify(counts));
      assert(counts.clean > 200, JSON.stringify(counts));
    });
  }
});
