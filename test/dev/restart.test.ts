import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { restartsBot, watchProject } from '../../src/dev/restart.ts';
import { inTree } from '../support/trees.ts';

describe('a saved file', () => {
  const files: [path: string, restarts: boolean][] = [
    ['bot.py', true],
    ['tools/prices.py', true],
    ['.env', true],
    ['pyproject.toml', true],
    ['.env.example', false],
    ['uv.lock', false],
    ['tools/.env', false],
    ['.venv/lib/python3.11/site-packages/x.py', false],
    ['venv/lib/x.py', false],
    ['__pycache__/bot.cpython-311.pyc', false],
    ['.ruff_cache/x.py', false],
    ['recordings/a.wav', false],
    ['bot.log', false],
    ['evals/starter_text.yaml', false],
  ];
  for (const [path, restarts] of files) {
    it(`${restarts ? 'restarts' : 'does not restart'} the bot: ${path}`, () =>
      assert.equal(restartsBot(join(...path.split('/'))), restarts));
  }
});

describe('a link', () => {
  it('is not followed: it may lead out of the project, or round in circles', async () =>
    inTree({ 'server/bot.py': '', 'outside/other.py': '' }, async root => {
      const server = join(root, 'server');
      for (const name of ['a', 'b']) fs.symlinkSync('.', join(server, name));
      for (const name of ['c', '.venv']) fs.symlinkSync('../outside', join(server, name));
      fs.symlinkSync('../outside/other.py', join(server, 'd.py'));
      const changed: string[] = [];
      const end = await watchProject(root, paths => changed.push(...paths), assert.fail);
      fs.writeFileSync(join(root, 'outside/other.py'), 'x = 1');
      fs.writeFileSync(join(server, 'bot.py'), 'x = 1');
      while (changed.length < 2) await sleep(50);
      await sleep(500);
      await end();
      assert.deepEqual(changed, ['bot.py', 'd.py']);
    }));
});

describe('a directory that the system refuses to watch', () => {
  const { watch } = fs;

  before(() => {
    fs.watch = () => {
      throw Object.assign(new Error('no more watches'), { code: 'ENOSPC', errno: -28, syscall: 'watch' });
    };
    syncBuiltinESMExports();
  });
  after(() => {
    fs.watch = watch;
    syncBuiltinESMExports();
  });

  it('is reported once', async () =>
    inTree({ 'server/bot.py': '', 'server/tools/a.py': '', 'server/tools/b.py': '' }, async root => {
      const said: string[] = [];
      const end = await watchProject(
        root,
        () => assert.fail(),
        text => said.push(text),
      );
      await end();
      const why = 'the disk is full. After an edit, run the same command again.';
      assert.deepEqual(said, [`Some files in server/ can't be watched: ${why}`]);
    }));
});
