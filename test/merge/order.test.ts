import assert from 'node:assert/strict';
import { insertInOrder } from '../../src/merge/python/items.ts';

/** Lists whose items are letters. */
const cases: [about: string, list: string, added: string, model: string, result: string][] = [
  ['goes after the one that it follows', 'ca', 'x', 'cxa', 'cxa'],
  ['goes after the nearest one that the list has', 'cma', 'x', 'cmyxa', 'cmxa'],
  ['goes before the one that follows, if the list has none before it', 'ca', 'x', 'yxzca', 'xca'],
  ['goes before the next one, and not before one that comes first in the model', 'cab', 'x', 'xbc', 'caxb'],
  ['goes to the end, if the list has no neighbor of it', 'ca', 'x', 'x', 'cax'],
  ['goes to its place in an alphabetical list', 'ac', 'b', 'cba', 'abc'],
  ['goes to the end of an alphabetical list', 'ab', 'c', 'cab', 'abc'],
  ["goes after another one, although that isn't a list in order", 'b', 'a', 'ba', 'ba'],
  [
    "goes after the one that it follows in a list with another one twice, which isn't in order",
    'aac',
    'b',
    'cb',
    'aacb',
  ],
  ['stays where the list has it', 'xca', 'x', 'cxa', 'xca'],
];

describe('an item that is inserted into a list', () => {
  for (const [about, list, added, model, result] of cases) {
    it(about, () => assert.equal(insertInOrder([...list], [...added], [...model]).join(''), result));
  }

  it('finds its place in an alphabetical list that begins with an empty name, as in package-lock.json', () => {
    assert.deepEqual(insertInOrder(['', 'a', 'c'], ['b'], ['', 'c', 'b', 'a']), ['', 'a', 'b', 'c']);
  });
});
