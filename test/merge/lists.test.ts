import assert from 'node:assert/strict';
import { settleValues } from '../../src/merge/texts.ts';
import { readCases } from './merging.ts';

/** The versions after their lists of texts agree: `/` separates lines, and `|` versions if they still differ. */
function settle(...texts: [user: string, base: string, botcli: string]): string {
  const [user = [], base = [], botcli = []] = texts.map(text => text.split('/'));
  const settled = settleValues({ user, base, botcli });
  return [...new Set([settled.user, settled.base, settled.botcli].map(lines => lines.join('/')))].join(' | ');
}

const AB = 'ENV = ["A", "B"]';
const OURS = 'ENV = ["A", "OURS"]';
const LONG = `"${'M'.repeat(77)}"`;

const merged = readCases(`
it has moved
  x = 1/ENV = ["A", "B", "MINE"]/y = 2
  <-- ${AB}/y = 2 --> ${OURS}/y = 3
  ==> x = 1/ENV = ["A", "OURS", "MINE"]/y = 2 | ENV = ["A", "OURS", "MINE"]/y = 2 | ENV = ["A", "OURS", "MINE"]/y = 3
there are two
  X = ["A", "MINE"]/y = 1/ENV = ["MINE"]
  <-- X = ["A"]/y = 1/ENV = [] --> X = ["A", "OURS"]/y = 1/ENV = ["OURS", "MORE"]
  ==> X = ["A", "MINE", "OURS"]/y = 1/ENV = ["MINE", "OURS", "MORE"]
botcli changes one, the user another, and a third is new
  X = ["A", "MINE"]/y = 1/ENV = ["B","MINE"]
  <-- X = ["A"]/y = 1/ENV = ["B"]
  --> X = ["A", "OURS"]/y = 1/ENV = ["B"]/NEW = ["C"]
  ==> X = ["A", "MINE", "OURS"]/y = 1/ENV = ["B","MINE"] | X = ["A", "MINE", "OURS"]/y = 1/ENV = ["B"] | X = ["A", "MINE", "OURS"]/y = 1/ENV = ["B"]/NEW = ["C"]
the user has emptied it
  ENV = [] <-- ENV = ["A", "B"] --> ENV = ["A", "OURS"] ==> ENV = ["OURS"]
nothing is left
  ENV = ["B"] <-- ENV = ["A", "B"] --> ENV = ["A"] ==> ENV = []
both add the same text
  ENV = ['A', 'B', 'OURS'] <-- ENV = ["A", "B"] --> ENV = ["A", "OURS"] ==> ENV = ['A', 'OURS']
both remove the same text
  ENV = ['MINE', 'A'] <-- ENV = ["A", "B"] --> ENV = ["A", "OURS"] ==> ENV = ['MINE', 'A', "OURS"]
a tuple has one text
  ENV = ("A",) <-- ENV = ["A", "B"] --> ENV = ["A", "OURS"] ==> ENV = ("A", "OURS")
it fits on a line
  ENV = ["A", ${LONG}] <-- ENV = ["A"] --> ENV = ["A", "OURS"] ==> ENV = ["A", ${LONG}, "OURS"]
it no longer fits on a line
  ENV = ["A", ${LONG}] <-- ENV = ["A"] --> ENV = ["A", "OURS1"] ==> ENV = [/    "A",/    ${LONG},/    "OURS1",/]
it is indented by tabs
  ENV = [/\t"A",/\t"MINE",/] <-- ENV = ["A"] --> ENV = ["A", "OURS"] ==> ENV = [/\t"A",/\t"MINE",/\t"OURS",/]
its lines are not indented
  ENV = [/"A",/"MINE",/] <-- ENV = ["A"] --> ENV = ["A", "OURS"] ==> ENV = [/    "A",/    "MINE",/    "OURS",/]
it has a comment after it
  ENV = [/  "A",/  "MINE",/]  # All <-- ENV = ["A", "B"]
  --> ENV = ["A", "OURS"] ==> ENV = [/  "A",/  "MINE",/  "OURS",/]  # All
an item has a comment
  ENV = [/  "A",  # One/  "MINE",/] <-- ENV = ["A", "B"]
  --> ENV = ["A", "OURS"] ==> ENV = [/  "A",  # One/  "MINE",/] | ${AB} | ${OURS}
`);

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
  ['has a number', 'ENV = ["A", 1, "MINE"]'],
  ['has two texts in a row', 'ENV = ["A" "B", "MINE"]'],
  ['is added', 'ENV += ["A", "MINE"]'],
  ['is part of a sum', 'ENV = ["A", "MINE"] + X'],
  ['is in parentheses', 'ENV = (["A", "MINE"])'],
  ['is before another statement on its line', 'ENV = ["A", "MINE"]; x = 1'],
  ['has a comment', 'ENV = [  # All/  "A",/  "MINE",/]'],
];

describe("a list of texts is merged by lines if the user's", () => {
  for (const [about, user] of left) {
    it(about, () => assert.equal(settle(user, AB, OURS), [...new Set([user, AB, OURS])].join(' | ')));
  }
});
