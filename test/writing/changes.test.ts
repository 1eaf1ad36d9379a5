import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { UserError } from '../../src/errors.ts';
import type { FileChange } from '../../src/writing/changes.ts';
import { patient } from '../../src/writing/disk.ts';
import { removeRemains } from '../../src/writing/scratch.ts';
import { raise } from '../support/systems.ts';
import { fingerprint, inTree, readTree, type Tree } from '../support/trees.ts';
import {
  type Call,
  changeOn,
  changesBetween,
  diskError,
  type Fault,
  failingOnce,
  faultyFiles,
} from './faulty-files.ts';

const BEFORE: Tree = {
  'target/.gitignore': 'mine\n',
  'target/AGENTS.md': 'old',
  'target/client/index.html': 'old page',
  'target/link': '-> client/index.html',
  'target/old/evals/judge.py': 'judge',
  'target/same.txt': 'same',
  'target/server.txt': 'old',
};

/** What is changed, and deleted: a file that leaves its directory empty, and a neighbor of files that stay. */
const OLD: Tree = { '.gitignore': 'mine\n', 'AGENTS.md': 'old', link: 'old page', 'same.txt': 'same' };
const DELETED: Tree = { 'old/evals/judge.py': 'judge', 'server.txt': 'old' };
const NEW: Tree = {
  '.gitignore': 'mine\nours\n',
  'AGENTS.md': 'new',
  'client/src/main.ts': 'main',
  link: 'new page',
  'same.txt': 'same',
  'server/bot.py': 'bot',
};

const AFTER: Tree = {
  'target/.gitignore': 'mine\nours\n',
  'target/AGENTS.md': 'new',
  'target/client/index.html': 'new page',
  'target/client/src/main.ts': 'main',
  'target/link': '-> client/index.html',
  'target/same.txt': 'same',
  'target/server/bot.py': 'bot',
};

const targets: Record<string, { tree: Tree; changes: FileChange[] }> = {
  'an existing target': { tree: BEFORE, changes: changesBetween({ ...OLD, ...DELETED }, NEW) },
  'a new target': { tree: {}, changes: changesBetween({}, NEW) },
};

const change = (sandbox: string, fault: Fault, changes = targets['an existing target']?.changes ?? []) =>
  changeOn(join(sandbox, 'target'), changes, faultyFiles(fault));

/** The error of changes that must fail. */
async function failure(...work: Parameters<typeof change>): Promise<UserError> {
  return (await change(...work)) ?? assert.fail('nothing was thrown');
}

/** How many calls change the disk until everything is in place. The rest cleans up. */
async function countCalls({ tree, changes }: (typeof targets)[string], fault: Fault): Promise<number> {
  const calls: (string | undefined)[] = [];
  const counting: Fault = (call, path, to) => {
    calls.push(to);
    return fault(call, path, to);
  };
  await inTree(tree, sandbox => change(sandbox, counting, changes));
  return calls.findLastIndex(to => to?.endsWith('server/bot.py')) + 1;
}

/** Does something at the call with this number, counted from 1, and fails with what that returns. */
function at(number: number, deed: () => Error | undefined, otherwise: Fault): Fault {
  let calls = 0;
  return (...call) => {
    calls += 1;
    return (calls === number ? deed() : undefined) ?? otherwise(...call);
  };
}

/** File systems on which everything must work the same. */
const fileSystems: Record<string, Fault> = {
  'with hard links': () => undefined,
  ...Object.fromEntries(
    ['EPERM', 'ENOTSUP', 'EXDEV', 'EMLINK'].map((code): [string, Fault] => [
      `without hard links (${code})`,
      call => (call === 'linkSync' ? diskError(code) : undefined),
    ]),
  ),
};

/** The state of a directory. Without hard links, a restored file is a copy. */
const stateOf = (sandbox: string, fault: Fault) => {
  if (!fault('linkSync', '')) return fingerprint(sandbox, false);
  const tree = readTree(sandbox);
  return [tree, Object.keys(tree).map(name => statSync(join(sandbox, name)).mode)];
};

