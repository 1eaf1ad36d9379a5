import assert from 'node:assert/strict';
import { explainRepeats, membersOf } from '../../src/formats/json.ts';

describe('the members of JSON', () => {
  it('have their keys, the beginnings of their values, and their places', () => {
    const { first, members } = membersOf('\n {"a": [{"b":\n "c"}],\n  "\\u0064": -1}');
    assert.deepEqual(first, { token: '{', line: 2, column: 2 });
    assert.deepEqual(
      members.map(({ object, ...member }) => member),
      [
        { key: 'a', value: '[', line: 2, column: 3, depth: 1 },
        { key: 'b', value: '"c"', line: 2, column: 10, depth: 3 },
        { key: 'd', value: '-1', line: 4, column: 3, depth: 1 },
      ],
    );
  });

  const texts: [text: string, repeats: string | undefined][] = [
    ['{}', undefined],
    ['"a"', undefined],
    ['{"a": "a", "b": {"a": {"a": 1}}, "c": [{"a": 1}, {"a": 2}]}', undefined],
    ['{"a": {"b": 1, "c": 2}, "b": 3, "c": 4}', undefined],
    ['{"a": "\\"a\\": 1, \\"a\\": 2"}', undefined],
    ['{"a": 1, "a": 1}', 'repeats "a" (line 1)'],
    ['{"a": 1,\n"\\u0061": 2,\n"a": 3}', 'repeats "a" (lines 1, 2, 3)'],
    ['{"a": 1, "b": {"c": 1,\n"c": {}},\n"a": 2}', 'repeats "a" (lines 1, 3), "c" (lines 1, 2)'],
    ['[{"a": {}, "b": 1,\n"a": []}]', 'repeats "a" (lines 1, 2)'],
    ['{"": 1, "": 2, "\\u202e": 1, "\\u202e": 2}', 'repeats "" (line 1), "\uFFFD" (line 1)'],
    [
      `{${Array.from({ length: 30 }, () => '"a": 1').join(',\n')}}`,
      `repeats "a" (lines ${Array.from({ length: 20 }, (_, at) => at + 1).join(', ')} and 10 more)`,
    ],
  ];
  for (const [text, repeats] of texts) {
    it(`are${repeats ? '' : ' not'} repeated in ${JSON.stringify(text).slice(0, 80)}`, () =>
      assert.equal(explainRepeats(text), repeats));
  }
});
