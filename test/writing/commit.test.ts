import assert from 'node:assert/strict';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../src/errors.ts';
import { Commit, type Work } from '../../src/writing/commit.ts';
import { type FileWrite, planFiles } from '../../src/writing/plan.ts';
import { fingerprint, inTree, readTree, type Tree } from '../support/trees.ts';
import { diskError, type Fault, failingAt, failingOnce, faultyFiles } from './faulty-files.ts';

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
  const directory = join(sandbox, 'target');
  const rendered = Object.entries(RENDERED).map(([name, contents]) => ({
    path: join(directory, name),
    contents: Buffer.from(contents),
    replaces: true,
  }));
  const plan = planFiles(rendered, directory, () => false);
  const paths = DELETED.map(name => join(plan.root, name)).filter(path => existsSync(path));
  const commit = new Commit(plan.root, faultyFiles(fault));
  commit.write(
    plan.writes,
    paths.map(path => ({ path, expected: readFileSync(path) })),
  );
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

/** What is done to a file that must not have changed. */
const deeds: Record<string, (path: string, expected: Buffer) => Pick<Work, 'deletions'> & { writes: FileWrite[] }> = {
  replaced: (path, expected) => ({
    writes: [{ path, contents: Buffer.from('ours'), replacedMode: 0o644, expected }],
  }),
  deleted: (path, expected) => ({ writes: [], deletions: [{ path, expected }] }),
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
          const before = fingerprint(sandbox, false);
          assert.deepEqual(commitAll(sandbox, fault).undo(), []);
          assert.deepEqual(fingerprint(sandbox, false), before);
        }));

      it(`undoes everything, whichever call fails, ${name}, in ${where}`, async () => {
        const total = await countCalls(tree, fault);
        assert(total > 25, `only ${total} calls`);
        for (let number = 1; number <= total; number += 1) {
          await inTree(tree, sandbox => {
            const before = fingerprint(sandbox, false);
            const error = assertThrows(() => commitAll(sandbox, failingAt(number, 'ENOSPC', fault)));
            assert.match(error.message, /^Cannot (write|delete) [\w./-]+: the disk is full\. Nothing was changed\.$/);
            assert(!('code' in error));
            assert.deepEqual(fingerprint(sandbox, false), before, `call ${number} of ${total}`);
          });
        }
      });
    }

    it(`never clobbers a file that appears in the meantime, ${name}`, () =>
      inTree({}, sandbox => {
        const appearing: Fault = (call, path) => {
          const late = join(sandbox, 'target/server/bot.py');
          if (call === 'linkSync' && path.includes('server')) writeFileSync(late, 'theirs');
          return fault(call, path);
        };
        const error = assertThrows(() => commitAll(sandbox, appearing));
        assert.equal(error.message, 'Cannot write server/bot.py: something with that name has just appeared.');
        assert.match(error.hint ?? '', /Could not undo the changes to: server, .*target$/);
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
          call === 'openSync' && path.includes('server') ? diskError(code) : undefined;
        const error = assertThrows(() => commitAll(sandbox, fault));
        assert.equal(error.message, `Cannot write server/bot.py: ${text}. Nothing was changed.`);
        assert.deepEqual(readTree(sandbox), {});
      }));
  }

  it('names the changes that it could not undo', () =>
    inTree(BEFORE, sandbox => {
      const fault: Fault = (call, path) =>
        call === 'renameSync' || (call === 'unlinkSync' && path.includes('server')) ? diskError('EIO') : undefined;
      const error = assertThrows(() => commitAll(sandbox, fault));
      assert.equal(error.message, 'Cannot write .gitignore: the disk reported an I/O error.');
      assert.match(error.hint ?? '', /Could not undo the changes to: \.gitignore, server\/\.botcli-\S+, server$/);
    }));

  it('names the backups that it could not remove at the end', () =>
    inTree(BEFORE, sandbox => {
      let isFinishing = false;
      const commit = commitAll(sandbox, () => (isFinishing ? diskError('EIO') : undefined));
      isFinishing = true;
      const error = assertThrows(() => commit.finish());
      assert.match(error.message, /^Everything was written/);
      assert.equal(error.problems.length, 5);
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
        const first = { path: join(sandbox, 'target/a.txt'), contents: b, replacedMode: 0o644, expected: a };
        const error = assertThrows(() => {
          const { writes, deletions } = work(late, b);
          new Commit(join(sandbox, 'target'), faultyFiles(fault)).write([first, ...writes], deletions);
        });
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
