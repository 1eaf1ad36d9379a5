import assert from 'node:assert/strict';
import { explainJsonFault } from '../../src/formats/json.ts';

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
