import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as nextTurn } from 'node:timers/promises';
import { KEYS, openTerminal } from '../support/pty.ts';
import { screenOf } from '../support/screen.ts';
import { BOT, itIn, session } from '../support/session.ts';
import { shellWords } from '../support/shell-words.ts';
import { readTree } from '../support/trees.ts';
import { commandOf, sitAt, TURNS, type Turn, take, WAYS, walk } from '../support/wizard.ts';

// The wizard of the real program, on a real terminal.

const { enter, esc, ctrlC, ctrlD } = KEYS;
const AT = '(a new directory, or . for this one)';

/** The command that the wizard prints, as shell words. */
const toldLine = (text: string) =>
  shellWords(/To repeat this without questions:\n(botcli init [\s\S]*?[^\\])\n(?:\(.*\)\n)?$/.exec(text)?.[1] ?? '');

describe('the wizard on a terminal', () => {
  for (const [way, turns] of Object.entries(WAYS)) {
    const title = `creates ${way}, and prints a command that creates the same`;
    itIn(title, { 'by-wizard': '/', 'by-line': '/' }, async ({ directory, succeed }) => {
      const { code, text } = await walk('init', turns, { cwd: `${directory}/by-wizard` });
      assert.equal(code, 0, text);
      const [, ...words] = toldLine(text);
      await succeed(words, { cwd: 'by-line' });
      const made = readTree(`${directory}/by-wizard`);
      assert(Object.keys(made).length > 8);
      assert.deepEqual(made, readTree(`${directory}/by-line`));
    });
  }

  itIn('prints no command that has a line break in the name of a directory', {}, async ({ directory, tree }) => {
    const name = ['Project name', enter] as const;
    const turns = [TURNS.bot, TURNS.recommended, name, TURNS.web, TURNS.make, TURNS.noKeys];
    const { code, text } = await walk('init a\nrm', turns, { cwd: directory });
    assert.equal(code, 0, text);
    assert('a\nrm/.botcli.json' in tree());
    assert.doesNotMatch(text, /^rm|To repeat this/m);
  });

  /** Enter at each of these questions. */
  const same = (...questions: string[]) => questions.map((question): Turn => [question, enter]);
  const CASCADE = same(
    ...['How should it think?', 'Which language does it speak?'],
    ...['Which service listens?', 'Which service writes the answers?', 'Which service speaks?'],
  );

  itIn('changes the bot in a directory, from its present answers, and prints the command for that', {}, async here => {
    const { directory, read, write, succeed } = here;
    await succeed(`init bot ${BOT} --client-framework vanilla`);
    write('bot/server/bot.py', read('bot/server/bot.py').replace('friendly', 'patient'));
    const web = same('bot has a bot.', 'How will people talk to it?', 'Which web client?', 'How should audio travel?');
    const turns: Turn[] = [...web, ...CASCADE, ['Which features?', ` ${enter}`], ['Change this bot?', enter]];
    const { code, text } = await walk('init bot', turns, { cwd: directory });
    assert.equal(code, 0, text);
    assert.match(text, /To repeat this without questions:\nbotcli update bot --recording\n/);
    assert.match(text, /Features +Cloud deployment → Recording, Cloud deployment\n/);
    assert.match(text, /✓ bot is updated\n[\s\S]*merged {4}server\/bot\.py/);
    assert.match(read('bot/server/bot.py'), /patient[\s\S]*Recorder\(\)/);
    assert.equal(JSON.parse(read('bot/.botcli.json')).client_framework, 'vanilla');
  });

  itIn('takes a web client away only if somebody says so', {}, async ({ directory, tree, succeed }) => {
    await succeed(`init bot ${BOT} --client-framework vanilla`);
    const before = tree();
    const phone: Turn[] = [['How will people talk to it?', `${KEYS.down}${enter}`]];
    const more = same('Which phone provider?', 'Also reachable another way?');
    const end = same('Which features?', 'The bot loses its web client. Change this bot?');
    const turns = [...same('bot has a bot.'), ...phone, ...more, ...CASCADE, ...end];
    const { code, text } = await walk('init bot', turns, { cwd: directory });
    assert.equal(code, 1, text);
    assert.match(text, /Also over +SmallWebRTC, peer to peer\n/);
    assert.match(text, /Web client +TypeScript with Vite → none\n/);
    assert.deepEqual(tree(), before);
  });

  itIn('asks only how, where the directory is typed, and takes any word for one where it asks', {}, async here => {
    const { directory: cwd, exists } = here;
    assert.equal((await walk('init here', [TURNS.agent, TURNS.guides], { cwd })).code, 0);
    assert.equal((await walk('init', [[AT, `quickstart${enter}`], TURNS.agent, TURNS.guides], { cwd })).code, 0);
    assert(exists('here/AGENTS.md') && exists('quickstart/AGENTS.md'));
  });

  itIn('goes back with Esc, and takes another answer; each question is shown once', {}, async ({ directory, read }) => {
    const [start, rest] = [WAYS['a web bot']?.slice(0, 8) ?? [], WAYS.realtime?.slice(6) ?? []];
    const back = [['Which service listens?', esc] as const, ['Which language does it speak?', esc] as const];
    const { code, text, raw } = await walk('init', [...start, ...back, ...rest], { cwd: directory });
    assert.equal(code, 0, text);
    assert.match(read('my-bot/README.md'), /--mode realtime --realtime openai_realtime/);
    const lines = (await screenOf(raw, 120)).filter(line => line.includes('How should it think?'));
    assert.deepEqual(lines, ['◇  How should it think?']);
  });
});

