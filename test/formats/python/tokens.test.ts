import assert from 'node:assert/strict';
import { tokenize } from '../../../src/formats/python/tokens.ts';

/** Each text with its tokens: the kind, the code, the place and the depth. */
const texts: [source: string, tokens: string][] = [
  [
    'a1.b(1.5, "1")',
    'name a1 0:0 | sign . 0:2 | name b 0:3 | sign ( 0:4 | number 1.5 0:5 1 | sign , 0:8 1 | text 1 0:10 1 | sign ) 0:13',
  ],
  [
    'a[b]<<=c**d',
    'name a 0:0 | sign [ 0:1 | name b 0:2 1 | sign ] 0:3 | sign <<= 0:4 | name c 0:7 | sign ** 0:8 | name d 0:10',
  ],
  ['->...:=//@!=$', 'sign -> 0:0 | sign ... 0:2 | sign := 0:5 | sign // 0:7 | sign @ 0:9 | sign != 0:10 | sign $ 0:12'],
  [
    '0x1F_a 0b1 0o7 1e-3j .5',
    'number 0x1F_a 0:0 | number 0b1 0:7 | number 0o7 0:11 | number 1e-3j 0:15 | number .5 0:21',
  ],
  ['Rb"\\"" B\'x\' u"y" b"{z}"', 'text \\" 0:0 | text x 0:7 | text y 0:12 | text {z} 0:17'],
  [
    '"a\\\r\nb" \'c\\\'d\' """e\nf"""; g',
    "text a\\\r\nb 0:0 | text c\\'d 1:3 | text e\nf 1:10 | sign ; 2:4 | name g 2:6",
  ],
  ['a \\\n  b \\\r\n c', 'name a 0:0 | name b 1:2 | name c 2:1'],
  [
    'f"{a!r:>{b}}c{{d}}"',
    'text c{{d}} 0:0 | hole { 0:2 | name a 0:3 1 | hole { 0:8 1 | name b 0:9 2 | hole } 0:10 1 | hole } 0:11',
  ],
  ["rf'\\{a}'", 'text \\ 0:0 | hole { 0:4 | name a 0:5 1 | hole } 0:6'],
  ['rf"\\N{a}"', 'text \\N 0:0 | hole { 0:5 | name a 0:6 1 | hole } 0:7'],
  ['"\\N{DASH}"', 'text \\N{DASH} 0:0'],
  ['f"\\N{DASH}{a=}"', 'text \\N{DASH} 0:0 | hole { 0:10 | name a 0:11 1 | sign = 0:12 1 | hole } 0:13'],
  ['f"{a:{"b"}}"', 'text  0:0 | hole { 0:2 | name a 0:3 1 | hole { 0:5 1 | text b 0:6 2 | hole } 0:9 1 | hole } 0:10'],
  [
    'f"""\n{a[:1]\n}""" # b',
    'text \n 0:0 | hole { 1:0 | name a 1:1 1 | sign [ 1:2 1 | sign : 1:3 2 | number 1 1:4 2 | sign ] 1:5 1 | hole } 2:0',
  ],
];

describe('the tokens of Python', () => {
  for (const [source, expected] of texts) {
    it(JSON.stringify(source), () => {
      const { lines, problems } = tokenize(source);
      const tokens = lines.flatMap(line => line.tokens);
      const shown = tokens.map(({ kind, code, line, column, depth }) =>
        [kind, code, `${line}:${column}`, ...(depth ? [depth] : [])].join(' '),
      );
      assert.equal(shown.join(' | '), expected);
      assert.deepEqual([lines.length, problems], [1, []]);
    });
  }

  it('are in lines, each with its indentation and comment', () =>
    assert.deepEqual(
      tokenize('\uFEFFa # b\n# c\n\t d(\n\n"""e\nf""") # g\n\n"h\\\ni"').lines.map(
        ({ start, end, indent, hasComment, tokens }) => [start, end, indent, hasComment, tokens.length],
      ),
      [
        [0, 1, '', true, 1],
        [2, 6, '\t ', true, 4],
        [7, 9, '', false, 1],
      ],
    ));

  it('end with the line if a quote is missing', () =>
    assert.deepEqual(
      tokenize('f"a{b:c\n"d\ne').lines.map(({ tokens }) => tokens.map(({ code }) => code).join(' ')),
      ['a { b', 'd', 'e'],
    ));
});
