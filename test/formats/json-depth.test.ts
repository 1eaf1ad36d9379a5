import assert from 'node:assert/strict';
import { isDeeper } from '../../src/formats/json.ts';

const values: [json: string, levels: number][] = [
  ['1', 0],
  ['null', 0],
  ['"a"', 0],
  ['[]', 1],
  ['{}', 1],
  ['[1, null, [], "a"]', 2],
  ['{ "a": 1, "b": { "c": [] } }', 3],
];

describe('the levels of a value from JSON', () => {
  for (const [json, levels] of values) {
    it(`${json}: ${levels}`, () =>
      assert.deepEqual(
        [0, 1, 2, 3, 4].map(most => isDeeper(JSON.parse(json), most)),
        [0, 1, 2, 3, 4].map(most => most < levels),
      ));
  }
});
