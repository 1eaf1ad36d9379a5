import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Commit } from '../../src/writing/commit.ts';
import { patient } from '../../src/writing/disk.ts';
import { inTree, readTree } from '../support/trees.ts';
import { type Call, diskError, type Fault, faultyFiles } from './faulty-files.ts';

/** A fault that passes after a while. */
function passing(call: Call, code: string, times: number): Fault {
  let left = times;
  return name => {
    if (name !== call || left === 0) return undefined;
    left -= 1;
    return diskError(code);
  };
}

/** Replaces, creates and deletes a file, and returns the waits in milliseconds. */
function changeAll(sandbox: string, fault: Fault, platform: NodeJS.Platform): number[] {
  const waits: number[] = [];
  const files = patient(faultyFiles(fault), platform, ms => void waits.push(ms));
  const [a, b, c] = ['a', 'b', 'dir/c'].map(name => join(sandbox, name)) as [string, string, string];
  const text = (contents: string) => Buffer.from(contents);
  const changes = [
    { path: a, before: text('old'), after: text('new') },
    { path: b, after: text('new') },
    { path: c, before: text('old') },
  ];
  const commit = new Commit({ root: sandbox, changes }, files);
  commit.write();
  commit.finish();
  return waits;
}

const BEFORE = { a: 'old', 'dir/c': 'old' };
const AFTER = { a: 'new', b: 'new' };

/** What a virus scanner does to a file that it has open. */
const busy: [call: Call, code: string][] = [
  ['renameSync', 'EPERM'],
  ['renameSync', 'EACCES'],
  ['renameSync', 'EBUSY'],
  ['unlinkSync', 'EBUSY'],
  ['unlinkSync', 'EPERM'],
  ['linkSync', 'EBUSY'],
  ['rmdirSync', 'ENOTEMPTY'],
];

describe('a busy file', () => {
  for (const [call, code] of busy) {
    it(`is waited for on Windows: ${call}, ${code}`, () =>
      inTree(BEFORE, sandbox => {
        assert.deepEqual(changeAll(sandbox, passing(call, code, 3), 'win32'), [10, 20, 40]);
        assert.deepEqual(readTree(sandbox), AFTER);
      }));
  }

  it('stops the run after two seconds, and everything is as it was', () =>
    inTree(BEFORE, sandbox => {
      const locked: Fault = (call, _, to) =>
        call === 'renameSync' && to === join(sandbox, 'a') ? diskError('EBUSY') : undefined;
      let waited = 0;
      const files = patient(faultyFiles(locked), 'win32', ms => {
        waited += ms;
      });
      const [before, after] = [Buffer.from('old'), Buffer.from('new')];
      const changes = [
        { path: join(sandbox, 'b'), after },
        { path: join(sandbox, 'a'), before, after },
      ];
      assert.throws(
        () => new Commit({ root: sandbox, changes }, files).write(),
        /^UserError: Cannot write a: .*Nothing was changed\.$/,
      );
      assert.equal(waited, 2000);
      assert.deepEqual(readTree(sandbox), BEFORE);
    }));

  for (const code of ['ENOSPC', 'ENOENT', 'EXDEV']) {
    it(`is something else than ${code}`, () => {
      const files = patient(faultyFiles(passing('unlinkSync', code, 1)), 'win32', () => assert.fail('waited'));
      assert.throws(() => files.unlinkSync('nothing'), { code });
    });
  }
});
