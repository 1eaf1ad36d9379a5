import assert from 'node:assert/strict';
import { existsSync, readFileSync, realpathSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../src/errors.ts';
import { Commit } from '../../src/writing/commit.ts';
import { removeRemains } from '../../src/writing/scratch.ts';
import { fingerprint, inTree, readTree, type Tree } from '../support/trees.ts';
import { diskError, type Fault, failingAt, failingOnce, faultyFiles } from './faulty-files.ts';

type Change = ConstructorParameters<typeof Commit>[0]['changes'][number];

const BEFORE: Tree = {
  'target/.gitignore': 'mine\n',
  'target/AGENTS.md': 'old',
  'target/client/index.html': 'old page',
  'target/link': '-> client/index.html',
  'target/old/evals/judge.py': 'judge',
  'target/same.txt': 'same',
  'target/server.txt': 'old',
};

const RENDERED: Tree = {
  '.gitignore': 'mine\nours\n',
  'AGENTS.md': 'new',
  'client/src/main.ts': 'main',
  link: 'new page',
  'same.txt': 'same',
  'server/bot.py': 'bot',
};

/** Files to delete: one that leaves its directory empty, and a neighbor of files that stay. */
const DELETED = ['old/evals/judge.py', 'server.txt'];

const AFTER: Tree = {
  'target/.gitignore': 'mine\nours\n',
  'target/AGENTS.md': 'new',
  'target/client/index.html': 'new page',
  'target/client/src/main.ts': 'main',
  'target/link': '-> client/index.html',
  'target/same.txt': 'same',
  'target/server/bot.py': 'bot',
};

function commitAll(sandbox: string, fault: Fault): Commit {
  const root = join(sandbox, 'target');
  const contents = [...Object.entries(RENDERED), ...DELETED.map(name => [name, undefined] as const)];
  const changes = contents.flatMap(([name, text]): Change[] => {
    const path = existsSync(join(root, name)) ? realpathSync(join(root, name)) : join(root, name);
    const before = existsSync(path) ? readFileSync(path) : undefined;
    const after = text === undefined ? undefined : Buffer.from(text);
    if (before?.toString() === text) return [];
    return [{ path, before, after, mode: before && statSync(path).mode & 0o7777 }];
  });
  const commit = new Commit({ root, changes }, faultyFiles(fault));
  commit.write();
  return commit;
}

async function countCalls(tree: Tree, fault: Fault): Promise<number> {
  let calls = 0;
  const counting: Fault = (call, path) => {
    calls += 1;
    return fault(call, path);
  };
  await inTree(tree, sandbox => void commitAll(sandbox, counting));
  return calls;
}

const withoutLinks = (code: string): Fault => {
  return call => (call === 'linkSync' ? diskError(code) : undefined);
};

/** File systems on which everything must work the same. */
const fileSystems: [name: string, fault: Fault][] = [
  ['with hard links', () => undefined],
  ...['EPERM', 'ENOTSUP', 'EXDEV', 'EMLINK'].map((code): [string, Fault] => [
    `without hard links (${code})`,
    withoutLinks(code),
  ]),
];

/** The state of a directory. Without hard links, a restored file is a copy. */
const stateOf = (sandbox: string, fault: Fault) =>
  fault('linkSync', '') ? [readTree(sandbox), modes(sandbox)] : fingerprint(sandbox, false);

const modes = (sandbox: string) =>
  Object.fromEntries(Object.keys(readTree(sandbox)).map(name => [name, statSync(join(sandbox, name)).mode]));

/** What is done to a file that must not have changed. */
const deeds: Record<string, (path: string, before: Buffer) => Change> = {
  replaced: (path, before) => ({ path, before, after: Buffer.from('ours'), mode: 0o644 }),
  deleted: (path, before) => ({ path, before }),
};

const targets: [name: string, before: Tree][] = [
  ['an existing target', BEFORE],
  ['a new target', {}],
];

describe('a commit', () => {
  for (const [name, fault] of fileSystems) {
    it(`writes everything, ${name}`, () =>
      inTree(BEFORE, sandbox => {
        commitAll(sandbox, fault).finish();
        assert.deepEqual(readTree(sandbox), AFTER);
      }));

    for (const [where, tree] of targets) {
      it(`undoes everything after its last step, ${name}, in ${where}`, () =>
        inTree(tree, sandbox => {
          const before = stateOf(sandbox, fault);
          assert.deepEqual(commitAll(sandbox, fault).undo(), []);
          assert.deepEqual(stateOf(sandbox, fault), before);
        }));

      it(`undoes everything, whichever call fails, ${name}, in ${where}`, async () => {
        const total = await countCalls(tree, fault);
        assert(total > 25, `only ${total} calls`);
        for (let number = 1; number <= total; number += 1) {
          await inTree(tree, sandbox => {
            const before = stateOf(sandbox, fault);
            const error = assertThrows(() => commitAll(sandbox, failingAt(number, 'ENOSPC', fault)));
            assert.match(
              error.message,
              /^Cannot (write|write to|delete) [\w.:/\\-]+: the disk is full\. Nothing was changed\.$/,
            );
            assert(!('code' in error));
            assert.deepEqual(stateOf(sandbox, fault), before, `call ${number} of ${total}`);
          });
        }
      });
    }

    it(`never clobbers a file that appears in the meantime, ${name}`, () =>
      inTree({}, sandbox => {
        const appearing: Fault = (call, path, to) => {
          const late = join(sandbox, 'target/server/bot.py');
          if (call === 'linkSync' && to === late) writeFileSync(late, 'theirs');
          return fault(call, path);
        };
        const error = assertThrows(() => commitAll(sandbox, appearing));
        const why = 'something with that name has just appeared. Nothing was changed.';
        assert.equal(error.message, `Cannot write server/bot.py: ${why}`);
        assert.deepEqual(readTree(sandbox), { 'target/server/bot.py': 'theirs' });
      }));
  }

  const words = [
    ['ENOSPC', 'the disk is full'],
    ['EACCES', 'permission denied'],
    ['EROFS', 'the file system is read-only'],
    ['ESOMETHING', 'ESOMETHING'],
  ] as const;
  for (const [code, text] of words) {
    it(`explains ${code}`, () =>
      inTree({}, sandbox => {
        const fault: Fault = (call, path) =>
          call === 'mkdirSync' && path.endsWith('server') ? diskError(code) : undefined;
        const error = assertThrows(() => commitAll(sandbox, fault));
        assert.equal(error.message, `Cannot write server: ${text}. Nothing was changed.`);
        assert.deepEqual(readTree(sandbox), {});
      }));
  }

  it('names the changes that it could not undo, and the next run makes all of them', () =>
    inTree(BEFORE, sandbox => {
      let renames = 0;
      const fault: Fault = call => {
        if (call !== 'renameSync') return undefined;
        renames += 1;
        // .gitignore, and AGENTS.md, which the disk refuses.
        return renames > 1 ? diskError('EIO') : undefined;
      };
      const error = assertThrows(() => commitAll(sandbox, fault));
      assert.equal(error.message, 'Cannot write AGENTS.md: the disk reported an I/O error.');
      assert.equal(
        error.hint,
        'Could not undo the changes to: .gitignore\nRun the same command again to make all changes.',
      );
      removeRemains(join(sandbox, 'target'), () => {});
      commitAll(sandbox, () => undefined).finish();
      assert.deepEqual(readTree(sandbox), AFTER);
    }));

  it('says if it could not remove its temporary files at the end', () =>
    inTree(BEFORE, sandbox => {
      let isFinishing = false;
      const commit = commitAll(sandbox, () => (isFinishing ? diskError('EIO') : undefined));
      isFinishing = true;
      const error = assertThrows(() => commit.finish());
      assert.match(error.message, /^Everything was written, but \.botcli-\S+\.tmp could not be removed\.$/);
    }));

  for (const [deed, work] of Object.entries(deeds)) {
    it(`undoes everything when another program changes a file right before it is ${deed}`, () =>
      inTree({ 'target/a.txt': 'a', 'target/b.txt': 'b' }, sandbox => {
        const late = join(sandbox, 'target/b.txt');
        const fault = failingOnce((call, path) => {
          if (path === late && (call === 'linkSync' || call === 'renameSync')) writeFileSync(late, 'theirs');
          return undefined;
        });
        const [a, b] = ['a', 'b'].map(text => Buffer.from(text)) as [Buffer, Buffer];
        const first = { path: join(sandbox, 'target/a.txt'), before: a, after: b, mode: 0o644 };
        const changes = [first, work(late, b)];
        const error = assertThrows(() =>
          new Commit({ root: join(sandbox, 'target'), changes }, faultyFiles(fault)).write(),
        );
        assert.equal(error.message, 'b.txt has just changed. Nothing was written.');
        assert.deepEqual(readTree(sandbox), { 'target/a.txt': 'a', 'target/b.txt': 'theirs' });
      }));
  }

  it('rethrows an error that is not a disk error, and undoes everything', () =>
    inTree(BEFORE, sandbox => {
      const before = fingerprint(sandbox, false);
      const bug = new TypeError('a bug');
      const fault = failingOnce(call => (call === 'renameSync' ? bug : undefined));
      assert.throws(
        () => commitAll(sandbox, fault),
        error => error === bug,
      );
      assert.deepEqual(fingerprint(sandbox, false), before);
    }));
});

function assertThrows(work: () => unknown): UserError {
  try {
    work();
  } catch (error) {
    assert(error instanceof UserError, String(error));
    return error;
  }
  assert.fail('nothing was thrown');
}