describe('changes to a project', () => {
  for (const [name, fault] of Object.entries(fileSystems)) {
    it(`write and delete, and remove directories that become empty, ${name}`, () =>
      inTree(BEFORE, async sandbox => {
        assert.equal(await change(sandbox, fault), undefined);
        assert.deepEqual(readTree(sandbox), AFTER);
      }));

    for (const [where, target] of Object.entries(targets)) {
      it(`are all undone, whichever call fails, or a signal comes, ${name}, in ${where}`, async () => {
        const total = await countCalls(target, fault);
        assert(total > 25, `only ${total} calls`);
        for (let number = 1; number <= total; number += 1) {
          await inTree(target.tree, async sandbox => {
            const before = stateOf(sandbox, fault);
            const full = at(number, () => diskError('ENOSPC'), fault);
            const { message } = await failure(sandbox, full, target.changes);
            assert.match(
              message,
              /^Cannot (write|write to|delete) [\w.:/\\-]+: the disk is full\. Nothing was changed\.$/,
            );
            assert.deepEqual(stateOf(sandbox, fault), before, `call ${number} of ${total}`);
            // Mocha ends at SIGINT, which is handled alike.
            const ended = await failure(
              sandbox,
              at(number, () => raise('SIGTERM') as undefined, fault),
              target.changes,
            );
            assert.deepEqual([ended.message, ended.exitCode], ['Interrupted. Nothing was changed.', 143]);
            assert.deepEqual(stateOf(sandbox, fault), before, `call ${number} of ${total}`);
          });
        }
      });
    }

    it(`never clobber a file that appears in the meantime, ${name}`, () =>
      inTree({}, async sandbox => {
        const appearing: Fault = (call, path, to) => {
          const late = join(sandbox, 'target/server/bot.py');
          if (call === 'linkSync' && to === late) writeFileSync(late, 'theirs');
          return fault(call, path);
        };
        const { message } = await failure(sandbox, appearing, changesBetween({}, NEW));
        const why = 'something with that name has just appeared. Nothing was changed.';
        assert.equal(message, `Cannot write server/bot.py: ${why}`);
        assert.deepEqual(readTree(sandbox), { 'target/server/bot.py': 'theirs' });
      }));
  }

  it('explain an error of the disk', () =>
    inTree({}, async sandbox => {
      const fault: Fault = (call, path) =>
        call === 'mkdirSync' && path.endsWith('server') ? diskError('EACCES') : undefined;
      const { message } = await failure(sandbox, fault, changesBetween({}, NEW));
      assert.equal(message, 'Cannot write server: permission denied. Nothing was changed.');
      assert.deepEqual(readTree(sandbox), {});
    }));

  it('that could not be undone are named, and the next run makes all of them', () =>
    inTree(BEFORE, async sandbox => {
      let renames = 0;
      const { message, hint } = await failure(sandbox, call => {
        if (call !== 'renameSync') return undefined;
        renames += 1;
        // .gitignore, and AGENTS.md, which the disk refuses.
        return renames > 1 ? diskError('EIO') : undefined;
      });
      assert.equal(message, 'Cannot write AGENTS.md: the disk reported an I/O error.');
      assert.equal(hint, 'Could not undo the changes to: .gitignore\nRun the same command again to make all changes.');
      removeRemains(join(sandbox, 'target'), () => {});
      const rest = changesBetween({ ...OLD, ...DELETED, '.gitignore': 'mine\nours\n' }, NEW);
      assert.equal(await change(sandbox, () => undefined, rest), undefined);
      assert.deepEqual(readTree(sandbox), AFTER);
    }));

  it('say if their temporary files could not be removed at the end', () =>
    inTree(BEFORE, async sandbox => {
      const { message } = await failure(sandbox, (call, path) =>
        call === 'unlinkSync' && /\.tmp[\\/]/.test(path) ? diskError('EIO') : undefined,
      );
      assert.match(message, /^Everything was written, but \.botcli-\S+\.tmp could not be removed\.$/);
    }));

  const stale: [about: string, name: string, before?: string][] = [
    ['has changed', 'AGENTS.md', 'older'],
    ['has appeared', 'AGENTS.md'],
    ['is gone', 'LICENSE', 'old'],
  ];
  for (const [about, name, before] of stale) {
    it(`are refused if a file ${about}`, () =>
      inTree(BEFORE, async sandbox => {
        const disk = fingerprint(sandbox);
        const known = before === undefined ? {} : { [name]: before };
        const changes = changesBetween({ 'server.txt': 'old', ...known }, { 'server.txt': 'new', [name]: 'new' });
        const { message } = await failure(sandbox, () => undefined, changes);
        assert.equal(message, `${name} has just changed. Nothing was written.`);
        assert.deepEqual(fingerprint(sandbox), disk);
      }));
  }

  for (const after of ['ours', undefined]) {
    it(`are undone if another program changes a file right before it is ${after ? 'replaced' : 'deleted'}`, () =>
      inTree({ 'target/a.txt': 'a', 'target/b.txt': 'b' }, async sandbox => {
        const late = join(sandbox, 'target/b.txt');
        const fault = failingOnce((call, path) => {
          if (path === late && (call === 'linkSync' || call === 'renameSync')) writeFileSync(late, 'theirs');
          return undefined;
        });
        const wanted: Tree = { 'a.txt': 'b', ...(after && { 'b.txt': after }) };
        const { message } = await failure(sandbox, fault, changesBetween({ 'a.txt': 'a', 'b.txt': 'b' }, wanted));
        assert.equal(message, 'b.txt has just changed. Nothing was written.');
        assert.deepEqual(readTree(sandbox), { 'target/a.txt': 'a', 'target/b.txt': 'theirs' });
      }));
  }

  it('are undone by an error that is not a disk error, which is thrown', () =>
    inTree(BEFORE, async sandbox => {
      const before = fingerprint(sandbox, false);
      const bug = new TypeError('a bug');
      const fault = failingOnce(call => (call === 'renameSync' ? bug : undefined));
      await assert.rejects(change(sandbox, fault), error => error === bug);
      assert.deepEqual(fingerprint(sandbox, false), before);
    }));
});

