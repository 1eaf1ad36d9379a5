import assert from 'node:assert/strict';
import { parse } from 'smol-toml';
import { listPackages, withoutPackages } from '../../src/merge/index.ts';
import { mergeRows, mergeTexts, readCases, testMerges } from './merging.ts';

/** A pyproject.toml with these requirements, separated by blanks. */
const project = (requirements: string): string =>
  `[project]\nname = "x"\ndependencies = [\n${requirements
    .split(' | ')
    .filter(Boolean)
    .map(one => `    ${JSON.stringify(one)},\n`)
    .join('')}]\n`;

/** The requirements of the merge, or `conflict`. */
function merge(user: string, base: string, botcli: string, path = 'server/pyproject.toml'): string {
  const { text, conflicts } = mergeTexts(path, user, base, botcli);
  if (conflicts.length > 0) return 'conflict';
  const { project } = parse(text) as { project: { dependencies: string[] } };
  return project.dependencies.join(' | ');
}

const BOT = 'bot[run,web]==1.14.0';
const SAME = 'You and botcli changed the same lines.';
const GONE = 'You removed or moved these lines, and botcli changes them.';

const cases = readCases(`
each side added one
  ${BOT} | httpx <-- bot[run,web]==1.14.0 --> ${BOT} | cloud ==> ${BOT} | cloud | httpx
in alphabetical order, they stay in it
  a | c | m <-- a | m --> a | b | m ==> a | b | c | m
both added the same
  a | httpx>=1 <-- a --> a | httpx>=1 ==> a | httpx>=1
both added the same, ours with a version
  a | HTTPX <-- a --> a | httpx>=1 ==> a | HTTPX>=1
both added the same, the user a higher version
  a | httpx>=1.4 <-- a --> a | httpx>=1,<2 ==> a | httpx>=1.4
both added the same, the user with a version
  a | httpx==3 <-- a --> a | httpx ==> a | httpx==3
both added the same, in versions that contradict
  a | httpx==3 <-- a --> a | httpx>=1,<2 ==> conflict
extras are added
  bot[mine,run]==1 <-- bot[run]==1 --> bot[run,web]==1 ==> bot[mine,run,web]==1
extras are removed
  bot[mine,run,tts]==1 <-- bot[run,tts]==1 --> bot[run]==1 ==> bot[mine,run]==1
extras without a version
  bot[mine] <-- bot --> bot[run] ==> bot[mine,run]
the release changed
  bot[mine]==1.14.0 <-- bot==1.14.0 --> bot==1.15.0 ==> bot[mine]==1.15.0
the user raised it
  cloud>=1.6 <-- cloud>=1.4,<2 --> cloud>=1.5,<2 ==> cloud>=1.6
the user raised it too far
  cloud>=2.1 <-- cloud>=1.4,<2 --> cloud>=1.5,<2 ==> conflict
the user lowered it
  cloud>=1.3 <-- cloud>=1.4,<2 --> cloud>=1.5,<2 ==> conflict
the user pinned another release
  bot==1.14.9 <-- bot==1.14.0 --> bot==1.15.0 ==> conflict
the user pinned a compatible release
  cloud~=1.5.2 <-- cloud>=1.4 --> cloud~=1.5 ==> cloud~=1.5.2
the user took a pre-release
  cloud==2.0rc1 <-- cloud>=1.4 --> cloud>=1.5 ==> conflict
only blanks differ
  cloud >= 1.4 <-- cloud>=1.4 --> cloud>=1.5 ==> cloud>=1.5
the user took it from a URL
  bot[run] @ git+https://x.org/b <-- bot[run]==1 --> bot[run,web]==2 ==> bot[run,web] @ git+https://x.org/b
the user added a marker
  a>=1; os_name=="nt" <-- a>=1 --> a>=2 ==> a>=2; os_name=="nt"
one for each marker
  a>=1; x=="1" | a>=2; x=="2" | b <-- a>=1; x=="1" | a>=2; x=="2"
  --> a>=1; x=="1" | a>=3; x=="2" ==> a>=1; x=="1" | a>=3; x=="2" | b
the user removed it
  a <-- a | b --> a | b | c ==> a | c
the user removed it, and ours changed
  a <-- a | b==1 --> a | b==2 ==> conflict
ours is gone
  a | mine <-- a | b --> a ==> a | mine
ours is gone, and the user had changed it
  a | b>=7 <-- a | b --> a ==> a | b>=7
both added one, with other extras
  a | b[x]>=1 <-- a --> a | b[y]>=1 ==> a | b[x,y]>=1
both added one, the user with a marker
  a | b; x=="1" <-- a --> a | b ==> a | b; x=="1"
the user has one twice
  a>=1 | a>=2 <-- a>=1 --> a>=1 | b ==> a>=1 | b | a>=2
the name is written in another way
  Pipecat_AI==1 | x <-- pipecat-ai==1 --> pipecat-ai==2 ==> Pipecat_AI==2 | x
the user has written what it became, with spaces
  a >= 2 <-- a>=1 --> a>=2 ==> a>= 2
ours changed, and the user has written it with spaces
  a >= 1, < 2 <-- a>=1,<2 --> a>=2,<3 ==> a>=2,<3
an extra of both comes once
  a[x] <-- a --> a[x,y] ==> a[x,y]
an extra of ours that the user removed stays away
  a[y] <-- a[x,y] --> a[x,y,z] ==> a[y,z]
extras in order stay in order
  a[b,d,m] <-- a[b,d] --> a[b,d,c] ==> a[b,c,d,m]
extras without an order keep theirs
  a[d,b] <-- a[b,d] --> a[b,c,d] ==> a[d,b,c]
both changed the marker
  a; x=="1" <-- a --> a; x=="2" ==> conflict
`);

