import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { linkSync, mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../src/errors.ts';
import { hashOf } from '../../src/project/files/state.ts';
import { Commit } from '../../src/writing/commit.ts';
import { expectWhole, findRemains, repair } from '../../src/writing/repair.ts';
import { claimJournals } from '../support/journals.ts';
import { fingerprint, inTree, readTree, type Tree } from '../support/trees.ts';

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

  it('refuses a journal that came with the project, and was written somewhere else', () =>
    inTree(left({ 'journal.json': THREE, '0.old': 'old', '2.old': 'gone' }, { 'server/bot.py': 'new' }), sandbox => {
      const before = fingerprint(sandbox);
      assert.match(refusalOf(() => repairIn(sandbox)).message, /its journal was written somewhere else/);
      assert.deepEqual(fingerprint(sandbox), before);
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
