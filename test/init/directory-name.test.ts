import assert from 'node:assert/strict';
import { whyNotOnWindows } from '../../src/init/intent.ts';

describe('the name of a new directory', () => {
  const WINDOWS = { OS: 'Windows_NT' };

  const device = (name: string) => `Windows can't open "${name}": it's the name of a device`;
  const cases: [typed: string, why?: string, onWindows?: string][] = [
    ['my-bot'],
    ['.'],
    ['../bots/./mine'],
    ['console'],
    ['a.con'],
    ['NUL', device('NUL'), device('NUL')],
    ['x/aux.d/y', device('aux.d'), device('aux.d')],
    ['bot.', `Windows can't open "bot.": it ends with a period`, `Windows can't open "bot.": it ends with a period`],
    ['C:\\bots\\my bot'],
    ['C:\\bots\\prn', undefined, device('prn')],
  ];
  for (const [typed, why, onWindows] of cases) {
    it(`${typed}: ${why ?? 'works'}; on Windows: ${onWindows ?? 'works'}`, () => {
      assert.equal(whyNotOnWindows(typed, {}), why);
      assert.equal(whyNotOnWindows(typed, WINDOWS), onWindows);
    });
  }
});
