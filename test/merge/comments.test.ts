import assert from 'node:assert/strict';
import { followComments } from '../../src/merge/python/looks.ts';
import { mergeRows, mergeTexts } from './merging.ts';

const file = (tts: string, more = '') =>
  `ENV = ["A_KEY"]\n\n\ndef run():\n    llm = Llm()\n    tts = ${tts}(\n        key=1,\n    )\n${more}    go(llm, tts)\n`;
const BASE = file('Alpha');
const HEAD = '    tts = Alpha(\n';

/** What the user makes of the base, what botcli does, and the merge or the reason of the conflict. */
const cases: [about: string, user: string, ours: string, merged: string | RegExp][] = [
  [
    "botcli's change keeps the name on the line: it stays",
    BASE.replace(HEAD, '    tts = Alpha(  # pyright: ignore\n'),
    file('Beta'),
    file('Beta').replace('Beta(\n', 'Beta(  # pyright: ignore\n'),
  ],
  [
    'botcli removes the line: a conflict',
    BASE.replace('    llm = Llm()\n', '    llm = Llm()  # Mine\n'),
    BASE.replace('    llm = Llm()\n', '').replace('llm, ', ''),
    /botcli removes them/,
  ],
  [
    'botcli changes an argument: a conflict',
    BASE.replace('go(llm, tts)', 'go(llm, tts)  # Mine'),
    BASE.replace('go(llm, tts)', 'go(llm)'),
    /same lines/,
  ],
  [
    'botcli comments on the line, too: it stays',
    BASE.replace('Llm()', 'Llm()  # Mine'),
    BASE.replace('Llm()', 'Llm()  # Ours'),
    BASE.replace('Llm()', 'Llm()  # Mine'),
  ],
  [
    'botcli changes the lines around it: it stays',
    BASE.replace('Llm()', 'Llm()  # Mine'),
    file('Beta', '    print(tts)\n'),
    file('Beta', '    print(tts)\n').replace('Llm()', 'Llm()  # Mine'),
  ],
];

describe('merging a comment of the user after code when', () => {
  for (const [about, user, ours, merged] of cases) {
    it(about, () => {
      const { text, conflicts } = mergeTexts('bot.py', user, BASE, ours);
      const reasons = conflicts.map(({ reason }) => reason).join(' ');
      if (merged instanceof RegExp) assert.match(reasons, merged);
      else assert.deepEqual([reasons, text], ['', merged]);
    });
  }

  const LIST = 'run([\n    a,  # One\n    b,  # Two\n])\n';
  it('the user has changed a comment of ours, and ours changes that line: a conflict', () => {
    const { conflicts } = mergeTexts('bot.py', LIST.replace('# Two', '# Mine'), LIST, LIST.replace('b,', 'c,'));
    assert.equal(conflicts.length, 1);
  });

  it('the user has removed a comment of ours, and ours changes that line: no conflict', () => {
    const { text, conflicts } = mergeTexts(
      'bot.py',
      LIST.replace('  # Two', ''),
      LIST,
      LIST.replace('    b,  # Two\n', ''),
    );
    assert.deepEqual([conflicts, text], [[], 'run([\n    a,  # One\n])\n']);
  });
});

