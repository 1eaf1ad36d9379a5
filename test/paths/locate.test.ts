import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { linkSync, mkdirSync, realpathSync } from 'node:fs';
import { join, posix, win32 } from 'node:path';
import { locate, nameWithin } from '../../src/paths/locate.ts';
import { readBytes } from '../../src/paths/read.ts';
import { isProtected } from '../../src/project/protected.ts';
import { readFiles } from '../../src/writing/changes.ts';
import { posixIt } from '../support/systems.ts';
import { inTree, type Tree } from '../support/trees.ts';

describe('the name of a file in a project', () => {
  it('has slashes on every system', () => {
    assert.equal(nameWithin('/bots/one', '/bots/one/server/bot.py', posix), 'server/bot.py');
    assert.equal(nameWithin('C:\\bots\\one', 'C:\\bots\\one\\server\\bot.py', win32), 'server/bot.py');
    assert.equal(nameWithin('C:\\Bots\\one', 'c:\\bots\\one\\bot.py', win32), 'bot.py', 'in any case, on Windows');
    assert.equal(nameWithin('/bots/one', '/bots/one/a\\b', posix), 'a\\b', 'as part of a name');
  });

  const outside: [directory: string, path: string, paths: typeof win32][] = [
    ['/bots/one', '/bots/one', posix],
    ['/bots/one', '/bots/two', posix],
    ['C:\\bots\\one', 'C:\\bots\\two', win32],
    ['C:\\bots\\one', 'D:\\bots\\one\\x', win32],
    ['C:\\bots\\one', 'C:\\bots\\one\\..\\..\\x', win32],
    ['C:\\bots\\one', '\\\\server\\share\\x', win32],
  ];
  for (const [directory, path, paths] of outside) {
    it(`${path} isn't in ${directory}`, () => assert.throws(() => nameWithin(directory, path, paths), /is outside/));
  }
});

/** A project, and what is next to it. */
const PROJECT: Tree = {
  'secret.txt': 'mine',
  'project/.env': 'KEY=mine',
  'project/.git/HEAD': 'ref: refs/heads/main',
  'project/.git/hooks/pre-commit': 'run',
  'project/server/.env': 'KEY=mine',
  'project/server/.env.local': 'KEY=mine',
  'project/server/.env.example': 'KEY=',
  'project/server/bot.py': 'code',
  'project/bare/HEAD': 'ref: refs/heads/main',
  'project/bare/objects': '/',
  'project/bare/refs': '/',
  'project/bare/config': 'url = https://token@example.com',
};

const NEVER = /^is a path that botcli never touches$/;
const LINK = /^is a symbolic link to \S+, which botcli never touches$/;
const OUTSIDE = /^leads outside the directory, through a symbolic link$/;
const BROKEN = /^is a broken symbolic link$/;

/** What botcli refuses to touch: the name, and links that a project could contain. */
const refused: [about: string, name: string, why: RegExp, links?: Tree][] = [
  ...[
    ...['.env', 'server/.env', 'server/.ENV', 'server/.Env.Local', 'server/.env.production'],
    ...['server/.env.example.local', 'server/.envrc', 'server/.env.', 'server/.env ', 'server/.env::$DATA'],
    ...['server/.e\u200Dnv', 'server/\uFF0Eenv', 'server/.env/x', 'server/ENV~1', 'server/env~1.loc'],
    ...['server/EN4F2A~1.LOC', '.git', '.git/HEAD', '.GIT/config', '.Git /config', '.git./config'],
    ...['.git::$INDEX_ALLOCATION/config', 'GIT~1/config', 'GI7EBA~1/config', '.\uFEFFgit/config'],
    ...['\uFF0E\uFF47\uFF49\uFF54/config', 'client/vendor/.git/config', '../secret.txt', 'server/../../secret.txt'],
    ...['server/../server/bot.py', './server/bot.py', '/etc/passwd', '//server/share', 'C:/Windows/win.ini'],
    ...['.g\u200Bit/config', '.\u200Bg\u200Bit', '.\uFF45nv', '.env. .', '.git. .', '.git:a\nb', 'a/.', 'a/..'],
    ...['C:bot.py', 'server\\bot.py', '\\\\?\\C:\\x', 'server/bot.py\0.txt', 'server//bot.py', 'server/', ''],
  ].map((name): (typeof refused)[number] => [`the name ${JSON.stringify(name)}`, name, NEVER]),
  ['a link to .env', 'server/a.py', LINK, { 'server/a.py': '-> .env' }],
  ['an .env.example that is a link to .env', 'a/.env.example', LINK, { 'a/.env.example': '-> ../server/.env' }],
  ['a link to an env file with another name', 'a', LINK, { a: '-> server/.env.local' }],
  ['a chain of links to .env', 'a', LINK, { a: '-> b', b: '-> server/c', 'server/c': '-> .env' }],
  ['a link to .git', 'g/HEAD', LINK, { g: '-> .git' }],
  ['a link to a file in .git', 'a', LINK, { a: '-> .git/HEAD' }],
  ['a file to be created in .git', 'hooks/post-checkout', LINK, { hooks: '-> .git/hooks' }],
  ['a link to a directory with .git in it', 'up/.git/HEAD', NEVER, { up: '-> .' }],
  ['a link to the project, and from there to .env', 'up/server/a', LINK, { up: '-> .', 'server/a': '-> .env' }],
  ['a file of a worktree, which says where its repository is', 'w/.git', NEVER, { 'w/.git': 'gitdir: ../bare' }],
  ['a link to a worktree', 'a', LINK, { a: '-> w/.git', 'w/.git': 'gitdir: ../bare' }],
  ['a link into a repository with another name', 'a', LINK, { a: '-> bare/config' }],
  ['a link to a repository with another name', 'a/config', LINK, { a: '-> bare' }],
  ['a link out of the project', 'a', OUTSIDE, { a: '-> ../secret.txt' }],
  ['a link to a directory out of the project', 'a/secret.txt', OUTSIDE, { a: '-> ..' }],
  ['a link to a sibling whose name begins the same', 'a/b', OUTSIDE, { a: '-> ../project-2', '../project-2/b': '' }],
  ['a link to an absolute path', 'a', OUTSIDE, { a: '-> /etc/passwd' }],
  ['a link to a device', 'a', OUTSIDE, { a: '-> /dev/zero' }],
  ['a link to what a process has open', 'a', OUTSIDE, { a: '-> /proc/self/environ' }],
  [
    'a chain of links out of the project',
    'a',
    OUTSIDE,
    { a: '-> b/c', b: '-> server', 'server/c': '-> ../../secret.txt' },
  ],
  ['a link to nothing', 'a', BROKEN, { a: '-> nowhere' }],
  ['a link to itself', 'a', BROKEN, { a: '-> a' }],
  ['two links to each other', 'a/b', BROKEN, { a: '-> b', b: '-> a' }],
  ['a directory', 'server', /^is a directory, but must be a file$/],
  ['a file in a file', 'server/bot.py/x', /^is a file, but must be a directory$/],
];

