import assert from 'node:assert/strict';
import { join } from 'node:path';
import { UserError } from '../../src/errors.ts';
import { watchInterruption } from '../../src/shell/interruption.ts';
import { applyChanges, type FileChange } from '../../src/writing/changes.ts';
import { raise } from '../support/systems.ts';
import { fingerprint, inTree, readTree, type Tree } from '../support/trees.ts';
import { type Call, type Fault, faultyFiles } from './faulty-files.ts';

const BEFORE: Tree = {
  'bot/README.md': 'old',
  'bot/server/bot.py': 'old',
  'bot/server/evals/judge.py': 'old',
  'bot/server/evals/text.yaml': 'old',
};

const AFTER: Tree = { 'bot/README.md': 'new', 'bot/client/index.html': 'new', 'bot/server/bot.py': 'new' };

const CHANGES: FileChange[] = [
  change('README.md', 'old', 'new'),
  change('client/index.html', undefined, 'new'),
  change('server/bot.py', 'old', 'new'),
  change('server/evals/judge.py', 'old', undefined),
  change('server/evals/text.yaml', 'old', undefined),
];

function change(name: string, before: string | undefined, after: string | undefined): FileChange {
  const [old, fresh] = [before, after].map(text => (text === undefined ? undefined : Buffer.from(text)));
  return { name, before: old, after: fresh };
}

/** Changes a project on a file system with this fault, and returns the error. */
async function changeWith(sandbox: string, fault: Fault, changes = CHANGES): Promise<UserError | undefined> {
  const interruption = watchInterruption();
  try {
    await applyChanges(join(sandbox, 'bot'), changes, interruption, faultyFiles(fault));
    return undefined;
  } catch (error) {
    assert(error instanceof UserError, String(error));
    return error;
  } finally {
    interruption.ignore();
  }
}

/** The calls that change the disk, in order, until everything is in place. The rest cleans up. */
async function callsOf(tree: Tree): Promise<Call[]> {
  const calls: Call[] = [];
  await inTree(tree, sandbox => changeWith(sandbox, call => void calls.push(call)));
  return calls.slice(0, calls.indexOf('rmdirSync'));
}

describe('changes to a project', () => {
  it('write and delete, and remove directories that become empty', () =>
    inTree(BEFORE, async sandbox => {
      assert.equal(await changeWith(sandbox, () => undefined), undefined);
      assert.deepEqual(readTree(sandbox), AFTER);
    }));

  it('are all undone when a signal arrives, at any call', async () => {
    const calls = await callsOf(BEFORE);
    for (const at of calls.keys()) {
      await inTree(BEFORE, async sandbox => {
        const before = fingerprint(sandbox, false);
        let count = 0;
        const error = await changeWith(sandbox, () => {
          count += 1;
          // Mocha ends at SIGINT, which is handled alike.
          if (count === at + 1) raise('SIGTERM');
          return undefined;
        });
        assert.equal(error?.message, 'Interrupted. Nothing was changed.', `call ${at + 1}`);
        assert.equal(error?.exitCode, 143);
        assert.deepEqual(fingerprint(sandbox, false), before, `call ${at + 1}`);
      });
    }
  });

  const stale: [about: string, name: string, before?: string][] = [
    ['has changed', 'README.md', 'older'],
    ['has appeared', 'README.md'],
    ['is gone', 'LICENSE', 'old'],
  ];
  for (const [about, name, before] of stale) {
    it(`are refused if a file ${about}`, () =>
      inTree(BEFORE, async sandbox => {
        const disk = fingerprint(sandbox);
        const error = await changeWith(sandbox, () => undefined, [
          change('server/bot.py', 'old', 'new'),
          change(name, before, 'new'),
        ]);
        assert.equal(error?.message, `${name} has just changed. Nothing was written.`);
        assert.deepEqual(fingerprint(sandbox), disk);
      }));
  }
});
