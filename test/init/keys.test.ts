import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { main } from '../../src/bin/main.ts';
import { keyProblem } from '../../src/keys/keys.ts';
import { type Deed, ENTER, ESC, LEAVE, sitDown } from '../support/person.ts';
import { BOT, itIn, session, type Tree } from '../support/session.ts';
import { shellWords } from '../support/shell-words.ts';
import { assertMode, posixIt } from '../support/systems.ts';

// What a run does about the keys in server/.env, with a person who answers all other questions with Enter.

const SECRET = 'sk-hunter2';
const EXAMPLE = 'server/.env.example';
const DOTENV = 'server/.env';

/** Services with two accounts, one of which has two required variables. */
const TWO: Readonly<Record<string, Deed>> = { 'Quick start': 'steps', 'Which service speaks': 'hume_tts' };

async function talk(cwd: string, script: Readonly<Record<string, Deed>>, line = 'init .') {
  const { terminal, asked, written } = sitDown(
    ({ question }) => Object.entries(script).find(([part]) => question.startsWith(part))?.[1] ?? ENTER,
    cwd,
  );
  const code = await main(shellWords(line), terminal);
  const keys = asked.map(({ question }) => question).filter(question => /^(Enter your keys|[A-Z_]+_)/.test(question));
  return { code, written: written(), keys };
}

describe('after the wizard, the keys', () => {
  itIn('go into a new .env that only its owner may read, and are shown nowhere', {}, async ({ directory, read }) => {
    const { code, written, keys } = await talk(directory, { OPENAI: SECRET });
    assert.equal(code, 0, written);
    assert.deepEqual(keys, [
      "Enter your keys now?\nThey're saved in server/.env and never shown.\nPress Enter to skip one.",
      'OPENAI_API_KEY, from https://platform.openai.com/api-keys',
    ]);
    assert.equal(read(DOTENV), read(EXAMPLE).replace('OPENAI_API_KEY=\n', `OPENAI_API_KEY=${SECRET}\n`));
    assertMode(join(directory, DOTENV), '600');
    assert(!written.includes('hunter2'), written);
    assert.match(written, /\n✓ server\/\.env has OPENAI_API_KEY\n\nNext:\n {2}botcli dev\n/);
  });

  for (const pasted of [`export OPENAI_API_KEY=${SECRET}`, `"${SECRET}"`, ` OPENAI_API_KEY='${SECRET}' `]) {
    itIn(`may be pasted with their names and in quotes: ${pasted}`, {}, async ({ directory, read }) => {
      await talk(directory, { OPENAI: pasted });
      assert.match(read(DOTENV), new RegExp(`^OPENAI_API_KEY=${SECRET}$`, 'm'));
    });
  }

  itIn('that are skipped stay empty', {}, async ({ directory, read }) => {
    const { keys } = await talk(directory, { ...TWO, OPENAI: SECRET, HUME_VOICE_ID: ' 1 ' });
    assert.equal(keys.length, 4);
    assert.match(read(DOTENV), /^HUME_API_KEY=$/m);
    assert.match(read(DOTENV), /^HUME_VOICE_ID=1$/m);
  });

  itIn('are all skipped with Enter, and then no file is written', {}, async ({ directory, exists }) => {
    const { code } = await talk(directory, {});
    assert.deepEqual([code, exists(DOTENV)], [0, false]);
  });

  const ways: [about: string, script: Readonly<Record<string, Deed>>, asked: number, isWritten: boolean][] = [
    ['no asks for none', { 'Enter your keys': false }, 1, false],
    ['Esc asks for none', { 'Enter your keys': ESC }, 1, false],
    ['Esc at a key keeps the ones before', { ...TWO, OPENAI: SECRET, HUME: ESC }, 3, true],
  ];
  for (const [about, script, count, isWritten] of ways) {
    itIn(about, {}, async ({ directory, exists }) => {
      const { code, keys, written } = await talk(directory, script);
      assert.deepEqual([code, keys.length, exists(DOTENV)], [0, count, isWritten]);
      assert.match(written, /\nNext:\n/);
    });
  }

  for (const question of ['Enter your keys', 'HUME']) {
    itIn(`and Ctrl-C at ${question}: the bot is there, no key is written`, {}, async ({ directory, exists }) => {
      const { code, written } = await talk(directory, { ...TWO, OPENAI: SECRET, [question]: LEAVE });
      assert.deepEqual([code, exists('server/bot.py'), exists(DOTENV)], [130, true, false]);
      assert.match(written, /\nNext:\n[\s\S]*Cancelled\. The bot was created; server\/\.env was not changed\.\n$/);
    });
  }
});

