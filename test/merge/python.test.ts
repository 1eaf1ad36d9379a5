import assert from 'node:assert/strict';
import { mergeTexts } from './merging.ts';

/** Python of lines that `;` separates here, with a use of each imported name. */
const python = (imports: string, uses = ''): string =>
  `"""A bot."""\n\n${imports.replaceAll(' ; ', '\n')}\n\n\ndef run():\n${['pass', ...uses.split(' ').filter(Boolean)]
    .map(use => `    ${use}\n`)
    .join('')}`;

const merge = (user: string, base: string, botcli: string): string => {
  const { text, conflicts } = mergeTexts('server/bot.py', user, base, botcli);
  return conflicts.length > 0 ? `conflict: ${conflicts.map(({ reason }) => reason).join(' ')}` : text;
};

const imports: [about: string, user: string, base: string, botcli: string, merged: string, uses?: string][] = [
  [
    'ours adds one at the end of a section',
    'import a ; from b import B ;  ; from c import C',
    'import a ; from b import B ;  ; from c import C',
    'import a ; from b import B ; from d import D ;  ; from c import C',
    'import a ; from b import B ; from d import D ;  ; from c import C',
    'm',
  ],
  [
    'each side added a module',
    'import a ; import m',
    'import a',
    'import a ; import o',
    'import a ; import m ; import o',
  ],
  ['each side added a name', 'from a import B, m', 'from a import B', 'from a import B, C', 'from a import B, C, m'],
  [
    'both added the same name',
    'from a import B, C ; import x',
    'from a import B',
    'from a import B, C',
    'from a import B, C ; import x',
  ],
  ['ours is gone', 'from a import B, m', 'from a import B', 'import x', 'import x ; from a import m'],
  [
    'ours is gone, but the user uses it',
    'import a ; import m',
    'import a',
    'import x',
    'import a ; import m ; import x',
    'a m',
  ],
  ['the user removed one that ours uses', 'import m', 'import a', 'import a ; import o', 'import m ; import o', 'm'],
  [
    'a statement is in parentheses',
    'from a import (\n    B,\n    m,\n)',
    'from a import B',
    'from a import B, C',
    'from a import (\n    B,\n    C,\n    m,\n)',
  ],
  [
    'a name has an alias',
    'from a import Bee as X ; import m as n',
    'from a import Bee as X',
    'from a import Bee as X, Cat',
    'from a import Bee as X, Cat ; import m as n',
  ],
  [
    'the user gave a name an alias',
    'from a import Bee as X',
    'from a import Bee',
    'from a import Bee, Cat',
    'from a import Bee as X, Cat',
    'X',
  ],
  [
    'a comment is above it',
    '# mine ; import a ; import m',
    'import a',
    'import a ; import b',
    '# mine ; import a ; import b ; import m',
  ],
  [
    'a comment is within it',
    'from a import B  # noqa ; from m import x',
    'from a import B',
    'from a import B, C',
    'from a import B, C  # noqa ; from m import x',
  ],
  [
    'each name has a statement',
    'from a import Bee ; from a import mine',
    'from a import Bee',
    'from a import Bee, Cat',
    'from a import Bee, Cat ; from a import mine',
  ],
  [
    'there are sections',
    'import os ;  ; from z import Z',
    'import os',
    'import os ; import sys ;  ; from b import B',
    'import os ; import sys ;  ; from b import B ; from z import Z',
  ],
  [
    'a section is gone',
    'import os ; import m ;  ; from z import Z',
    'import os ;  ; from z import Z',
    'import os',
    'import os ; import m',
  ],
];