const allowed: [about: string, name: string, path: string, links?: Tree][] = [
  ['a file', 'server/bot.py', 'server/bot.py'],
  ['a new file', 'server/new/file.py', 'server/new/file.py'],
  ['an example', 'server/.env.example', 'server/.env.example'],
  ['the files of git that belong to the project', '.gitignore', '.gitignore'],
  ['names that only begin like them', '.github/workflows/a.yaml', '.github/workflows/a.yaml'],
  ...['.git . a', 'a.env', 'env', 'git', 'my-git~1', 'gitx~1', 'git~a', 'a b', '.a/..b'].map(
    (name): (typeof allowed)[number] => [`the name ${name}`, name, name],
  ),
  ['names in another alphabet', 'server/größe.py', 'server/größe.py'],
  ['a name that ends in a tilde', 'server/bot.py~', 'server/bot.py~'],
  ['a link to a file of the project', 'a.py', 'server/bot.py', { 'a.py': '-> server/bot.py' }],
  ['a linked directory of the project', 'code/bot.py', 'server/bot.py', { code: '-> server' }],
  ['a link to the example', 'a', 'server/.env.example', { a: '-> server/.env.example' }],
];

it("a stream of a file that is the user's alone is, too", () => {
  for (const name of ['.env::$DATA', '.git:a\nb']) assert(isProtected(name));
});

describe('botcli and a file of a project', () => {
  const inProject = (links: Tree, use: (root: string) => void) => {
    const more = Object.entries(links).map(([name, text]) => [`project/${name}`, text]);
    return inTree({ ...PROJECT, ...Object.fromEntries(more) }, sandbox => use(join(realpathSync(sandbox), 'project')));
  };

  for (const [about, name, why, links = {}] of refused) {
    it(`refuses ${about}`, () =>
      inProject(links, root => {
        const place = locate(root, name);
        assert('why' in place, JSON.stringify(place));
        assert.match(place.why, why);
        assert.equal(readBytes(root, name), undefined);
        assert.deepEqual([...readFiles(root, [name])], [[name, place]]);
      }));
  }

  for (const [about, name, path, links = {}] of allowed) {
    it(`finds ${about}`, () =>
      inProject(links, root => {
        const place = locate(root, name);
        assert('path' in place, JSON.stringify(place));
        assert.equal(place.path, join(root, path));
      }));
  }

  for (const from of ['server/.env', 'server/deep/.env', '.git/HEAD', '../secret.txt', 'server/bot.py']) {
    it(`knows that a file which is also ${from} may be a secret`, () =>
      inProject({ 'server/deep/.env': 'KEY=mine' }, root => {
        linkSync(join(root, from), join(root, 'notes.txt'));
        const file = readFiles(root, ['notes.txt']).get('notes.txt');
        assert(file && 'contents' in file && file.hasOtherNames);
      }));
  }

  it('follows a path of 30 parts, and no longer one', () =>
    inProject({}, root => {
      const name = (parts: number) => Array.from({ length: parts }, () => 'd').join('/');
      mkdirSync(join(root, name(40)), { recursive: true });
      assert('path' in locate(root, name(30), 'directory'));
      const longer = locate(root, name(31), 'directory');
      assert('why' in longer);
      assert.deepEqual([longer.name, longer.why], [name(30), 'is more directories deep than botcli goes']);
    }));

  for (const [about, name] of [
    ['a pipe', 'pipe'],
    ['a pipe in the place of a directory', 'pipe/x'],
  ] as const) {
    posixIt(`doesn't wait for ${about}`, () =>
      inProject({}, root => {
        execFileSync('mkfifo', [join(root, 'pipe')]);
        const place = locate(root, name);
        assert.match('why' in place ? place.why : '', /^is (a file, but must be a directory|not a regular file)$/);
        assert.equal(readBytes(root, name), undefined);
      }),
    );
  }

  // Windows has no such error: a name that is too long is a name that isn't there.
  posixIt('names the file that it may not look at', () =>
    inProject({}, root => {
      const name = `${'n'.repeat(300)}/bot.py`;
      assert.throws(() => locate(root, name), {
        message: `Cannot read ${name}: the name is too long. Nothing was changed.`,
      });
      assert.throws(() => readFiles(root, [name]), /^UserError: Cannot read n+\/bot\.py: the name is too long/);
      assert.equal(readBytes(root, name), undefined);
    }),
  );
});
