import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { UserError } from '../../src/errors.ts';
import { hashOf } from '../../src/project/files/state.ts';
import { Commit } from '../../src/writing/commit.ts';
import type { FileSystem } from '../../src/writing/disk.ts';
import { expectWhole, findRemains, repair } from '../../src/writing/repair.ts';
import { claimJournals } from '../support/journals.ts';
import { fingerprint, inTree, readTree, type Tree } from '../support/trees.ts';
import { faultyFiles } from './faulty-files.ts';

/** A tree whose journals were written there. */
const inClaimed: typeof inTree = (files, use) =>
  inTree(files, root => {
    claimJournals(root);
    return use(root);
  });

/** No process has this number: it is larger than any that Linux gives. */
const DEAD = 4_194_305;
const scratchOf = (pid: number) => `bot/.botcli-${pid}-abc123.tmp`;
const SCRATCH = scratchOf(DEAD);

/** An entry of a journal, from texts; null if there is no file. */
const entry = (path: string, old: string | null, fresh: string | null) => ({
  path,
  old: old === null ? null : hashOf(old),
  new: fresh === null ? null : hashOf(fresh),
});

const journal = (entries: object[], directories: string[] = []) => JSON.stringify({ entries, directories });

/** A project that a killed run left: `files` are in its scratch directory. */
const left = (files: Tree, project: Tree = {}): Tree => ({
  ...inDirectory('bot', project),
  ...inDirectory(SCRATCH, files),
});

const inDirectory = (directory: string, files: Tree): Tree =>
  Object.fromEntries(Object.entries(files).map(([name, text]) => [`${directory}/${name}`, text]));

function repairIn(sandbox: string): string[] {
  const notes: string[] = [];
  repair(join(sandbox, 'bot'), note => void notes.push(note));
  return notes;
}

function refusalOf(work: () => unknown): UserError {
  try {
    work();
  } catch (error) {
    assert(error instanceof UserError, String(error));
    return error;
  }
  assert.fail('nothing was refused');
}

/** The rest of a run that was to change three files. */
const THREE = journal(
  [
    entry('server/bot.py', 'old', 'new'),
    entry('server/extra.py', null, 'extra'),
    entry('server/gone.py', 'gone', null),
  ],
  ['server/new'],
);

const UNDONE = 'botcli was interrupted here. It has undone the changes of that run.';
const CLEANED =
  'botcli was interrupted here. It has removed the temporary files of that run; nothing else was left to do.';

const rows: [about: string, before: Tree, notes: string[], after: Tree][] = [
  ['nothing in a project that is whole', { 'bot/a.txt': 'a' }, [], { 'bot/a.txt': 'a' }],
  ['an empty scratch directory', { [SCRATCH]: '/' }, [CLEANED], { bot: '/' }],
  [
    'temporary files without a journal: no file was changed',
    left({ '0.new': 'new', '0.old': 'old', 'journal.new': '{"entr' }, { 'server/bot.py': 'old' }),
    [CLEANED],
    { 'bot/server/bot.py': 'old' },
  ],
  [
    'each kind of change',
    left(
      { 'journal.json': THREE, '0.old': 'old', '2.old': 'gone', '2.new': 'x' },
      { 'server/bot.py': 'new', 'server/extra.py': 'extra', 'server/new': '/' },
    ),
    // The last change has been made.
    [CLEANED],
    { 'bot/server/bot.py': 'new', 'bot/server/extra.py': 'extra', 'bot/server/new': '/' },
  ],
  [
    'what was changed, and not what was not',
    left(
      { 'journal.json': THREE, '0.old': 'old', '1.new': 'extra', '2.old': 'gone' },
      { 'server/bot.py': 'new', 'server/gone.py': 'gone', 'server/new': '/' },
    ),
    [UNDONE],
    { 'bot/server/bot.py': 'old', 'bot/server/gone.py': 'gone' },
  ],
  [
    'a new file that a power failure has emptied',
    left(
      { 'journal.json': THREE, '0.old': 'old', '2.old': 'gone' },
      { 'server/extra.py': '', 'server/gone.py': 'gone' },
    ),
    [`${UNDONE} Changed since, and left alone: server/bot.py`],
    { 'bot/server/gone.py': 'gone' },
  ],
  [
    'nothing that somebody has changed since',
    left(
      { 'journal.json': THREE, '0.old': 'old', '2.old': 'gone' },
      { 'server/bot.py': 'newer', 'server/extra.py': 'mine', 'server/gone.py': 'gone' },
    ),
    [`${UNDONE} Changed since, and left alone: server/bot.py, server/extra.py`],
    { 'bot/server/bot.py': 'newer', 'bot/server/extra.py': 'mine', 'bot/server/gone.py': 'gone' },
  ],
];

