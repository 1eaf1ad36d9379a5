import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { dirname } from 'node:path';
import { KEYS, openTerminal } from '../support/pty.ts';
import { screenOf } from '../support/screen.ts';
import { itIn } from '../support/session.ts';
import { TOOLS } from '../support/tools.ts';
import { commandOf, sitAt, TURNS, type Turn, take, WAYS, walk } from '../support/wizard.ts';

// The wizard of the real program, on terminals of all kinds, and with all that people do at them.

const { enter, esc, ctrlC, erase } = KEYS;
const AT = '(a new directory, or . for this one)';
const REST = [TURNS.bot, TURNS.recommended, TURNS.web, TURNS.make, TURNS.noKeys];

describe('what is typed or pasted at a question', () => {
  // At the first question, and the directory that it gives; the other questions are still asked.
  const typings: [about: string, keys: string, directory: string][] = [
    ['Enter alone takes the suggestion', enter, 'my-bot'],
    ['typing replaces the suggestion', `support-bot${enter}`, 'support-bot'],
    ['typing and erasing brings it back', `abc${erase.repeat(3)}${enter}`, 'my-bot'],
    ['two Enters at once are one', enter + enter, 'my-bot'],
    ['a word with two Enters is the word', `one${enter}${enter}`, 'one'],
    ['a paste without an end waits for Enter', `a${'b'.repeat(60)}${enter}`, `a${'b'.repeat(60)}`],
  ];
  for (const [about, keys, made] of typings) {
    itIn(about, {}, async ({ directory, tree }) => {
      const { code, text } = await walk('init', [[AT, keys], ...REST], { cwd: directory });
      assert.equal(code, 0, text);
      assert.deepEqual([...new Set(Object.keys(tree()).map(name => name.split('/')[0]))], [made]);
    });
  }

  itIn('of pasted lines, a wrong first one is asked about again', { file: '' }, async ({ directory, exists }) => {
    const terminal = sitAt('init', { cwd: directory });
    await take(terminal, [[AT, `file${enter}x${enter}`]]);
    await terminal.until('This is a file');
    terminal.type(`${erase.repeat(5)}bot${enter}`);
    await take(terminal, [TURNS.agent, TURNS.guides]);
    assert.equal((await terminal.ended).code, 0, terminal.text());
    assert(exists('bot/AGENTS.md'));
  });

  itIn('Enters while the bot is written answer no later question', {}, async ({ directory }) => {
    const terminal = sitAt('init', { cwd: directory });
    await take(terminal, [TURNS.directory, ...REST.slice(0, 3), ['Create this bot?', enter]]);
    for (let at = 0; at < 5; at += 1) terminal.type(enter);
    await take(terminal, [['Press Enter to skip one.', 'n']]);
    assert.equal((await terminal.ended).code, 0, terminal.text());
    assert(!terminal.text().includes('(hidden)'));
  });
});

describe('the keys, on a terminal', () => {
  const TO_KEYS: Turn[] = [TURNS.directory, ...REST.slice(0, -1), ['Press Enter to skip one.', enter]];

  itIn('are never on the screen, and are written for their owner alone', {}, async ({ directory, read }) => {
    const turns: Turn[] = [...TO_KEYS, ['OPENAI_API_KEY', `OPENAI_API_KEY=sk-hunter2${enter}`]];
    const { code, raw, text } = await walk('init', turns, { cwd: directory });
    assert.equal(code, 0, text);
    assert.match(text, /\n. {2}10 characters\n/);
    assert(!raw.includes('hunter2'));
    assert.match(read('my-bot/server/.env'), /^OPENAI_API_KEY=sk-hunter2$/m);
    assert.equal(statSync(`${directory}/my-bot/server/.env`).mode & 0o777, 0o600);
  });

  const starts: [answer: string, keys: string, code: number, shown: RegExp][] = [
    ['Enter starts it', enter, 130, /✓ my-bot is ready after .*\n {2}Talk to it: http:\/\/localhost:\d+\n/],
    ['no does not', 'n', 0, /\n◇ {2}Start it now\?\n│ {2}This installs its packages, .*\n│ {2}No\n/],
  ];
  for (const [answer, keys, code, shown] of starts) {
    itIn(`are all that a bot needs to start where uv is: ${answer}`, {}, async ({ directory }) => {
      const env = { PATH: `${TOOLS}:${dirname(process.execPath)}` };
      const terminal = sitAt('init', { cwd: directory, env });
      await take(terminal, [...TO_KEYS, ['OPENAI_API_KEY', `sk-hunter2${enter}`], ['Start it now?', keys]]);
      if (keys === enter) {
        await terminal.until('Ctrl-C stops everything.');
        terminal.type(ctrlC);
      }
      assert.equal((await terminal.ended).code, code, terminal.text());
      assert.match(terminal.text(), shown);
    });
  }

  itIn('that are several lines are asked for again, and none reaches the shell', {}, async ({ directory, read }) => {
    const several = ['-----BEGIN\rtouch pwned\r', 'sk-hunter2\n\r'];
    const turns: Turn[] = [...several, `sk-hunter3${enter}`].map(keys => ['OPENAI_API_KEY', keys]);
    const { code, raw, text } = await walk('init', [...TO_KEYS, ...turns], { cwd: directory });
    assert.equal(code, 0, text);
    assert.equal(text.split('The answer had more than one line, so nothing was taken. Paste only the key.').length, 3);
    assert(!raw.includes('pwned') && !raw.includes('hunter'));
    assert.match(read('my-bot/server/.env'), /^OPENAI_API_KEY=sk-hunter3$/m);
  });
});

