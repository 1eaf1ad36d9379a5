import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmodSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { withLock } from '../../src/account/lock.ts';
import { inTree } from '../support/trees.ts';

const LOCK = '.config.json.lock';

/** A lock in a new directory. `eachPause` replaces waiting, and counts from 1. */
const lock = (
  held: string | undefined,
  eachPause: (pause: number, path: string) => void,
  work: (check: () => void, path: string) => void = () => {},
) =>
  inTree(held === undefined ? {} : { [LOCK]: held }, async directory => {
    const path = join(directory, LOCK);
    let pauses = 0;
    let didWork = false;
    const sleep = async () => {
      pauses += 1;
      assert(pauses < 1000, 'the lock was never taken');
      eachPause(pauses, path);
    };
    const failure = await withLock(join(directory, 'config.json'), sleep, check => {
      didWork = true;
      work(check, path);
    }).catch((error: Error) => error.message);
    const left = readdirSync(directory);
    return { pauses, didWork, failure, left: left.map(name => `${name}: ${readFileSync(join(directory, name))}`) };
  });

const done = { didWork: true, failure: undefined, left: [] };

describe('the lock of a file', () => {
  it('is taken at once if it is free, and released', async () => {
    assert.deepEqual(await lock(undefined, assert.fail, check => check()), { ...done, pauses: 0 });
  });

  it('is taken as soon as another process releases it', async () => {
    assert.deepEqual(await lock('other', (pause, path) => pause === 3 && rmSync(path)), { ...done, pauses: 3 });
  });

  it('is taken from a process that was killed, after five seconds', async () => {
    assert.deepEqual(await lock('killed', () => {}), { ...done, pauses: 101 });
  });

  it('is never taken from processes that take turns', async () => {
    const takeTurns = (pause: number, path: string) =>
      pause < 500 ? writeFileSync(path, `other ${pause % 2}`) : rmSync(path);
    assert.deepEqual(await lock('other', takeTurns), { ...done, pauses: 500 });
  });

  it('may be lost while the process was stopped: then nothing is changed, and the new lock stays', async () => {
    let changed = false;
    const outcome = await lock(undefined, assert.fail, (check, path) => {
      writeFileSync(path, 'other');
      check();
      changed = true;
    });
    assert.match(
      outcome.failure ?? '',
      /^Another botcli command is changing .*config\.json\. This one stored nothing$/,
    );
    assert.deepEqual([changed, outcome.left], [false, [`${LOCK}: other`]]);
  });

  it('is released if the work fails', async () => {
    const fail = () => {
      throw new Error('no');
    };
    assert.deepEqual(await lock(undefined, assert.fail, fail), { ...done, pauses: 0, failure: 'no' });
  });

  it('ends waiting with Ctrl-C', async () => {
    await inTree({ [LOCK]: 'other' }, async directory => {
      const sleep = async (_: number, signal?: AbortSignal) => {
        process.emit('SIGINT');
        signal?.throwIfAborted();
      };
      await assert.rejects(
        withLock(join(directory, 'config.json'), sleep, () => assert.fail()),
        /^UserError: Interrupted\. Nothing was changed\.$/,
      );
      assert.deepEqual(readdirSync(directory), [LOCK]);
    });
  });

  for (const killed of [false, true]) {
    it(`lets no change of several processes get lost${killed ? ', though one was killed before' : ''}`, () =>
      inTree({ 'config.json': '{"token":"x","count":0}', ...(killed && { [LOCK]: 'killed' }) }, async directory => {
        const path = join(directory, 'config.json');
        chmodSync(path, 0o600);
        const words = ['--import', 'tsx/esm', fileURLToPath(new URL('count.ts', import.meta.url)), path, '20'];
        const processes = Array.from({ length: 3 }, () =>
          promisify(execFile)(process.execPath, words, { cwd: import.meta.dirname }),
        );
        for (const { stderr } of await Promise.all(processes)) assert.equal(stderr, '');
        assert.deepEqual(JSON.parse(readFileSync(path, 'utf8')), { token: 'x', count: 60 });
        assert.deepEqual(readdirSync(directory), ['config.json']);
      }));
  }
}).timeout(120_000);
