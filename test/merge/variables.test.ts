import assert from 'node:assert/strict';
import fc from 'fast-check';
import { listVariables, mergeFile, withoutVariables } from '../../src/merge/index.ts';
import { LABELS, mergeRows, mergeTexts, readCases, testMerges } from './merging.ts';

const OLD = '# --- A/# Key/A_KEY=/# Model/# A_MODEL=';
const NEW = `${OLD}//# --- B/# Key/B_KEY=`;

testMerges('merging .env.example when', 'server/.env.example')`
each side added one
  ${OLD}/MINE= <-- # --- A/# Key/A_KEY=/# Model/# A_MODEL=
  --> # --- A/# Key/A_KEY=/# Model/# A_MODEL=//# --- B/# Key/B_KEY= ==> ${OLD}/MINE=//# --- B/# Key/B_KEY=
the user has it already
  ${OLD}/B_KEY=1 <-- # --- A/# Key/A_KEY=/# Model/# A_MODEL=
  --> # --- A/# Key/A_KEY=/# Model/# A_MODEL=//# --- B/# Key/B_KEY= ==> ${OLD}/B_KEY=1
the user filled it in
  A=1/B= <-- A=/B= --> # A=/B=/C= ==> A=1/B=/C=
the user commented it out
  # A=/B= <-- A=/B= --> A=2/B=3 ==> # A=/B=3
the user moved it
  B=/A= <-- A=/B= --> A=2/B= ==> B=/A=2
the user moved it, and ours is gone
  B=/A=/MINE= <-- A=/B= --> B= ==> B=/MINE=
the user changed it, and ours is gone
  A=1/B= <-- A=/B= --> B= ==> A=1/B=
the user deleted it
  B= <-- A=/B= --> A=2/B=/C= ==> B=/C=
the user deleted it, and has the new one
  B= <-- A= --> A=/B= ==> B=
the user described it
  # Mine/A=/B= <-- A=/B= --> # Ours/A=/B=2 ==> # Mine/# Ours/A=/B=2
a group is gone, with a variable of the user within
  # --- A/A=/MINE=/# B=/C= <-- # --- A/A=/# B=/C= --> C= ==> MINE=/C=
a group is gone, and the user has a group of their own below it
  ${NEW}//# Mine/MINE=/ <-- ${NEW}/ --> ${OLD}/ ==> ${OLD}//# Mine/MINE=/
a group is replaced, and the user has a group of their own below it
  # --- A/A=//# --- B/B=//# Mine/MINE= <-- # --- A/A=//# --- B/B=
  --> # --- A/A=//# --- C/C= ==> # --- A/A=//# --- C/C=//# Mine/MINE=
a group is gone, and the user filled it in
  ${NEW}1 <-- # --- A/# Key/A_KEY=/# Model/# A_MODEL=//# --- B/# Key/B_KEY=
  --> # --- A/# Key/A_KEY=/# Model/# A_MODEL= ==> ${NEW}1
a group is gone, and the user filled some of it in
  C=//# --- B/B=1/# D= <-- C=//# --- B/B=/# D= --> C= ==> C=//# --- B/B=1
a group is gone, and the user filled some of it in, below a blank line
  C=//# --- B/B=//D=1 <-- C=//# --- B/B=/D= --> C= ==> C=//D=1
a group is gone, and the user filled in one of another group
  A=1//# --- B/B= <-- A=//# --- B/B= --> A= ==> A=1
a group is new, and the user has some of it
  C=/B=1 <-- C= --> C=//# --- B/B=/D= ==> C=/B=1//# --- B/D=
a heading stays above variables that are filled in
  # --- A/A=1 <-- # --- A/A= --> # --- A/A=//# --- B/B= ==> # --- A/A=1//# --- B/B=
a heading changes above variables that are filled in
  # --- A/A=1 <-- # --- A/A= --> # --- A, B/A=/B= ==> # --- A, B/A=1/B=
a heading changes, and the user has removed the blank lines
  A=/# --- B, C/B=/C=/# --- D/D= <-- A=//# --- B, C/B=/C=//# --- D/D=
  --> A=//# --- B/B=//# --- D/D=//# --- E/E= ==> A=/# --- B/B=/# --- D/D=//# --- E/E=
both changed its heading
  # --- X/A= <-- # --- A/A= --> # --- A, B/A=/B= ==> # --- X/A=/B=
it is exported
  export A=1/B= <-- A=/B= --> A=2/B=2 ==> export A=1/B=2
the user has one twice
  # Tests/A_KEY=fake//# --- A/# Key/A_KEY=/# Model/# A_MODEL=
  <-- # --- A/# Key/A_KEY=/# Model/# A_MODEL= --> # --- A/# Key, see there/A_KEY=/# Model/# A_MODEL=
  ==> # Tests/A_KEY=fake//# --- A/# Key, see there/A_KEY=/# Model/# A_MODEL=
a group returns of which the user kept some
  C=//# --- A/A_MODEL=x <-- C= --> C=//${OLD} ==> C=//# --- A/# Key/A_KEY=/# Model/A_MODEL=x
a group is new, and the user has a last one
  ${OLD}//# --- Mine/MINE= <-- # --- A/# Key/A_KEY=/# Model/# A_MODEL=
  --> ${OLD}/A_URL=//# --- B/B_KEY= ==> ${OLD}/A_URL=//# --- B/B_KEY=//# --- Mine/MINE=
all groups are others, and the user has a last one
  # First/${OLD}//# --- Mine/MINE= <-- # First/${OLD}
  --> # First//# --- B/B_KEY=//# --- C/C_KEY= ==> # First//# --- B/B_KEY=//# --- C/C_KEY=//# --- Mine/MINE=
there was no base
  MINE=/A=1 <-- (empty) --> A=/B= ==> MINE=/A=1/B=
there was no base, and ours begins with a blank line
  MINE= <-- (empty) --> /A= ==> MINE=/A=
there was no base, and the user begins with a blank line
  /MINE= <-- (empty) --> A= ==> /MINE=/A=
there was no base, and the user has two groups
  MINE=//MY= <-- (empty) --> A= ==> MINE=//MY=/A=
there was no base, and the user has one of our groups
  A=1 <-- (empty) --> # --- A/A=//# --- B/B= ==> A=1//# --- B/B=
the user has written a text in it
  A=/See the wiki/MINE= <-- A= --> A=/B= ==> A=/B=/See the wiki/MINE=
the user has a text below a comment
  A=/# More:/See the wiki <-- A= --> A=/B= ==> A=/B=/# More:/See the wiki
the user has a comment at the end
  A=/# The end <-- A= --> A=/B= ==> A=/B=/# The end
ours has a new text above it
  A=1/B= <-- A=/B= --> # Fill these in.//A=/B= ==> # Fill these in.//A=1/B=
ours has a new text above a group of the user
  A=//MINE= <-- A= --> A=/See x.org ==> A=/See x.org//MINE=
ours has a text that changes
  # Old//A=/MINE= <-- # Old//A= --> # New//A= ==> # New//A=/MINE=
a group is gone to which the user has added one
  # --- A/A=/MINE=1 <-- # --- A/A= --> C= ==> # --- A/MINE=1//C=
both moved it to the end
  B=/C=/A= <-- A=/B=/C= --> B=/C=/A= ==> B=/C=/A=
both moved it, to other places
  B=/A=/C=/D= <-- A=/B=/C=/D= --> B=/C=/A=/D= ==> B=/A=/C=/D=
both moved it, to other places, and it changes
  B=/A=/C= <-- A=/B=/C= --> B=/C=/A=2 ==> B=/A=2/C=
both moved it, to other places, and the user filled it in
  B=/A=1/C= <-- A=/B=/C= --> B=/C=/A= ==> B=/A=1/C=
the user added one between a variable and its comment, which changes
  B=/# Old/MINE=/A= <-- B=/# Old/A= --> B=/# New/A= ==> B=/MINE=/# New/A=
the user filled one in whose comment changes
  # Old/A=1/B= <-- # Old/A=/B= --> # New/A=/B= ==> # New/A=1/B=
the user removed the heading, and a group is new
  A=/B= <-- # --- A/A=/B= --> # --- A/A=/B=//# --- C/C= ==> A=/B=//# --- C/C=
the user removed one with its comment, which changes
  B= <-- # Old/A=/B= --> # New/A=/B= ==> B=
a new one comes first
  B=/C= <-- B=/C= --> A=/B=/C= ==> A=/B=/C=
`;

