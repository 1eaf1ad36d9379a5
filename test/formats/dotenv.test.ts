import assert from 'node:assert/strict';
import { parseDotEnv } from '../../src/formats/dotenv.ts';

// biome-ignore-start lint/suspicious/noTemplateCurlyInString: these are references in env files
/** What python-dotenv makes of these files. `${S}` is in the shell. */
const files: [text: string, values: Record<string, string | undefined>, broken?: [line: number, name?: string][]][] = [
  ['A=1', { A: '1' }],
  ['A = 1 \r\nexport B=2', { A: '1', B: '2' }],
  ["'A B'=1", { 'A B': '1' }],
  ['A=', { A: '' }],
  ['A', { A: undefined }],
  ['# A=1\n\n  # B=2', {}],
  ['A=1 # why', { A: '1' }],
  ['A=1#2', { A: '1#2' }],
  ['A= # why', { A: '' }],
  ['A=# why', { A: '# why' }],
  ['A="1\r\n2\r3"\r\nB=4', { A: '1\n2\n3', B: '4' }],
  ["'A\r\nB'=1", { 'A\nB': '1' }],
  ['A="1 # 2" # why', { A: '1 # 2' }],
  ['A="1\n2"\nB=3', { A: '1\n2', B: '3' }],
  ['A="1\\n\\t\\"\\x"', { A: '1\n\t"\\x' }],
  ["A='1\\n\\''", { A: "1\\n'" }],
  ['A="\\a\\b\\f\\r\\v\\\\\\\'"', { A: "\x07\b\f\r\v\\'" }],
  ["A='\\'\\\\\\\"'", { A: '\'\\\\"' }],
  ['A=1 "2"', { A: '1 "2"' }],
  ['A="1" 2\nB=3', { B: '3' }, [[1, 'A']]],
  ['A="1\nB=3', { B: '3' }, [[1, 'A']]],
  ['\n# why\nexport A: 1\nB=3', { B: '3' }, [[3, 'A']]],
  ["'A B\nB=3", { B: '3' }, [[1, 'A']]],
  ['=1', {}, [[1]]],
  ['="a\nB=1"', { B: '1"' }, [[1]]],
  ['#', {}],
  ['A=1\n\n', { A: '1' }],
  ['A=\t# why\nB=2', { A: '', B: '2' }],
  ['\uFEFFA=1\nB=2\uFEFF \t', { A: '1', B: '2\uFEFF' }],
  ['\xEF\xBB\xBFA=1\n\uFEFFB=2', { A: '1', '\uFEFFB': '2' }],
  ['A\uFEFF=\uFEFF', { 'A\uFEFF': '\uFEFF' }],
  ['A=1\x1C\n\x85B=\x1F', { A: '1', B: '' }],
  ['A\nB=${A:-x}', { A: undefined, B: '' }],
  ['A=1\nA=2', { A: '2' }],
  ['A=1\nB=${A}-${S}', { A: '1', B: '1-shell' }],
  ['A=${X}|${X:-x}|$X', { A: '|x|$X' }],
  ["A='${S}'", { A: 'shell' }],
  ['A=}${S', { A: '}${S' }],
  ['A=${S:x}', { A: '${S:x}' }],
  ['A=${X:${S}|${S}', { A: '${X:shell|shell' }],
  ['S=file\nA=${S}', { S: 'file', A: 'file' }],
];

describe('an env file', () => {
  for (const [text, values, broken = []] of files) {
    it(`${JSON.stringify(text)} is read as python-dotenv reads it`, () => {
      const file = parseDotEnv(text, { S: 'shell' });
      assert.deepEqual(Object.fromEntries([...file.entries.values()].map(({ name, value }) => [name, value])), values);
      assert.deepEqual(
        file.broken.map(({ line, name }) => [line, name]),
        broken.map(([line, name]) => [line, name]),
      );
    });
  }

  it('knows the line of each variable, quotes, and references to variables that are not set', () => {
    const { entries } = parseDotEnv('A="1\n2"\r\n\nB=${X}\nC=${X:-x}\nD\nB=${X}', {});
    assert.deepEqual(
      [...entries.values()].map(({ name, line, lineBefore, isQuoted, isOpen }) => {
        return [name, line, lineBefore, isQuoted, isOpen];
      }),
      [
        ['A', 1, undefined, true, false],
        ['B', 7, 4, false, true],
        ['C', 5, undefined, false, false],
        ['D', 6, undefined, false, false],
      ],
    );
  });

  it('knows the name after its byte order mark, unless another line sets it, too', () => {
    for (const [text, marked] of [
      ['\uFEFFA=1', 'A'],
      ['\uFEFF# why\nA=1', undefined],
      ['\uFEFFA=1\nA=2', undefined],
      ['A=1', undefined],
    ] as const) {
      assert.equal(parseDotEnv(text).marked, marked, JSON.stringify(text));
    }
  });

  it('has no endless values: references that repeat others stay after a million characters', () => {
    const lines = Array.from({ length: 40 }, (_, at) => `A${at + 1}=\${A${at}}\${A${at}}`);
    const { entries } = parseDotEnv(['A0=12345678', ...lines].join('\n'));
    const values = [...entries.values()].map(({ value = '' }) => value);
    assert.equal(values[1], '1234567812345678');
    assert(values.join('').length < 2 ** 22);
    assert.equal(values.at(-1), '${A39}${A39}');
  });
});
// biome-ignore-end lint/suspicious/noTemplateCurlyInString: the same
