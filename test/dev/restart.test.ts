import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { watchProject } from '../../src/dev/restart.ts';
import { inTree } from '../support/trees.ts';

/** What is seen to change in a project after these files have been saved. */
async function changesIn(root: string, saved: readonly string[], count: number): Promise<string[]> {
  const changed: string[] = [];
  const end = await watchProject(root, paths => changed.push(...paths), assert.fail);
  for (const path of saved) fs.writeFileSync(join(root, path), 'x = 1');
  while (changed.length < count) await sleep(50);
  await sleep(500);
  await end();
  return changed.map(path => path.replaceAll('\\', '/')).sort();
}

it('a saved file restarts the bot if that reads it when it starts', async () => {
  const others = ['.env.example', 'uv.lock', 'tools/.env', '.venv/lib/python3.11/site-packages/x.py', 'venv/lib/x.py'];
  const more = ['__pycache__/bot.cpython-311.pyc', '.ruff_cache/x.py', 'recordings/a.wav', 'bot.log', 'evals/a.yaml'];
  const read = ['.env', 'bot.py', 'pyproject.toml', 'tools/prices.py'];
  const all = [...others, ...more, ...read].map(path => `server/${path}`);
  const changed = await inTree(Object.fromEntries(all.map(path => [path, ''])), root =>
    changesIn(root, all, read.length),
  );
  assert.deepEqual(changed, read);
});

it('a link is not followed: it may lead out of the project, or round in circles', async () => {
  const links = {
    'server/a': '-> .',
    'server/b': '-> .',
    'server/c': '-> ../outside',
    'server/.venv': '-> ../outside',
  };
  const tree = { 'outside/other.py': '', 'server/bot.py': '', ...links, 'server/d.py': '-> ../outside/other.py' };
  const changed = await inTree(tree, root => changesIn(root, ['outside/other.py', 'server/bot.py'], 2));
  assert.deepEqual(changed, ['bot.py', 'd.py']);
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
