import assert from 'node:assert/strict';
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../../src/errors.ts';
import { watchInterruption } from '../../src/shell/interruption.ts';
import { applyChanges, type FileChange } from '../../src/writing/changes.ts';
import { check } from '../support/check.ts';
import { BOT, type Session, session } from '../support/session.ts';
import { readTree, type Tree } from '../support/trees.ts';
import { Dead, dyingAt } from './dying-files.ts';

const UNDONE = 'botcli was interrupted here. It has undone the changes of that run.\n';
const CLEANED =
  'botcli was interrupted here. It has removed the temporary files of that run; nothing else was left to do.\n';

/** Changes the project in `bot` from one tree to another, and dies at a call. */
async function dieWithin({ directory }: Session, before: Tree, after: Tree, at: number): Promise<void> {
  const bytes = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text));
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const changes = names
    .filter(name => before[name] !== after[name])
    .map((name): FileChange => ({ name, before: bytes(before[name]), after: bytes(after[name]) }));
  const interruption = watchInterruption();
  await assert.rejects(
    applyChanges(
      join(directory, 'bot'),
      changes,
      interruption,
      dyingAt(at, 'before', () => undefined),
    ),
    error => error instanceof Dead || error instanceof UserError,
  );
  interruption.ignore();
}

const projectIn = ({ directory }: Session, name = 'bot'): Tree => readTree(join(directory, name));
const leftIn = ({ directory }: Session): string[] =>
  readdirSync(join(directory, 'bot')).filter(name => name.endsWith('.tmp'));

/** A project in `bot` that a killed update was to turn into that in `new`. */
function halfChanged(use: (opened: Session, old: Tree, made: Tree) => Promise<void>): () => Promise<void> {
  return session({}, async opened => {
    await opened.succeed(`init bot ${BOT} --eval`);
    await opened.succeed(`init new ${BOT} --recording --name bot`);
    const [old, made] = [projectIn(opened), projectIn(opened, 'new')];
    await dieWithin(opened, old, made, 41);
    const half = projectIn(opened);
    assert.notDeepEqual(half['server/bot.py'], old['server/bot.py']);
    assert.equal(half['.botcli.json'], old['.botcli.json'], 'the record comes last');
    assert.equal(leftIn(opened).length, 1);
    await use(opened, old, made);
  });
}

describe('after an interrupted update,', () => {
  it(
    'botcli update undoes it first, and says so',
    halfChanged(async (opened, old) => {
      const { code, stdout, stderr } = await opened.run('update bot');
      assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: 'bot is up to date.\n', stderr: UNDONE });
      assert.deepEqual(projectIn(opened), old);
      assert.equal((await opened.run('update bot')).stderr, '');
    }),
  );

  it(
    'the same update gives the new project',
    halfChanged(async (opened, _, made) => {
      const { code, stderr } = await opened.run('update bot --recording --no-eval');
      assert.deepEqual({ code, stderr }, { code: 0, stderr: UNDONE });
      assert.deepEqual(projectIn(opened), made);
    }),
  );

  it(
    'botcli init undoes it, too',
    halfChanged(async (opened, _, made) => {
      const { code, stderr } = await opened.run(`init bot ${BOT} --recording --force`);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: UNDONE });
      assert.equal(projectIn(opened)['server/bot.py'], made['server/bot.py']);
      assert.deepEqual(leftIn(opened), []);
    }),
  );

  it(
    'botcli update --json reports it on stderr',
    halfChanged(async ({ run }) => {
      const { stdout, stderr } = await run('update bot --json');
      assert.equal(stderr, UNDONE);
      assert.deepEqual(JSON.parse(stdout).conflicts, []);
    }),
  );

  it(
    'botcli update --dry-run names the command that undoes it',
    halfChanged(async ({ fail }) => {
      assert.equal(
        await fail(1, 'update bot --dry-run'),
        'error: botcli was interrupted here, and left the project half changed. Nothing was written.\n' +
          'To undo these changes: botcli update bot\n',
      );
    }),
  );

  it(
    'botcli check names it, and writes nothing',
    halfChanged(async ({ directory, disk }) => {
      const before = disk();
      const { code, findings } = await check(directory, { directory: 'bot' });
      assert.equal(code, 1);
      const finding = findings.find(one => one.code === 'interrupted-run');
      assert.deepEqual(finding, {
        code: 'interrupted-run',
        level: 'error',
        group: 'project',
        message: 'botcli was interrupted, and left the project half changed',
        hint: 'The next botcli update undoes these changes before anything else.',
        fix: { command: 'botcli update bot' },
      });
      assert.deepEqual(disk(), before);
    }),
  );

  it(
    'files that were edited since stay as they are',
    halfChanged(async (opened, old) => {
      opened.write('bot/server/bot.py', 'mine');
      const { stderr } = await opened.run('update bot');
      assert.equal(stderr, `${UNDONE.trimEnd()} Changed since, and left alone: server/bot.py\n`);
      assert.deepEqual(projectIn(opened), { ...old, 'server/bot.py': 'mine' });
    }),
  );
});