describe('an existing .env', () => {
  const MINE = '# mine\r\nOPENAI_API_KEY=sk-mine\r\nHUME_API_KEY=\r\nLATIN=\xe9\r\n';

  const asksForTheRest = session({ [DOTENV]: '' }, async ({ directory }) => {
    const path = join(directory, DOTENV);
    writeFileSync(path, MINE, 'latin1');
    chmodSync(path, 0o644);
    const { written, keys } = await talk(directory, { ...TWO, HUME_API_KEY: SECRET });
    const asked = ['HUME_API_KEY: API key', 'HUME_VOICE_ID: Voice ID, from https://app.hume.ai/voices'];
    assert.deepEqual(keys.slice(1), asked);
    assert.equal(readFileSync(path, 'latin1'), MINE.replace('HUME_API_KEY=', `HUME_API_KEY=${SECRET}`));
    assertMode(path, '600');
    assert(!written.includes('sk-mine') && !written.includes('hunter2'), written);
  });
  posixIt('keeps its values and bytes; only what it lacks is asked for', asksForTheRest);

  const LINK = 'server/.env is a symbolic link';
  const linked: [about: string, tree: Tree, why: string][] = [
    ['a link out of the project', { 'elsewhere/env': 'A=1\n', 'bot/server/.env': '-> ../../elsewhere/env' }, LINK],
    ['a link to a file that git may track', { 'bot/docs/a.txt': 'x\n', 'bot/server/.env': '-> ../docs/a.txt' }, LINK],
    ['a link to another env file', { 'bot/.env': '', 'bot/server/.env': '-> ../.env' }, LINK],
    ['a link to nothing', { 'bot/server/.env': '-> ../docs/a.txt' }, LINK],
    ['in a linked directory', { 'bot/docs/.env': 'A=1\n', 'bot/server': '-> docs' }, 'server is a symbolic link'],
    ['a directory', { 'bot/server/.env/x': '' }, 'server/.env is a directory, but must be a file'],
  ];
  for (const [about, tree, why] of linked) {
    itIn(`that is ${about} is left alone`, tree, async ({ directory, tree: treeNow }) => {
      const { code, written, keys } = await talk(directory, { OPENAI: SECRET }, 'init bot');
      assert.deepEqual([code, keys], [0, []]);
      assert(written.includes(`\n${why}, so botcli can't put your keys there.\n`), written);
      for (const [path, text] of Object.entries(tree)) assert.equal(treeNow()[path], text);
    });
  }

  for (const line of [`init . ${BOT}`, 'init .']) {
    const isNotOpened = session({ 'server/x': '' }, async ({ directory }) => {
      execFileSync('mkfifo', [join(directory, DOTENV)]);
      const { code, written, keys } = await talk(directory, { OPENAI: SECRET }, line);
      assert.deepEqual([code, keys], [0, []], written);
      if (line === 'init .') assert.match(written, /server\/\.env is not a regular file, so botcli can't put/);
      assert(!written.includes('cp .env'), written);
    });
    posixIt(`that is a pipe is never opened: ${line}`, isNotOpened);
  }

  /** Types the key after something else has happened. */
  const typeAfter = async (cwd: string, line: string, happens: () => void) => {
    const { terminal, written } = sitDown(({ question }) => {
      if (!question.startsWith('OPENAI')) return ENTER;
      happens();
      return SECRET;
    }, cwd);
    return { code: await main(shellWords(line), terminal), written: written() };
  };

  itIn('that becomes such a link is left alone, too', { 'elsewhere/env': 'A=1\n' }, async ({ directory, read }) => {
    const link = () => symlinkSync('../../elsewhere/env', join(directory, 'bot', DOTENV));
    const { code, written } = await typeAfter(directory, 'init bot', link);
    assert.equal(code, 1);
    assert.match(written, /error: server\/\.env is a symbolic link\. It was not changed\.\n$/);
    assert.equal(read('elsewhere/env'), 'A=1\n');
  });

  itIn('that changes during the questions keeps what it got', { [DOTENV]: '' }, async ({ directory, read, write }) => {
    const text = 'OPENAI_API_KEY=typed-elsewhere\n';
    assert.equal((await typeAfter(directory, 'init .', () => write(DOTENV, text))).code, 0);
    assert.equal(read(DOTENV), text);
  });

  itIn('is never copied over', { [DOTENV]: 'OTHER=1\n' }, async ({ succeed }) => {
    const { next } = JSON.parse(await succeed(`init . ${BOT} --json`));
    const commands = next.map(({ command }: { command: string }) => command);
    assert.deepEqual(commands, ['uv sync', 'botcli check', 'uv run bot.py']);
  });
});

describe('what is pasted at a key', () => {
  const pasted: [value: string, problem: string | undefined][] = [
    ['export TWILIO_AUTH_TOKEN=abc', 'That is TWILIO_AUTH_TOKEN; this is OPENAI_API_KEY. Paste it again'],
    ['sk-proj-abc def', 'Keys have no spaces: paste it again'],
    ['sk-proj-abc=', undefined],
    ['', undefined],
  ];
  for (const [value, problem] of pasted) {
    it(`${value || 'nothing'}: ${problem ?? 'is taken'}`, () => {
      assert.equal(keyProblem('OPENAI_API_KEY', value), problem);
    });
  }
});
