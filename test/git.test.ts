import assert from 'node:assert/strict';
import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { trackedFiles } from '../src/git.ts';
import { git } from './support/git.ts';
import { inTree } from './support/trees.ts';

const files = { '.env': 'A=1', 'server/.env': 'B=2', 'other.txt': '' };

const inRepository = (use: (root: string) => Promise<void>) => () =>
  inTree(files, async root => {
    git(root, 'init', '--quiet');
    await use(root);
  });

const tracked = async (root: string, names: string[] = ['.env', 'server/.env'], env = process.env) =>
  [...(await trackedFiles(root, names, env))].sort();

describe('the files that git tracks', () => {
  for (const version of ['2', '3', '4']) {
    it(
      `are listed from an index of version ${version}`,
      inRepository(async root => {
        git(root, 'add', '--force', '.env', 'server/.env', 'other.txt');
        git(root, 'update-index', '--index-version', version);
        assert.deepEqual(await tracked(root), ['.env', 'server/.env']);
        assert.deepEqual(await tracked(join(root, 'server'), ['.env']), ['.env']);
      }),
    );
  }

  it(
    'are only those that were asked for, and exactly by name',
    inRepository(async root => {
      git(root, 'add', '--force', 'other.txt', 'server/.env');
      assert.deepEqual(await tracked(root, ['.env', '*.txt', ':/other.txt']), []);
      assert.deepEqual(await tracked(root, []), []);
    }),
  );

  it(
    'are those of the directory, whatever repository a hook of git is running for',
    inRepository(async root => {
      git(root, 'add', '--force', '.env');
      await inTree({}, async other => {
        git(other, 'init', '--quiet');
        const env = { ...process.env, GIT_DIR: join(other, '.git'), GIT_INDEX_FILE: join(other, '.git/index') };
        assert.deepEqual(await tracked(root, ['.env'], env), ['.env']);
      });
    }),
  );

  it(
    'are those of each repository that a path is in, also through a link',
    inRepository(async root => {
      git(root, 'add', '--force', '.env', 'server/.env');
      await inTree({ '.env': '', '.env.local': '' }, async other => {
        git(other, 'init', '--quiet');
        git(other, 'add', '--force', '.env');
        symlinkSync(other, join(root, 'client'));
        const names = ['.env', 'server', 'client/.env', 'client/.env.local', 'missing/.env'];
        assert.deepEqual(await tracked(root, names), ['.env', 'client/.env', 'server']);
      });
    }),
  );

  it('are none without a repository, with a broken one, and without git', () =>
    inTree({ 'a/.env': '', 'b/.env': '', 'b/.git/index/x': '', 'c/.env': '' }, async root => {
      git(join(root, 'c'), 'init', '--quiet');
      git(join(root, 'c'), 'add', '--force', '.env');
      for (const folder of ['a', 'b', 'missing']) assert.deepEqual(await tracked(join(root, folder)), []);
      assert.deepEqual(await tracked(join(root, 'c'), ['.env'], { PATH: root }), []);
    }));

  const programs: [name: string, settings: (program: string) => string[]][] = [
    ['core.fsmonitor', program => ['core.fsmonitor', program]],
    ['pager.ls-files', program => ['pager.ls-files', program]],
    ['alias.ls-files', program => ['alias.ls-files', `!${program}`]],
  ];
  for (const [name, settings] of programs) {
    it(
      `are listed without running the program in the repository's ${name}`,
      inRepository(async root => {
        git(root, 'add', '--force', '.env');
        const proof = join(root, 'proof');
        const program = join(root, 'program');
        writeFileSync(program, `#!/bin/sh\ntouch '${proof}'\n`, { mode: 0o755 });
        git(root, 'config', ...settings(program));
        assert.deepEqual(await tracked(root, ['.env']), ['.env']);
        assert(!existsSync(proof));
      }),
    );
  }

  it(
    'are listed without fetching what a sparse index lacks',
    inRepository(async root => {
      const proof = join(root, 'proof');
      git(root, 'add', '--force', '.env', 'server/.env');
      git(root, 'commit', '--quiet', '--message', 'All');
      git(root, 'sparse-checkout', 'set', '--cone', '--sparse-index', 'nothing');
      const tree = git(root, 'rev-parse', 'HEAD:server').trim();
      git(root, 'config', 'extensions.partialClone', 'origin');
      git(root, 'config', 'remote.origin.promisor', 'true');
      git(root, 'config', 'remote.origin.url', `ext::touch ${proof}`);
      git(root, 'config', 'protocol.ext.allow', 'always');
      rmSync(join(root, '.git/objects', tree.slice(0, 2), tree.slice(2)));
      await tracked(root);
      assert(!existsSync(proof));
    }),
  );
});
