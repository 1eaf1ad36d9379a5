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

const OLD = 'import os/from a import Old, X/READY = 3/def load():/    old(os.key)/    # Was/    pass/# Ours';
const NEW = 'import os/from b import New, X/READY = 3/def load():/    fresh("A_KEY", "B C")/    # Now/    pass/# Ours';

/** What the user has below the base, with `/` between lines, and what is left of it; nothing if all of it is. */
const folded: [about: string, own: string, left?: string][] = [
  ['a function', 'def own(a):/    return os.path, a', 'def $8(): [own, a, os]'],
  ['a value over lines', 'x = [/    1,/    y,/]', 'def $8(): [x, y]'],
  ['several parts, with a comment between', 'x = 1//# Mine/class Own:/    pass', 'def $8(): [x, Own]'],
  ["a comment of botcli's is between", 'x = 1/# Ours/y = 2', 'def $8(): [x]/# Ours/def $10(): [y]'],
  ["a function of botcli's is between", 'x = 1/def load(): 1/y = 2', 'def $8(): [x]/def load(): 1/def $10(): [y]'],
  ['a condition', 'if x:/    y()/else:/    z()', 'def $8(): [x, y, z]'],
  ['a decorator of the base', '@load(1)/@load(2)/async def own(): 1', 'def $8(): [load, own]'],
  ['a parameter of the base', 'async def own(key=1): 1', 'def $8(): [own, key]'],
  ['a class that is based on one of the base', 'class Own(load): 1', 'def $8(): [Own, load]'],
  ['an attribute of the base', 'x.load = 1', 'def $8(): [x]'],
  ["an attribute that only botcli's change has", 'def own():/    x.fresh()', 'def $8(): [own, x]'],
  ['names that begin or end like a clause', 'load = 1/elsewhere = 1/x = 1', 'load = 1/def $9(): [elsewhere, x]'],
  ['a name that ends like a clause', 'load = 1/myelse = 1', 'load = 1/def $9(): [myelse]'],
  ['names that begin or end like a definition', 'defer, redef = 1, 2', 'def $8(): [defer, redef]'],
  ['lines that any code has', 'def own():/    try:/        pass/    finally:/        return None', 'def $8(): [own]'],
  ['a line of the base', 'def own():/    old(os.key)'],
  ["a line of botcli's change", 'def own():/    # Now/    1'],
  ['a name of the base', 'def key(): 1'],
  ["a name of botcli's change", 'async def fresh(): 1'],
  ['a class with such a name', 'class load: 1'],
  ['a decorated function with such a name', '@x/def load(): 1'],
  ['a value next to such a name', 'x = load(2)'],
  ['a condition with such a name', 'if load:/    x()/else:/    y()'],
  ['a condition with an "elif" that has a name of the change', 'if x:/    y()/elif New:/    z()'],
  ['a "try" with an "except" that has one', 'try:/    y()/except New:/    z()'],
  ['a "try" with a "finally" that has one', 'try:/    y()/finally:/    New()'],
  ['a name that is imported from elsewhere', 'def own(): return X'],
  ['a text that only one version has', 'def own(): return get("A_KEY")'],
  ['a text with such a name', 'x = "def" + load'],
  ['an open bracket below it', 'def own(): 1/x = ('],
  ['only what is below the last import', 'def own(): 1/import x/y = 1', 'def own(): 1/import x/def $10(): [y]'],
];

describe("of code of the user's", () => {
  const lines = (text: string) => text.replaceAll('$', 'lines_of_the_user_from_').split('/');
  const foldRows = (user: string) => foldOwn({ user: lines(user), base: lines(OLD), botcli: lines(NEW) }).user;

  for (const [about, own, left = own] of folded) {
    it(`${about} ${left === own ? 'stays' : 'is folded'}`, () => {
      assert.deepEqual(foldRows(`${OLD}/${own}`), lines(`${OLD}/${left}`));
    });
  }

  it('nothing is folded in a file that has only common lines in common', () => {
    assert.deepEqual(foldRows('import m/def own():/    pass'), lines('import m/def own():/    pass'));
  });

  it("some is folded if botcli's code is deeper", () => {
    assert.deepEqual(foldRows('if x:/    READY = 3/y = 1'), lines('if x:/    READY = 3/def $2(): [y]'));
  });
});
