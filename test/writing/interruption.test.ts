import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { DEADLINE_MS } from '../support/program.ts';
import { bundleScript, type Script } from '../support/scripts.ts';
import { fingerprint, inTree, readTree } from '../support/trees.ts';

let script: Script;

/** Runs the script in a separate process, which sends itself a signal at `moment`. */
function runInterrupted(sandbox: string, moment: string, signal: string) {
  const home = join(sandbox, 'home');
  const args = [script.path, join(sandbox, 'target'), moment, signal];
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    timeout: DEADLINE_MS,
    env: { ...process.env, HOME: home },
  });
  return { status, stdout, stderr };
}

const interrupted = { status: 130, stdout: '', stderr: 'Interrupted. Nothing was changed.\n' };
const STATUS = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

/** Signals, each with the moment it arrives: while generators run, or at a file system call of the commit. */
const interruptions = [
  ['SIGINT', 'rendering'],
  ['SIGINT', 'hanging'],
  ['SIGINT', 'renameSync'],
  ['SIGTERM', 'linkSync'],
  ['SIGHUP', 'linkSync'],
] as const;

describe('an interruption', () => {
  before(async () => {
    script = await bundleScript('interrupted-run.ts', import.meta.url);
  });
  after(() => script.remove());

  for (const [signal, moment] of interruptions) {
    it(`leaves existing files alone: ${signal}, ${moment}`, () =>
      inTree({ 'target/server/bot.py': 'mine', 'home/.profile': 'x' }, sandbox => {
        const before = fingerprint(sandbox, false);
        assert.deepEqual(runInterrupted(sandbox, moment, signal), { ...interrupted, status: STATUS[signal] });
        assert.deepEqual(fingerprint(sandbox, false), before);
      }));
  }

  it('leaves no new target', () =>
    inTree({ 'home/.profile': 'x' }, sandbox => {
      assert.deepEqual(runInterrupted(sandbox, 'linkSync', 'SIGINT'), interrupted);
      assert.deepEqual(readTree(sandbox), { 'home/.profile': 'x' });
    }));

  it('that never arrives lets the process exit normally, silently', () =>
    inTree({ 'home/.profile': 'x', 'target/package.json': '{}' }, sandbox => {
      assert.deepEqual(runInterrupted(sandbox, 'never', 'SIGINT'), { status: 0, stdout: '', stderr: '' });
      assert.deepEqual(Object.keys(readTree(sandbox)), [
        'home/.profile',
        'target/client/package.json',
        'target/package.json',
        'target/server/bot.py',
      ]);
    }));
});
