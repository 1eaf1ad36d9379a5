import assert from 'node:assert/strict';
import { parse } from 'smol-toml';
import { listPackages, withoutPackages } from '../../src/merge/index.ts';
import { mergeRows, mergeTexts, readCases } from './merging.ts';

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
`);

describe('merging requirements in pyproject.toml when', () => {
  for (const [about, user, base, botcli, merged] of cases) {
    it(about, () => assert.equal(merge(project(user), project(base), project(botcli)), merged));
  }

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

  const contradictions: [about: string, user: string, base: string, botcli: string, reason: string][] = [
    [
      'the user removed what ours changed',
      '',
      'b>=1',
      'b',
      'You removed or moved these lines, and botcli changes them.',
    ],
    ['both added it in other versions', 'b>=1', '', 'b>=2', 'You and botcli changed the same lines.'],
  ];
  for (const [about, user, base, botcli, reason] of contradictions) {
    it(`${about}: the conflict is that one line`, () => {
      const { conflicts } = mergeTexts(
        'pyproject.toml',
        project(`a | ${user}`),
        project(`a | ${base} | z`),
        project(`a | ${botcli}`),
      );
      const line = (text: string) => (text === '' ? '' : `    "${text}",`);
      assert.deepEqual(conflicts, [
        { lines: [5, user ? 5 : 4], yours: line(user), base: line(base), ours: line(botcli), reason },
      ]);
    });
  }

  it('they contradict: the conflict is that one line', () => {
    const { conflicts, marked } = mergeTexts(
      'pyproject.toml',
      project('a | b==3 | c'),
      project('a | b==1'),
      project('a | b==2'),
    );
    assert.deepEqual(conflicts, [
      {
        lines: [5, 5],
        yours: '    "b==3",',
        base: '    "b==1",',
        ours: '    "b==2",',
        reason: 'You and botcli changed the same lines.',
      },
    ]);
    assert(marked.toString().includes('<<<<<<< yours\n    "b==3",\n||||||| botcli 0.1.0\n'));
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

describe('the lines of a conflict in pyproject.toml', () => {
  const requirements: [about: string, user: string, base: string, botcli: string, lines: [number, number]][] = [
    ['are those before botcli added one', 'a | b==3 | c', 'a | b==1 | c', 'a | ab | b==2 | c', [5, 5]],
    ['are those before botcli removed one above', 'a | x | b==3 | c', 'a | x | b==1 | c', 'a | b==2 | c', [6, 6]],
    ['are those before botcli removed one below', 'a | b==3 | c', 'a | b==1 | c', 'a | b==2', [5, 5]],
    ['are none, at its place, if the user has removed it', 'a | x | c', 'a | x | b==1 | c', 'a | b==2 | c', [6, 5]],
  ];
  for (const [about, user, base, botcli, lines] of requirements) {
    it(about, () => {
      const { conflicts } = mergeTexts('pyproject.toml', project(user), project(base), project(botcli));
      assert.deepEqual(
        conflicts.map(conflict => conflict.lines),
        [lines],
      );
    });
  }
});

const TWICE = 'Your file already defines "x", and so does botcli\'s change.';

describe('merged TOML', () => {
  it('that has a key of both is a conflict', () => {
    const [user, base, botcli] = ['a = 1\nx = 1\nb = 2\n', 'a = 1\nb = 2\n', 'a = 1\nb = 2\nx = 3\n'];
    const { conflicts } = mergeTexts('server/cloud-deploy.toml', user, base, botcli);
    assert.deepEqual(
      conflicts.map(({ reason }) => reason),
      [TWICE],
    );
    assert.equal(mergeTexts('a.txt', user, base, botcli).conflicts.length, 0);
  });

  it('in pyproject.toml that has a key of both is a conflict', () => {
    const text = (...rows: string[]) => `[tool.x]\na = 1\n${rows.join('\n')}\nb = 2\nc = 3\n`;
    const { conflicts } = mergeTexts('pyproject.toml', text('x = 1'), text(), `${text()}x = 3\n`);
    assert.deepEqual(
      conflicts.map(({ lines, reason }) => [lines, reason]),
      [[[3, 3], TWICE]],
    );
  });

  it('that did not parse before is merged', () => {
    assert.equal(mergeTexts('a.toml', 'a = \nb = 2\n', 'a = 1\nb = 2\n', 'a = 1\nb = 3\n').text, 'a = \nb = 3\n');
  });

  it('with what looks like requirements in a string is merged as a string', () => {
    const text = (value: string) => `[project]\ndescription = """\ndependencies = [\n    "${value}",\n]\n"""\n`;
    assert.equal(mergeTexts('pyproject.toml', text('b'), text('a'), text('c')).conflicts.length, 1);
  });
});
