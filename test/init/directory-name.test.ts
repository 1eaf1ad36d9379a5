import assert from 'node:assert/strict';
import { whyNotOnWindows } from '../../src/init/intent.ts';

describe('the name of a new directory', () => {
  const WINDOWS = { OS: 'Windows_NT' };

  const cases: [typed: string, why: string | undefined, onWindows: string | undefined][] = [
    ['my-bot', undefined, undefined],
    ['.', undefined, undefined],
    ['../bots/./mine', undefined, undefined],
    ['console', undefined, undefined],
    ['a.con', undefined, undefined],
    [
      'NUL',
      `Windows can't open "NUL": it's the name of a device`,
      `Windows can't open "NUL": it's the name of a device`,
    ],
    [
      'x/aux.d/y',
      `Windows can't open "aux.d": it's the name of a device`,
      `Windows can't open "aux.d": it's the name of a device`,
    ],
    ['bot.', `Windows can't open "bot.": it ends with a period`, `Windows can't open "bot.": it ends with a period`],
    ['C:\\bots\\my bot', undefined, undefined],
    ['C:\\bots\\prn', undefined, `Windows can't open "prn": it's the name of a device`],
  ];
  for (const [typed, why, onWindows] of cases) {
    it(`${typed}: ${why ?? 'works'}; on Windows: ${onWindows ?? 'works'}`, () => {
      assert.equal(whyNotOnWindows(typed, {}), why);
      assert.equal(whyNotOnWindows(typed, WINDOWS), onWindows);
    });
  }
});