describe('leaving the wizard', () => {
  // Up to the one that creates the bot.
  const turns = WAYS['all features']?.slice(0, -1) ?? [];
  const leaveAt = (at: number) =>
    session({ 'notes.txt': 'mine' }, async ({ directory, disk }) => {
      const before = disk();
      const [question = ''] = turns[at] ?? [];
      const way = [...turns.slice(0, at), [question, at % 2 ? ctrlC : ctrlD] as const];
      const { code, text } = await walk('init', way, { cwd: directory });
      assert.equal(code, 130, text);
      assert(text.endsWith('Cancelled. Nothing was written.\n'), text);
      assert.deepEqual(disk(), before, question);
    })();

  // Three at once: each waits for its terminal most of the time.
  for (let at = 0; at < turns.length; at += 3) {
    const three = [at, at + 1, at + 2].filter(one => one < turns.length);
    it(`at ${three.map(one => `"${turns[one]?.[0]}"`).join(', ')}: nothing is left`, async () => {
      await Promise.all(three.map(leaveAt));
    });
  }

  for (const at of [0, 8, turns.length - 1]) {
    itIn(`by closing the terminal at "${turns[at]?.[0]}": nothing is left`, {}, async ({ directory, tree }) => {
      const terminal = sitAt('init', { cwd: directory });
      await take(terminal, [...turns.slice(0, at), [turns[at]?.[0] ?? '', '']]);
      terminal.close();
      assert.deepEqual(await terminal.ended, { code: 130, signal: 0 });
      assert.deepEqual(tree(), {});
    });
  }

  itIn('by losing the terminal: nothing is left, and the program ends in order', {}, async ({ directory }) => {
    const code = join(directory, 'code');
    for (const at of [0, 8]) {
      const words = ['sh', '-c', `trap '' HUP; "$@"; echo $? >"$0"`, code, ...commandOf('init')] as const;
      const terminal = openTerminal([...words], { cwd: directory });
      await take(terminal, [...turns.slice(0, at), [turns[at]?.[0] ?? '', '']]);
      terminal.vanish();
      while (!existsSync(code) || readFileSync(code, 'utf8') === '') await nextTurn(20);
      assert.equal(readFileSync(code, 'utf8'), '130\n');
      rmSync(code);
      assert.deepEqual(readdirSync(directory), []);
    }
  });

  itIn('with Esc on the first question, or with no on the last: nothing is left', {}, async ({ directory, tree }) => {
    const left = await walk('init', [[AT, esc]], { cwd: directory });
    assert.equal(left.code, 130);
    const way: Turn[] = [...(WAYS['a web bot']?.slice(0, -2) ?? []), ['Create this bot?', 'n']];
    const declined = await walk('init', way, { cwd: directory });
    assert.equal(declined.code, 1);
    assert.match(declined.text, /Cancelled\. Nothing was written\.\n$/);
    assert.deepEqual(tree(), {});
  });
});
