import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parseSecrets } from '../../../src/secrets-cli/input/sources.ts';

const parse = (text: string | Buffer, ...more: [] | [(...one: unknown[]) => boolean]) =>
  parseSecrets(Buffer.from(text as string), 'keys.json', ...more);

describe('a JSON file of secrets', () => {
  const SPECIAL = { ['__proto__']: '1', constructor: '2' };
  const legal: [name: string, text: string, holds: Record<string, string>][] = [
    ['white space', ' \r\n{ "A" :\n\t"b" ,\n"B":"c"} \n', { A: 'b', B: 'c' }],
    ['escapes', '{"A":"l1\\nl2\\t\\"\\\\ \\u00e9\\ud83d\\ude00","B\\u005f1":"c"}', { A: 'l1\nl2\t"\\ é😀', B_1: 'c' }],
    ['signs of JSON in a value', '{"A":"{\\"x\\": [1, 2]}","B":"a:b,c"}', { A: '{"x": [1, 2]}', B: 'a:b,c' }],
    ['spaces in a value', '{"A":" b # c "}', { A: ' b # c ' }],
    ['keys that objects treat specially', '{"__proto__":"1","constructor":"2"}', SPECIAL],
  ];
  for (const [name, text, holds] of legal) {
    it(`${name}: ${JSON.stringify(text).slice(0, 60)}`, () => {
      const secrets = Object.entries(holds).map(([key, value]) => ({ key, value }));
      assert.deepEqual(parse(text), { secrets, problems: [] });
    });
  }

  const SHAPE = 'it must be an object of strings, such as {"KEY": "value"}';
  const KEY = 'a key must be 1 to 64 letters, digits, underscores, or hyphens';
  const STRING = 'the value must be a string, in quotes';
  const EMPTY = 'the value is empty, and the bot needs it; fill it in';
  const REPEATED = 'it repeats the key of line 1, column 2';
  const NUL = "the value contains a NUL character, which an environment variable can't";
  const HALF = 'the value contains half of a surrogate pair, which is no character';
  const illegal: [name: string, text: string, ...problems: string[]][] = [
    ['nothing', ' \n', 'it contains no secrets'],
    ['an empty object', '{}', 'it contains no secrets'],
    ['broken JSON', '{"A":"hunter2"\n"B":"c"}', "it isn't valid JSON at line 2, column 1"],
    ['half of a file', '{"A":"hunter2",', "it isn't valid JSON: it ends too soon"],
    ['lines of an env file', 'A=hunter2', "it isn't valid JSON at line 1, column 1"],
    ['a list', '\n ["hunter2"]', `line 2, column 2: ${SHAPE}`],
    ['a string', '"hunter2"', `line 1, column 1: ${SHAPE}`],
    ['null', 'null', `line 1, column 1: ${SHAPE}`],
    ['a number', '{"API_KEY":1}', `line 1, column 2: ${STRING} (API_KEY)`],
    [
      'other values',
      '{"A":true,\n"B":null,\n"C":["hunter2"],"D":{"E":"hunter2",\n"F":"x"},"G":"y"}',
      ...['line 1, column 2', 'line 2, column 1', 'line 3, column 1', 'line 3, column 17'].map(
        at => `${at}: ${STRING}`,
      ),
    ],
    ['an empty value', '{"API_KEY":""}', `line 1, column 2: ${EMPTY} (API_KEY)`],
    ['a value as a key', '{"q83vEjRWeJCrze8SNFZ4":"1"}', 'line 1, column 2: the key looks like a value'],
    ['a repeated key', '{"API_KEY":"1",\n"B":"2",\n"API_KEY":"3"}', `line 3, column 1: ${REPEATED} (API_KEY)`],
    ['a key in another spelling', '{"A":"1",\n"\\u0041":"2"}', `line 2, column 1: ${REPEATED}`],
    [
      'wrong keys',
      '{"a.b":"1",\n"":"2",\n" A":"3"}',
      ...['1, column 2', '2, column 1', '3, column 1'].map(at => `line ${at}: ${KEY}`),
    ],
    ['NUL', '{"A":"\\u0000"}', `line 1, column 2: ${NUL}`],
    ['half a character', '{"A":"\\ud800"}', `line 1, column 2: ${HALF}`],
    ['many levels', `{"A":${'['.repeat(200_000)}${']'.repeat(200_000)}}`, `line 1, column 2: ${STRING}`],
    ['many levels that never end', '['.repeat(200_000), "it isn't valid JSON: it ends too soon"],
  ];
  for (const [name, text, ...problems] of illegal) {
    it(`refuses ${name}`, () => {
      assert.deepEqual(parse(text), { secrets: [], problems });
      assert.doesNotMatch(problems.join(), /hunter2/);
    });
  }

  it('may have values that are left out', () => {
    const left: unknown[] = [];
    const skip = (...one: unknown[]) => left.push(one) > 0;
    assert.deepEqual(parse('{"A":"b",\n"C":""}', skip), { secrets: [{ key: 'A', value: 'b' }], problems: [] });
    assert.deepEqual(left, [['C', 2]]);
    assert.deepEqual(parse('{"A":""}', skip).problems, ['it contains no secrets']);
  });

  it('must be UTF-8', () => {
    assert.deepEqual(parse(Buffer.from('{"A":\n"\xff"}', 'latin1')).problems, ['line 2: it is not UTF-8 text']);
    assert.match(parse(Buffer.from('\ufeff{}', 'utf16le')).problems[0] ?? '', /^it is UTF-16/);
    assert.deepEqual(parse('\ufeff{"A":"b"}').secrets, [{ key: 'A', value: 'b' }]);
  });

  const kinds: [path: string, text: string, is: boolean][] = [
    ['x.json', 'A', true],
    ['X.JSON', 'A=b', true],
    ['-', '{"A":"b"', true],
    ['/dev/fd/63', '\ufeff \r\n{', true],
    ['.env', '{', true],
    ['-', '["A"]', false],
    ['json', 'A={"b":1', false],
    ['x.json.env', '# {', false],
  ];
  for (const [path, text, is] of kinds) {
    it(`${is ? 'is' : 'is not'} ${path} with ${JSON.stringify(text)}`, () => {
      const problems = parseSecrets(Buffer.from(text), path).problems.join();
      assert.equal(problems.includes("it isn't valid JSON"), is, problems);
    });
  }

  it('is read back as it was written', () => {
    const key = fc.stringMatching(/^[A-Za-z0-9_-]{1,15}$/);
    const value = fc.string({ unit: 'grapheme', minLength: 1 }).filter(text => !text.includes('\0'));
    const sets = fc.uniqueArray(fc.record({ key, value }), { selector: secret => secret.key, minLength: 1 });
    fc.assert(
      fc.property(sets, fc.constantFrom('', '\n', ' \t\r\n'), (secrets, space) => {
        const entries = secrets.map(({ key, value }) => [JSON.stringify(key), ':', JSON.stringify(value)].join(space));
        const text = ['', '{', entries.join(`${space},${space}`), '}', ''].join(space);
        assert.deepEqual(parse(text), { secrets: secrets.map(secret => ({ ...secret })), problems: [] });
      }),
    );
  });
});
