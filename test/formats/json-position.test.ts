import assert from 'node:assert/strict';
import { explainJsonFault, findJsonFault } from '../../src/formats/json.ts';

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
    it(JSON.stringify(text), () => assert.deepEqual(findJsonFault(text), { line, column }));
  }

  it('is its end for each beginning of a document', () => {
    assert.doesNotThrow(() => JSON.parse(DOCUMENT));
    for (let length = 0; length < DOCUMENT.length; length += 1) {
      assert.equal(findJsonFault(DOCUMENT.slice(0, length)), 'end', DOCUMENT.slice(0, length));
    }
  });

  it('is said without quoting the text', () => {
    assert.equal(explainJsonFault('{"token": secret}'), "it isn't valid JSON at line 1, column 11");
    assert.equal(explainJsonFault('{"token": "secret'), "it isn't valid JSON: it ends too soon");
  });
});
