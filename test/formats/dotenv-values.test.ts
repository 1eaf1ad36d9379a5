import assert from 'node:assert/strict';
import { parse } from 'dotenv';
import { emptyIn, fillIn, valueProblem } from '../../src/formats/dotenv.ts';

const KEY = new Map([['KEY', 'sk-1']]);

// A file before and after its empty KEY is filled in.
const fillings: [about: string, before: string, after: string][] = [
  ['an empty value', '# A key\nKEY=\nB=2\n', '# A key\nKEY=sk-1\nB=2\n'],
  ['an empty value in quotes', 'KEY=""\n', 'KEY=sk-1\n'],
  ['an empty value in single quotes, after a blank', "KEY= ''\n", 'KEY=sk-1\n'],
  ['an empty value before a comment', 'KEY= # from the console\n', 'KEY=sk-1 # from the console\n'],
  ['an empty value, exported', 'export KEY=\n', 'export KEY=sk-1\n'],
  ['line ends of Windows', 'A=1\r\nKEY=\r\nB=2\r\n', 'A=1\r\nKEY=sk-1\r\nB=2\r\n'],
  ['the last of two', 'KEY=\nKEY=\n', 'KEY=\nKEY=sk-1\n'],
  ['a file without it', 'A=1\n', 'A=1\nKEY=sk-1\n'],
  ['a file without it, and without a last line end', 'A=1', 'A=1\nKEY=sk-1\n'],
  ['a file of Windows without it', 'A=1\r\n', 'A=1\r\nKEY=sk-1\r\n'],
  ['a file in which it is a comment', '# KEY=\n', '# KEY=\nKEY=sk-1\n'],
  ['a file in which only another value looks like it', "A='x\nKEY=\n'\n", "A='x\nKEY=\n'\nKEY=sk-1\n"],
  ['a longer name', 'MY_KEY=\nKEY_2=\n', 'MY_KEY=\nKEY_2=\nKEY=sk-1\n'],
  ['an empty file', '', 'KEY=sk-1\n'],
  ['a file with a byte order mark', '\uFEFFKEY=\n', '\uFEFFKEY=sk-1\n'],
  ['bytes that are not UTF-8', 'A=\xff\xfe\nKEY=\n', 'A=\xff\xfe\nKEY=sk-1\n'],
];

const filled = [
  'KEY=mine',
  "KEY='mine'",
  'KEY="mine"',
  'KEY=#mine',
  'export KEY = mine # c',
  "KEY='a\nb'",
  'KEY=\nKEY=mine',
  // biome-ignore lint/suspicious/noTemplateCurlyInString: this is a reference in an env file
  'KEY="${X:-}"',
];

describe('the .env of a project', () => {
  for (const [about, before, after] of fillings) {
    it(`gets a value: ${about}`, () => {
      assert.deepEqual(emptyIn(before, ['KEY']), ['KEY']);
      assert.equal(fillIn(before, KEY), after);
      assert.equal(parse(after).KEY, 'sk-1');
      assert.equal(fillIn(after, KEY), after);
    });
  }

  for (const text of filled) {
    it(`keeps a value: ${JSON.stringify(text)}`, () => {
      assert.deepEqual(emptyIn(text, ['KEY']), []);
      assert.equal(fillIn(text, KEY), text);
    });
  }

  it('gets several values, each in its place', () => {
    const values = new Map(Object.entries({ A: '1', B: '2', C: '3' }));
    assert.equal(fillIn('B=\n\nA=\n', values), 'B=2\n\nA=1\nC=3\n');
    assert.equal(fillIn('A=\nB=""\nC=\n', values), 'A=1\nB=2\nC=3\n');
    assert.equal(fillIn('', values), 'A=1\nB=2\nC=3\n');
  });

  for (const value of [
    'sk-proj_A1.b/c:d+e=f@g,h%',
    'with space',
    'a#b',
    'a #b',
    '"quoted"',
    '$HOME',
    'a$b',
    '`a`',
    '&;|',
  ]) {
    it(`takes ${value} literally`, () => {
      assert.equal(valueProblem(value), undefined);
      assert.equal(parse(fillIn('', new Map([['KEY', value]]))).KEY, value);
    });
  }

  for (const value of ['a\u200bb', 'é', 'a\nb', 'a\tb', '\u0000']) {
    it(`can't get ${JSON.stringify(value)}`, () => assert.match(valueProblem(value) ?? '', /Copy the key again$/));
  }

  for (const value of ["it's", 'a\\b', `$\{HOME}`]) {
    it(`can't get ${JSON.stringify(value)}`, () => assert.match(valueProblem(value) ?? '', /into \.env yourself$/));
  }
});
