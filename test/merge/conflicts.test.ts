import assert from 'node:assert/strict';
import { mergeTexts, readCases, testMerges } from './merging.ts';

/** Python in rows; both sides change `a`. */
const statements: [about: string, base: string, lines: number[]][] = [
  ['in one statement', 'x/run(/    a,/    c,/    a,/)', [3, 5]],
  ['in two statements', 'run(/    a,/    c)/run(/    c,/    a)', [2, 6]],
  ['in two statements with another between them', 'run(/    a,/    c)/x/run(/    a)', [2, 6]],
  ['in a statement and above it', 'a/run(/    a,/    c)', [1, 3]],
];

describe('conflicts are apart', () => {
  for (const [about, base, lines] of statements) {
    it(about, () => {
      const [mine = '', old = '', ours = ''] = ['mine', 'a', 'ours'].map(name =>
        base.replaceAll(/\ba\b/g, name).replaceAll('/', '\n'),
      );
      const found = mergeTexts('bot.py', mine, old, ours).conflicts.map(conflict => conflict.lines);
      assert.deepEqual(
        found,
        lines.map(line => [line, line]),
      );
    });
  }
});

/** Each conflict with the lines of each side. */
const shown = readCases(`
another branch of both
  if a:/    b/elif c:/    d/else:/    e <-- if a:/    b/else:/    e --> if a:/    b/elif x:/    y/else:/    e
  ==> if a:/    b/elif c:/    d/else:/    e | if a:/    b/else:/    e | if a:/    b/elif x:/    y/else:/    e
a statement of botcli's that a name of the user's gets into, once
  a/p = 1/b/c <-- a/b/c --> a/p = 2/if x:/    p.y = 3/b/c ==>  |  | p = 2/if x:/    p.y = 3
a line of which each changes an item
  a(b + 1) <-- a(b) --> a([b]) ==> a(b + 1) | a(b) | a([b])
the user's look, and the user's comments
  run(/    [/        a,/    ],/    b,/    x=1,/) <-- run(/    [/        a,/    ],/    b,/) --> go([a], b)
  ==> run(/    [/        a,/    ],/    b,/    x=1,/) | run(/    [/        a,/    ],/    b,/) | go([a], b)
a function that the user has removed, with a line of botcli's in it
  a <-- a/def f():/    b() --> a/def f():/    b()/    c() ==>  | def f():/    b() | def f():/    b()/    c()
a function of both
  a/def f():/    b() <-- a --> a/def f(x):/    c(x) ==> def f():/    b() |  | def f(x):/    c(x)
`);

describe('a conflict shows', () => {
  for (const [about, user, base, botcli, merged] of shown)
    it(about, () => {
      const [mine = '', old = '', its = ''] = [user, base, botcli].map(rows => rows.replaceAll('/', '\n'));
      const texts = mergeTexts('bot.py', mine, old, its).conflicts.map(one =>
        [one.yours, one.base, one.ours].join(' | '),
      );
      assert.equal(texts.join().replaceAll('\n', '/'), merged);
    });
});

describe('a file with a conflict', () => {
  it('keeps an import that botcli removes and the user uses, with markers, too', () => {
    const user = 'import a\nimport b\nf(1)\na.go(b)';
    const { text, marked } = mergeTexts('bot.py', user, 'import a\nimport b\nf(0)', 'import a\nf(2)');
    assert.equal(text, user);
    assert.match(marked.toString(), /^import a\nimport b\n<<<<<<< yours\n/);
  });
});

testMerges('a docstring that both have changed', 'bot.py')`
has the user's words below a function
  x/def f():/    """A/    b."""/    /    pass <-- x/def f():/    """O."""/    pass --> x/def f():/    """C."""/    pass
  ==> x/def f():/    """A/    b."""/    /    pass
has the user's words below an async function
  async def f():/    """A."""/    x <-- async def f():/    """O."""/    x --> async def f():/    """C."""/    x
  ==> async def f():/    """A."""/    x
has the user's words below a class
  class F:/    """A."""/    x <-- class F:/    """O."""/    x --> class F:/    """C."""/    x
  ==> class F:/    """A."""/    x
has the user's words at the top
  """A."""/x <-- """O."""/x --> """C."""/x ==> """A."""/x
has the user's words at the top, with lines that only botcli has changed
  """A./a A./b O."""/x <-- """A./a O./b O."""/x --> """A./a C./b C."""/x ==> """A./a A./b O."""/x
is a conflict if it is below another header
  if a:/    """A."""/x <-- if a:/    """O."""/x --> if a:/    """C."""/x
  ==> conflict: You and botcli changed the same lines.
is a conflict if it is below a statement
  a/"""A."""/x <-- a/"""O."""/x --> a/"""C."""/x
  ==> conflict: You and botcli changed the same lines.
is a conflict if it has a method
  def f():/    """A.""".g()/x <-- def f():/    """O.""".g()/x --> def f():/    """C.""".g()/x
  ==> conflict: You and botcli changed the same lines.
is a conflict if there is a line of the user's as well
  def f():/    """A."""/    a/x <-- def f():/    """O."""/x --> def f():/    """C."""/x
  ==> def f():/    """A."""/    a/x
is a conflict if there is a line of botcli's as well
  def f():/    """A."""/x <-- def f():/    """O."""/x --> def f():/    """C."""/    a/x
  ==> def f():/    """A."""/    a/x
`;

testMerges('lines that the user has moved,', 'bot.py')`
which botcli removes: a conflict, at whatever depth
  x/if m:/    go(a) <-- go(a)/x --> x
  ==> conflict: botcli's change removes what is between these brackets of yours.
which botcli moves to another place: a conflict
  x/y/go(a) <-- go(a)/x/y --> x/go(a)/y
  ==> conflict: You and botcli changed the same lines.
which are an item that botcli moves to another place: a conflict
  l = [/b,/c,/a,/] <-- l = [/a,/b,/c,/] --> l = [/b,/a,/c,/]
  ==> conflict: You and botcli changed the same lines.
which are a word
  x/if m:/    go <-- go/x --> x
  ==> conflict: botcli's change removes what is between these brackets of yours.
`;
