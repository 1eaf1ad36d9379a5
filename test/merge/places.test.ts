import assert from 'node:assert/strict';
import { mergeRows, testMerges } from './merging.ts';

const MISFIT = "conflict: botcli's change doesn't fit the blocks around it in your file.";

const CLAUSES = [
  'if a:/    1/elif b:/    2/elif c:/    3/else:/    4',
  'if a:/    1/else:/    2',
  'for a in b:/    1/else:/    2',
  'while a:/    1/else:/    2',
  'try:/    1/except A:/    2/except B:/    3/else:/    4/finally:/    5',
  'try:/    1/except A:/    2/finally:/    3',
  'try:/    1/finally:/    2',
].join('/');

testMerges('merging blocks when', 'bot.py')`
quotes of both sides would overlap
  x/"""/a/b/"""/c <-- x/a/b/c
  --> x/a/'''/b/c/'''
  ==> conflict: You and botcli changed the same lines.
lines of the user's would have no block
  if a:/    b/    c <-- if a:/    b --> a/b
  ==> conflict: You changed these lines, and botcli removes them.
the block is gone, and botcli adds a line to it
  b <-- if a:/    b --> if a:/    b/    c
  ==> conflict: botcli's change doesn't fit the blocks around it in your file.
a block ends where botcli adds a line
  if a:/    b/c <-- b/c --> b/x/c ==> if a:/    b/x/c
lines are in a try, and another follows them
  x/try:/    b/    c/finally:/    e <-- x/b/c --> x/b/c/d ==> x/try:/    b/    c/    d/finally:/    e
lines are in two blocks, and another is between them
  if a:/    b/if d:/    c <-- b/c --> b/x/c
  ==> if a:/    b/x/if d:/    c
the user has turned an "if" and its "else" around, and botcli adds a line to it
  if not a:/    d/    e/else:/    b/    c <-- if a:/    b/    c/else:/    d/    e
  --> if a:/    b/    c/    x/else:/    d/    e ==> if not a:/    d/    e/else:/    b/    c/    x
a line of a text becomes deeper
  x/p = """/- a/- b/""" <-- y/p = """/- a/- b/""" --> y/p = """/- a/  - b/""" ==> x/p = """/- a/  - b/"""
both have reversed some lines, each other ones
  b/a/c <-- a/b/c --> c/b/a ==> ${MISFIT}
both have moved a line, and botcli adds another below it
  b/c/a <-- a/b/c --> b/c/a/d ==> b/c/a/d
the user has copied a function and changed it, and botcli changes it
  def f():/    a = b(1, x)/    c(d)/    e(g)/def h():/    a = b(1)/    c(d)/    e(g)
  <-- def f():/    a = b(1)/    c(d)/    e(g)
  --> def f():/    a = b(2)/    c(d)/    e(g)
  ==> def f():/    a = b(2, x)/    c(d)/    e(g)/def h():/    a = b(1)/    c(d)/    e(g)
botcli adds an "else" to an "if" with a condition of the user's
  if m:/    c/n <-- if b:/    c/n --> if b:/    c/else:/    x/n
  ==> conflict: You and botcli changed the same lines.
botcli adds an "else" to an "elif" of the user's
  if a:/    b/elif m:/    n <-- if a:/    b --> if a:/    b/else:/    x
  ==> conflict: You and botcli changed the same lines.
botcli puts the line above into a block
  a/b/mine <-- a/b --> a/if x:/    b ==> a/if x:/    b/mine
botcli gives the block another condition
  if a:/    b/    mine <-- if a:/    b --> if x:/    b
  ==> if x:/    b/    mine
the user has taken a line out of its block, and botcli changes something else
  def f():/    if a:/        b/    c/d/x = 1 <-- def f():/    if a:/        b/        c/d/x = 1
  --> def f():/    if a:/        b/        c/d/x = 2 ==> def f():/    if a:/        b/    c/d/x = 2
the user has removed a condition, and botcli changes something else
  def f():/    b/    c/d/x = 1 <-- def f():/    if a:/        b/        c/d/x = 1
  --> def f():/    if a:/        b/        c/d/x = 2 ==> def f():/    b/    c/d/x = 2
the user has removed an "else" between two lines, and botcli changes something else
  if a:/    b/    c/d/x = 1 <-- if a:/    b/else:/    c/d/x = 1
  --> if a:/    b/else:/    c/d/x = 2 ==> if a:/    b/    c/d/x = 2
botcli removes an "else" between two lines, and the user has changed something else
  if a:/    b/else:/    c/d/x = 2 <-- if a:/    b/else:/    c/d/x = 1
  --> if a:/    b/    c/d/x = 1 ==> if a:/    b/    c/d/x = 2
the user has removed a condition, and botcli adds a line to its block
  x = 1/def f():/    b/    c <-- x = 1/def f():/    if a:/        b/        c
  --> x = 2/def f():/    if a:/        b/        e/        c
  ==> x = 2/def f():/    b/    e/    c
each side has put a line into a block of its own
  if a:/    b/if c:/    mine/    d <-- if a:/    b/    d --> if a:/    b/if e:/    ours/    d
  ==> conflict: You and botcli changed the same lines.
each side has removed the condition above another one, and a line is in neither of the blocks that they have
  if a:/    b/if c:/    d/    f/x/y/z <-- if a:/    b/if c:/    d/if e:/    f/x/y/z
  --> if a:/    b/    d/if e:/    f/x/y/z
  ==> conflict: You and botcli changed the same lines.
botcli moves the line above to another block
  if a:/    b/    mine/if c:/    d <-- if a:/    b/if c:/    d
  --> if a:/    x/if c:/    b/    d
  ==> if a:/    x/if c:/    b/    mine/    d
botcli removes the "if" of an "else"
  if a:/    b/else:/    e/c <-- if a:/    b/c --> c
  ==> conflict: You changed these lines, and botcli removes them.
there are all kinds of clauses
  x = 1/${CLAUSES}/mine <-- x = 1/${CLAUSES} --> x = 2/${CLAUSES} ==> x = 2/${CLAUSES}/mine
code that "return" has disabled stays so, and botcli changes something else
  def f():/    return/    a/    b/x = 1 <-- def f():/    a/    b/x = 1
  --> def f():/    a/    b/x = 2 ==> def f():/    return/    a/    b/x = 2
botcli's line would be in code that "return" has disabled, and another change wouldn't
  x = 1/def f():/    return/    a/    if b:/        c/y <-- x = 1/def f():/    a/    if b:/        c/y
  --> x = 2/def f():/    a/    if b:/        c/        d/y ==> conflict: Nothing after your "return" would run.
lines would follow botcli's "return", and another change is nearer to some of them
  def f():/    a/    b/    mine/    more/    most/y/x = 1 <-- def f():/    a/    b/y/x = 1
  --> def f():/    a/    return b/y/x = 2 ==> conflict: Nothing after botcli's "return" would run.
a line has always followed a "return", and botcli returns something else
  def f():/    return a/    mine/x <-- def f():/    return a/x
  --> def f():/    return b/x ==> def f():/    return b/    mine/x
botcli waits in a block of a function that no longer can
  def f():/    if a:/        b
  <-- async def f():/    if a:/        b --> async def f():/    if a:/        b/        await c
  ==> conflict: botcli's change waits, and your function isn't async.
botcli has a block that waits in a function that no longer can
  def f():/    b
  <-- async def f():/    b --> async def f():/    b/    async with c:/        d
  ==> conflict: botcli's change waits, and your function isn't async.
botcli waits in a function of its own, in one that no longer can
  def f():/    b <-- async def f():/    b
  --> async def f():/    b/    async def g():/        await c ==> def f():/    b/    async def g():/        await c
a line that is no statement begins with else
  x = a/else b/y = 1 <-- y = 1 --> y = 2 ==> x = a/else b/y = 2
botcli waits at the top
  a/mine <-- a --> await b/a ==> await b/a/mine
lines are below "with a:", and another follows them
  x/with a:/    b/    c <-- x/b/c --> x/b/c/d ==> x/with a:/    b/    c/    d
lines are below "def a():", and another follows them
  x/def a():/    b/    c <-- x/b/c --> x/b/c/d ==> x/def a():/    b/    c/    d
lines are below "class a:", and another follows them
  x/class a:/    b/    c <-- x/b/c --> x/b/c/d ==> x/class a:/    b/    c/    d
lines are below "if a:", and another follows them
  x/if a:/    b/    c <-- x/b/c --> x/b/c/d ==> x/if a:/    b/    c/d
lines are below "for a in b:", and another follows them
  x/for a in b:/    b/    c <-- x/b/c --> x/b/c/d ==> x/for a in b:/    b/    c/d
lines are below "while a:", and another follows them
  x/while a:/    b/    c <-- x/b/c --> x/b/c/d ==> x/while a:/    b/    c/d
lines are below "if a:", and another is between them
  x/if a:/    b/    c <-- x/b/c --> x/b/d/c ==> x/if a:/    b/    d/    c
the user has added "elif d:" where botcli adds a line
  if a:/    b/elif d:/    e/c <-- if a:/    b/c --> if a:/    b/x/c ==> if a:/    b/elif d:/    e/x/c
the user has added "else:" where botcli adds a line
  if a:/    b/else:/    e/c <-- if a:/    b/c --> if a:/    b/x/c ==> if a:/    b/else:/    e/x/c
the user has added "except B:" where botcli adds a line
  try:/    b/except A:/    d/except B:/    e/c <-- try:/    b/except A:/    d/c --> try:/    b/except A:/    d/x/c
  ==> try:/    b/except A:/    d/except B:/    e/x/c
the user has added "finally:" where botcli adds a line
  try:/    b/except A:/    d/finally:/    e/c <-- try:/    b/except A:/    d/c --> try:/    b/except A:/    d/x/c
  ==> try:/    b/except A:/    d/finally:/    e/x/c
botcli's line would follow "return"
  for a in b:/    c/    return <-- for a in b:/    c/    d --> for a in b:/    c/    d/    e ==> ${MISFIT}
botcli's line would follow "raise E"
  for a in b:/    c/    raise E <-- for a in b:/    c/    d --> for a in b:/    c/    d/    e ==> ${MISFIT}
botcli's line would follow "break"
  for a in b:/    c/    break <-- for a in b:/    c/    d --> for a in b:/    c/    d/    e ==> ${MISFIT}
botcli's line would follow "continue"
  for a in b:/    c/    continue <-- for a in b:/    c/    d --> for a in b:/    c/    d/    e ==> ${MISFIT}
`;

const CODE = [
  'def f():',
  '    if a:',
  '        b()',
  '    else:',
  '        c()',
  '        d()',
  '    for e in g():',
  '        h()',
  '        i()',
  '    try:',
  '        j()',
  '    except E:',
  '        k()',
  '        m()',
];

const elsewhere: [what: string, edit: (line: string) => string[]][] = [
  ['removed', () => []],
  ['written another line above', line => ['        mine()', line]],
  ['written a "return" above', line => ['        return', line]],
  ['written a condition above', line => ['        if x:', `    ${line}`]],
  ['taken out of its block', line => [line.replace('    ', '')]],
];

describe('a change of a function is merged when, in another one, the user has', () => {
  for (const [what, edit] of elsewhere) {
    for (const line of ['        d()', '        i()', '        m()']) {
      it(`${what} "${line.trim()}"`, () => {
        const file = (code: string[], result: number) => [...code, '', 'def last():', `    return ${result}`].join('/');
        const mine = CODE.toSpliced(CODE.indexOf(line), 1, ...edit(line));
        assert.equal(mergeRows('bot.py', file(mine, 1), file(CODE, 1), file(CODE, 2)), file(mine, 2));
      });
    }
  }
});
