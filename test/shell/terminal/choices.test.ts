import assert from 'node:assert/strict';
import { layOut, rankFor, windowOf } from '../../../src/shell/terminal/clack.ts';
import { matches } from '../../../src/shell/terminal/question.ts';
import { createStyle, symbolsFor } from '../../../src/shell/terminal/style.ts';

const CHOICES = [
  { value: 'a', label: 'Alpha', id: 'alpha_stt', hint: 'recommended, same account' },
  { value: 'b', label: 'Beta', id: 'beta_stt' },
];

describe('a list of choices', () => {
  const widths: [columns: number, isDense: boolean, ...rows: string[][]][] = [
    [43, false, ['Alpha alpha_stt (recommended, same account)'], ['Beta beta_stt']],
    [42, false, ['Alpha (recommended, same account)'], ['Beta']],
    [32, false, ['Alpha', '  recommended, same account'], ['Beta']],
    [20, false, ['Alpha', '  recommended, same', '  account'], ['Beta']],
    [42, true, ['Alpha alpha_stt (recommended)'], ['Beta beta_stt']],
    [20, true, ['Alpha alpha_stt'], ['Beta beta_stt']],
    [14, true, ['Alpha'], ['Beta']],
  ];
  for (const [columns, isDense, ...rows] of widths) {
    it(`in ${columns} columns${isDense ? ', a line each' : ''}: ${rows.flat().join(' / ')}`, () =>
      assert.deepEqual(layOut(CHOICES, { columns, isDense, style: createStyle(false) }), rows));
  }

  // Ten rows of one line, and the first and last that are shown.
  const windows: [active: number, most: number, from: number, to: number][] = [
    [0, 4, 0, 3],
    [9, 4, 6, 9],
    [5, 4, 4, 7],
    [5, 1, 5, 5],
    [3, 10, 0, 9],
    [3, 99, 0, 9],
  ];
  for (const [active, most, from, to] of windows) {
    it(`of 10, with number ${active} active, in ${most} lines: ${from} to ${to}`, () => {
      const rows = Array.from({ length: 10 }, (_, at) => [String(at)]);
      const found = windowOf(rows, active, most);
      assert.deepEqual(found, { shown: rows.slice(from, to + 1), from, above: from, below: 9 - to });
    });
  }
});

describe('a search', () => {
  const languages = [
    { value: 'default', label: 'English', hint: 'default' },
    { value: 'de-AT', label: 'Austrian German', id: 'de-AT' },
    { value: 'de', label: 'German', id: 'de', alias: 'Deutsch' },
    { value: 'el', label: 'Greek', id: 'el' },
  ];
  for (const [search, ...values] of [
    ['de', 'de', 'de-AT', 'default'],
    ['German', 'de', 'de-AT'],
    ['g', 'de', 'el', 'default', 'de-AT'],
    ['deutsch', 'de'],
    ['', 'default', 'de-AT', 'de', 'el'],
    ['x'],
  ] as const) {
    it(`for "${search}" finds ${values.join(', ') || 'nothing'}`, () => {
      const found = rankFor(search, languages).filter(one => matches(search, one));
      assert.deepEqual(
        found.map(({ value }) => value),
        values,
      );
    });
  }
});

describe('the symbols of a terminal', () => {
  const cases: [env: Record<string, string>, platform: NodeJS.Platform, isUnicode: boolean][] = [
    [{}, 'linux', true],
    [{ LANG: 'C' }, 'linux', false],
    [{ LANG: 'C', LC_ALL: 'en_US.UTF-8' }, 'darwin', true],
    [{ LANG: 'en_US.UTF-8', LC_CTYPE: 'C' }, 'darwin', false],
    [{ TERM: 'linux' }, 'linux', false],
    [{}, 'win32', false],
    [{ WT_SESSION: 'x' }, 'win32', true],
    [{ TERM_PROGRAM: 'vscode' }, 'win32', true],
    [{ TERM: 'cygwin' }, 'win32', false],
  ];
  for (const [env, platform, isUnicode] of cases) {
    it(`on ${platform} with ${JSON.stringify(env)} are ${isUnicode ? 'Unicode' : 'ASCII'}`, () =>
      assert.equal(symbolsFor(env, platform).active, isUnicode ? '◆' : '*'));
  }
});