// What each line of a question begins with.
const FRAME = /^(?:[│◆◇▲└]|Esc goes|Nothing is|$)/;

describe('a terminal', () => {
  for (const [cols, rows] of [
    [80, 24],
    [40, 20],
  ] as const) {
    itIn(`of ${cols}x${rows} shows each question whole, in its frame`, {}, async ({ directory }) => {
      const terminal = sitAt('init', { cwd: directory, cols, rows });
      for (const turn of (WAYS['all features'] ?? []).slice(0, -1)) {
        const [question] = turn;
        await take(terminal, [[question, '']]);
        await terminal.until(/└\s*$/);
        const screen = (await screenOf(terminal.raw(), cols, rows)).map(line => line.trimEnd());
        const last = screen.findLastIndex(line => line !== '');
        const from = screen.findLastIndex(line => line.startsWith('◆'));
        for (const line of screen.slice(from, last + 1)) assert.match(line, FRAME, question);
        // The summary may be longer than a low window.
        if (!question.includes('Create')) assert(last - from < rows, `${question}: ${last - from + 1} lines`);
        terminal.type(question.includes('Create') ? 'n' : turn[1]);
      }
      assert.equal((await terminal.ended).code, 1, terminal.text());
    });
  }

  itIn('that changes its size is drawn anew', {}, async ({ directory }) => {
    const terminal = sitAt('init my-bot', { cwd: directory, cols: 80, rows: 24 });
    await take(terminal, [[TURNS.bot[0], '']]);
    for (const [cols, drawn] of [
      [40, '\n│      botcli writes instructions\n'],
      [100, 'My coding agent (botcli writes instructions for it)\n'],
    ] as const) {
      const seen = terminal.text().length;
      terminal.resize(cols, 24);
      await terminal.until(drawn, seen);
    }
    await take(terminal, [TURNS.agent, TURNS.guides]);
    assert.equal((await terminal.ended).code, 0, terminal.text());
  });

  itIn('that does not know its size has 80 columns', {}, async ({ directory }) => {
    const line = ['sh', '-c', 'stty cols 0 rows 0; exec "$@"', 'sh', ...commandOf('init my-bot')] as const;
    const terminal = openTerminal([...line], { cwd: directory });
    await take(terminal, [TURNS.bot, TURNS.recommended, TURNS.web, ['Create this bot?', 'n']]);
    await terminal.ended;
    assert.match(terminal.text(), /\n│ {2}○ My coding agent \(botcli writes instructions for it\)\n/);
    assert.match(terminal.text(), /\n│ {2}Transports {6}SmallWebRTC, peer to peer; Daily, hosted WebRTC\n/);
  });

  for (const env of [{ LANG: 'C' }, { LC_ALL: 'C.UTF-8', LANG: 'C' }] as Record<string, string>[]) {
    const isUnicode = 'LC_ALL' in env;
    itIn(`with ${JSON.stringify(env)} is drawn ${isUnicode ? 'with' : 'without'} Unicode`, {}, async here => {
      const way = [...(WAYS['all features'] ?? []).slice(0, -2), ['Create this bot?', 'n'] as const];
      const { code, text } = await walk('init', way, { cwd: here.directory, env }, isUnicode ? '◆' : '*');
      assert.equal(code, 1, text);
      // biome-ignore lint/suspicious/noControlCharactersInRegex: ASCII has them, too.
      assert.equal(/[^\x00-\x7f]/.test(text), isUnicode);
    });
  }
});