describe('the variables of .env.example', () => {
  const rows = (text: string) => text.replaceAll('/', '\n');

  it('are listed, also those that are commented out or exported', () => {
    const text = '# --- The bot/A=/# B=1/export C=/#D=/  e=1/# of f=1/# See x.org?KEY=1/Or G=2';
    assert.deepEqual(listVariables(rows(text)), ['A', 'B', 'C', 'D', 'e']);
    assert.deepEqual(listVariables('A=\r\nB=\r\n'), ['A', 'B']);
  });

  const cases: [about: string, text: string, names: string, rest: string][] = [
    ['one with its comment', '# About A/A=/B=', 'A', 'B='],
    ['one with two lines of comments', 'A=/# Key/# from x.org/B=', 'B', 'A='],
    ['one whose comment ends like a heading', '# The key # ---/A=/B=', 'A', 'B='],
    ['one below a text, which stays', 'A=/See the wiki/B=/C=', 'B', 'A=/See the wiki/C='],
    ['one of a group', '# --- A/A=/# About B/B=', 'A', '# --- A/# About B/B='],
    ['all of a group, with its heading', '# --- A/A=//# --- B/B=/C=', 'B C', '# --- A/A='],
    ['none of a group without variables', '# --- Words//# --- B/B=', 'A', '# --- Words//# --- B/B='],
    ['all of a group with a text, which stays', 'A=//# --- B/B=/See the wiki', 'B', 'A=/See the wiki'],
  ];
  for (const [about, text, names, rest] of cases) {
    it(`can go: ${about}`, () => assert.equal(withoutVariables(rows(text), names.split(' ')), rows(rest)));
  }
});

