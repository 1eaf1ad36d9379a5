import assert from 'node:assert/strict';
import { followForm } from '../../src/merge/python/looks.ts';
import { mergeRows } from './merging.ts';

const CHANGED = 'conflict: You changed these lines, and botcli removes them.';

/** A statement as the user writes it, the one of the base, and whether both say the same. */
const statements: [user: string, base: string, isSame: boolean][] = [
  ["f('a')", 'f("a")', true],
  ['f(/    a,/    b,/)', 'f(a, b)', true],
  ['f(a, b)', 'f(/    a,/    b,/)', true],
  ['f(a,)', 'f(a)', true],
  ['f()(a,)', 'f()(a)', true],
  ['f[0](a,)', 'f[0](a)', true],
  ['from a import (b,)', 'from a import (b)', true],
  ['x = [a,]', 'x = [a]', true],
  ['x = {a,}', 'x = {a}', true],
  ['f({a: b,})', 'f({a: b})', true],
  ['f(a=(b,),)', 'f(a=(b,))', true],
  ['x = (a,)', 'x = (a)', false],
  ['return (a,)', 'return (a)', false],
  ['x[a,]', 'x[a]', false],
  ['f()[a,]', 'f()[a]', false],
  ['x[0][a,]', 'x[0][a]', false],
  ['f("a", ")")', 'f("a" ")")', false],
  ['x = ["a", "b"]', 'x = ["a" "b"]', false],
  ['x = ["a", "]"]', 'x = ["a" "]"]', false],
  ['f(",")', 'f("")', false],
  ['f(rb"a")', 'f("a")', false],
  ['f("name a")', 'f(name a)', false],
  ['f(b, a)', 'f(a, b)', false],
  ['f(a)  # Mine', 'f(a)', false],
  ["f('a',  # A/  b)", 'f(/    "a",  # A/    b,/)', true],
  ["f('#a')", 'f("#a")', true],
  ["f('a')  # Mine", 'f("a")  # Ours', false],
];

describe('a statement that the user writes differently', () => {
  for (const [user, base, isSame] of statements) {
    it(`${user} ${isSame ? 'is' : "isn't"} ${base}`, () => {
      // The lines around it have comments, too.
      const around = (text: string) => `a = 1  # One/${text}b = 2  # Two`;
      const merged = mergeRows('bot.py', around(`${user}/`), around(`${base}/`), around(''));
      assert.equal(merged, isSame ? around('') : CHANGED);
    });
  }
});

/** The user's version, the base, and botcli's version. Then what the last two become. */
const cases: [about: string, user: string, base: string, botcli: string, newBase: string, newBotcli: string][] = [
  [
    'at another depth: as deep as before',
    "if x:/    f('a', (/        b/    ))",
    'f("a", (b))',
    'if y:/  f("a", (b))',
    "f('a', (/    b/))",
    "if y:/  f('a', (/      b/  ))",
  ],
  [
    'next to a new comment: that is no part of it',
    "f('a')  # A/b  # Mine",
    'f("a")  # A/b',
    'f("a")  # A/c',
    "f('a')  # A/b",
    "f('a')  # A/c",
  ],
  [
    'with a line that is less deep: it stays so',
    "if x:/    f('a',//  b)",
    'f("a", b)',
    'f("a", b)/c',
    "f('a',//  b)",
    "f('a',//  b)/c",
  ],
  ['with a text over lines: its lines stay', "f('''a/  b''')", 'f("""a/  b""")', '', "f('''a/  b''')", ''],
  [
    'with a text over lines, at another depth: not at all',
    "if x:/    f('''a/  b''')",
    'f("""a/  b""")',
    '',
    'f("""a/  b""")',
    '',
  ],
  [
    'with another one on its line: not at all',
    "f('a'); g('b')/h('c')",
    'f("a"); g("b")/h("c")',
    'f("a")/g("b")',
    'f("a"); g("b")/h(\'c\')',
    'f("a")/g("b")',
  ],
];

describe('a statement is written in the way of the user', () => {
  for (const [about, user, base, botcli, ...result] of cases) {
    it(about, () => {
      const followed = followForm({ user: user.split('/'), base: base.split('/'), botcli: botcli.split('/') });
      assert.deepEqual([followed.base.join('/'), followed.botcli.join('/')], result);
    });
  }

  it('who removes a comment next to a text over lines: a conflict, as that may have the sign of one', () => {
    const base = 'f(/    """/# Title/Go.""",  # Old/    c,/)/';
    assert.equal(
      mergeRows('bot.py', 'f("""/# Title/Go.""", c)/', base, base.replace('c', 'd')),
      'conflict: You and botcli changed the same lines.',
    );
  });
});
