import assert from 'node:assert/strict';
import { settleLists } from '../../src/merge/python/items.ts';

/** The versions after their lists of texts agree: `/` separates lines, and `|` versions if they still differ. */
function settle(...texts: [user: string, base: string, botcli: string]): string {
  const [user = [], base = [], botcli = []] = texts.map(text => text.split('/'));
  const settled = settleLists({ user, base, botcli });
  return [...new Set([settled.user, settled.base, settled.botcli].map(lines => lines.join('/')))].join(' | ');
}

const AB = 'ENV = ["A", "B"]';
const OURS = 'ENV = ["A", "OURS"]';
const LONG = `"${'M'.repeat(77)}"`;

const merged: [about: string, user: string, base: string, botcli: string, settled: string][] = [
  [
    'it has moved',
    `x = 1/ENV = ["A", "B", "MINE"]/y = 2`,
    `${AB}/y = 2`,
    `${OURS}/y = 3`,
    'x = 1/ENV = ["A", "MINE", "OURS"]/y = 2 | ENV = ["A", "MINE", "OURS"]/y = 2 | ENV = ["A", "MINE", "OURS"]/y = 3',
  ],
  [
    'there are two',
    'X = ["A", "MINE"]/y = 1/ENV = ["MINE"]',
    'X = ["A"]/y = 1/ENV = []',
    'X = ["A", "OURS"]/y = 1/ENV = ["OURS", "MORE"]',
    'X = ["A", "MINE", "OURS"]/y = 1/ENV = ["MINE", "OURS", "MORE"]',
  ],
  [
    'botcli changes one, the user another, and a third is new',
    'X = ["A", "MINE"]/y = 1/ENV = ["B","MINE"]',
    'X = ["A"]/y = 1/ENV = ["B"]',
    'X = ["A", "OURS"]/y = 1/ENV = ["B"]/NEW = ["C"]',
    [
      'X = ["A", "MINE", "OURS"]/y = 1/ENV = ["B","MINE"]',
      'X = ["A", "MINE", "OURS"]/y = 1/ENV = ["B"]',
      'X = ["A", "MINE", "OURS"]/y = 1/ENV = ["B"]/NEW = ["C"]',
    ].join(' | '),
  ],
  [
    'the user has added another list, over lines',
    'ENV = ["A", "B"] + [/    "M",/]',
    AB,
    OURS,
    `ENV = ["A", "B"] + [/    "M",/] | ${AB} | ${OURS}`,
  ],
  [
    'botcli adds another list',
    'ENV = ["A", "B", "M"]',
    AB,
    'ENV = ["A", "C"] + MORE',
    `ENV = ["A", "B", "M"] | ${AB} | ENV = ["A", "C"] + MORE`,
  ],
  ['the user has emptied it', 'ENV = []', AB, OURS, 'ENV = ["OURS"]'],
  ['nothing is left', 'ENV = ["B"]', AB, 'ENV = ["A"]', 'ENV = []'],
  ['both add the same text', "ENV = ['A', 'B', 'OURS']", AB, OURS, "ENV = ['A', 'OURS']"],
  ['both remove the same text', "ENV = ['MINE', 'A']", AB, OURS, `ENV = ['MINE', 'A', "OURS"]`],
  [
    'a text has an escape',
    String.raw`ENV = ["A", "B\n", "MINE"]`,
    AB,
    OURS,
    String.raw`ENV = ["A", "B\n", "MINE", "OURS"]`,
  ],
  ['a tuple has one text', 'ENV = ("A",)', AB, OURS, 'ENV = ("A", "OURS")'],
  [
    'a tuple with a comment keeps one text',
    'ENV = ("A", "B")  # All',
    'ENV = ("A", "B")',
    'ENV = ("A",)',
    'ENV = ("A",)  # All',
  ],
  ['it fits on a line', `ENV = ["A", ${LONG}]`, 'ENV = ["A"]', 'ENV = ["A", "OURS"]', `ENV = ["A", ${LONG}, "OURS"]`],
  [
    'it no longer fits on a line',
    `ENV = ["A", ${LONG}]`,
    'ENV = ["A"]',
    'ENV = ["A", "OURS1"]',
    `ENV = [/    "A",/    ${LONG},/    "OURS1",/]`,
  ],
  ['it is indented by tabs', 'ENV = [/\t"A",/\t"MINE",/]', 'ENV = ["A"]', OURS, 'ENV = [/\t"A",/\t"MINE",/\t"OURS",/]'],
  [
    'its lines are not indented',
    'ENV = [/"A",/"MINE",/]',
    'ENV = ["A"]',
    OURS,
    'ENV = [/    "A",/    "MINE",/    "OURS",/]',
  ],
  [
    'it has a comment after it',
    'ENV = [/  "A",/  "MINE",/]  # All',
    AB,
    OURS,
    'ENV = [/  "A",/  "MINE",/  "OURS",/]  # All',
  ],
  [
    'a text with a comment is gone',
    'ENV = [/  # One/  "A",/  # Two/  "B",  # B/  "MINE",/]',
    AB,
    'ENV = ["OURS"]',
    'ENV = [/  # One/  # Two/  "MINE",/  "OURS",/]',
  ],
  [
    'texts come before, between and after those with comments',
    'ENV = [/  "B",  # One/  "D",/]',
    'ENV = ["B", "D"]',
    'ENV = ["A", "B", "C", "D", "E", "F"]',
    'ENV = [/  "A",/  "B",  # One/  "C",/  "D",/  "E",/  "F",/]',
  ],
  [
    'a text comes before the first with a comment above it, in the order of botcli',
    'ENV = [/  # One/  "Z",/]',
    'ENV = ["Z"]',
    'ENV = ["X", "Z", "B"]',
    'ENV = [/  # One/  "X",/  "Z",/  "B",/]',
  ],
  [
    'a text comes before one with comments, and the first one is gone',
    'ENV = [/  # One/  "B",/  # Two/  "A",/]',
    'ENV = ["B", "A"]',
    'ENV = ["OURS", "A"]',
    'ENV = [/  # One/  # Two/  "OURS",/  "A",/]',
  ],
  [
    'all texts between comments are others',
    'ENV = [/  # One/  "A",  # two/]',
    'ENV = ["A"]',
    'ENV = ["OURS", "MORE"]',
    'ENV = [/  "OURS",/  "MORE",/  # One/]',
  ],
  ['there is only a comment', 'ENV = [/  # None/]', 'ENV = []', 'ENV = ["OURS"]', 'ENV = [/    "OURS",/  # None/]'],
  [
    'commas and comments are unusual',
    'ENV = [/  "A" ,  # One/  "MINE"  # "MINE",/]',
    AB,
    OURS,
    'ENV = [/  "A" ,  # One/  "MINE",  # "MINE",/  "OURS",/]',
  ],
];

