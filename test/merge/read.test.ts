import assert from 'node:assert/strict';
import { readLines, wordOf, wordsIn } from '../../src/merge/python/draft.ts';

describe('Python of a merge', () => {
  it('is read once', () => {
    const module = readLines(['a = 1', 'b = 2']);
    assert.equal(readLines(['c = 3']) === module, false);
    assert.equal(readLines(['a = 1', 'b = 2']), module);
  });

  it('is forgotten after others', () => {
    const module = readLines(['a = 1']);
    for (let at = 0; at < 20; at += 1) readLines([`b = ${at}`]);
    assert.equal(readLines(['a = 1']) === module, false);
  });

  for (const [code, word] of [
    ['if a:', 'if'],
    ['async def f():', 'def'],
    ['async', ''],
    ['"if"', ''],
    ['', undefined],
  ] as const) {
    it(`has statements with a first word: ${code}`, () => {
      const [statement] = readLines([code]).statements;
      assert.equal(statement && wordOf(statement), word);
    });
  }

  it('has words in any language', () => {
    assert.deepEqual(wordsIn(['größe = f(x1, "два")', '']), ['größe', 'f', 'x1', 'два']);
    assert.deepEqual(wordsIn(['']), []);
  });
});