/** Scratch directories that a stranger made: what is in them, what else is in the project, and why they are refused. */
const BACKUP = { '0.old': 'theirs' };
const hostile: [about: string, files: Tree, project: Tree, why: RegExp][] = [
  ...[
    '../outside.txt',
    '/etc/passwd',
    'server/../../outside.txt',
    'server//bot.py',
    './server/bot.py',
    'C:\\outside.txt',
    'server\\bot.py',
    'server/bot.py:stream',
    '.git/HEAD',
    '.GIT/HEAD',
    '.git./HEAD',
    '.g\u200Cit/HEAD',
    'client/.git/config',
    '.env',
    'server/.env',
    'server/.ENV',
    'server/.env.local',
    'server/.envrc',
    'server/.env ',
    'server/．env',
  ].map((path): (typeof hostile)[number] => [
    `a file that is not ours to change: ${JSON.stringify(path)}`,
    { 'journal.json': journal([entry(path, 'theirs', 'mine'), entry('z', null, 'z')]), ...BACKUP },
    {},
    /names .*, which botcli never touches/,
  ]),
  ...['.git/refs', '../other', 'server/.env/x'].map((path): (typeof hostile)[number] => [
    `a directory that is not ours to remove: ${path}`,
    { 'journal.json': journal([entry('z', null, 'z')], [path]) },
    {},
    /names .*, which botcli never touches/,
  ]),
  [
    'a file behind a link that leaves the project',
    { 'journal.json': journal([entry('out/outside.txt', 'theirs', 'mine'), entry('z', null, 'z')]), ...BACKUP },
    { out: '-> ../elsewhere' },
    /names out\/outside\.txt, which/,
  ],
  [
    'a file that is a link to a secret',
    { 'journal.json': journal([entry('server/a.py', 'theirs', 'mine'), entry('z', null, 'z')]), ...BACKUP },
    { 'server/a.py': '-> .env', 'server/.env': 'mine' },
    /names server\/a\.py, which/,
  ],
  [
    'a file behind a link to .git',
    { 'journal.json': journal([entry('g/HEAD', null, 'mine'), entry('z', null, 'z')]) },
    { g: '-> .git', '.git/HEAD': 'mine' },
    /names g\/HEAD, which/,
  ],
  [
    'a directory that is a link to another one',
    { 'journal.json': journal([entry('z', null, 'z')], ['new']) },
    { new: '-> empty', empty: '/' },
    /names new, which/,
  ],
  [
    'a directory behind a link',
    { 'journal.json': journal([entry('z', null, 'z')], ['new/empty']) },
    { new: '-> server', 'server/empty': '/' },
    /names new\/empty, which/,
  ],
  [
    'a file that is a broken link',
    { 'journal.json': journal([entry('a', 'theirs', 'mine'), entry('z', null, 'z')]), ...BACKUP },
    { a: '-> nowhere' },
    /names a, which/,
  ],
  [
    'a backup that is something else',
    { 'journal.json': journal([entry('a', 'theirs', 'mine'), entry('z', null, 'z')]), '0.old': 'evil' },
    { a: 'mine' },
    /its backups don't fit its journal/,
  ],
  [
    'a backup that is missing',
    { 'journal.json': journal([entry('a', 'theirs', null), entry('z', null, 'z')]) },
    {},
    /its backups don't fit its journal/,
  ],
  ['another file', { 'run.sh': 'rm -rf /' }, {}, /it contains run\.sh/],
  ['a directory', { '0.old/x': 'x' }, {}, /it contains 0\.old/],
  ['a link instead of a backup', { '0.old': '-> ../server/.env' }, { 'server/.env': 'mine' }, /it contains 0\.old/],
  ['a link instead of a journal', { 'journal.json': '-> ../j.json' }, { 'j.json': THREE }, /it contains journal\.json/],
  ...(
    [
      ['no JSON', '{"entries": ['],
      ['a list', '[]'],
      ['nothing in it', journal([])],
      ['an entry that says nothing', journal([entry('a', null, null)])],
      ['an entry that changes nothing', journal([entry('a', 'a', 'a')])],
      ['a hash that is none', JSON.stringify({ entries: [{ path: 'a', old: 'x', new: null }], directories: [] })],
      ['a path that is none', JSON.stringify({ entries: [{ path: 1, old: null, new: hashOf('') }], directories: [] })],
      ['no directories', JSON.stringify({ entries: [entry('a', null, 'a')] })],
    ] as const
  ).map(([about, text]): (typeof hostile)[number] => [
    `a journal with ${about}`,
    { 'journal.json': text },
    {},
    /its journal isn't one that botcli writes/,
  ]),
  [
    'a file twice',
    { 'journal.json': journal([entry('a', null, 'a'), entry('a', null, 'b')]) },
    {},
    /names a file twice/,
  ],
  ['a huge journal', { 'journal.json': ' '.repeat(2 ** 20 + 1) }, {}, /its journal is too large/],
];

