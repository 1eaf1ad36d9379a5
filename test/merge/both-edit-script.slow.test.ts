import assert from 'node:assert/strict';
import { randomOf } from '../support/random.ts';
import { mergeEdits } from './both-orders.ts';

// Both sides edit the same random component. If their edits give the same result in both orders, the merge must give that
// result or a conflict. Only indentation may differ.

/** A statement or a tag; with a body, the first line of a block, and its last one. */
interface Row {
  id: number;
  text: string;
  end?: string;
  body?: Row[];
}

/** Changes the code at a place. False if that can't be done there. */
type Edit = (list: Row[], at: number, id: number) => boolean;

const rowAt = (list: Row[], at: number): Row => list[at] as Row;
const isTag = ({ text }: Row): boolean => /^[<{]/.test(text);
const isRoot = ({ text }: Row): boolean => /^(return|<main>)/.test(text);
const openWith = (row: Row, name: string) =>
  isTag(row) ? { text: `<p id="${name}">`, end: '</p>' } : { text: `if (${name}) {`, end: '}' };

const wrap =
  (word: string): Edit =>
  (list, at, id) => {
    const row = rowAt(list, at);
    list[at] = { id, ...openWith(row, `${word}${id}`), body: [row] };
    return !isRoot(row);
  };

const wrapTwo: Edit = (list, at, id) => {
  const [row, next] = [rowAt(list, at), list[at + 1]];
  if (next) list.splice(at, 2, { id, ...openWith(row, `mine${id}`), body: [row, next] });
  return next !== undefined && !isRoot(next);
};

const unwrap: Edit = (list, at) => {
  const { body } = rowAt(list, at);
  if (body && !isRoot(rowAt(list, at))) list.splice(at, 1, ...body);
  return body !== undefined && !isRoot(body[0] ?? rowAt(list, at));
};

const change =
  (word: string): Edit =>
  (list, at, id) => {
    const row = rowAt(list, at);
    if (isRoot(row)) return false;
    if (row.body) Object.assign(row, openWith(row, `${word}${id}`));
    else row.text = isTag(row) ? `<${word.toUpperCase()}${id} />` : `${word}${id}();`;
    return true;
  };

/** Moves a statement or a tag into the block next to it. */
const moveInto =
  (step: 1 | -1): Edit =>
  (list, at) => {
    const [row, block] = [rowAt(list, at), list[at + step]];
    if (!block?.body || isRoot(block) || isRoot(row)) return false;
    list.splice(at, 1);
    if (step === 1) block.body.unshift(row);
    else block.body.push(row);
    return true;
  };

const add: Edit = (list, at, id) => {
  const row = rowAt(list, at);
  list.splice(at + 1, 0, { id, text: isTag(row) ? `<Ours${id} />` : `ours${id}();` });
  return !isRoot(row);
};

const remove: Edit = (list, at) => list.length > 1 && !list[at]?.body && list.splice(at, 1).length === 1;

const USER = [wrap('mine'), wrapTwo, unwrap, change('mine'), moveInto(1), moveInto(-1), remove];
const BOTCLI = [wrap('ours'), change('ours'), add, add, remove];

const allIn = (rows: readonly Row[]): Row[] => rows.flatMap(row => [row, ...allIn(row.body ?? [])]);
const listWith = (list: Row[], id: number): Row[] | undefined =>
  list.some(row => row.id === id)
    ? list
    : list.reduce<Row[] | undefined>((found, { body }) => found ?? (body && listWith(body, id)), undefined);
const linesOf = (rows: readonly Row[], indent = ''): string[] =>
  rows.flatMap(({ text, body, end }) => [
    indent + text,
    ...(body ? [...linesOf(body, `${indent}  `), indent + end] : []),
  ]);
const textOf = (rows: readonly Row[]): string => `${linesOf(rows).join('\n')}\n`;
const withoutIndents = (text: string): string => text.replace(/^ +/gm, '');

describe('edits of both sides in a random component', () => {
  for (const seed of [1, 2]) {
    it(`merge as if made one after the other, or are a conflict (seed ${seed})`, () => {
      const random = randomOf(seed);
      const pick = <One>(some: readonly One[]): One => some[random(some.length)] as One;
      const counts = { clean: 0, conflict: 0 };
      for (let round = 0; round < 1500; round += 1) {
        let next = 0;
        const makeRows = (depth: number, length: number, isJsx: boolean): Row[] =>
          Array.from({ length }, () => {
            const id = next++;
            if (depth > 1 || random(3) > 0)
              return {
                id,
                text: isJsx
                  ? pick([`<A${id} />`, `<B id={${id}} />`, `{f(${id})}`])
                  : pick([`a${id}();`, `x = f(${id});`]),
              };
            const [text, end] = isJsx
              ? ['<div>', '</div>']
              : pick([[`if (c${id}) {`, '}'] as const, ['on(() => {', '});'] as const]);
            return { id, text, end, body: makeRows(depth + 1, 1 + random(3), isJsx) };
          });
        const main = { id: next++, text: '<main>', end: '</main>', body: makeRows(0, 2 + random(3), true) };
        const base = [...makeRows(0, 2 + random(3), false), { id: next++, text: 'return (', end: ');', body: [main] }];
        const makeEdits = (kinds: readonly Edit[]) =>
          Array.from({ length: 1 + random(2) }, () => {
            const [{ id }, kind, own] = [pick(allIn(base)), pick(kinds), 1000 + next++];
            return (rows: Row[]) => {
              const list = listWith(rows, id);
              return (
                list !== undefined &&
                kind(
                  list,
                  list.findIndex(row => row.id === id),
                  own,
                )
              );
            };
          });
        const edits = { base, user: makeEdits(USER), botcli: makeEdits(BOTCLI) };
        const outcome = mergeEdits('App.tsx', edits, textOf, withoutIndents);
        if (outcome) counts[outcome] += 1;
      }
      assert(counts.clean > 2 * counts.conflict, JSON.stringify(counts));
      assert(counts.clean > 200, JSON.stringify(counts));
    });
  }
});
