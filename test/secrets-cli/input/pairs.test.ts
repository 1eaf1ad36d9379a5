import assert from 'node:assert/strict';
import { parsePairs } from '../../../src/secrets-cli/input/sources.ts';

describe('pairs on the command line', () => {
  it('a bare key is asked for, KEY=- comes from stdin, and the order is kept', () => {
    const { pairs, problems } = parsePairs([' B =1', 'API_KEY', 'PEM=-', 'A=2', 'DB_KEY']);
    assert.deepEqual(problems, []);
    assert.deepEqual(pairs, [
      { key: 'B', number: 1, from: 'argument', value: '1' },
      { key: 'API_KEY', number: 2, from: 'prompt' },
      { key: 'PEM', number: 3, from: 'stdin' },
      { key: 'A', number: 4, from: 'argument', value: '2' },
      { key: 'DB_KEY', number: 5, from: 'prompt' },
    ]);
  });

  it('a bare key takes its value from the environment, which is used unchanged', () => {
    const env = { API_KEY: ' a=1 b=2\n', http_proxy: '-', B: 'x' };
    assert.deepEqual(parsePairs(['http_proxy', 'B=1', 'API_KEY', 'PEM=-'], env), {
      pairs: [
        { key: 'http_proxy', number: 1, from: 'environment', value: '-' },
        { key: 'B', number: 2, from: 'argument', value: '1' },
        { key: 'API_KEY', number: 3, from: 'environment', value: ' a=1 b=2\n' },
        { key: 'PEM', number: 4, from: 'stdin' },
      ],
      problems: [],
    });
  });

  it('all missing variables are reported, and only names of variables are repeated', () => {
    const env = { EMPTY_KEY: '', DAMAGED: 'a\ufffd', UNSET: undefined };
    const words = ['API_KEY', 'sk-hunter2', 'a.b', 'EMPTY_KEY', 'DAMAGED', 'UNSET', 'toString', 'API_KEY'];
    assert.deepEqual(parsePairs(words, env).problems, [
      'argument 1: no environment variable has this name (API_KEY)',
      'argument 2: no environment variable has this name',
      'argument 3: a key must be 1 to 64 letters, digits, underscores, or hyphens',
      'argument 4: the value is empty; to remove a key, use unset (EMPTY_KEY)',
      "argument 5: the variable contains bytes that aren't UTF-8 (or U+FFFD); pass the value with --file, or with KEY=- from stdin",
      'argument 6: no environment variable has this name',
      'argument 7: no environment variable has this name',
      'argument 8: no environment variable has this name (API_KEY)',
    ]);
  });

  const several =
    'it seems to contain several pairs; pass each as a separate argument, or pass the value with --file, or with KEY=- from stdin';
  const noSign = 'it has no "="; write KEY=VALUE as one argument';
  const rule = 'a key must be 1 to 64 letters, digits, underscores, or hyphens, followed by "="';
  const damaged =
    "the value contains bytes that aren't UTF-8 (or U+FFFD); pass the value with --file, or with KEY=- from stdin";
  const long = 'the value is too long: KEY=VALUE must be under 128 KiB to fit in an environment variable';
  const empty = 'the value is empty; to remove a key, use unset';
  /** A row with one word. */
  const one =
    (problem: string) =>
    (word: string): Row => [[word], `argument 1: ${problem}`];
  type Row = [words: string[], ...problems: string[]];
  const illegal: Row[] = [
    ...['A=1 B=2', 'API_KEY=hunter2 API_KEY_2="v w"', 'A=1\nB=2', 'A=1\n  hunter2=x'].map(one(several)),
    [['DSN=host=h password=hunter2'], `argument 1: ${several}`],
    ...['hunter2', 'Hunter2', 'hunterX'].map((value): [string[], string, string] => [
      ['API_KEY', value],
      `argument 1: ${noSign}`,
      `argument 2: ${noSign}`,
    ]),
    [['A=1', 'hunter 2'], `argument 2: ${noSign}`],
    [[''], `argument 1: ${noSign}`],
    ...['=hunter2', 'a.b=hunter2', 'postgres://u:hunter2@h/db?a=1', 'A\ufeff=hunter2', '\ufeffA=hunter2'].map(
      one(rule),
    ),
    ...['A=', 'API_KEYx=', 'xAPI_KEY='].map(one(empty)),
    [['API_KEY='], `argument 1: ${empty} (API_KEY)`],
    [['A=1', 'B=1', 'A=2'], 'argument 3: it repeats the key of argument 1'],
    [
      ['hunter 2', 'DB_KEY=1', 'DB_KEY=-'],
      `argument 1: ${noSign}`,
      'argument 3: it repeats the key of argument 2 (DB_KEY)',
    ],
    [['A=-', 'B=-'], 'argument 2: only one value can come from stdin'],
    ...['q83vEjRWeJCrze8SNFZ4kKvN7xI0VniQ==', 'q83vEjRWeJCrze8SNFZ4', 'sk-a1B2c3D4e5F6g7H8i9=x'].map(
      one('it looks like a value without its key; write KEY=VALUE as one argument'),
    ),
    [['A=pass\ufffd\ufffdhunter2'], `argument 1: ${damaged}`],
    [['A=a\0b'], "argument 1: the value contains a NUL character, which an environment variable can't"],
    [[`A=${'x'.repeat(131_072)}`], `argument 1: ${long}`],
  ];
  for (const [words, ...problems] of illegal) {
    it(`refuses ${JSON.stringify(words).slice(0, 60)}`, () => {
      assert.deepEqual(parsePairs(words).problems, problems);
      assert.doesNotMatch(problems.join(), /hunter|q83|a1B2/);
    });
  }
});
