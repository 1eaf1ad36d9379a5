import assert from 'node:assert/strict';
import { foldOwn } from '../../src/merge/python/fold.ts';
import { mergeTexts } from './merging.ts';

const file = (...rows: string[]) => ['import os', 'from a import Old', '', 'READY = 3', '', ...rows, ''].join('\n');
const BASE = file('', 'def load():', '    return Old(1)', '', '', 'async def run():', '    await load()');
const CHANGED = BASE.replace('a import Old', 'b import New').replace('Old(1)', 'New(1)');
const OWN = [
  '@cached',
  'def own(day):',
  '    if day:',
  '        return day',
  '    return os.name',
  '',
  '',
  'RATES = [',
  '    1,',
  ']',
];

/** How many lines of the user's file are left. */
function fold(user: string): number {
  const versions = [user, BASE, CHANGED].map(text => text.split('\n'));
  const [mine = [], base = [], botcli = []] = versions;
  const folded = foldOwn({ user: mine, base, botcli });
  assert.deepEqual(folded.unfold(folded.user), mine);
  return folded.user.length;
}

const above = (...rows: string[]) => BASE.replace('async def run', [...rows, '', '', 'async def run'].join('\n'));

describe("code of the user's that no change can concern", () => {
  it('is one line', () => assert.equal(fold(above(...OWN)), BASE.split('\n').length + 3));

  const kept: [about: string, ...rows: string[]][] = [
    ['it uses a name that changes', 'def own():', '    return Old(2)'],
    ['it names one as a text', 'def own():', '    return getattr(a, "New")'],
    ['it sets a name of the module', 'def own():', '    global READY', '    READY = 4'],
    ["it has a name of botcli's", 'def load():', '    return 2'],
    ["it has a line of botcli's", 'def own():', '    await load()'],
    ['brackets are open', 'def own(:', '    return 2'],
  ];
  for (const [about, ...rows] of kept) {
    it(`stays as it is if ${about}`, () => assert.equal(fold(above(...rows)), above(...rows).split('\n').length));
  }

  it('goes nowhere', () => {
    const { text, conflicts } = mergeTexts('bot.py', above(...OWN), BASE, CHANGED);
    assert.deepEqual(conflicts, []);
    assert.equal(
      text,
      above(...OWN)
        .replace('a import Old', 'b import New')
        .replace('Old(1)', 'New(1)'),
    );
  });

  it('stays if botcli removes the function above it', () => {
    const user = above(...OWN).replace('READY = 3', 'READY = 7');
    const { text, conflicts } = mergeTexts('bot.py', user, BASE, file('', 'async def run():', '    await Old(1)'));
    assert.deepEqual(conflicts, []);
    assert.equal(text.includes(OWN.join('\n')) && !text.includes('load'), true);
  });
});
