import assert from 'node:assert/strict';
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

describe('a statement is written in the way of the user', () => {
  it('also at another depth', () =>
    assert.equal(
      mergeRows('bot.py', "if x:/    f('a', (/        b/    ))/    c", 'f("a", (b))/c', 'f("a", (b))/n/c'),
      "if x:/    f('a', (/        b/    ))/    n/    c",
    ));

  it('unless a text in it goes over lines, at another depth: a conflict if botcli removes it', () =>
    assert.match(mergeRows('bot.py', "if x:/    f('''a/  b''')", 'f("""a/  b""")', ''), /^conflict/));

  it('or another one is on its line: a conflict if botcli changes both', () =>
    assert.match(mergeRows('bot.py', "f('a'); g('b')", 'f("a"); g("b")', 'f("a"); g("c")'), /^conflict/));

  it('who removes a comment next to a text over lines: a conflict, as that may have the sign of one', () => {
    const base = 'f(/    """/# Title/Go.""",  # Old/    c,/)/';
    assert.equal(
      mergeRows('bot.py', 'f("""/# Title/Go.""", c)/', base, base.replace('c', 'd')),
      'conflict: You and botcli changed the same lines.',
    );
  });
});
