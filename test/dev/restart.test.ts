import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchProject } from '../../src/dev/restart.ts';
import { inTree } from '../support/trees.ts';

it('a saved file restarts the bot if that reads it when it starts', async () => {
  const others = ['.env.example', 'uv.lock', 'tools/.env', '.venv/lib/python3.11/site-packages/x.py', 'venv/lib/x.py'];
  const more = ['__pycache__/bot.cpython-311.pyc', '.ruff_cache/x.py', 'recordings/a.wav', 'bot.log', 'evals/a.yaml'];
  const read = ['.env', 'bot.py', 'pyproject.toml', 'tools/prices.py'];
  const all = [...others, ...more, ...read];
  await inTree(Object.fromEntries(all.map(path => [`server/${path}`, ''])), async root => {
    const changed: string[] = [];
    const end = await watchProject(root, paths => changed.push(...paths), assert.fail);
    for (const path of all) fs.writeFileSync(join(root, 'server', path), 'x = 1');
    while (changed.length < read.length) await sleep(50);
    await sleep(500);
    await end();
    assert.deepEqual(changed.map(path => path.replaceAll('\\', '/')).sort(), read);
  });
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
      await (
        await watchProject(
          root,
          () => assert.fail(),
          text => said.push(text),
        )
      )();
      const why = 'the disk is full. After an edit, run the same command again.';
      assert.deepEqual(said, [`Some files in server/ can't be watched: ${why}`]);
    }));
});