describe('after an interrupted init,', () => {
  /** A directory in which a killed init has created some files. */
  const halfMade = (use: (opened: Session, made: Tree) => Promise<void>) =>
    session({}, async opened => {
      await opened.succeed(`init new ${BOT} --name bot`);
      await dieWithin(opened, {}, projectIn(opened, 'new'), 57);
      assert(existsSync(join(opened.directory, 'bot/README.md')));
      assert(!existsSync(join(opened.directory, 'bot/.botcli.json')));
      await use(opened, projectIn(opened, 'new'));
    });

  it(
    'the same init creates the project',
    halfMade(async (opened, made) => {
      const { code, stdout, stderr } = await opened.run(`init bot ${BOT}`);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: UNDONE });
      assert.match(stdout, /created +\.botcli\.json/);
      assert.deepEqual(projectIn(opened), made);
    }),
  );

  it(
    'another init creates that one',
    halfMade(async opened => {
      await opened.succeed(`init bot ${BOT} --recording`);
      assert.deepEqual(leftIn(opened), []);
    }),
  );

  it(
    'botcli update leaves an empty directory, and says that there is no project',
    halfMade(async opened => {
      const { code, stderr } = await opened.run('update bot');
      assert.equal(code, 2);
      assert.equal(
        stderr.split('\n').slice(0, 2).join('\n'),
        `${UNDONE}error: bot is not in a botcli project: there is no .botcli.json`,
      );
      assert.deepEqual(projectIn(opened), {});
    }),
  );

  it(
    'botcli check names the command that undoes it',
    halfMade(async ({ directory }) => {
      await assert.rejects(check(directory, { directory: 'bot' }), {
        message: 'botcli was interrupted here, and left the project half changed. Nothing was written.',
        hint: 'To undo these changes: botcli update bot',
      });
    }),
  );
});

describe('temporary files of a run that was killed before or after its changes', () => {
  const cluttered = (use: (opened: Session, old: Tree) => Promise<void>) =>
    session({}, async opened => {
      await opened.succeed(`init bot ${BOT}`);
      const old = projectIn(opened);
      await dieWithin(opened, old, { ...old, 'README.md': 'new', 'x.py': 'new' }, 5);
      assert.equal(leftIn(opened).length, 1);
      await use(opened, old);
    });

  it(
    'are removed by the next one',
    cluttered(async (opened, old) => {
      assert.deepEqual((await opened.run('update bot')).stderr, CLEANED);
      assert.deepEqual(projectIn(opened), old);
    }),
  );

  it(
    'are a warning of botcli check',
    cluttered(async opened => {
      const { findings } = await check(opened.directory, { directory: 'bot' });
      const { level, message, fix } = findings.find(({ code }) => code === 'interrupted-run') ?? {};
      assert.deepEqual(
        { level, message, fix },
        {
          level: 'warning',
          message: `botcli was interrupted, and left temporary files in bot/${leftIn(opened)[0]}`,
          fix: { command: 'botcli update bot' },
        },
      );
    }),
  );

  it(
    'do not stop a dry run',
    cluttered(async ({ succeed }) => assert.equal(await succeed('update bot --dry-run'), 'bot is up to date.\n')),
  );
});