/** Versions of the user in place of `>=1`, each with a new one of botcli; whether the user's stays, or is a conflict. */
const versions: [stays: boolean, pairs: string][] = [
  [true, '==1.5 >=1.5 | ===1.5 >=1.5 | >=1.5 >=1.5,<2 | >=1.5 <=1.5 | >=1.5 ==1.5 | ==1.5 ===1.5 | >=1.5 ~=1.5'],
  [true, '>=1.6 ~=1.5 | >=1.5.0 >=1.5 | >=1.10 >=1.9 | <3,>=1.5 >=1.4'],
  [false, '>=1.5 >1.5 | >=1.5 >=1.6 | >=1.5 <1.5 | >=1.6 <=1.5 | >=1.5 ==1.6 | >=1.5 !=1.6 | >=1.4 ~=1.5'],
  [false, '>=2.0 ~=1.5 | >=1.5 >=1.5.1 | >=1.5.1 <=1.5 | <3 >=2 | >=1.5,!=1.6rc1 >=1.4 | >=1.5 >=1.5rc1'],
];

describe('merging requirements in pyproject.toml when', () => {
  for (const [about, user, base, botcli, merged] of cases) {
    it(about, () => assert.equal(merge(project(user), project(base), project(botcli)), merged));
  }
  for (const [stays, pairs] of versions)
    for (const [user, botcli] of pairs.split(' | ').map(pair => pair.split(' ')))
      it(`the user has a${user}, and ours a${botcli}: ${stays ? 'it stays' : 'a conflict'}`, () => {
        const merged = merge(project(`a${user}`), project('a>=1'), project(`a${botcli}`));
        assert.equal(merged, stays ? `a${user}` : 'conflict');
      });

  it('the user has removed all but one: each new one is on a line of its own', () => {
    const { text } = mergeTexts('pyproject.toml', project('a'), project('a | b'), project('a | b | c | d'));
    assert.equal(text, project('a | c | d'));
  });

  it('the user has them on one line, or with comments', () => {
    const line = 'dependencies = ["b==1", "a"]\n';
    assert.equal(merge(`[project]\n${line}`, project('b==1'), project('b==2 | c')), 'b==2 | c | a');
    const commented = project('b==1 | a').replace('    "a",', '    # needs:\n    "a"  # this');
    const { text } = mergeTexts('pyproject.toml', commented, project('b==1'), project('b==1 | c'));
    assert.equal(text, commented.replace('    # needs', '    "c",\n    # needs'));
  });

  it('the user has only formatted them, and nothing changed: not a byte', () => {
    const user = '[project]\ndependencies = ["b" , # one\n  "a"]\n[tool.x]\ny = 1\n';
    const botcli = `${project('b | a')}[tool.x]\ny = 2\n`;
    const { text, conflicts } = mergeTexts('pyproject.toml', user, `${project('b | a')}[tool.x]\ny = 1\n`, botcli);
    assert.deepEqual([text, conflicts.length], [user.replace('y = 1', 'y = 2'), 0]);
  });

  it('the user has the tables in another order', () => {
    const group = (text: string) => `[dependency-groups]\ndev = [\n    "${text}",\n]\n`;
    const [user, base] = [group('r') + project('a | m'), project('a') + group('r')];
    const { text } = mergeTexts('pyproject.toml', user, base, project('a | b') + group('r>=2'));
    assert.equal(text, group('r>=2') + project('a | b | m'));
  });

  it('there are groups, which may include each other', () => {
    const groups = (dev: string) => `[dependency-groups]\ntest = ["x"]\ndev = [\n${dev}]\n`;
    const include = '    { include-group = "test" },\n';
    const { text } = mergeTexts(
      'pyproject.toml',
      groups(`${include}    "r>=1",\n`),
      groups('    "r>=1",\n'),
      groups('    "bot",\n    "r>=2",\n'),
    );
    assert.equal(text, groups(`${include}    "bot",\n    "r>=2",\n`));
  });
});

