import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { check } from '../support/check.ts';
import { BOT, type Session, sessionIt } from '../support/session.ts';
import { readTree, type Tree } from '../support/trees.ts';
import { changeOn, changesBetween, Dead, dyingAt } from './faulty-files.ts';

const REMOVED =
  'botcli was interrupted here. Its temporary files are removed now, and running that command again finishes its work.\n';

/** Changes the project in `bot` from one tree to another, and dies at a call. */
async function dieWithin({ directory }: Session, before: Tree, after: Tree, at: number): Promise<void> {
  const files = dyingAt(at, 'before', () => undefined);
  await changeOn(join(directory, 'bot'), changesBetween(before, after), files).catch(error =>
    assert(error instanceof Dead),
  );
}

/** The files of a project. Directories that have become empty may stay. */
const projectIn = ({ directory }: Session, name = 'bot'): Tree =>
  Object.fromEntries(Object.entries(readTree(join(directory, name))).filter(([, text]) => text !== '/'));
const leftIn = ({ directory }: Session): string[] =>
  readdirSync(join(directory, 'bot')).filter(name => name.endsWith('.tmp'));

/** A project in `bot` that a killed update was to turn into that in `new`. */
const halfChangedIt = (title: string, use: (opened: Session, old: Tree, made: Tree) => Promise<void>) =>
  sessionIt(title, async opened => {
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

describe('after an interrupted update,', () => {
  halfChangedIt('the same update gives the new project, and says what it removed', async (opened, _, made) => {
    const { code, stderr } = await opened.run('update bot --recording --no-eval');
    assert.deepEqual({ code, stderr }, { code: 0, stderr: REMOVED });
    assert.deepEqual(projectIn(opened), made);
    assert.equal((await opened.run('update bot')).stderr, '');
  });

  halfChangedIt('botcli update --dry-run shows what is left to do, and writes nothing', async ({ succeed, disk }) => {
    const before = disk();
    assert.match(await succeed('update bot --recording --no-eval --dry-run'), /^bot would be updated:\n/);
    assert.deepEqual(disk(), before);
  });

  halfChangedIt('botcli check names it, and writes nothing', async opened => {
    const before = opened.disk();
    const { findings } = await check(opened.directory, { directory: 'bot' });
    const { level, message, fix } = findings.find(({ code }) => code === 'interrupted-run') ?? {};
    const expected = `botcli was interrupted, and left temporary files in bot/${leftIn(opened)[0]}`;
    assert.deepEqual([level, message, fix], ['warning', expected, { command: 'botcli update bot' }]);
    assert.deepEqual(opened.disk(), before);
  });

  halfChangedIt('files that were edited since keep the edits', async (opened, _, made) => {
    const text = projectIn(opened)['server/bot.py'];
    assert.equal(text, made['server/bot.py']);
    opened.write('bot/server/bot.py', `${text}\nMINE = 1\n`);
    await opened.succeed('update bot --recording --no-eval');
    assert.deepEqual(projectIn(opened), { ...made, 'server/bot.py': `${text}\nMINE = 1\n` });
  });
});

describe('after an interrupted init,', () => {
  sessionIt('the same init creates the project', async opened => {
    await opened.succeed(`init new ${BOT} --name bot`);
    const made = projectIn(opened, 'new');
    await dieWithin(opened, {}, made, 57);
    assert(opened.exists('bot/README.md') && !opened.exists('bot/.botcli.json'));
    const { code, stdout, stderr } = await opened.run(`init bot ${BOT}`);
    assert.deepEqual({ code, stderr }, { code: 0, stderr: REMOVED });
    assert.match(stdout, /created +\.botcli\.json/);
    assert.deepEqual(projectIn(opened), made);
  });
});

sessionIt('temporary files of a run that was killed before its changes are removed by the next one', async opened => {
  await opened.succeed(`init bot ${BOT}`);
  const old = projectIn(opened);
  await dieWithin(opened, old, { ...old, 'README.md': 'new', 'x.py': 'new' }, 5);
  assert.equal(leftIn(opened).length, 1);
  assert.deepEqual((await opened.run('update bot')).stderr, REMOVED);
  assert.deepEqual(projectIn(opened), old);
});
