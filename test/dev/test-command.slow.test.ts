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

type Setting = { line?: string; saying?: Record<string, string>; config?: RawConfig };

const itTests = (title: string, { line = 'botcli test', saying, config }: Setting, use: (at: LineOutcome) => void) =>
  it(title, runLine(line, use, saying, config));

const TEXT = 'server/evals/starter_text.yaml';
const BOT = 'server/bot.py';

describe('botcli test', () => {
  it('above a project, names both commands: its arguments are conversations', async () => {
    const tree = Object.entries(await evalsProject());
    await session(Object.fromEntries(tree.map(([path, text]) => [`cust/${path}`, text])), async ({ directory }) => {
      const { code, stderr } = await runShell('botcli test', { cwd: directory, env: evalsEnvironment(directory) });
      assert.equal(code, 2);
      assert.match(stderr, /\nDid you mean cd cust, then botcli test\?\n/);
    })();
  });

  itTests('holds the conversations that need only text', {}, ({ code, stdout, stderr, left }) => {
    assert.deepEqual({ code, stderr, left }, { code: 0, stderr: '', left: [] });
    const passed =
      /✓ uv sync in server\/: [\d.]+s\n.*starter_text\/greeting.*\n✓ 1 of 1 conversations passed, in [\d.]+s\n$/s;
    assert.match(stdout, passed);
    assert.doesNotMatch(stdout, /starter_audio|starter_simulation/);
  });

  const SPEECH_TO_SPEECH = { ...REALTIME, stt_service: undefined, llm_service: undefined, tts_service: undefined };
  const choices: [line: string, count: number, config?: RawConfig][] = [
    ['botcli test --audio', 2],
    ['botcli test --simulation', 2],
    ['botcli test --audio --simulation', 3],
    ['botcli test server/evals/starter_audio.yaml starter_text', 2],
    ['cd server/evals && botcli test starter_simulation.yaml', 1],
    ['botcli test', 1, SPEECH_TO_SPEECH],
  ];
  for (const [line, count, config] of choices) {
    const title = `${line}${config ? ' with a speech-to-speech bot' : ''}: ${count}`;
    itTests(title, { line, config }, ({ code, stdout }) => {
      assert.equal(code, 0, stdout);
      assert.match(stdout, new RegExp(`✓ ${count} of ${count} conversations passed`));
    });
  }

  const failing = { line: 'botcli test --audio', saying: { [TEXT]: 'fails' } };
  itTests('fails if one has failed, and says why', failing, ({ code, stdout, stderr, left }) => {
    assert.deepEqual([code, left.length], [1, 1]);
    assert.match(stdout, /• turn 1 response eval — it said "no"/);
    assert.match(stdout, /\n✗ 1 of 2 conversations passed, in /);
    assert.match(stderr, /^The bot's log is \/.*\/botcli-test-\w+\/bot\.log\n$/);
  });

  const unclear = { line: 'botcli test --json', saying: { [TEXT]: 'ends badly' } };
  itTests('--json says that the evals failed after all conversations have passed', unclear, outcome => {
    const { error } = JSON.parse(outcome.stdout) as { error: Record<string, unknown> };
    const scenarios = [{ name: 'starter_text/greeting', result: 'passed', seconds: 0.04 }];
    assert.deepEqual([outcome.code, outcome.stderr], [1, '']);
    assert.deepEqual([error.code, error.scenarios], ['part-ended', scenarios]);
  });

  itTests('--json prints only the results', { ...failing, line: `${failing.line} --json` }, outcome => {
    const { seconds, log, ...result } = JSON.parse(outcome.stdout) as { seconds: number; log: string };
    const reason = 'turn 1 response eval — it said "no"';
    const scenarios = [
      { name: 'starter_audio/greeting', result: 'passed', seconds: 0.04 },
      { name: 'starter_text/greeting', result: 'failed', seconds: 0.04, reason },
    ];
    assert.deepEqual([outcome.code, outcome.stderr, result], [1, '', { ok: false, scenarios }]);
    assert(seconds > 0 && log.endsWith('.log'));
  });

  const LOG = '2026-11-26 14:44:35.384 | ERROR    | pipecat.processors.frame_processor:push_error_frame:1023 -';
  const MUTE = `logs ${LOG} OpenAITTSService#0 error: Error code: 401 - Unauthorized`;

  const talkative = { saying: { [BOT]: MUTE, [TEXT]: 'takes 10' } };
  itTests('needs no voice for a conversation in text that goes on', talkative, ({ code, stdout, stderr }) => {
    assert.equal(code, 0, stderr);
    assert.match(stdout, /turn 10 → response\n[\s\S]*✓ 1 of 1 conversations passed/);
  });

  const bot = (words: string): Setting => ({ saying: { [BOT]: words } });
  const evals = (words: string): Setting => ({ saying: { [TEXT]: words } });
  const typed = (words: string): Setting => ({ line: `botcli test ${words}` });
  const lost = { saying: { [BOT]: 'is lost in a conversation', [TEXT]: 'hangs with the bot' } };
  const mute = { saying: { [BOT]: MUTE, [TEXT]: 'hangs' } };
  // Nobody can type to this one.
  const spoken = { config: { ...SPEECH_TO_SPEECH, realtime_service: 'openai_live_realtime' } };
  const hanging = { ...typed('--timeout 0.05'), ...evals('hangs') };
  const waiting = { ...typed('--timeout .05'), ...bot('never gets ready') };
  const nowhere = { line: 'TMPDIR=$PWD/nowhere botcli test' };
  const noPlace = 'no such file or directory\nSet TMPDIR to another';
  /** What is shown last, and the place of the log after it, unless nothing has begun. */
  const failures: [about: string, code: number, setting: Setting, shown: string][] = [
    ['a provider that quotes its key', 1, bot('tells its key\n# fake: crashes'), ' {2}Incorrect API key: …\n.*\n'],
    ['a bot that ends', 1, bot('crashes'), 'before it was ready, with exit code 3\n {2}ValueError: it is broken\n'],
    ['one that ends during evals', 1, lost, 'conversations, with exit code 4\n {2}.*\n {2}RuntimeError: it is lost\n'],
    ['one that never ends', 1, hanging, "weren't over after 0\\.05 minutes\nAllow more with --timeout MINUTES\\.\n"],
    ['one without a voice that hangs', 1, mute, 'refuses OPENAI_API_KEY \\(HTTP 401\\)\n.*\n'],
    ['a bot that never gets ready', 1, waiting, 'over after \\.05 minutes\n.*\n'],
    ['evals without a result', 1, evals('breaks'), 'and without a result\n {2}ModuleNotFoundError: No module .*\n'],
    ['evals that fail at last', 1, evals('ends badly'), 'evals .* 1, although no conversation failed\n'],
    ['an install that fails', 1, { saying: { 'server/pyproject.toml': 'sync fails' } }, 'uv sync failed in server/'],
    ['temporary files in no directory', 1, nowhere, `^error: Can't create .* the bot's log in ".*nowhere": ${noPlace}`],
    ['an unknown name', 2, typed('start'), 'There is no scenario "start"\nDid you mean starter_text\\?'],
    ['no number', 2, typed('--timeout soon'), '--timeout is "soon"'],
    ['too long a time', 2, typed('--timeout 1441'), 'a number of minutes up to 1440, such as 10'],
    ['only spoken conversations', 2, spoken, 'needs only text\nRun the others: botcli test --audio\n$'],
    ['no evals', 2, { config: { enable_eval: false } }, 'no test conversations\nAdd them: botcli update --eval\n$'],
  ];
  for (const [about, code, setting, shown] of failures) {
    itTests(`ends with ${code} for ${about}`, setting, outcome => {
      assert.equal(outcome.code, code, outcome.stdout + outcome.stderr);
      const place = shown.endsWith('\n') ? "The bot's log is .*\\.log\n" : '';
      assert.match(outcome.stderr, new RegExp(shown + place));
    });
  }

  const line = 'mv server/.env .tmp/.keys; botcli test; code=$?; mv .tmp/.keys server/.env; exit $code';
  itTests('reports missing keys, but not the usual port, which it does not use', { line }, ({ code, stdout }) => {
    assert.equal(code, 1);
    assert.match(stdout, /\n✓ This machine: uv 0\.9\.1 is installed\n✗ server\/\.env doesn't exist/);
  });

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
  const journals = (line: string) => (journal: string) => journal.includes(line);
  /** More has been printed than anybody reads. */
  const isUnread: Moment = (_, { stdout }) => stdout !== null && stdout.readableLength >= stdout.readableHighWaterMark;

  const moments: [about: string, saying: Record<string, string>, isNow: Moment][] = [
    ['while it installs', { 'server/pyproject.toml': 'sync hangs' }, journals('uv sync')],
    ['before the bot is ready', { [BOT]: 'never gets ready' }, journals('uv run bot.py')],
    ['in a conversation', { [TEXT]: 'hangs' }, journals('uv run python')],
    ['after the last conversation', { [BOT]: 'ignores signals' }, journals('ignores SIG')],
    ['while nobody reads what it prints', { [TEXT]: 'talks' }, isUnread],
  ];
  for (const [about, saying, isNow] of moments) {
    it(`ends with the code of each signal ${about}, and leaves nothing`, async () => {
      const endWith = ([signal, code]: [NodeJS.Signals, number]) =>
        whileTesting(saying, isNow, async botcli => {
          botcli.kill(signal);
          assert.equal(await exitOf(botcli), code);
        })();
      const codes = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129, SIGQUIT: 131 };
      await Promise.all((Object.entries(codes) as [NodeJS.Signals, number][]).map(endWith));
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