describe('lists of texts that both changed are merged when', () => {
  for (const [about, user, base, botcli, settled] of merged) {
    it(about, () => assert.equal(settle(user, base, botcli), settled));
  }
});

/** Lines of the user's below the list, which botcli has changed, and the list. */
const reads: [about: string, line: string, list: string][] = [
  ['reads from the environment', 'x = os.environ["B"]', 'ENV = ["A", "B", "OURS"]'],
  ['gets', 'x = os.getenv("B")', 'ENV = ["A", "B", "OURS"]'],
  ['may do without', 'x = os.environ.get("B")', ''],
  ['only names', 'x = ["B"]', ''],
  ["doesn't read, but another one", 'x = os.environ["C"]', ''],
];

describe('a text that botcli removes from a list', () => {
  for (const [about, line, list] of reads) {
    it(`${list ? 'stays' : 'goes'} if it is a variable that code of the user's ${about}`, () => {
      assert.equal(
        settle(`${AB}/${line}`, AB, OURS),
        list ? `${list}/${line} | ${list}` : `${AB}/${line} | ${AB} | ${OURS}`,
      );
      const mine = settle(`ENV = ["MINE", "A", "B"]/${line}`, AB, 'ENV = ["A"]');
      const left = list ? 'ENV = ["MINE", "A", "B"]' : 'ENV = ["MINE", "A"]';
      assert.equal(mine, `${left}/${line} | ${left}`);
    });
  }

  it('goes if only code of botcli reads it', () => {
    const read = 'x = os.environ["B"]';
    assert.equal(settle(`${AB}/${read}`, `${AB}/${read}`, OURS), `${AB}/${read} | ${OURS}`);
  });
});

const left: [about: string, user: string][] = [
  ['is untouched', AB],
  ['is there twice', 'ENV = ["A", "MINE"]/ENV = ["A", "MINE"]'],
  ['is in a function', 'def f():/    ENV = ["A", "MINE"]'],
  ['has a text with code in it', 'ENV = ["A", f"B", "MINE"]'],
  ['has a text of bytes', 'ENV = ["A", b"", "MINE"]'],
  ['has a text in three quotes', 'ENV = ["A", """B""", "MINE"]'],
  ['has a number', 'ENV = ["A", 1, "MINE"]'],
  ['has two texts in a row', 'ENV = ["A" "B", "MINE"]'],
  ['has a sum', 'ENV = ["A" + "B", "MINE"]'],
  ['is added', 'ENV += ["A", "MINE"]'],
  ['is an attribute', 'a.ENV = ["A", "MINE"]'],
  ['has an attribute', 'ENV.names = ["A", "MINE"]'],
  ['has two names', 'a = ENV = ["A", "MINE"]'],
  ['is part of a sum', 'ENV = ["A", "MINE"] + X'],
  ['is the second part of a sum', 'ENV = X + ["A", "MINE"]'],
  ['is multiplied', 'ENV = ["A", "MINE"] * 2'],
  ['is in parentheses', 'ENV = (["A", "MINE"])'],
  ['is only a type', 'ENV: list'],
  ['is a call', 'ENV = tuple("A", "MINE")'],
  ['is a set', 'ENV = {"A", "MINE"}'],
  ['is before another statement on its line', 'ENV = ["A", "MINE"]; x = 1'],
  ['is after another statement on its line', 'x = 1; ENV = ["A", "MINE"]'],
  ['begins on the next line', 'ENV = \\/  ["A", "MINE"]'],
  ['has a comment after its bracket', 'ENV = [  # All/  "A",/  "MINE",/]'],
  ['has comments and ends on the line of a text', 'ENV = [/  # One/  "A",/  "MINE"]'],
  ['has a sign of comments in a text', 'ENV = [/  "#A", "MINE"/]'],
];

describe("a list of texts is merged by lines if the user's", () => {
  for (const [about, user] of left) {
    it(about, () => assert.equal(settle(user, AB, OURS), [...new Set([user, AB, OURS])].join(' | ')));
  }

  it('is like that of botcli, which is there twice', () => {
    const [user, botcli] = ['ENV = ["A", "MINE"]', `${OURS}/${AB}`];
    assert.equal(settle(user, AB, botcli), `${user} | ${AB} | ${botcli}`);
  });
});
