import assert from 'node:assert/strict';
import { existsSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isTracked } from '../src/git.ts';
import { git } from './support/git.ts';
import { inTree } from './support/trees.ts';

const inRepository = (use: (root: string) => Promise<void>) => () =>
  inTree({ '.env': 'A=1', 'server/.env': 'B=2', 'other.txt': '' }, async root => {
    git(root, 'init', '--quiet');
    git(root, 'add', '--force', '.env', 'server/.env', 'other.txt');
    await use(root);
  });

const isOurs = (root: string, name = '.env', env: NodeJS.ProcessEnv = process.env) => isTracked(join(root, name), env);

describe('a file', () => {
  for (const version of ['2', '3', '4']) {
    it(
      `that git tracks is found in an index of version ${version}`,
      inRepository(async root => {
        git(root, 'update-index', '--index-version', version);
        for (const name of ['.env', 'server/.env']) assert(await isOurs(root, name), name);
      }),
    );
  }

  it(
    'is meant exactly by its name, and is no directory',
    inRepository(async root => {
      for (const name of ['*.txt', ':/other.txt', '.env.local', 'server']) assert(!(await isOurs(root, name)), name);
    }),
  );

  it(
    'is looked up in the repository around it, whatever repository a hook of git is running for',
    inRepository(async root =>
      inTree({}, async other => {
        git(other, 'init', '--quiet');
        const env = { ...process.env, GIT_DIR: join(other, '.git'), GIT_INDEX_FILE: join(other, '.git/index') };
        assert(await isOurs(root, '.env', env));
      }),
    ),
  );

  it(
    'is looked up in the repository that a link leads to',
    inRepository(async root =>
      inTree({ '.env': '', '.env.local': '' }, async other => {
        git(other, 'init', '--quiet');
        git(other, 'add', '--force', '.env');
        symlinkSync(other, join(root, 'client'));
        assert(await isOurs(root, 'client/.env'));
        for (const name of ['client/.env.local', 'missing/.env']) assert(!(await isOurs(root, name)), name);
      }),
    ),
  );

  it("isn't tracked without a repository, with a broken one, and without git", () =>
    inTree({ 'a/.env': '', 'b/.env': '', 'b/.git/index/x': '', 'c/.env': '' }, async root => {
      git(join(root, 'c'), 'init', '--quiet');
      git(join(root, 'c'), 'add', '--force', '.env');
      for (const folder of ['a', 'b', 'missing']) assert(!(await isOurs(join(root, folder))), folder);
      assert(!(await isOurs(join(root, 'c'), '.env', { PATH: root })));
    }));

  const programs: [name: string, settings: (program: string) => string[]][] = [
    ['core.fsmonitor', program => ['core.fsmonitor', program]],
    ['pager.ls-files', program => ['pager.ls-files', program]],
    ['alias.ls-files', program => ['alias.ls-files', `!${program}`]],
  ];
  for (const [name, settings] of programs) {
    it(
      `is looked up without running the program in the repository's ${name}`,
      inRepository(async root => {
        const proof = join(root, 'proof');
        const program = join(root, 'program');
        writeFileSync(program, `#!/bin/sh\ntouch '${proof}'\n`, { mode: 0o755 });
        git(root, 'config', ...settings(program));
        assert(await isOurs(root));
        assert(!existsSync(proof));
      }),
    );
  }

  it(
    'is looked up without fetching what a sparse index lacks',
    inRepository(async root => {
      const proof = join(root, 'proof');
      git(root, 'commit', '--quiet', '--message', 'All');
      git(root, 'sparse-checkout', 'set', '--cone', '--sparse-index', 'nothing');
      const tree = git(root, 'rev-parse', 'HEAD:server').trim();
      git(root, 'config', 'extensions.partialClone', 'origin');
      git(root, 'config', 'remote.origin.promisor', 'true');
      git(root, 'config', 'remote.origin.url', `ext::touch ${proof}`);
      git(root, 'config', 'protocol.ext.allow', 'always');
      rmSync(join(root, '.git/objects', tree.slice(0, 2), tree.slice(2)));
      await isOurs(root, 'server/.env');
      assert(!existsSync(proof));
    }),
  );
});
