import assert from 'node:assert/strict';
import fc from 'fast-check';
import { denseJson, explainJsonFault, explainRepeats, membersOf } from '../../src/formats/json.ts';

const DOCUMENT = '{ "a": [1, -2.5e+3, true, false, null, "x\\n\\u00e9 é🦜"],\n  "b": { "": {} }, "c": [] }';

/** Each text, and the line and column of the first character that JSON can't have there. */
const faulty: [text: string, line: number, column: number][] = [
  ['name: x', 1, 2],
  ['{ "a": 1,, }', 1, 10],
  ['{\n  "a": True\n}', 2, 8],
  ['{\n  "a": nul\n}', 2, 11],
  ['[1, 2,]', 1, 7],
  ['{} {}', 1, 4],
  ['[01]', 1, 3],
  ['[1.]', 1, 4],
  ['["a\nb"]', 1, 4],
  ['["\\x"]', 1, 4],
  ['["\\u12x4"]', 1, 7],
  ['x', 1, 1],
  [`[x"Unexpected end"]${' '.repeat(20)}`, 1, 2],
];

describe('where a text stops being JSON', () => {
  for (const [text, line, column] of faulty) {
    it(JSON.stringify(text), () =>
      assert.equal(explainJsonFault(text), `it isn't valid JSON at line ${line}, column ${column}`),
    );
  }

  it('is its end for each beginning of a document', () => {
    assert.doesNotThrow(() => JSON.parse(DOCUMENT));
    for (let length = 0; length < DOCUMENT.length; length += 1) {
      assert.match(explainJsonFault(DOCUMENT.slice(0, length)), /: it ends too soon$/);
    }
  });
});

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

describe('dense JSON', () => {
  it('has a line for each row', () =>
    assert.equal(
      denseJson({ ids: ['a', 'b'], rows: [{ id: 'a', tags: [1, null] }, { id: 'b' }], none: [], empty: {} }),
      '{\n  "ids": ["a","b"],\n  "rows": [\n    {"id":"a","tags":[1,null]},\n    {"id":"b"}\n  ],\n  "none": [],\n  "empty": {}\n}',
    ));

  it('has a line for an object in a list, and for what has two levels', () => {
    assert.equal(denseJson([{ id: 'a' }]), '[\n  {"id":"a"}\n]');
    assert.equal(denseJson({ a: { b: { c: 1 } } }), '{\n  "a": {"b":{"c":1}}\n}');
  });

  it('means the same as any JSON', () =>
    fc.assert(
      fc.property(fc.jsonValue(), value => {
        assert.deepEqual(JSON.parse(denseJson(value)), JSON.parse(JSON.stringify(value)));
      }),
    ));
});
