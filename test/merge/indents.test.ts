import assert from 'node:assert/strict';
import { followIndents } from '../../src/merge/python/looks.ts';
import { mergeRows, readCases } from './merging.ts';

const versionsOf = (...texts: [user: string, base: string, botcli: string]) => {
  const [user = [], base = [], botcli = []] = texts.map(text => text.split('/'));
  return { user, base, botcli };
};

/** The user's version, the base, and botcli's version, with `/` between lines. Then how the last two are indented. */
const moved: [about: string, user: string, base: string, botcli: string, newBase: string, newBotcli: string][] = [
  ['in a block', 'if x:/    a/    b', 'a/b', 'a/n/b', '    a/    b', '    a/    n/    b'],
  [
    'with tabs',
    'def f():/\ta/\tif b:/\t\tc',
    'def f():/    a/    if b:/        c',
    'def f():/    a/    if b:/        c/        n/    while o:/        p(/          q)',
    'def f():/\ta/\tif b:/\t\tc',
    'def f():/\ta/\tif b:/\t\tc/\t\tn/\twhile o:/\t\tp(/\t\t  q)',
  ],
  [
    'out of a block, around which ours makes another one',
    'for x:/    a/b/c',
    'for x:/    a/    b/c',
    'if o:/    for x:/        a/        b/c',
    'for x:/    a/b/c',
    'if o:/    for x:/        a/    b/c',
  ],
  [
    'in a block, from which ours takes another one away',
    'if x:/\tfor y:/\t\ta/\tb',
    'for y:/    a/b',
    'a/b',
    '\tfor y:/\t\ta/\tb',
    '\ta/\tb',
  ],
  ['in a block that ends before ours', 'if x:/    a/b', 'a/b', 'a/n/b', '    a/b', '    a/n/b'],
  ['in a block that begins after ours', 'a/if x:/    b', 'a/b', 'a/n/b', 'a/    b', 'a/n/    b'],
  [
    'in two blocks, with a deeper one of ours between them',
    'if x:/    a/if y:/    b',
    'a/b',
    'a/while n:/    o/b',
    '    a/    b',
    '    a/    while n:/        o/    b',
  ],
  ['in a block, and ours replaces one', 'if x:/    a/    b/c', 'a/b/c', 'a/n/c', '    a/    b/c', '    a/    n/c'],
  [
    'in two blocks, and ours replaces lines of each',
    'if x:/    a/    b/c/if y:/    d/e',
    'a/b/c/d/e',
    'a/n/o/c/p/e',
    '    a/    b/c/    d/e',
    '    a/    n/    o/c/    p/e',
  ],
  [
    'in a block, and ours replaces several with one',
    'if x:/    a/    b//    c/d/if y:/    e/f',
    'a/b//c/d/e/f',
    'a/n/d/o/f',
    '    a/    b//    c/d/    e/f',
    '    a/    n/d/    o/f',
  ],
];

/** What isn't indented at all. */
const kept: [about: string, user: string, base: string][] = [
  ['all lines are as deep as before', 'a/m/    b', 'a/    b/c'],
  ['no line is there any more', '    m', 'a/b'],
  ['only a bracket is deeper, which may be of another call', 'if x:/    g(/        c/    )/b', 'f(/    a/)/b'],
  ['only a bracket below a blank line is', 'if x:/    g(/        c//    )/b', 'f(/    a//)/b'],
  ['only a bracket below a line of spaces is', 'if x:/    g(/        c/    /    )/b', 'f(/    a/    /)/b'],
  ['only a blank line is', 'a/    /b', 'a//b'],
];

describe('the base and ours are indented like the lines of the user', () => {
  for (const [about, user, base, botcli, ...result] of moved) {
    it(about, () => {
      const versions = versionsOf(user, base, botcli);
      const followed = followIndents(versions);
      assert.deepEqual([followed.base.join('/'), followed.botcli.join('/')], result);
      assert.equal(followed.user, versions.user);
    });
  }
  for (const [about, user, base] of kept) {
    it(`unless ${about}`, () => {
      const versions = versionsOf(user, base, `${base}/n`);
      const { base: same, botcli } = followIndents(versions);
      assert.deepEqual([same === versions.base, botcli === versions.botcli], [true, true]);
    });
  }
});

const DEPTH = 'conflict: Your file has these lines at another depth.';

/** The user's version, the base, botcli's version, and their merge. */
const merged = readCases(`
out of a block around which botcli makes another one: a conflict
  def f():/    for x in y:/        a()/    b()/    c()/ <-- def f():/    for x in y:/        a()/        b()/    c()/
  --> def f():/    if z:/        for x in y:/            a()/            b()/    c()/ ==> ${DEPTH}
into a block with another one, and botcli makes a block of the last: a conflict, or it would leave the block
  def f():/    if mine:/        a()/        b()/    c()/ <-- def f():/    a()/    b()/    c()/
  --> def f():/    a()/    if ours:/        b()/    c()/ ==> ${DEPTH}
into a block with others, and botcli makes a block of the one between them
  def f():/    if mine:/        a()/        b()/        c()/
  <-- def f():/    a()/    b()/    c()/ --> def f():/    a()/    if ours:/        b()/    c()/
  ==> def f():/    if mine:/        a()/        if ours:/            b()/        c()/
out of a block, and botcli makes a block of the one before it
  def f():/    for x in y:/        a()/        b()/    c()/    d()/
  <-- def f():/    for x in y:/        a()/        b()/        c()/    d()/
  --> def f():/    for x in y:/        a()/        if ours:/        /            b()/        c()/    d()/
  ==> def f():/    for x in y:/        a()/        if ours:/        /            b()/    c()/    d()/
`);

describe('a line that the user has moved', () => {
  for (const [about, user, base, botcli, merge] of merged)
    it(about, () => assert.equal(mergeRows('server/bot.py', user, base, botcli), merge));
});