describe('the repair of what an interrupted run left', () => {
  for (const [about, before, notes, after] of rows) {
    it(`restores ${about}`, () =>
      inClaimed(before, sandbox => {
        assert.deepEqual(repairIn(sandbox), notes);
        assert.deepEqual(readTree(sandbox), after);
        assert.deepEqual(repairIn(sandbox), []);
      }));
  }

  for (const [about, files, project, why] of hostile) {
    it(`refuses ${about}`, () =>
      inClaimed({ 'outside.txt': 'mine', 'elsewhere/outside.txt': 'mine', ...left(files, project) }, sandbox => {
        const before = fingerprint(sandbox);
        const error = refusalOf(() => repairIn(sandbox));
        assert.match(error.message, why);
        assert.match(error.message, /^\.botcli-\S+\.tmp looks like .* Nothing was changed\.$/);
        assert.deepEqual(fingerprint(sandbox), before);
        assert.deepEqual(
          findRemains(join(sandbox, 'bot')).map(({ kind }) => kind),
          ['strange'],
        );
      }));
  }

  const planted: [about: string, files: Tree, pid?: number][] = [
    ['a journal', { 'journal.json': journal([entry('server/bot.py', 'old', 'newer')]), '0.old': 'old' }],
    ['a journal of a run that was done', { 'journal.json': journal([entry('server/bot.py', 'old', 'new')]) }],
    ['a journal that nobody can read', { 'journal.json': '[' }],
    ['temporary files', { '0.new': 'x', '0.old': 'x' }],
    ['temporary files of a process that lives', { '0.new': 'x' }, 1],
    ['a program', { 'run.sh': 'rm -rf /' }, 1],
    ['a link', { '0.old': '-> ../server/.env', 'journal.json': '-> ../server/.env' }],
    ['the proof of another directory', { 'at-1': '/', 'journal.json': THREE }, 1],
    ['a proof that is a file', { 'at-1': '1' }, 1],
  ];
  for (const [about, files, pid = DEAD] of planted) {
    it(`ignores ${about} that came with the project, and stops nobody`, () => {
      const name = scratchOf(pid);
      const project = { ...inDirectory('bot', { 'server/bot.py': 'new', 'server/.env': 'mine' }) };
      return inTree({ ...project, ...inDirectory(name, files) }, sandbox => {
        const before = fingerprint(sandbox, false);
        const ignored = `Ignored ${name.slice('bot/'.length)}: botcli didn't make it in this directory. Delete it if you need nothing in it.`;
        assert.deepEqual(repairIn(sandbox), [ignored]);
        expectWhole(join(sandbox, 'bot'), 'botcli update bot');
        const root = join(sandbox, 'bot');
        const commit = new Commit({ root, changes: [{ path: join(root, 'b'), after: Buffer.from('b') }] });
        commit.write();
        commit.undo();
        assert.deepEqual(fingerprint(sandbox, false), before);
      });
    });
  }

  it('refuses a project that was copied while it was half changed', () => {
    const files = { 'journal.json': THREE, '0.old': 'old', '2.old': 'gone', 'at-1': '/' };
    return inTree(left(files, { 'server/bot.py': 'new', 'server/gone.py': 'gone' }), sandbox => {
      const before = fingerprint(sandbox);
      for (const work of [() => repairIn(sandbox), () => expectWhole(join(sandbox, 'bot'), 'botcli update bot')]) {
        const { message, hint } = refusalOf(work);
        assert.match(message, /^This project was copied while botcli was changing it, so it is half changed\./);
        assert.match(
          hint ?? '',
          /^Run botcli update in the original, and copy it again\. .* delete \.botcli-\S+\.tmp:/,
        );
      }
      assert.deepEqual(fingerprint(sandbox), before);
      assert.deepEqual(
        findRemains(join(sandbox, 'bot')).map(({ kind }) => kind),
        ['copied'],
      );
    });
  });

  it('removes an empty directory, whoever made it', () =>
    inTree({ [scratchOf(1)]: '/' }, sandbox => {
      assert.deepEqual(repairIn(sandbox), [CLEANED]);
      assert.deepEqual(readTree(sandbox), { bot: '/' });
    }));

  const others = ['.botcli-x.tmp', '.botcli-0-abc.tmp', '.botcli-1-ABC.tmp', '.botcli-1-a.tmp.bak', 'x.botcli-1-a.tmp'];
  it('leaves everything else alone, even with a similar name', () =>
    inClaimed(Object.fromEntries(others.map(name => [`bot/${name}/0.new`, 'x'])), sandbox => {
      mkdirSync(join(sandbox, 'other'));
      symlinkSync('../other', join(sandbox, 'bot/.botcli-7-abc.tmp'));
      writeFileSync(join(sandbox, 'bot/.botcli-8-abc.tmp'), 'a file');
      const before = fingerprint(sandbox);
      assert.deepEqual(repairIn(sandbox), []);
      assert.deepEqual(fingerprint(sandbox), before);
    }));

  it('never writes through a second name of a backup', () =>
    inClaimed(
      left({ 'journal.json': journal([entry('a', 'old', 'new'), entry('z', null, 'z')]) }, { a: 'new' }),
      sandbox => {
        writeFileSync(join(sandbox, 'outside.txt'), 'old');
        linkSync(join(sandbox, 'outside.txt'), join(sandbox, SCRATCH, '0.old'));
        assert.deepEqual(repairIn(sandbox), [UNDONE]);
        assert.deepEqual(readTree(sandbox), { 'bot/a': 'old', 'outside.txt': 'old' });
      },
    ));
});