describe('a file that a virus scanner has open, on Windows,', () => {
  /** Changes everything where a call fails so many times. Returns the error, and the waits in milliseconds. */
  async function changeBusy(sandbox: string, [call, code]: readonly [Call, string], times: number) {
    let left = times;
    const waits: number[] = [];
    const fault: Fault = name => {
      if (name !== call || left === 0) return undefined;
      left -= 1;
      return diskError(code);
    };
    const files = patient(faultyFiles(fault), 'win32', ms => void waits.push(ms));
    const error = await changeOn(join(sandbox, 'target'), targets['an existing target']?.changes ?? [], files);
    return { error, waits };
  }

  for (const busy of [
    ['renameSync', 'EPERM'],
    ['renameSync', 'EACCES'],
    ['renameSync', 'EBUSY'],
    ['unlinkSync', 'EBUSY'],
    ['unlinkSync', 'EPERM'],
    ['linkSync', 'EBUSY'],
    ['rmdirSync', 'ENOTEMPTY'],
  ] as const) {
    it(`is waited for: ${busy.join(', ')}`, () =>
      inTree(BEFORE, async sandbox => {
        assert.deepEqual(await changeBusy(sandbox, busy, 3), { error: undefined, waits: [10, 20, 40] });
        assert.deepEqual(readTree(sandbox), AFTER);
      }));
  }

  it('stops the run after two seconds, and everything is as it was', () =>
    inTree(BEFORE, async sandbox => {
      const { error, waits } = await changeBusy(sandbox, ['renameSync', 'EBUSY'], 9);
      assert.match(error?.message ?? '', /^Cannot write \.gitignore: .*Nothing was changed\.$/);
      assert.equal(
        waits.reduce((sum, ms) => sum + ms),
        2000,
      );
      assert.deepEqual(readTree(sandbox), BEFORE);
    }));

  for (const code of ['ENOSPC', 'ENOENT', 'EXDEV'])
    it(`isn't taken for busy: ${code}`, () =>
      inTree(BEFORE, async sandbox =>
        assert.deepEqual((await changeBusy(sandbox, ['unlinkSync', code], 1)).waits, []),
      ));
});