const NAMES = ['A', 'B', 'C', 'D', 'E'] as const;

/** Each variable at most once, in any order, some with headings or descriptions. */
const variables = fc
  .tuple(fc.shuffledSubarray([...NAMES]), fc.array(fc.nat(5), { minLength: 5, maxLength: 5 }))
  .map(([names, looks]) =>
    names
      .flatMap((name, at) => [
        ...(looks[at] === 5 ? ['', `# --- ${name}`] : []),
        [`${name}=`, `# ${name}=`, `${name}=1`, `# About\n${name}=`, `# About\n${name}=2`][looks[at] ?? 0] ??
          `${name}=`,
      ])
      .join('\n'),
  );

describe('merging any .env.example', () => {
  it("has each variable once: the user's if they changed it, else ours; it's hardly ever a conflict", () => {
    const entryOf = (text: string, name: string) => text.match(new RegExp(`^(# )?${name}=.*$`, 'm'))?.[0];
    let refused = 0;
    fc.assert(
      fc.property(variables, variables, variables, (user, base, botcli) => {
        const { text, conflicts } = mergeTexts('.env.example', user, base, botcli);
        refused += Math.min(conflicts.length, 1);
        for (const name of conflicts.length > 0 ? [] : NAMES) {
          const [yours, old, ours] = [user, base, botcli].map(all => entryOf(all, name));
          assert.equal(entryOf(text, name), yours === old ? ours : yours);
          assert((text.match(new RegExp(`${name}=`, 'g')) ?? []).length <= 1, text);
        }
      }),
      { numRuns: 1_000 },
    );
    assert(refused <= 60, `${refused} conflicts`);
  });
});

const ignored = readCases(`
each side added one
  a/mine <-- a --> a/ours ==> a/ours/mine
the user has it already
  mine/ours/a <-- a --> a/ours ==> mine/ours/a
ours is gone
  a/mine/c <-- a/b/c --> a ==> a/mine
the user removed one
  a <-- a/b --> a/b/c ==> a/c
an exception of the user's comes last
  a/!a/keep <-- a --> a/b ==> a/b/!a/keep
there was no base
  mine/a <-- (empty) --> a/b ==> b/mine/a
both added a group
  a//# Tests/mine <-- a --> a//# Tests/ours ==> a//# Tests/ours//# Tests/mine
the user has one of a group
  x/a <-- a --> a/# Tests/x/ours ==> x/a/# Tests/ours
`);

describe('merging .gitignore when', () => {
  for (const [about, user, base, botcli, merged] of ignored) {
    it(about, () => assert.equal(mergeRows('.gitignore', user, base, botcli), merged));
  }

  it('nobody knows what botcli wrote: all patterns stay', () => {
    const [user, botcli] = [
      '# Keys\n.env\n!.env.example\n\n# Logs\nmine',
      '# Keys\n.env\n*.key\n!.env.example\n\n# Logs\n*.log',
    ];
    const sides = { user: Buffer.from(user), base: undefined, botcli: Buffer.from(botcli) };
    const { contents, conflicts } = mergeFile('server/.dockerignore', sides, LABELS);
    assert.deepEqual(conflicts, []);
    assert.equal(String(contents), '# Keys\n.env\n*.key\n!.env.example\n\n# Logs\n*.log\nmine');
  });
});