describe('a run that is still at work', () => {
  /** Uses the number of a process that lives meanwhile. */
  async function whileRunning(use: (pid: number) => unknown): Promise<void> {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
    try {
      await use(child.pid ?? 0);
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }

  const half = (pid: number): Tree => ({
    [`${scratchOf(pid)}/journal.json`]: journal([entry('a', 'old', 'new'), entry('z', null, 'z')]),
    [`${scratchOf(pid)}/0.old`]: 'old',
    'bot/a': 'new',
  });

  it('is never repaired', () =>
    whileRunning(pid =>
      inClaimed(half(pid), sandbox => {
        const before = fingerprint(sandbox);
        for (const work of [() => repairIn(sandbox), () => expectWhole(join(sandbox, 'bot'), 'botcli update')]) {
          assert.equal(refusalOf(work).message, 'Another botcli is changing this project. Nothing was written.');
        }
        assert.deepEqual(findRemains(join(sandbox, 'bot')), [
          { name: scratchOf(pid).slice('bot/'.length), kind: 'live' },
        ]);
        assert.deepEqual(fingerprint(sandbox), before);
      }),
    ));

  it('is over if another process got its number', () =>
    whileRunning(pid =>
      inClaimed(half(pid), sandbox => {
        const hourAgo = Date.now() / 1000 - 3600;
        utimesSync(join(sandbox, scratchOf(pid)), hourAgo, hourAgo);
        assert.deepEqual(repairIn(sandbox), [UNDONE]);
        assert.deepEqual(readTree(sandbox), { 'bot/a': 'old' });
      }),
    ));

  it('is over if its process has ended, though nobody has noticed', async function () {
    if (process.platform !== 'linux') this.skip();
    // The shell starts a process that reads to the end of a pipe, and becomes one that never asks for its result.
    const parent = spawn('sh', ['-c', 'exec 3<&0; cat <&3 & echo $!; exec sleep 60'], {
      stdio: ['pipe', 'pipe', 'ignore'],
    });
    try {
      const [line] = await once(parent.stdout, 'data');
      const pid = Number(String(line));
      while (!/^sleep/.test(readFileSync(`/proc/${parent.pid}/cmdline`, 'utf8'))) await setTimeout(10);
      parent.stdin.end();
      while (!/\) Z/.test(readFileSync(`/proc/${pid}/stat`, 'utf8'))) await setTimeout(10);
      await inClaimed(half(pid), sandbox => assert.deepEqual(repairIn(sandbox), [UNDONE]));
    } finally {
      parent.kill('SIGKILL');
    }
  });

  it('is over if the process with its number began later', async function () {
    if (process.platform !== 'linux') this.skip();
    await whileRunning(pid =>
      inClaimed(half(pid), sandbox => {
        const before = Date.now() / 1000 - 30;
        utimesSync(join(sandbox, scratchOf(pid)), before, before);
        assert.deepEqual(repairIn(sandbox), [UNDONE]);
      }),
    );
  });

  it('stops another one right before that writes', () =>
    whileRunning(pid =>
      inClaimed(half(pid), sandbox => {
        const before = fingerprint(sandbox, false);
        const root = join(sandbox, 'bot');
        const changes = [{ path: join(root, 'b'), after: Buffer.from('b') }];
        assert.match(refusalOf(() => new Commit({ root, changes }).write()).message, /^Another botcli is changing/);
        assert.deepEqual(fingerprint(sandbox, false), before);
      }),
    ));
});