describe('merging a comment that the user has removed when botcli', () => {
  for (const [about, base, ours, merged] of [
    ['wraps the line', 'a/# Ours/b', 'a/if x:/    # Ours/    b', 'a/if x:/    b'],
    ['wraps the line, and the comment is after it', 'a/b  # Ours', 'a/if x:/    b  # Ours', 'a/if x:/    b'],
    ['takes the line out of its block', 'if a:/    b  # Ours/    c', 'b  # Ours/c', 'b/c'],
  ] as const) {
    it(about, () => {
      const user = base.replace(/ {2}# Ours|# Ours\//, '');
      assert.equal(mergeRows('bot.py', user, base, ours), merged);
    });
  }
});

/** Three versions, the user's first, with `/` between lines; and what the base and botcli's version become. */
const followed: [about: string, user: string, base: string, botcli: string, result: [base: string, botcli: string]][] =
  [
    ['the user adds one', 'a/b  # Mine/c', 'a/b/c', 'a/b/d', ['a/b  # Mine/c', 'a/b  # Mine/d']],
    ['the user removes one', 'a/b/c', 'a/b  # Ours/c', 'a/b  # Ours/d', ['a/b/c', 'a/b/d']],
    ['the user changes one', 'a/b # Mine', 'a/b  # Old', 'a/b  # Old/d', ['a/b # Mine', 'a/b # Mine/d']],
    ['botcli changes it, too', 'a/b  # Mine', 'a/b  # Old', 'a/b  # Ours', ['a/b  # Mine', 'a/b  # Mine']],
    ['only botcli changes it', 'a/b  # Old', 'a/b  # Old', 'a/b  # Ours', ['a/b  # Old', 'a/b  # Ours']],
    [
      'the code has texts',
      'a("#", \'"\', "\\"#")  # Mine',
      'a("#", \'"\', "\\"#")',
      'a("#", \'"\', "\\"#")/b',
      ['a("#", \'"\', "\\"#")  # Mine', 'a("#", \'"\', "\\"#")  # Mine/b'],
    ],
    [
      'its sign is in a text',
      'a("b  # Mine")',
      'a("b  # Old")',
      'a("b  # Old")/c',
      ['a("b  # Old")', 'a("b  # Old")/c'],
    ],
    ['nothing is before it', 'a/# Mine', 'a/# Old', 'a/# Ours', ['a/# Old', 'a/# Ours']],
    ['no blank is before it', 'a/b = c# Mine', 'a/b = c', 'a/b = c/d', ['a/b = c', 'a/b = c/d']],
    ['it takes the place of a blank line', 'a/  # Mine/b', 'a//b', 'a//c', ['a/  # Mine/b', 'a/  # Mine/c']],
    [
      'the line has another call',
      'a/x = old()  # Mine/b',
      'a/x = old()/b',
      'a/x = new()/b',
      ['a/x = old()  # Mine/b', 'a/x = new()  # Mine/b'],
    ],
    [
      'the first and only line has another call',
      '  x.y=old()  # Mine',
      '  x.y=old()',
      '  x.y=new()',
      ['  x.y=old()  # Mine', '  x.y=new()  # Mine'],
    ],
    [
      'each of two lines has another call',
      'x = 1  # X/y = 1  # Y/b',
      'x = 1/y = 1/b',
      'x = 2/y = 2/b',
      ['x = 1  # X/y = 1  # Y/b', 'x = 2  # X/y = 2  # Y/b'],
    ],
    [
      'the line has another call, further down',
      'x = 1  # Mine/b',
      'x = 1/b',
      'y = 0/x = 2/b',
      ['x = 1  # Mine/b', 'y = 0/x = 2  # Mine/b'],
    ],
    [
      'the user removes one, and the line has another call',
      'a/x = 1',
      'a/x = 1  # Old',
      'a/x = 2',
      ['a/x = 1', 'a/x = 2'],
    ],
    ['botcli gives the line a comment, too', 'x = 1  # Mine', 'x = 1', 'x = 2  # Ours', ['x = 1', 'x = 2  # Ours']],
    ['botcli opens a text', 'x = 1  # Mine', 'x = 1', 'x = """/y"""', ['x = 1', 'x = """/y"""']],
    ['botcli goes on below', 'x = 1  # Mine', 'x = 1', 'x = \\/2', ['x = 1', 'x = \\/2']],
    ['the line had another one', 'x = 1  # Mine', 'x = 1  # Old', 'x = 2', ['x = 1  # Old', 'x = 2']],
    ['the line begins in another way', 'x = 1  # Mine', 'x = 1', 'y = 1', ['x = 1', 'y = 1']],
    ['the line gives no value', 'x == 1  # Mine', 'x == 1', 'x == 2', ['x == 1', 'x == 2']],
    [
      'two lines take the place of one',
      'a/x = 1  # Mine/b',
      'a/x = 1/b',
      'a/x = 2/x = 3/b',
      ['a/x = 1/b', 'a/x = 2/x = 3/b'],
    ],
    [
      'one line takes the place of two',
      'a/x = 1  # Mine/x = 2/b',
      'a/x = 1/x = 2/b',
      'a/x = 3/b',
      ['a/x = 1/x = 2/b', 'a/x = 3/b'],
    ],
    ['a line like it is elsewhere', 'a/x = 1  # Mine/b', 'a/x = 1/b', 'x = 5/a/c/b', ['a/x = 1/b', 'x = 5/a/c/b']],
    [
      'lines like it are around it',
      'x = 0/x = 1  # Mine/x = 3',
      'x = 0/x = 1/x = 3',
      'x = 0/x = 2/x = 3',
      ['x = 0/x = 1  # Mine/x = 3', 'x = 0/x = 2  # Mine/x = 3'],
    ],
  ];

describe("the user's comments in the versions to compare, when", () => {
  for (const [about, user, base, botcli, result] of followed) {
    it(`${about}: ${result[0] === base ? 'nothing follows' : 'those follow'}`, () => {
      const versions = { user: user.split('/'), base: base.split('/'), botcli: botcli.split('/') };
      const all = followComments(versions);
      assert.deepEqual([all.base.join('/'), all.botcli.join('/'), all.user], [...result, versions.user]);
    });
  }
});
