import assert from 'node:assert/strict';
import { mergeRows, mergeTexts, testMerges } from './merging.ts';

testMerges('merging Python imports when', 'bot.py')`
ours adds one at the end of a section
  import a/from b import B//from c import C/m <-- import a/from b import B//from c import C
  --> import a/from b import B/from d import D//from c import C
  ==> import a/from b import B/from d import D//from c import C/m
each side added a module
  import a/import m <-- import a --> import a/import o ==> import a/import m/import o
each side added a name
  from a import B, m <-- from a import B --> from a import B, C ==> from a import B, C, m
both added the same name
  from a import B, C/import x <-- from a import B --> from a import B, C ==> from a import B, C/import x
ours is gone
  from a import B, m <-- from a import B --> import x ==> import x/from a import m
ours is gone, but the user uses it
  import a/import m//a(m) <-- import a/ --> import x/ ==> import a/import m/import x//a(m)
the user removed one that ours uses
  import m//m <-- import a/ --> import a/import o/ ==> import m/import o//m
a statement is in parentheses
  from a import (/    B,/    m,/) <-- from a import B --> from a import B, C ==> from a import (/    B,/    C,/    m,/)
a name has an alias
  from a import Bee as X/import m as n <-- from a import Bee as X --> from a import Bee as X, Cat
  ==> from a import Bee as X, Cat/import m as n
the user gave a name an alias
  from a import Bee as X//X() <-- from a import Bee/ --> from a import Bee, Cat/ ==> from a import Bee as X, Cat//X()
a comment is above it
  # mine/import a/import m <-- import a --> import a/import b ==> # mine/import a/import b/import m
a comment is after it
  from a import B  # noqa/from m import x <-- from a import B --> from a import B, C
  ==> from a import B, C  # noqa/from m import x
each name has a statement
  from a import Bee/from a import mine <-- from a import Bee --> from a import Bee, Cat
  ==> from a import Bee, Cat/from a import mine
there are sections
  import os//from z import Z <-- import os --> import os/import sys//from b import B
  ==> import os/import sys//from b import B/from z import Z
a section is gone
  import os/import m//from z import Z <-- import os//from z import Z --> import os ==> import os/import m
the user added one in a function, and one in a block: those count, and stay
  import a//try:/    import c/except E:/    c = None//def f():/    import b <-- import a --> import a/import b
  ==> import a/import b//try:/    import c/except E:/    c = None//def f():/    import b
ours are the same: not a byte changes
  import a///# why/import m/ <-- import a/ --> import a//x = 1/ ==> import a///# why/import m//x = 1/
ours is gone, below a comment: the comment stays
  import b/# mine/import c/import m/ <-- import b/import c/ --> import b/import o/ ==> import b/# mine/import m/import o/
several are in one line
  import a; import b/x = 1 <-- import a; import b/ --> import a; import b/y = 2 ==> import a; import b/y = 2/x = 1
statements are between them, which stay with what they need
  import os/import sys//sys.path.append("a")//from a import Old//Old(os)
  <-- import os/import sys//from a import Old//Old(os) --> import os//from a import New//New(os)
  ==> import os/import sys//sys.path.append("a")//from a import New//New(os)
`;

const BASE = [
  'import os',
  '',
  'LIMIT = 3',
  '',
  'def greet(name):',
  '    return LIMIT, name',
  '',
  'def run(transport):',
  '    context = Context()',
  '    line = greet("x")',
  '    return line',
  '',
  'if True:',
  '    run(os)',
];
const change = (...edits: [before: string, ...after: string[]][]) =>
  edits
    .reduce((lines, [before, ...after]) => lines.flatMap(line => (line === before ? after : [line])), BASE)
    .join('\n');
const RENAMED = change(['LIMIT = 3', 'MOST = 3'], ['    return LIMIT, name', '    return MOST, name']);
const USES_LIMIT = change(['    run(os)', '    run(os)', '    print(LIMIT)']);
const NO_LIMIT = change(['LIMIT = 3'], ['    return LIMIT, name', '    return name']);