describe('plain questions', () => {
  const DUMB = { TERM: 'dumb' };
  /** Answers each question by a line. */
  async function answer(cwd: string, line: string, turns: readonly Turn[], env: Record<string, string> = DUMB) {
    const terminal = sitAt(line, { cwd, env });
    let seen = 0;
    for (const [question, keys] of turns) {
      await terminal.until(question, seen);
      seen = terminal.text().length;
      terminal.type(keys);
    }
    return { ...(await terminal.ended), raw: terminal.raw(), text: terminal.text() };
  }

  const ask = (keys: string): Turn => ['Number or name [1]: ', keys];
  const NAME: Turn = ['(a new directory, or . for this one) [my-bot]: ', `bot${enter}`];
  const keys: Turn[] = [
    ['Press Enter to skip one. [Y/n] ', enter],
    ['(hidden): ', `sk-hunter2${enter}`],
  ];
  for (const env of [DUMB, { ACCESSIBLE: '1', NO_COLOR: '1' }]) {
    const title = `with ${JSON.stringify(env)}: no escape sequences, and no key on the screen`;
    itIn(title, {}, async ({ directory, read }) => {
      const turns = [NAME, ask(enter), ask(enter), ask(enter), ['Create this bot? [Y/n] ', enter] as const, ...keys];
      const { code, raw, text } = await answer(directory, 'init', turns, env);
      assert.equal(code, 0, text);
      assert(!raw.includes('\u001b') && !raw.includes('hunter2'), raw);
      assert.match(text, /\n {2}1\. botcli, now \(a few questions\)\n {2}2\. My coding agent \(/);
      assert.match(read('bot/server/.env'), /^OPENAI_API_KEY=sk-hunter2$/m);
    });
  }

  itIn('take numbers, names and lists of numbers; a wrong answer is asked about again', {}, async here => {
    const turns: Turn[] = [
      ...[ask(enter), ask(`customize${enter}`), ask(`7${enter}`)],
      ['"7" isn\'t in the list.\nNumber or name [1]: ', `browser${enter}`],
      ask(`with${enter}`),
      ['"with" could be React with Vite or React with Next.js or TypeScript with Vite.\n', `next${enter}`],
      ['Numbers, 0 for none [1 2]: ', `0${enter}`],
      ['Choose at least one', `2${enter}`],
      ask(enter),
      ['or the name of one of ', `german${enter}`],
      ...[ask(`deepgram_stt${enter}`), ask(enter), ask(`elevenlabs_tts${enter}`)],
      ['Numbers, 0 for none [7 8 9]: ', `1, 7${enter}`],
      ['Create this bot? [Y/n] ', `perhaps${enter}`],
      ['Answer y or n.\nCreate this bot? [Y/n] ', enter],
      ['[Y/n] ', `n${enter}`],
    ];
    const { code, text } = await answer(here.directory, 'init bot', turns);
    assert.equal(code, 0, text);
    const line = /botcli init bot [\s\S]*$/.exec(text)?.[0].replaceAll(/ \\\n\s*/g, ' ');
    assert.equal(
      line?.trim(),
      'botcli init bot -t rtc_hosted --mode cascade --stt deepgram_stt --llm openai_llm --tts elevenlabs_tts ' +
        '--client-framework component --client-server fullstack --recording --no-deploy-to-cloud --eval --language de\n' +
        '(rtc_hosted is Daily, component is React, fullstack is Next.js)',
    );
    assert.match(here.read('bot/client/package.json'), /"next"/);
  });

  itIn('go back with Esc and Enter', {}, async ({ directory, exists }) => {
    const turns: Turn[] = [
      ['(a new directory, or . for this one)', `one${enter}`],
      ['Who builds the bot?', esc + enter],
      ['(a new directory, or . for this one) [one]: ', `two${enter}`],
      ['Who builds the bot?', `2${enter}`],
      ['Write these guides? ', enter],
    ];
    const { code, text } = await answer(directory, 'init', turns);
    assert.equal(code, 0, text);
    assert(exists('two/AGENTS.md') && !exists('one'));
  });

  for (const [about, key] of Object.entries({ 'Ctrl-C': ctrlC, 'Ctrl-D': KEYS.ctrlD })) {
    itIn(`end with ${about}: nothing is left`, {}, async ({ directory, tree }) => {
      const { code, text } = await answer(directory, 'init', [NAME, ask(enter), ['Number', key]]);
      assert.equal(code, 130, text);
      assert.match(text, /Cancelled\. Nothing was written\.\n$/);
      assert.deepEqual(tree(), {});
    });
  }
});
