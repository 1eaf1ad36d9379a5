import assert from 'node:assert/strict';
import { mergeTexts } from './merging.ts';

/** The merge, and for each conflict the user's lines, those of botcli, and why; `/` separates lines. */
function merge(user: string, base: string, botcli: string): unknown[] {
  const [mine = '', old = '', ours = ''] = [user, base, botcli].map(text => text.replaceAll('/', '\n'));
  const { text, conflicts } = mergeTexts('bot.py', mine, old, ours);
  const rows = (lines: string) => lines.replaceAll('\n', '/');
  const found = conflicts.map(one => [...one.lines, rows(one.ours), one.reason, ...(one.follows ? ['follows'] : [])]);
  return [rows(text), ...found];
}

/** What the user has, what both come from and what botcli has, and the merge with its conflicts. */
const cases: [about: string, user: string, base: string, botcli: string, merged: string, ...conflicts: unknown[][]][] =
  [
    [
      'it is the one with the name, and nearer ones are merged',
      'LIMIT = 1/a = 1/b = 2/c = 3/print(LIMIT)',
      'LIMIT = 1/a = 1/b = 2/c = 3',
      'a = 1/b = 3/c = 3',
      'LIMIT = 1/a = 1/b = 3/c = 3/print(LIMIT)',
      [1, 1, '', `Your lines use "LIMIT", which botcli's change removes.`],
    ],
    [
      'it has the line itself, and one that begins nearer to it is merged',
      'def f():/    a/    e/    x = 1',
      'async def f():/    a/    e/    x = 1',
      'async def f():/    a/    b/    c/    d/    await b/    e/    x = 2',
      'def f():/    a/    b/    c/    d/    e/    x = 2',
      [3, 2, '    await b', "botcli's change waits, and your function isn't async."],
    ],
    [
      'others go with it that are about a name that it no longer has',
      'old = make()/a/use(old, 1)',
      'old = make()/a/use(old)',
      'a/use()',
      'old = make()/a/use(old, 1)',
      [1, 1, '', 'This goes with another conflict: both are about "old".', 'follows'],
      [3, 3, 'use()', 'You and botcli changed the same lines.'],
    ],

    [
      'the import stays that the lines of the user need',
      'from a import Old//x = Old(1)',
      'from a import Old//LIMIT = 1/x = Old(1)',
      'from c import New//LIMIT = 1/x = New(LIMIT)',
      'from a import Old/from c import New//x = Old(1)',
      [3, 3, 'x = New(LIMIT)', `botcli's change uses "LIMIT", which your file doesn't define any more.`],
    ],
  ];

describe("if a change of botcli's is a conflict,", () => {
  for (const [about, user, base, botcli, ...merged] of cases) {
    it(about, () => assert.deepEqual(merge(user, base, botcli), merged));
  }
});