const names: [about: string, user: string, botcli: string, reason?: string][] = [
  ['ours uses a name that the user renamed', RENAMED, USES_LIMIT],
  [
    'the user replaced a variable of a function',
    change(['    context = Context()', '    ctx = Mine()']),
    change(['    return line', '    context.add(line)', '    return line']),
    `botcli's change uses "context", which your file doesn't define any more.`,
  ],
  [
    'ours renames a variable that the user made global',
    change(
      ['LIMIT = 3', 'LIMIT = 3', 'line = None'],
      ['    context = Context()', '    global line', '    context = Context()'],
    ),
    change(['    line = greet("x")', '    call = greet("x")'], ['    return line', '    return call']),
    'Nothing in run would set your global "line".',
  ],
  [
    'both define a variable, in different functions',
    change(['    return line', '    port = 1', '    return line']),
    change(['    return LIMIT, name', '    port = take()', '    return LIMIT, name']),
  ],
  [
    'ours uses the name as an attribute, a keyword, a string, or in a comment',
    RENAMED,
    change(['    run(os)', '    run(os, LIMIT=os.LIMIT)  # LIMIT', '    print("LIMIT", f"LIMIT {{LIMIT}}")']),
  ],
  [
    'ours uses one that is gone in an f-string',
    NO_LIMIT,
    change(['    run(os)', '    run(os)', '    print(f"{LIMIT:>3}")']),
    `botcli's change uses "LIMIT", which your file doesn't define any more.`,
  ],
  [
    "the user's file was broken before",
    change(['LIMIT = 3', 'MOST = 3']),
    change(['    run(os)', '    run(os)', '    print(1)']),
  ],
  [
    'both pass one argument',
    change(['    context = Context()', '    context = Context(', '        tools=[mine],', '    )']),
    change(['    return line', '    return [line]']),
  ],
  [
    'the user added a name, and ours another',
    change(['    return line', '    mine = 1', '    return line']),
    change(['    context = Context()', '    ours = 1', '    context = Context()']),
  ],
];

describe('merging Python when', () => {
  for (const [about, user, botcli, reason] of names) {
    it(`${about}: ${reason ? 'a conflict' : 'clean'}`, () => {
      const { conflicts } = mergeTexts('bot.py', user, BASE.join('\n'), botcli);
      const reasons = conflicts.flatMap(one => (one.follows ? [] : one.reason));
      assert.deepEqual([...new Set(reasons)], reason ? [reason] : []);
    });
  }

  it('the user moved lines to another function, and ours removes some: they go there', () => {
    const file = (...rows: string[]) =>
      ['def run(a):', '    if a.line:', '        log(a.line)', '    begin(a)', '', ...rows, '    end(a)', ''].join(
        '\n',
      );
    const guard = ['    if a.line:', '        guard(a)', ''];
    const base = file('    early(a)', '', ...guard, '    wait()', '');
    const user = file('    rest(a)', '', '', 'def rest(a):', '    early(a)', '', ...guard, '    wait()', '');
    const { text, conflicts } = mergeTexts('bot.py', user, base, file('    early(a)', '', '    wait()', ''));
    assert.deepEqual([conflicts, text], [[], user.replace(`${guard.join('\n')}\n`, '')]);
  });

  const lists: [about: string, user: string, merged: string][] = [
    ['a tuple', 'ENV = ("A", "MINE")', 'ENV = ("A", "MINE", "OURS")'],
    ['the form of a tuple', 'ENV = ("A", "B")', 'ENV = ("A", "OURS")'],
    ['a type', 'ENV: list[str] = ["A", "B", "MINE"]', 'ENV: list[str] = ["A", "OURS", "MINE"]'],
    ['nothing but a type', 'ENV: list[str] = ["A", "B"]', 'ENV: list[str] = ["A", "OURS"]'],
    ['a comment', 'ENV = ["A", "B", "MINE"]  # Ours.', 'ENV = ["A", "OURS", "MINE"]  # Ours.'],
    ['a tuple over lines', 'ENV = (/  "A",/  "MINE",/)', 'ENV = (/  "A",/  "MINE",/  "OURS",/)'],
    ['a comment after an item', 'ENV = [/    "A",  # Mine./    "B"/]', 'ENV = [/    "A",  # Mine./    "OURS"/]'],
    ['a comment between items on one line', 'ENV = [/    "A", "B",  # Mine./]', ''],
    ['a text in parentheses', 'ENV = ("A")', ''],
  ];
  for (const [about, user, merged] of lists) {
    it(`the user gave a list ${about}: ${merged ? 'by item' : 'a conflict'}`, () => {
      const result = mergeRows('bot.py', user, 'ENV = ["A", "B"]', 'ENV = ["A", "OURS"]');
      assert.equal(result.startsWith('conflict: ') ? '' : result, merged);
    });
  }
});

testMerges('merging texts and tuples of Python when', 'bot.py')`
ours takes away what it has added to a text of the user: only that goes
  TEXT = (/    'Mine.'/    " New."/) <-- TEXT = (/    "Old. "/    "New."/) --> TEXT = (/    "Old."/)
  ==> TEXT = (/    'Mine.'/)
the only item of a tuple keeps its comma
  ENV = ("A", "B") <-- ENV = ["A", "B"] --> ENV = ["A"] ==> ENV = ("A",)
one side has brackets more
  x = (1)/b/c <-- x = 1/b/c --> x = 1/b/c/y = 2 ==> x = (1)/b/c/y = 2
`;
