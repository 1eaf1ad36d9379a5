import assert from 'node:assert/strict';
import { mergeRows, readCases } from './merging.ts';

const SAME = 'conflict: You and botcli changed the same lines.';

/** A docstring, or something like it, that both sides change. */
const docstrings = readCases(`
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
  if a:/    """A."""/x <-- if a:/    """O."""/x --> if a:/    """C."""/x ==> ${SAME}
is a conflict if it is below a statement
  a/"""A."""/x <-- a/"""O."""/x --> a/"""C."""/x ==> ${SAME}
is a conflict if it has a method
  def f():/    """A.""".g()/x <-- def f():/    """O.""".g()/x --> def f():/    """C.""".g()/x ==> ${SAME}
is a conflict if there is a line of the user's as well
  def f():/    """A."""/    a/x <-- def f():/    """O."""/x --> def f():/    """C."""/x ==> ${SAME}
is a conflict if there is a line of botcli's as well
  def f():/    """A."""/x <-- def f():/    """O."""/x --> def f():/    """C."""/    a/x ==> ${SAME}
`);

describe('a docstring that both have changed', () => {
  for (const [about, user, base, botcli, merged] of docstrings)
    it(about, () => assert.equal(mergeRows('bot.py', user, base, botcli), merged));
});

const moved = readCases(`
which botcli removes: a conflict, at whatever depth
  x/if m:/    go(a) <-- go(a)/x --> x ==> conflict: You moved these lines, and botcli's change removes them.
which botcli moves to another place: a conflict
  x/y/go(a) <-- go(a)/x/y --> x/go(a)/y ==> conflict: You and botcli moved the same lines to different places.
which are an item that botcli moves to another place: a conflict
  l = [/b,/c,/a,/] <-- l = [/a,/b,/c,/] --> l = [/b,/a,/c,/] ==> conflict: You and botcli moved the same lines to different places.
which are a word
  x/if m:/    go <-- go/x --> x ==> x/if m:/    go
`);

describe('lines that the user has moved,', () => {
  for (const [about, user, base, botcli, merged] of moved)
    it(about, () => assert.equal(mergeRows('bot.py', user, base, botcli), merged));
});