/** Requirements in conflict: lines of the user's file, both sides, and the reason. */
const conflicts: [about: string, ...texts: [string, string, string], lines: number[], sides: string, reason: string][] =
  [
    ['the user removed what ours changed', 'a | ', 'a | b>=1 | z', 'a | b', [5, 4], ' | b>=1 | b', GONE],
    ['both added it in other versions', 'a | b>=1', 'a |  | z', 'a | b>=2', [5, 5], 'b>=1 |  | b>=2', SAME],
    ['they contradict', 'a | b==3 | c', 'a | b==1', 'a | b==2', [5, 5], 'b==3 | b==1 | b==2', SAME],
    ['botcli added one', 'a | b==3 | c', 'a | b==1 | c', 'a | ab | b==2 | c', [5, 5], 'b==3 | b==1 | b==2', SAME],
    ['botcli removed one above', 'a | x | b==3', 'a | x | b==1', 'a | b==2', [6, 6], 'b==3 | b==1 | b==2', SAME],
    ['botcli removed one below', 'a | b==3 | c', 'a | b==1 | c', 'a | b==2', [5, 5], 'b==3 | b==1 | b==2', SAME],
    ['the user removed it', 'a | x | c', 'a | x | b==1 | c', 'a | b==2 | c', [6, 5], ' | b==1 | b==2', GONE],
  ];

describe('a conflict about a requirement is that one line when', () => {
  for (const [about, user, base, botcli, lines, sides, reason] of conflicts)
    it(about, () => {
      const merged = mergeTexts('pyproject.toml', project(user), project(base), project(botcli));
      const [yours, old, ours] = sides.split(' | ').map(one => one && `    "${one}",`);
      assert.deepEqual(merged.conflicts, [{ lines, yours, base: old, ours, reason }]);
    });
});

/** Rows that `/` separates, in a project. */
const written = readCases(`
with two spaces
  [/  "a",/] <-- [/    "a",/] --> [/    "a",/    "b",/] ==> [/  "a",/  "b",/]
on one line
  ["b", "a"] <-- [/    "b",/] --> [/    "b",/    "c",/] ==> ["b", "c", "a"]
with a comment that names the old one
  [/    # Not "a==1" again/    "a==1",/] <-- [/    "a==1",/]
  --> [/    "a==2",/] ==> [/    # Not "a==1" again/    "a==2",/]
without the last comma, and with one in a comment
  [/    "a"  # this, that/] <-- [/    "a",/] --> [/    "a",/    "b",/] ==> [/    "a",  # this, that/    "b"/]
with a marker in double quotes
  [/    'a>=1; x=="1"',/    "b>=1",/] <-- [/    "a>=1",/    "b>=1",/]
  --> [/    "a>=2",/    "b>=2",/] ==> [/    'a>=2; x=="1"',/    "b>=2",/]
with a marker in single quotes
  [/    "a>=1; x=='1'",/] <-- [/    "a>=1",/] --> [/    "a>=2",/] ==> [/    "a>=2; x=='1'",/]
on one line, and botcli has one for each marker now
  ["a>=1", "m"] <-- [/    "a>=1",/]
  --> [/    'a>=1; x=="1"',/    'a>=2; x=="2"',/] ==> ['a>=1; x=="1"', 'a>=2; x=="2"', "m"]
and botcli adds a table
  [/    "a",/    "m",/] <-- [/    "a",/] --> [/    "a",/    { x = "y" },/] ==> [/    "a",/    { x = "y" },/    "m",/]
and removed what botcli changed, a conflict
  [/    "b",/] <-- [/    "a==1",/    "b",/]
  --> [/    "a==2",/    "b",/    "c",/] ==> conflict: You removed or moved these lines, and botcli changes them.
`);

