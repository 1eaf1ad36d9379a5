import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RawConfig } from '../../../src/config/options.ts';
import { type LineOutcome, runLine } from '../../support/evals-project.ts';
import { REALTIME } from '../../support/projects.ts';

// `botcli talk` in processes of its own, with a stand-in for the bot: test/dev/tools/talking-bot.js. What is said to it
// says how it behaves.

interface Setting {
  /** The options of `botcli talk`, or after `$ `, a whole line for a shell. */
  line: string;
  saying?: Record<string, string>;
  config?: RawConfig;
}

const itTalks = (title: string, setting: string | Setting, use: (outcome: LineOutcome) => void) => {
  const { line, saying, config } = typeof setting === 'string' ? { line: setting } : setting;
  it(title, runLine(line.startsWith('$ ') ? line.slice(2) : `botcli talk ${line}`, use, saying, config));
};

/** The objects of `--json`, without times. */
const objectsIn = (stdout: string) =>
  stdout
    .trim()
    .split('\n')
    .map(line => {
      const { seconds, first_token, ...rest } = JSON.parse(line) as Record<string, unknown>;
      return rest;
    });

const BOT = 'server/bot.py';
const TOKENS = ' · 9+2 tokens';
const tokens = { prompt: 9, completion: 2 };

describe('botcli talk', () => {
  const three = '--say hello --say tool --say tools';
  itTalks('says one message after the other', three, ({ code, stdout, stderr, left }) => {
    assert.deepEqual({ code, left }, { code: 0, left: [] });
    assert.match(stderr, /✓ my-bot is ready after [\d.]+s: it answers in text\. Speech isn't part of this\.\n$/);
    assert.match(stdout, /^bot {2}Hello! {2}[\d.]+s · 9\+2 tokens\n/);
    assert.deepEqual(
      stdout
        .replaceAll(/ +[\d.]+s(?= ·|$)/gm, '')
        .trim()
        .split('\n'),
      [
        `bot  Hello!${TOKENS}`,
        ...['you  hello', `bot  You said: hello${TOKENS}`],
        ...['you  tool', '     → check_day(day="friday", people=2) → {"free":["18:00"]}', `bot  At six.${TOKENS}`],
        ...['you  tools', '     → two(at=[1]) → "b"', '     → one() → null', `bot  Both.${TOKENS}`],
      ],
    );
  });

  itTalks('--json prints one object per event', '--json --say tool', ({ code, stdout, stderr, left }) => {
    assert.deepEqual({ code, stderr, left }, { code: 0, stderr: '', left: [] });
    assert.deepEqual(objectsIn(stdout), [
      { event: 'ready', name: 'my-bot' },
      { event: 'bot', text: 'Hello!', tokens },
      { event: 'you', text: 'tool' },
      { event: 'tool', name: 'check_day', arguments: { day: 'friday', people: 2 }, result: { free: ['18:00'] } },
      { event: 'bot', text: 'At six.', tokens },
      { event: 'end', ok: true, turns: 1 },
    ]);
  });

  /** Runs a line with this text in a file. */
  const withFile = (text: string) =>
    `$ printf '${text}' >.tmp/.keep; botcli talk --file .tmp/.keep; code=$?; printf '' >.tmp/.keep; exit $code`;
  const sources: [about: string, line: string, said: string[]][] = [
    ['the lines of a file', withFile('one\\n\\n  two\\r\\n/quit\\n'), ['one', 'two', '/quit']],
    ['a pipe', "$ printf 'one\\ntwo' | botcli talk", ['one', 'two']],
    ['--say before --file, which may be stdin', '$ echo two | botcli talk --say one --file -', ['one', 'two']],
  ];
  for (const [about, line, said] of sources) {
    itTalks(`says ${about}`, line, ({ code, stdout, stderr }) => {
      assert.equal(code, 0, stderr);
      const messages = [...stdout.matchAll(/^you {2}(.*)$/gm)].map(([, text]) => text);
      assert.deepEqual(messages, said);
      assert.equal(stdout.match(/^bot {2}You said/gm)?.length, said.length);
    });
  }

  itTalks('ends well although a pipe stays open', '$ { echo crash; sleep 8; } | botcli talk', ({ code, stderr }) => {
    assert.equal(code, 1);
    assert.match(stderr, /\nerror: The bot ended during the conversation[\s\S]*\nThe bot's log is .*\n$/);
  });

  const fixed = {
    line: '--say hello --say canned --keep fixed --plain; cat server/evals/fixed.yaml; rm server/evals/fixed.yaml',
    saying: { [BOT]: 'recites Welcome!' },
  };
  itTalks('--keep expects what the model wrote, not fixed words', fixed, ({ code, stdout, stderr }) => {
    assert.equal(code, 0);
    const kept =
      '✓ server/evals/fixed.yaml: 2 turns, 0 tool calls. It passed with a fresh bot. botcli test fixed runs it.\n';
    assert(stderr.includes(kept), stderr);
    assert.match(stdout, /^bot {2}Welcome! /);
    const text = stdout.slice(stdout.indexOf('scenarios:'));
    const says = (words: string) => `"says the same as: ${words}"`;
    const steps = ['hello', says('You said: hello'), 'canned', says('One moment.')];
    assert.deepEqual(text.match(/(?<=user: |eval: ).*/g), steps);
    assert.doesNotMatch(text, /The greeting|Welcome|Our line/);
  });

  const answers: [about: string, say: string, shown: RegExp][] = [
    ['an answer that comes slowly', 'stream', /\nbot {2}1 2 3 [\d ]+ 20 {2}/],
    ['an answer that begins twice', 'twice', /\nyou {2}twice\nbot {2}Only once\. .*\n$/],
    ['what it says without its model', 'canned', /\nbot {2}One moment\. .*\nbot {2}Our line is busy today\. {2}.*\n$/],
    ['control characters and odd messages', 'hostile', /\nbot {2}Still \uFFFD\[31mhere\uFFFD\. Really\. {2}.*\n$/],
    ['a bot that hangs up after the last message', 'bye', /\nbot {2}Bye! .*\n$/],
    ['numbers that JSON does not have', 'nan', /→ measure\(\) → \{"least":"-Infinity","why":"NaN"\}/],
    [
      'what it says without its speech',
      'speechless --say hello',
      /\nbot {2}I only read\. .*\nbot {2}You said: hello /s,
    ],
  ];
  for (const [about, say, shown] of answers) {
    itTalks(`shows ${about}`, `--say ${say}`, ({ code, stdout, stderr, left }) => {
      assert.deepEqual({ code, left }, { code: 0, left: [] }, stderr);
      assert.match(stdout, shown);
      assert.doesNotMatch(stderr, /✗/);
    });
  }

  const LOG = "The bot's log is \\/.*bot\\.log\n$";
  const LEAKED = "✗ The bot reports an error: The moon doesn't take …, nor do (many )+others\\.\n {2}";
  const failures: [about: string, line: string, shown: string][] = [
    ["doesn't answer", 'silence --say hello --timeout 0.3', "✗ The bot didn't answer within 0\\.3 seconds\n {2}"],
    ['answers without words', 'wordless --say hello', '✗ The bot answered without words\n {2}'],
    ['has an unknown error', 'odd --say hello', '✗ The bot reports an error: the moon is full\n {2}'],
    ['has one that quotes a key, and is long', 'leaks --say hello', LEAKED],
    ["can't use its model", 'refused', '\nerror: OpenAI refuses OPENAI_API_KEY \\(HTTP 401\\)\nReplace it in .*\n'],
    ['ends', 'crash', '\nerror: The bot ended during the .*, with exit code 7\n[^]* {2}MemoryError: too much\n'],
    ['hangs up instead of an answer', 'leave', '✗ The bot ended the conversation without an answer\n {2}'],
    ['hangs up before the end', 'bye --say hello', '\nerror: The bot ended the conversation\n'],
    // It should be kept, and isn't.
    ['ends, and should be kept', 'crash --keep x', "\nThe bot's log is .*\nThe conversation isn't kept\\.\n$"],
    ['fails, and should be kept', 'wordless --keep x', '✗ (The .* without words)\n.*\n✗ Not kept: \\1\n$'],
  ];
  for (const [about, line, shown] of failures) {
    itTalks(`exits with 1 if the bot ${about}, and keeps the log`, `--say ${line}`, outcome => {
      const { code, stderr, stdout, left, directory } = outcome;
      assert.match(stderr, new RegExp(shown.endsWith('$') ? shown : shown + LOG));
      assert.doesNotMatch(stderr + stdout, /sk-secret|a frame/);
      assert.deepEqual({ code, count: left.length }, { code: 1, count: 1 });
      assert.match(readFileSync(join(directory, '.tmp', left[0] ?? '', 'bot.log'), 'utf8'), /bot\.py listens/);
      assert.deepEqual(readdirSync(join(directory, '.tmp', left[0] ?? '')), ['bot.log']);
    });
  }

  const rude = { line: '--say hello', saying: { [BOT]: 'hangs up' } };
  itTalks('exits with 1 if the bot hangs up at once', rude, ({ code, stderr }) => {
    const fault = 'RuntimeError: it is broken (server/bot.py, line 95)';
    const error = `\nerror: The bot ended the conversation before it was ready\n  ${fault}\nThe bot's log`;
    assert.equal(code, 1);
    assert(stderr.includes(error), stderr);
  });

  itTalks('goes on after a lost answer', '--json --timeout 0.3 --say silence --say hello', ({ code, stdout }) => {
    assert.equal(code, 1);
    const [, , , problem, , answer, end] = objectsIn(stdout);
    assert.match(String(problem?.message), /^The bot didn't answer within 0\.3 seconds$/);
    assert.deepEqual(answer, { event: 'bot', text: 'You said: hello', tokens });
    assert.deepEqual(end, { event: 'end', ok: false, turns: 2 });
  });

  itTalks('--json prints an error as an object, too', '--json --say crash', ({ code, stdout, stderr }) => {
    const [problem, end] = objectsIn(stdout).slice(-2);
    assert.deepEqual({ code, stderr, end }, { code: 1, stderr: '', end: { event: 'end', ok: false, turns: 1 } });
    assert.deepEqual([problem?.code, problem?.event], ['part-ended', 'error']);
  });

  const missing = 'mv server/.env .tmp/env; sed /OPENAI/d .tmp/env >server/.env';
  const stopping = `$ ${missing}; botcli talk --json --say hello --keep x; code=$?; mv .tmp/env server/.env; exit $code`;
  itTalks('--json prints what would stop the bot as objects, too', stopping, ({ code, stdout, left }) => {
    assert.deepEqual({ code, left }, { code: 1, left: [] });
    const [{ message, hint, ...known } = {}, ...rest] = objectsIn(stdout);
    assert.deepEqual(known, { event: 'error', code: 'variable-missing' });
    assert.match(`${message} ${hint}`, /OPENAI_API_KEY/);
    assert.deepEqual(rest, [{ event: 'end', ok: false, turns: 0, not_kept: message }]);
  });

  const unread =
    '$ { botcli talk --say slow; echo $? >.tmp/code; } | { head -1; touch server/go; }; rm server/go; code=$(cat .tmp/code); rm .tmp/code; exit $code';
  itTalks('ends with 1 if nobody reads what it prints anymore', unread, ({ code, stderr }) => {
    assert.equal(code, 1);
    assert.match(stderr, /Stopped: the output can't be written anymore\./);
  });

  const speech = { ...REALTIME, stt_service: undefined, llm_service: undefined, tts_service: undefined };
  itTalks('talks with a speech-to-speech bot, too', { line: '--say twice', config: speech }, ({ code, stdout }) => {
    assert.equal(code, 0);
    assert.match(stdout, /\nbot {2}Only once\./);
  });

  const NOTHING = /^error: Nothing to say/;
  const silent = { enable_eval: false };
  const noEvals = /^error: This bot can't be spoken to in text yet\nAdd what it needs: botcli update --eval\n$/;
  const all =
    /^error: 3 problems in this command line:\n {2}--timeout is "never"\. It must be a number of seconds up to 3600, such as 30 or 0\.5\n {2}--keep "a b" can't be the name of a scenario\. Use up to 50 .*\n {2}--file "none\.txt" can't be read: .*\n$/;
  const allNext =
    /^error: 3 problems in this command line:\n {2}Unknown option --timout.*\n {2}--timeout is "0"\. .*\n {2}--keep "" can't be .*\nSee botcli talk --help\n$/;
  const refusals: [about: string, line: string, shown: RegExp, config?: RawConfig][] = [
    ["a bot that can't be spoken to in text", '--say hello', noEvals, silent],
    ['nothing to say', '</dev/null', /^error: Nothing to say: botcli can't ask, .*\nPass a message with --say TEXT/],
    ['an empty pipe that stays open', '', NOTHING],
    ['an empty file', '--file .tmp/.keep', NOTHING],
    ['nothing but blanks', "--say '' --say ' '", NOTHING],
    ['a file of blank lines', withFile('\\n \\n'), NOTHING],
    ["a file that isn't text", withFile('a\\0b'), /^error: --file "\.tmp\/\.keep" isn't a UTF-8 text file\n/],
    ['a file that is missing', '--file none.txt', /^error: --file "none\.txt" can't be read: /],
    ['all wrong values at once', '--timeout never --keep "a b" --file none.txt', all],
    ['all of them next to an unknown option', '--timout 5 --timeout 0 --keep ""', allNext],
  ];
  for (const [about, line, shown, config = {}] of refusals) {
    itTalks(`refuses ${about}`, { line, config }, ({ code, stdout, stderr, left }) => {
      assert.deepEqual({ code, stdout, left }, { code: 2, stdout: '', left: [] }, stderr);
      assert.match(stderr, shown);
    });
  }

  for (const [about, log, saying, turns] of [
    ['before the bot is ready', 'bot.py waits', { [BOT]: 'waits' }, 0],
    ['during an answer', 'thinking', {}, 1],
  ] as const) {
    for (const [signal, expected] of Object.entries({ INT: 130, TERM: 143 })) {
      const wait = `until grep -q '${log}' .tmp/*/bot.log; do sleep 0.1; done 2>/dev/null`;
      // A shell without job control lets what it starts in the background ignore SIGINT.
      const line = `$ set -m; "$NODE" "$BIN" talk --say slow --json & ${wait}; kill -${signal} $!; wait $!`;
      itTalks(`ends with SIG${signal} ${about}, and leaves nothing`, { line, saying }, outcome => {
        const { code, stdout, stderr, left } = outcome;
        assert.deepEqual({ code, left }, { code: expected, left: [] });
        assert.deepEqual(objectsIn(stdout).at(-1), { event: 'end', ok: false, turns });
        assert.equal(/^Stopping\. Press Ctrl-C/m.test(stderr), signal === 'INT');
      });
    }
  }
});
