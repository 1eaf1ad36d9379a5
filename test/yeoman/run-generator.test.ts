import assert from 'node:assert/strict';
import { nameIn } from '../../src/paths/locate.ts';
import { runGenerator } from '../../src/yeoman/run-generator.ts';
import { fingerprint, inTree, type Tree } from '../support/trees.ts';

const NEVER = new AbortController().signal;

/** Runs a generator in a directory with these files. Returns its files by path, and the paths of those that stay. */
async function run(before: Tree, call: Omit<Parameters<typeof runGenerator>[0], 'directory'>, signal = NEVER) {
  return inTree(before, async directory => {
    const disk = fingerprint(directory);
    const { files, kept } = await runGenerator({ ...call, directory }, signal);
    assert.deepEqual(fingerprint(directory), disk, 'nothing is written');
    const named = files.map(({ path, contents, replaces }) => {
      return [nameIn(directory, path), { text: contents.toString(), replaces }] as const;
    });
    return { files: Object.fromEntries(named), kept };
  });
}

const GUIDES = { generator: 'guide', options: {} } as const;

describe('running a generator in memory', () => {
  it('works next to a package.json and settings of Yeoman that are broken', async () => {
    const { files } = await run({ 'package.json': '{', '.yo-rc.json': '{' }, GUIDES);
    assert.deepEqual(Object.keys(files).sort(), ['AGENTS.md', 'ASSISTANT.md']);
  });

  it('reports the guides that stay', async () => {
    const { files, kept } = await run({ 'AGENTS.md': 'mine', 'GETTING_STARTED.md': 'mine' }, GUIDES);
    assert.deepEqual(Object.keys(files), ['ASSISTANT.md']);
    assert.deepEqual(kept, ['AGENTS.md', 'GETTING_STARTED.md']);
  });

  it('marks the files that may replace existing ones', async () => {
    const before = { 'AGENTS.md': 'old', 'GETTING_STARTED.md': 'old' };
    const { files, kept } = await run(before, { generator: 'guide', options: { refreshed: ['AGENTS.md'] } });
    const replaced = Object.entries(files).map(([path, { replaces }]) => [path, replaces]);
    assert.deepEqual(replaced.sort(), [
      ['AGENTS.md', true],
      ['ASSISTANT.md', false],
    ]);
    assert.deepEqual(kept, ['GETTING_STARTED.md']);
  });

  it('stops with the reason of an interruption, before the run and during it', async () => {
    const reason = new Error('interrupted');
    await assert.rejects(run({}, GUIDES, AbortSignal.abort(reason)), error => error === reason);
    await inTree({}, async directory => {
      const controller = new AbortController();
      const running = runGenerator({ ...GUIDES, directory }, controller.signal);
      controller.abort(reason);
      await assert.rejects(running, error => error === reason);
    });
  });
});