describe('a run that writes nothing', () => {
  it('fails in a project that is half changed', () =>
    inClaimed(
      left({ 'journal.json': THREE, '0.old': 'old' }, { 'server/bot.py': 'new', 'server/gone.py': 'gone' }),
      sandbox => {
        const error = refusalOf(() => expectWhole(join(sandbox, 'bot'), 'botcli update bot'));
        assert.match(error.message, /^botcli was interrupted here, and left the project half changed\./);
        assert.equal(error.hint, 'To undo these changes: botcli update bot');
      },
    ));

  it('does not mind temporary files', () =>
    inClaimed(left({ '0.new': 'new' }), sandbox => expectWhole(join(sandbox, 'bot'), 'botcli update bot')));
});

describe('of two runs at once', () => {
  const change = (root: string, name: string, before: string, after: string) => ({
    path: join(root, name),
    before: Buffer.from(before),
    after: Buffer.from(after),
  });
  const OLD: Tree = { 'bot/README.md': 'old', 'bot/a.txt': 'old' };

  /** Stops the first run right before it replaces the README, and does something else meanwhile. */
  function stopping(root: string, meanwhile: () => void): FileSystem {
    let isOver = false;
    return faultyFiles((call, _, to) => {
      if (call !== 'renameSync' || to !== join(root, 'README.md') || isOver) return undefined;
      isOver = true;
      meanwhile();
      return undefined;
    });
  }

  it('the second one stops before it writes anything', () =>
    inTree(OLD, sandbox => {
      const root = realpathSync(join(sandbox, 'bot'));
      const second = () => new Commit({ root, changes: [change(root, 'a.txt', 'old', 'second')] }).write();
      const files = stopping(root, () => assert.match(refusalOf(second).message, /^Another botcli is changing/));
      const first = new Commit(
        { root, changes: [change(root, 'README.md', 'old', 'first'), change(root, 'a.txt', 'old', 'first')] },
        files,
      );
      first.write();
      first.finish();
      assert.deepEqual(readTree(sandbox), { 'bot/README.md': 'first', 'bot/a.txt': 'first' });
    }));

  for (const text of ['second', 'first']) {
    it(`one that stood still takes back nothing of the one that repaired it, and wrote "${text}"`, () =>
      inTree(OLD, sandbox => {
        const root = realpathSync(join(sandbox, 'bot'));
        const names = ['a.txt', 'README.md'];
        const meanwhile = () => {
          // As after a minute: its process seems to be over.
          const [name = ''] = readdirSync(root).filter(one => one.endsWith('.tmp'));
          renameSync(join(root, name), join(sandbox, SCRATCH));
          assert.deepEqual(repairIn(sandbox), [UNDONE]);
          const second = new Commit({ root, changes: names.map(one => change(root, one, 'old', text)) });
          second.write();
          second.finish();
        };
        const changes = names.map(one => change(root, one, 'old', 'first'));
        const first = new Commit({ root, changes }, stopping(root, meanwhile));
        assert(refusalOf(() => first.write()));
        assert.deepEqual(readTree(sandbox), { 'bot/README.md': text, 'bot/a.txt': text });
      }));
  }
});
