import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import type { RawConfig } from '../../src/config/options.ts';
import { evalsEnvironment, evalsProject, type LineOutcome, runLine } from '../support/evals-project.ts';
import { processesWith } from '../support/left.ts';
import { BIN } from '../support/program.ts';
import { REALTIME } from '../support/projects.ts';
import { session } from '../support/session.ts';
import { runShell } from '../support/shell.ts';

// `botcli test` in processes of its own, with a stand-in for uv.

const itTests = (
  title: string,
  line: string,
  saying: Record<string, string>,
  use: (outcome: LineOutcome) => void,
  config: RawConfig = {},
) => it(title, runLine(line, use, saying, config));

const TEXT = 'server/evals/starter_text.yaml';

describe('botcli test', () => {
  it('above a project, names both commands: its arguments are conversations', async () => {
    const tree = Object.entries(await evalsProject());
    await session(Object.fromEntries(tree.map(([path, text]) => [`cust/${path}`, text])), async ({ directory }) => {
      const { code, stderr } = await runShell('botcli test', { cwd: directory, env: evalsEnvironment(directory) });
      assert.equal(code, 2);
      assert.match(stderr, /\nDid you mean cd cust, then botcli test\?\n/);
    })();
  });

  itTests(
    'holds the conversations that need only text, and counts them',
    'botcli test',
    {},
    ({ code, stdout, stderr, left }) => {
      assert.deepEqual({ code, stderr, left }, { code: 0, stderr: '', left: [] });
      assert.match(
        stdout,
        /✓ uv sync in server\/: [\d.]+s\n[\s\S]*starter_text\/greeting[\s\S]*\n✓ 1 of 1 conversations passed, in [\d.]+s\n$/,
      );
      assert.doesNotMatch(stdout, /starter_audio|starter_simulation/);
    },
  );

  const choices: [line: string, count: number][] = [
    ['botcli test --audio', 2],
    ['botcli test --simulation', 2],
    ['botcli test --audio --simulation', 3],
    ['botcli test starter_audio', 1],
    ['botcli test server/evals/starter_audio.yaml starter_text', 2],
    ['cd server/evals && botcli test starter_simulation.yaml', 1],
  ];
  for (const [line, count] of choices) {
    itTests(`${line}: ${count}`, line, {}, ({ code, stdout }) => {
      assert.equal(code, 0, stdout);
      assert.match(stdout, new RegExp(`✓ ${count} of ${count} conversations passed`));
    });
  }

  itTests(
    'fails if one has failed, and says why',
    'botcli test --audio',
    { [TEXT]: 'fails' },
    ({ code, stdout, stderr, left }) => {
      assert.equal(code, 1);
      assert.equal(left.length, 1);
      assert.match(stdout, /• turn 1 response eval — it said "no"/);
      assert.match(stdout, /\n✗ 1 of 2 conversations passed, in /);
      assert.match(stderr, /^The bot's log is \/.*\/botcli-test-\w+\/bot\.log\n$/);
    },
  );

  itTests(
    '--json says that the evals failed after all conversations have passed',
    'botcli test --json',
    { [TEXT]: 'ends badly' },
    ({ code, stdout, stderr }) => {
      const { error } = JSON.parse(stdout) as { error: Record<string, unknown> };
      const scenarios = [{ name: 'starter_text/greeting', result: 'passed', seconds: 0.04 }];
      assert.deepEqual([code, stderr, error.code, error.scenarios], [1, '', 'part-ended', scenarios]);
    },
  );

  itTests(
    '--json prints only the results',
    'botcli test --audio --json',
    { [TEXT]: 'fails' },
    ({ code, stdout, stderr }) => {
      const { seconds, log, ...result } = JSON.parse(stdout) as { seconds: number; log: string };
      const scenarios = [
        { name: 'starter_audio/greeting', result: 'passed', seconds: 0.04 },
        {
          name: 'starter_text/greeting',
          result: 'failed',
          seconds: 0.04,
          reason: 'turn 1 response eval — it said "no"',
        },
      ];
      assert.deepEqual({ code, stderr, result }, { code: 1, stderr: '', result: { ok: false, scenarios } });
      assert(seconds > 0 && log.endsWith('.log'));
    },
  );

  const LOG = '2026-11-26 14:44:35.384 | ERROR    | pipecat.processors.frame_processor:push_error_frame:1023 -';
  const MUTE = `logs ${LOG} OpenAITTSService#0 error: Error code: 401 - Unauthorized`;

  itTests(
    'needs no voice for a conversation in text that goes on',
    'botcli test',
    { 'server/bot.py': MUTE, [TEXT]: 'takes 10' },
    ({ code, stdout, stderr }) => {
      assert.equal(code, 0, stderr);
      assert.match(stdout, /turn 10 → response\n[\s\S]*✓ 1 of 1 conversations passed/);
    },
  );

  const LOG_KEPT = "The bot's log is .*\\.log\n";
  const BOT = 'server/bot.py';
  type Failure = [about: string, saying: Record<string, string>, shown: string, line?: string, code?: number];
  const failures: Failure[] = [
    ['a provider that quotes its key', { [BOT]: 'tells its key\n# fake: crashes' }, '\n {2}Incorrect API key: …\n'],
    [
      'a bot that ends',
      { [BOT]: 'crashes' },
      `error: The bot ended before it was ready, with exit code 3\n {2}ValueError: it is broken\n${LOG_KEPT}`,
    ],
    [
      'a bot that ends in a conversation',
      { [BOT]: 'is lost in a conversation', [TEXT]: 'hangs with the bot' },
      `error: The bot ended during the conversations, with exit code 4\n {2}.*\n {2}RuntimeError: it is lost\n${LOG_KEPT}`,
    ],
    [
      'a conversation that hangs',
      { [TEXT]: 'hangs' },
      `error: The conversations weren't over after 0\\.05 minutes\nAllow more with --timeout MINUTES\\.\n${LOG_KEPT}`,
      'botcli test --timeout 0.05',
    ],
    [
      'a conversation without a voice that hangs',
      { [BOT]: MUTE, [TEXT]: 'hangs' },
      `refuses OPENAI_API_KEY \\(HTTP 401`,
    ],
    ['a bot that never gets ready', { [BOT]: 'never gets ready' }, 'over after \\.05 min', 'botcli test --timeout .05'],
    ['an unknown name', {}, 'There is no scenario "start"\nDid you mean starter_text\\?', 'botcli test start', 2],
    [
      'a name that is not close to any',
      {},
      'There is no scenario "hours"\nserver/evals has starter_audio, starter_simulation, starter_text\\.',
      'botcli test hours',
      2,
    ],
    [
      'evals without a result',
      { [TEXT]: 'breaks' },
      `evals ended with exit code 1, and without a result\n {2}ModuleNotFoundError: No module .*\n${LOG_KEPT}`,
    ],
    [
      'evals that fail after all conversations have passed',
      { [TEXT]: 'ends badly' },
      `error: The framework's evals ended with exit code 1, although no conversation failed\n${LOG_KEPT}`,
    ],
    ['no number', {}, '--timeout is "soon"', 'botcli test --timeout soon', 2],
    ['too long a time', {}, 'a number of minutes up to 1440, such as 10', 'botcli test --timeout 1441', 2],
    [
      'a directory for temporary files that does not exist',
      {},
      `^error: Can't create a directory for the bot's log in ".*nowhere": no such file or directory\nSet TMPDIR to another`,
      'TMPDIR=$PWD/nowhere botcli test',
    ],
    ['an install that fails', { 'server/pyproject.toml': 'sync fails' }, 'uv sync failed in server/'],
  ];
  for (const [about, saying, shown, line = 'botcli test', code = 1] of failures) {
    itTests(`ends with ${code} for ${about}`, line, saying, outcome => {
      assert.equal(outcome.code, code, outcome.stdout + outcome.stderr);
      assert.match(outcome.stderr, new RegExp(shown));
    });
  }

  itTests(
    'reports missing keys, but not the usual port, which it does not use',
    'mv server/.env .tmp/.keys; botcli test; code=$?; mv .tmp/.keys server/.env; exit $code',
    {},
    ({ code, stdout }) => {
      assert.equal(code, 1);
      assert.match(stdout, /\n✓ This machine: uv 0\.9\.1 is installed\n✗ server\/\.env doesn't exist/);
    },
  );

  const SPEECH_TO_SPEECH = { ...REALTIME, stt_service: undefined, llm_service: undefined, tts_service: undefined };

  itTests(
    'holds conversations in text with a speech-to-speech bot, too',
    'botcli test',
    {},
    ({ code, stdout }) => {
      assert.equal(code, 0, stdout);
      assert.match(stdout, /starter_text\/greeting[\s\S]*\n✓ 1 of 1 conversations passed/);
    },
    SPEECH_TO_SPEECH,
  );

  itTests(
    'names --audio if all conversations are spoken',
    'botcli test',
    {},
    ({ code, stderr }) => {
      assert.equal(code, 2);
      assert.match(stderr, /needs only text\nRun the others: botcli test --audio\n$/);
    },
    // Nobody can type to this one.
    { ...SPEECH_TO_SPEECH, realtime_service: 'openai_live_realtime' },
  );

  itTests(
    'names the update that adds evals',
    'botcli test',
    {},
    ({ code, stderr }) => {
      assert.equal(code, 2);
      assert.match(stderr, /no test conversations\nAdd them: botcli update --eval\n$/);
    },
    { enable_eval: false },
  );

  /** When to use a running `botcli test`: what is true then of it, and of the stand-in's journal. */
  type Moment = (journal: string, botcli: ChildProcess) => boolean;

  /** Starts `botcli test`, and uses it at this moment. Afterwards, nothing may be left. */
  const whileTesting =
    (saying: Record<string, string>, isNow: Moment, use: (botcli: ChildProcess) => Promise<void>) => async () =>
      session(await evalsProject(saying), async ({ directory }) => {
        const journal = join(directory, 'journal');
        const env = { ...evalsEnvironment(directory), FAKE_JOURNAL: journal };
        const botcli = spawn(process.execPath, [BIN, 'test'], { cwd: directory, env });
        while (!(existsSync(journal) && isNow(readFileSync(journal, 'utf8'), botcli))) await sleep(50);
        await use(botcli);
        assert.deepEqual(readdirSync(join(directory, '.tmp')), ['.keep']);
        assert.deepEqual(processesWith(`HOME=${directory}`), []);
      })();
  const exitOf = async (botcli: ChildProcess) => (await once(botcli, 'exit'))[0];
  const journals =
    (line: string): Moment =>
    journal =>
      journal.includes(line);
  /** More has been printed than anybody reads. */
  const isUnread: Moment = (_, { stdout }) => stdout !== null && stdout.readableLength >= stdout.readableHighWaterMark;

  const moments: [about: string, saying: Record<string, string>, isNow: Moment][] = [
    ['while it installs', { 'server/pyproject.toml': 'sync hangs' }, journals('uv sync')],
    ['before the bot is ready', { 'server/bot.py': 'never gets ready' }, journals('uv run bot.py')],
    ['in a conversation', { [TEXT]: 'hangs' }, journals('uv run python')],
    ['after the last conversation', { 'server/bot.py': 'ignores signals' }, journals('ignores SIG')],
    ['while nobody reads what it prints', { [TEXT]: 'talks' }, isUnread],
  ];
  for (const [about, saying, isNow] of moments) {
    it(`ends with the code of each signal ${about}, and leaves nothing`, async () => {
      const endWith = (signal: NodeJS.Signals, code: number) =>
        whileTesting(saying, isNow, async botcli => {
          botcli.kill(signal);
          assert.equal(await exitOf(botcli), code);
        })();
      await Promise.all([
        endWith('SIGINT', 130),
        endWith('SIGTERM', 143),
        endWith('SIGHUP', 129),
        endWith('SIGQUIT', 131),
      ]);
    });
  }

  it(
    'ends with its reader',
    whileTesting({ [TEXT]: 'talks' }, isUnread, async botcli => {
      const shown = text(botcli.stderr as Readable);
      botcli.stdout?.destroy();
      assert.equal(await exitOf(botcli), 1);
      assert.equal(await shown, "Stopped: the output can't be written anymore.\n");
    }),
  );
});
