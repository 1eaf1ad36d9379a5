import assert from 'node:assert/strict';
import { mergeRows, testMerges } from './merging.ts';

/** Code of a session, in which more lines may follow some of its own. */
const run = ({ after = '', call = '    t=[],', end = '' }) =>
  [
    'l = L(',
    '    m=1,',
    ')',
    'c = C(',
    call,
    ')',
    'r = R(l, c)',
    after,
    '@t.on',
    'def left():',
    '    r.end()',
    end,
    'go(r)',
  ]
    .filter(Boolean)
    .join('/');
const deeper = (text: string) => `    ${text.replaceAll('/', '/    ')}`;
const BASE = `def run(t):/${deeper(run({}))}`;
const MORE = { after: '@t.on/def turn():/    p()', call: '    s=True,/    t=[],' };
const split = (text: string) => text.replace('/    @t.on', '/    more(t, r)//def more(t, r):/    @t.on');
const LLM = '    l = L(/        m=1,/    )';
const move = (text: string) => `def make():/${LLM}/    return l//${text.replace(LLM, '    l = make()')}`;

testMerges('merging a function of Python when', 'bot.py')`
all of it is in a try
  def run(t):/    try:/${deeper(deeper(run({})))}/    finally:/        close() <-- ${BASE} --> def run(t):/${deeper(run(MORE))}
  ==> def run(t):/    try:/${deeper(deeper(run(MORE)))}/    finally:/        close()
it was split
  ${split(BASE)} <-- ${BASE} --> def run(t):/${deeper(run({ end: '    l.stop()' }))}
  ==> conflict: With botcli's change, "l" would be used outside of the block that defines it.
it was split, and ours fits
  ${split(BASE)} <-- ${BASE} --> def run(t):/${deeper(run({ end: '    p(r)' }))}
  ==> ${split(`def run(t):/${deeper(run({ end: '    p(r)' }))}`)}
the user wrote a call on one line, without commas, in a block, and ours changes it
  if x:/    c = C(t=[], m=M.S(i=1))/    a() <-- c = C(/    t=[],/    m=M.S(/        i=1,/    ),/)/a()
  --> c = C(/    s=True,/    t=[],/    m=M.S(/        i=1,/        v=2,/    ),/)/a()
  ==> if x:/    c = C(s=True, t=[], m=M.S(i=1, v=2))/    a()
lines were moved to another one, and ours uses their name in both
  ${move(BASE)} <-- ${BASE} --> def run(t):/    p()/${deeper(run({ end: '    l.stop()' }))}
  ==> conflict: With botcli's change, "l" would mean something else.
lines were moved to another one, and ours changes them and the one they came from
  ${move(BASE)} <-- ${BASE} --> def run(t):/${deeper(run({ after: 'p(r)' })).replace('L(', 'K(')}
  ==> ${move(BASE).replace('L(', 'K(').replace('R(l, c)', 'R(l, c)/    p(r)')}
the user gives another value to an argument that both calls have
  x = A(/    k=mine,/    m=1,/) <-- x = A(/    k=1,/    m=1,/) --> x = B(/    k=1,/    m=1,/) ==> x = B(/    k=mine,/    m=1,/)
`;

/** Ways to define a name, which botcli's change defines, too. */
const own = [
  ...['class x:/    pass', 'def x():/    pass', 'x = 1', 'from mine import x', 'import xs as x'],
  ...['for x in a:/    b', 'with a as x:/    b', 'try:/    a/except E as x:/    b', 'if x := a:/    b'],
  ...['match a:/    case [x]:/        b', 'try:/    from mine import x/except E:/    x = None'],
];

describe('it is a conflict if both sides define a name, and the user does with', () => {
  const reason = `Your file already defines "x", and so does botcli's change.`;
  for (const lines of own)
    for (const ours of ['from a import x', 'x = 2'])
      it(`${lines}, where botcli has ${ours}`, () =>
        assert.match(
          mergeRows('bot.py', `c/${lines}/d/e`, 'c/d/e', `${ours}/c/d/e/x()`),
          new RegExp(`^conflict: ${reason}`),
        ));
});

testMerges('merging Python is clean when', 'bot.py')`
ours has the name of a comprehension
  a/print([x for x in b])/c <-- a/c --> x = 1/a/c ==> x = 1/a/print([x for x in b])/c
ours imports what the user imports, too
  from a import x/b/m <-- b --> from a import x/b/x() ==> from a import x/b/x()/m
a name comes from another module
  from a import x/MINE = 1/x(MINE) <-- from a import x/OLD = 1/x(OLD) --> from b import x/OLD = 1/x(OLD)
  ==> from b import x/MINE = 1/x(MINE)
the user wrote a call over several lines, and ours changes it
  x = f(/    a,/    b,/) <-- x = f(a, b) --> x = f(a, None, b) ==> x = f(/    a,/    None,/    b,/)
the user changes a comment next to an item of ours
  f(/    a,  # Mine/    c,/) <-- f(/    a,/    c,/) --> f(/    a,/    b,/    c,/) ==> f(/    a,  # Mine/    b,/    c,/)
the user has removed the comments of a list, and ours adds an item
  f(/    a,/    b,/    c,/) <-- f(/    a,  # A/    b,  # B/    c,/) --> f(/    a,  # A/    b,  # B/    x,  # X/    c,/)
  ==> f(/    a,/    b,/    x,  # X/    c,/)
the user has removed a docstring, and both have rewritten another
  import os/def f():/    """Mine."""/    a <-- """Old."""/import os/def f():/    """Old."""/    a
  --> """New."""/import os/def f():/    """New."""/    a/    b ==> import os/def f():/    """Mine."""/    a/    b
`;