describe('merging Python imports when', () => {
  for (const [about, user, base, botcli, merged, uses = ''] of imports) {
    it(about, () => assert.equal(merge(python(user, uses), python(base), python(botcli)), python(merged, uses)));
  }

  it('the user added one in a function, or in a block: those count, and stay', () => {
    const user =
      'import a\n\ntry:\n    import fast\nexcept ImportError:\n    fast = None\n\n\ndef f():\n    import b\n';
    const base = 'import a\n';
    assert.equal(merge(user, base, 'import a\nimport b\n'), user.replace('import a\n', 'import a\nimport b\n'));
  });

  it('ours are the same: not a byte', () => {
    const user = 'import a\n\n\n# why\nimport m\n';
    assert.equal(merge(user, 'import a\n', 'import a\n\nx = 1\n'), `${user}\nx = 1\n`);
  });

  it('ours is gone, below a comment: the comment stays', () => {
    const user = 'import b\n# mine\nimport c\nimport m\n';
    const merged = merge(user, 'import b\nimport c\n', 'import b\nimport o\n');
    assert.equal(merged, 'import b\n# mine\nimport m\nimport o\n');
  });

  it('several are in one line: by lines', () => {
    assert.equal(
      merge('import a; import b\nx = 1\n', 'import a; import b\n', 'import a; import b\n\ny = 2\n').includes('y = 2'),
      true,
    );
  });
});

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
    'ours removes a name that the user uses',
    USES_LIMIT,
    NO_LIMIT,
    `Your lines use "LIMIT", which botcli's change removes.`,
  ],
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
    'both define a function',
    change(['if True:', 'def look():', '    pass', 'if True:']),
    change(['LIMIT = 3', 'LIMIT = 3', 'def look():', '    return 1']),
    'Your file already defines "look", and so does botcli\'s change.',
  ],
  [
    'both define a variable of one function',
    change(['    return line', '    port = 1', '    return line']),
    change(['    context = Context()', '    port = take()', '    context = Context()']),
    'Your file already defines "port", and so does botcli\'s change.',
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
  ['ours defines the name that it uses', RENAMED, change(['    run(os)', '    LIMIT = 4', '    run(LIMIT)'])],
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

  it('each side passes the same argument to a call: a conflict', () => {
    const call = (...lines: string[]) => ['run(', '    a,', '    b,', ...lines, ')', ''].join('\n');
    const { conflicts } = mergeTexts(
      'bot.py',
      ['run(', '    x=1,', '    a,', '    b,', ')', ''].join('\n'),
      call(),
      call('    x=2,'),
    );
    assert.deepEqual(
      conflicts.map(({ reason }) => reason),
      [`Your file already defines "x", and so does botcli's change.`],
    );
  });

  it('brackets no longer match: a conflict', () => {
    const [user, base, botcli] = ['x = [', 'x = [', 'x = ['].map((head, at) =>
      [
        head,
        '    1,',
        ...(at === 0 ? [']', 'y = ['] : []),
        '    2,',
        '    3,',
        ...(at === 2 ? [']', 'z = ['] : []),
        '    4,',
        ']',
        '',
      ].join('\n'),
    );
    assert.deepEqual(mergeTexts('bot.py', user ?? '', base ?? '', botcli ?? '').conflicts.length, 0);
    const broken = mergeTexts('bot.py', 'x = (1)\nb\nc\n', 'x = 1\nb\nc\n', 'x = 1\nb\nc\ny = 2\n');
    assert.deepEqual(broken.conflicts, []);
  });

  const lists: [about: string, user: string, merged: string][] = [
    ['a tuple', 'ENV = ("A", "MINE")', 'ENV = ("A", "MINE", "OURS")'],
    ['the form of a tuple', 'ENV = ("A", "B")', 'ENV = ("A", "OURS")'],
    ['a type', 'ENV: list[str] = ["A", "B", "MINE"]', 'ENV: list[str] = ["A", "OURS", "MINE"]'],
    ['nothing but a type', 'ENV: list[str] = ["A", "B"]', 'ENV: list[str] = ["A", "OURS"]'],
    ['a comment', 'ENV = ["A", "B", "MINE"]  # Ours.', 'ENV = ["A", "OURS", "MINE"]  # Ours.'],
    ['a tuple over lines', 'ENV = (\n  "A",\n  "MINE",\n)', 'ENV = (\n  "A",\n  "MINE",\n  "OURS",\n)'],
    ['a comment after an item', 'ENV = [\n    "A",  # Mine.\n    "B"\n]', 'ENV = [\n    "A",  # Mine.\n    "OURS"\n]'],
    ['a comment between items on one line', 'ENV = [\n    "A", "B",  # Mine.\n]', ''],
    ['a text in parentheses', 'ENV = ("A")', ''],
  ];
  for (const [about, user, merged] of lists) {
    it(`the user gave a list ${about}: ${merged ? 'by item' : 'a conflict'}`, () => {
      const result = merge(`${user}\n`, 'ENV = ["A", "B"]\n', 'ENV = ["A", "OURS"]\n');
      if (merged) assert.equal(result, `${merged}\n`);
      else assert.match(result, /^conflict: /);
    });
  }

  it('statements between imports stay, with what they need', () => {
    const file = (top: string, use: string) => `${top}\n\n\ndef run():\n    ${use}\n`;
    const between =
      'import os\nimport sys\n\nsys.path.insert(0, "lib")\ntry:\n    import fast\nexcept ImportError:\n    fast = None\n\n';
    const swapped = merge(
      file(`${between}from a import Old`, 'Old(os)'),
      file('import os\nimport sys\n\nfrom a import Old', 'Old(os)'),
      file('import os\n\nfrom a import New', 'New(os)'),
    );
    assert.equal(swapped, file(`${between}from a import New`, 'New(os)'));
  });

  it('ours takes away what it has added to a text of the user: only that goes', () => {
    const [old, added] = ['TEXT = (\n    "Old."\n)\n', 'TEXT = (\n    "Old. "\n    "New."\n)\n'];
    const mine = merge("TEXT = 'Mine.'\n", old, added);
    assert.equal(merge(mine, added, old), "TEXT = (\n    'Mine.'\n)\n");
  });

  it('the only item of a tuple keeps its comma', () => {
    assert.equal(merge('ENV = ("A", "B")\n', 'ENV = ["A", "B"]\n', 'ENV = ["A"]\n'), 'ENV = ("A",)\n');
  });
});