describe('merging requirements that the user has written', () => {
  for (const [about, user, base, botcli, merged] of written) {
    const [start, head] = ['[project]/dependencies = ', merged.startsWith('conflict')];
    it(about, () => {
      const result = mergeRows('pyproject.toml', start + user, start + base, start + botcli);
      assert.equal(result, head ? merged : start + merged);
    });
  }

  const tables: [table: string, list: string, isMerged: boolean][] = [
    ['project', 'dependencies', true],
    ['project', 'classifiers', false],
    ['project.optional-dependencies', 'web', true],
    ['dependency-groups', 'dev', true],
    ['tool.x', 'dependencies', false],
  ];
  for (const [table, list, isMerged] of tables) {
    it(`${isMerged ? 'is by package' : 'is by its text'} in ${list} of ${table}`, () => {
      const text = (...items: string[]) => `[${table}]/${list} = [/${items.map(item => `    "${item}",/`).join('')}]`;
      const merged = mergeRows('pyproject.toml', text('a', 'b'), text('a'), text('a', 'b>=1'));
      assert.equal(merged, isMerged ? text('a', 'b>=1') : text('a', 'b>=1', 'b'));
    });
  }
});

const PACKAGES =
  '[project]\nname = "x"\ndependencies = [\n    "bot[run,web]==1",\n    "cloud>=1",  # why\n]\n' +
  '[dependency-groups]\ndev = [\n    { include-group = "x" },\n    "ruff",\n]\n';

describe('the packages of a pyproject.toml', () => {
  it('are listed with their extras', () => {
    assert.deepEqual(listPackages(PACKAGES), ['bot', 'run', 'web', 'cloud', 'ruff']);
    assert.deepEqual(listPackages(PACKAGES.replaceAll('\n', '\r\n')), ['bot', 'run', 'web', 'cloud', 'ruff']);
  });

  it('can go, and so can their extras', () => {
    const rest = PACKAGES.replace('run,web', 'run').replace('    "cloud>=1",  # why\n', '');
    assert.equal(withoutPackages(PACKAGES, ['web', 'cloud', 'name']), rest);
    assert.equal(withoutPackages(PACKAGES, ['ruff']), PACKAGES.replace('    "ruff",\n', ''));
  });
});

const TWICE = 'conflict: Your file already defines "x", and so does botcli\'s change.';

testMerges('merging TOML', '')`
a.toml: a key of both is a conflict
  a = 1/x = 1/b = 2 <-- a = 1/b = 2 --> a = 1/b = 2/x = 3 ==> ${TWICE}
a.txt: in another file, it is none
  a = 1/x = 1/b = 2/ <-- a = 1/b = 2/ --> a = 1/b = 2/x = 3/ ==> a = 1/x = 1/b = 2/x = 3/
pyproject.toml: a key of both is a conflict
  [tool.x]/a = 1/x = 1/b = 2/c = 3 <-- [tool.x]/a = 1/b = 2/c = 3 --> [tool.x]/a = 1/b = 2/c = 3/x = 3 ==> ${TWICE}
a.toml: what did not parse before is merged
  a = /b = 2 <-- a = 1/b = 2 --> a = 1/b = 3 ==> a = /b = 3
pyproject.toml: what looks like requirements in a string is a string
  [project]/d = """/dependencies = [/    "b",/]/""" <-- [project]/d = """/dependencies = [/    "a",/]/"""
  --> [project]/d = """/dependencies = [/    "c",/]/""" ==> conflict: ${SAME}
`;
