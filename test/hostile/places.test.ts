import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  chownSync,
  closeSync,
  openSync,
  realpathSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { findProject } from '../../src/existing/open-project.ts';
import { readReal } from '../../src/paths/read.ts';
import { session } from '../support/session.ts';
import { posixIt } from '../support/systems.ts';
import { inTree, readTree, type Tree } from '../support/trees.ts';
import { changeOn, changesBetween, faultyFiles } from '../writing/faulty-files.ts';

const inReal = (tree: Tree, use: (root: string) => unknown) =>
  inTree(tree, async root => void (await use(realpathSync(root))));

describe('a file whose place changes after botcli has decided', () => {
  const swaps: [about: string, swap: (root: string) => void][] = [
    ['is a link now', root => swapFor(root, 'bot/a.txt', '../secret/a.txt')],
    ['is behind a link now', root => swapFor(root, 'bot/server', '../secret')],
    ['is a pipe now', root => execFileSync('sh', ['-c', 'rm "$1"; mkfifo "$1"', 'sh', join(root, 'bot/a.txt')])],
    ['is a directory now', root => execFileSync('sh', ['-c', 'rm "$1"; mkdir "$1"', 'sh', join(root, 'bot/a.txt')])],
  ];
  function swapFor(root: string, name: string, target: string): void {
    renameSync(join(root, name), join(root, `${name}.old`));
    symlinkSync(target, join(root, name));
  }
  for (const [about, swap] of swaps) {
    posixIt(`isn't read if it ${about}`, () =>
      inReal({ 'bot/a.txt': 'mine', 'bot/server/a.txt': 'mine', 'secret/a.txt': 'sk-SECRET' }, root => {
        swap(root);
        const name = about.includes('behind') ? 'bot/server/a.txt' : 'bot/a.txt';
        assert.throws(() => readReal(join(root, name), 100));
      }),
    );
  }

  it('is read if nothing has changed', () =>
    inReal({ 'bot/a.txt': 'mine' }, root => assert.equal(String(readReal(join(root, 'bot/a.txt'), 4)), 'mine')));

  for (const target of ['.git', '../outside', '.env.d']) {
    posixIt(`isn't written if its directory is a link to ${target} now`, () =>
      inReal(
        { 'bot/.git/HEAD': 'x', 'outside/a.txt': 'x', 'bot/.env.d/a': 'x', 'bot/server/0.txt': 'old' },
        async root => {
          const before = readTree(root);
          // The run has looked at everything, and is about to begin.
          const files = faultyFiles((call, from) => {
            if (call !== 'openSync' || !from.endsWith('2.new')) return undefined;
            renameSync(join(root, 'bot/server'), join(root, 'bot/real'));
            symlinkSync(target, join(root, 'bot/server'));
            return undefined;
          });
          const after = { 'server/0.txt': 'mine', 'server/a.txt': 'mine', 'server/HEAD': 'mine' };
          const error = await changeOn(join(root, 'bot'), changesBetween({ 'server/0.txt': 'old' }, after), files);
          assert.match(error?.message ?? '', /has just changed/);
          rmSync(join(root, 'bot/server'));
          renameSync(join(root, 'bot/real'), join(root, 'bot/server'));
          assert.deepEqual(readTree(root), before);
        },
      ),
    );
  }
});

describe('the project around a directory', () => {
  const { HOME } = process.env;
  afterEach(() => {
    if (HOME === undefined) delete process.env.HOME;
    else process.env.HOME = HOME;
  });

  it('is never above the home directory', () =>
    inReal({ '.botcli.json': '{}', 'home/.botcli.json': '{}', 'home/me/work/deep': '/' }, root => {
      process.env.HOME = join(root, 'home/me');
      assert.equal(findProject(join(root, 'home/me/work/deep')), undefined);
      assert.equal(findProject(join(root, 'home')), join(root, 'home'), 'if it is named, it counts');
      writeFileSync(join(root, 'home/me/.botcli.json'), '{}');
      assert.equal(findProject(join(root, 'home/me/work/deep')), join(root, 'home/me'));
    }));

  posixIt('is found without a home directory', () =>
    inReal({ 'bot/.botcli.json': '{}', 'bot/server/x': '/' }, root => {
      delete process.env.HOME;
      assert.equal(findProject(join(root, 'bot/server/x')), join(root, 'bot'));
    }),
  );

  // Only root may give files away. For others, mocha lists these as pending.
  const rootIt = process.getuid?.() === 0 ? it : it.skip;
  const OTHER = 65_534;
  const owners: [about: string, chowned: Record<string, number>, found: string | undefined][] = [
    ["is found if all is one user's", {}, ''],
    [
      'is found if all is of another one, as in a container',
      { '.': OTHER, '.botcli.json': OTHER, work: OTHER, 'work/deep': OTHER },
      '',
    ],
    ["isn't in a directory of another user", { '.': OTHER }, undefined],
    ["isn't what another user has put next to it", { '.botcli.json': OTHER }, undefined],
    ["isn't above a directory of another user", { work: OTHER }, undefined],
  ];
  for (const [about, chowned, found] of owners) {
    rootIt(about, () =>
      inReal({ '.botcli.json': '{}', 'work/deep': '/' }, root => {
        for (const [name, uid] of Object.entries(chowned)) chownSync(join(root, name), uid, uid);
        assert.equal(findProject(join(root, 'work/deep')), found === undefined ? undefined : root);
      }),
    );
  }
});

describe('a named pipe that nobody writes to', () => {
  for (const line of ['cloud secrets set demo --skip --file p', 'init bot --config p', 'update --config ../p']) {
    posixIt(
      `stops ${line.slice(0, 12)} with the reason`,
      session({ '.': '/' }, async ({ directory, fail, succeed }) => {
        const isUpdate = line.startsWith('update');
        if (isUpdate) await succeed('init quickstart');
        const cwd = isUpdate ? 'botcli-quickstart' : '.';
        execFileSync('mkfifo', [join(directory, 'p')]);
        const env = { BOTCLI_TOKEN: 'x', BOTCLI_API_URL: 'http://127.0.0.1:1' };
        assert.match(
          await fail(2, line, { env, cwd }),
          /p can't be read: it is a pipe, and nobody has opened it for writing/,
        );
      }),
    );
  }

  posixIt(
    'is read if somebody writes to it, however late and in however many parts',
    session({}, async ({ directory, run }) => {
      const path = join(directory, 'p');
      execFileSync('mkfifo', [path]);
      let waits = 0;
      let writer = -1;
      const onWait = () => {
        waits += 1;
        if (waits === 3) writer = openSync(path, 'r+');
        if (waits === 3) writeSync(writer, '{"mode":');
        if (waits !== 6) return;
        writeSync(writer, '"cascade"}');
        closeSync(writer);
      };
      const { stderr } = await run('init bot --config p --dry-run', { onWait });
      assert.match(stderr, /--transport is missing/);
      assert.doesNotMatch(stderr, /mode is missing|can't be read/);
    }),
  );
});
