import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { BOT_STEP } from '../../../src/project/handover/next-steps.ts';
import { processesWith } from '../../support/left.ts';
import { DEFAULT_TRANSCRIPT } from '../../support/local-ai.ts';
import { ABILITIES, GREETING, QUESTION } from '../../support/local-ai-answers.ts';
import { expect, expectChat } from '../expect.ts';
import { type Ending, type Environment, run, startService } from '../processes.ts';
import { BOTCLI } from '../projects.ts';
import type { RunningBot } from '../running-bot.ts';
import { waitFor } from '../slowness.ts';
import type { Conversation } from '../talk.ts';
import { cleanEnvironment, ensureUv, LOGS, listVariables, placeOnPath } from '../workshop.ts';

const FACTORIES = join(import.meta.dirname, '..');

/** Checks that a starter scenario passes, run as the README says, and that the framework warns of nothing. */
const passStarter =
  (scenario: 'text' | 'simulation', expectHeard: (bot: RunningBot) => void): Conversation =>
  async bot => {
    const { stdout } = await runEvals(bot, `evals/starter_${scenario}.yaml`);
    expectHeard(bot);
    const verdicts = bot.ai.journal.filter(({ path, stream }) => path.endsWith('/chat/completions') && !stream);
    return `${passedOf(stdout)}, ${verdicts.length} verdicts of the judge`;
  };

export const passTextEvals = passStarter('text', ({ ai }) => expectChat(ai, QUESTION));

/** The same with a speech-to-speech service, to which the person's words are typed. */
export const passTypedEvals = passStarter('text', bot => {
  const typed = bot.journal().filter(({ written }) => written === QUESTION);
  expect(typed.length === 1, `the service got the question ${typed.length} times`);
});

/** A simulated person talks to the bot until they have what they want, and the judge agrees. */
export const passSimulation = passStarter('simulation', ({ ai }) => expectChat(ai, QUESTION));

/** A scenario that no bot passes. */
const HOPELESS = `name: hopeless
scenarios:
  - name: word
    turns:
      - expect:
          - event: response
            text_contains: xylophone
            within_ms: 3000
`;

/** Ends a call in which nobody speaks after 0.3 seconds, instead of 300. */
const HURRY = `
async def setup_worker_runner(runner):
    pass


async def setup_pipeline_worker(worker):
    worker._idle_timeout_secs /= 1000
`;

/**
 * How commands of botcli run in a bot's project, with these variables. At the end, no process is left that they started,
 * and no temporary file but the logs of failed tests.
 */
async function openBotcli(server: string, added: Environment) {
  const mark = randomUUID();
  const places = await mkdtemp(join(tmpdir(), 'ran-botcli-'));
  const own = join(places, 'hurry.py');
  await writeFile(own, HURRY);
  const files = [added.PIPECAT_SETUP_FILES, own].filter(Boolean).join(delimiter);
  const { all, required } = await listVariables(server);
  const env = cleanEnvironment(all, { ...added, TMPDIR: places, MARK: mark, PIPECAT_SETUP_FILES: files });
  env.PATH = `${await placeOnPath(await ensureUv())}:${env.PATH}`;
  const place = { cwd: server, env };
  const botcli = (...words: string[]) => run([...BOTCLI, ...words], place);
  const end = async () => {
    const files = (await readdir(places)).filter(name => /^botcli(?!-test-)/.test(name));
    const left = [...processesWith(`MARK=${mark}`), ...files];
    expect(left.length === 0, 'something is left', left.join('\n'));
    await rm(places, { recursive: true });
  };
  return { botcli, place, keys: Object.fromEntries(required.map(name => [name, 'test'])), end };
}

/** Does something while a project has no `.env`. */
async function withoutKeys<Result>(server: string, use: () => Promise<Result>): Promise<Result> {
  await rename(join(server, '.env'), join(server, '.env-kept'));
  return use().finally(() => rename(join(server, '.env-kept'), join(server, '.env')));
}

/** Checks that `botcli test` reports one scenario that passes and one that fails, as in CI: with keys, without `.env`. */
export async function passTests({ server, ai }: RunningBot): Promise<string> {
  await writeFile(join(server, 'evals/hopeless.yaml'), HOPELESS);
  const { botcli, place, keys, end } = await openBotcli(server, { OPENAI_BASE_URL: ai.url, CI: '1' });
  Object.assign(place.env, keys);
  const { code, stdout, stderr } = await withoutKeys(server, () => botcli('test', '--json'));
  expect(code === 1 && stdout.startsWith('{'), `exit code ${code}`, stdout + stderr);
  const { scenarios, log, seconds }: TestReport = JSON.parse(stdout);
  const results = scenarios.map(({ name, result }) => `${name} ${result}`).join(', ');
  expect(results === 'hopeless/word failed, starter_text/greeting passed', results, stdout);
  expect(scenarios[0]?.reason?.includes('xylophone') === true, 'another reason', stdout);
  expect((await readFile(log, 'utf8')).includes(BOT_STEP.ready_when), 'another log', log);
  expectChat(ai, QUESTION);
  await end();
  return `${results}, in ${seconds} s`;
}

/** A scenario that waits for ten minutes. */
const ENDLESS = HOPELESS.replaceAll('hopeless', 'endless').replace('3000', '600000');

/** How long it may take until a scenario has begun. */
const BEGUN_MS = 60_000;

/**
 * Checks how `botcli test` ends with the real framework: after Ctrl-C, when its time is over, without its keys, and with
 * a bot that doesn't start. It leaves nothing running.
 */
export async function endTests({ server, ai }: RunningBot): Promise<string> {
  await writeFile(join(server, 'evals/endless.yaml'), ENDLESS);
  const { botcli, place, end } = await openBotcli(server, { OPENAI_BASE_URL: ai.url, CI: '1' });
  const test = (...args: string[]) => botcli('test', 'endless', ...args, '--json');
  const errorIn = ({ stdout }: Ending): { code?: string; problems?: string[] } => JSON.parse(stdout).error ?? {};

  const stopped = startService([...BOTCLI, 'test', 'endless'], place, join(LOGS, 'ended-tests.log'));
  const late = test('--timeout', '0.3');
  await waitFor(() => stopped.log().includes('endless/word'), BEGUN_MS);
  stopped.signal('SIGINT');
  await waitFor(stopped.ended, BEGUN_MS);
  expect(stopped.log().endsWith('Stopped.\n'), 'Ctrl-C does not stop it', stopped.log());
  const timeout = await late;
  expect(timeout.code === 1 && errorIn(timeout).code === 'timeout', 'another end than its time', timeout.stdout);

  const keyless = await withoutKeys(server, test);
  expect(keyless.code === 1 && keyless.stdout.includes('"env-file-missing"'), 'no key is missing', keyless.stdout);

  const good = await readFile(join(server, 'bot.py'), 'utf8');
  await writeFile(join(server, 'bot.py'), `raise RuntimeError("it is broken")\n${good}`);
  const broken = await test();
  await writeFile(join(server, 'bot.py'), good);
  const reason = errorIn(broken).problems?.at(-1);
  expect(broken.code === 1 && reason === 'RuntimeError: it is broken', `the reason is ${reason}`, broken.stdout);
  await Promise.all([end(), rm(join(server, 'evals/endless.yaml'))]);
  return 'Ctrl-C, a timeout, no keys, and a bot that does not start leave nothing running';
}

/** `talkInText` with a service that repeats what it hears. */
export const talkInTextInRealtime = (bot: RunningBot): Promise<string> => talkInText(bot, `You said: ${QUESTION}`);

/** Checks that `botcli talk` gets the greeting and each answer of a real bot, which isn't idle then, and leaves nothing. */
export async function talkInText({ server, standIns }: RunningBot, answer = ABILITIES): Promise<string> {
  const { botcli, end } = await openBotcli(server, standIns);
  const { code, stdout, stderr } = await botcli('talk', '--say', 'One', '--say', QUESTION, '--json');
  expect(code === 0, `exit code ${code}`, stdout + stderr);
  const events = stdout
    .trim()
    .split('\n')
    .map(line => JSON.parse(line));
  const texts = events.flatMap(({ event, text }) => (event === 'bot' ? [text] : []));
  const expected = [GREETING, 'You said: One', answer];
  expect(JSON.stringify(texts) === JSON.stringify(expected), 'another conversation', stdout);
  await end();
  return `${texts.length} answers`;
}

/** What `botcli test --json` prints. */
interface TestReport {
  seconds: number;
  scenarios: { name: string; result: string; reason?: string }[];
  log: string;
}

/** Checks that the project's audio scenarios pass. Stand-ins replace their speech models, which must be downloaded. */
export async function passAudioEvals(bot: RunningBot): Promise<string> {
  const scenario = await readFile(join(bot.server, 'evals/starter_audio.yaml'), 'utf8');
  const substituted = scenario
    .replace('service: kokoro', 'factory: eval_voices.speech')
    .replace('service: moonshine', 'factory: eval_voices.transcription');
  expect(substituted.match(/eval_voices/g)?.length === 2, 'the scenario names other models', scenario);
  await writeFile(join(bot.server, 'evals/with-local-voices.yaml'), substituted);
  // The transcriptions happen in this order: the greeting for the judge, the question for the bot, the answer for the
  // judge.
  bot.ai.say(GREETING, DEFAULT_TRANSCRIPT, ABILITIES);
  const { stdout } = await runEvals(bot, 'evals/with-local-voices.yaml');
  const heard = bot.ai.journal.filter(({ path, sound }) => path.endsWith('/transcriptions') && sound);
  expect(heard.length > 1, 'the bot was not heard');
  return `${passedOf(stdout)}, ${heard.length} replies heard`;
}

async function runEvals({ server, url, ai }: RunningBot, scenario: string): Promise<Ending> {
  const { all } = await listVariables(server);
  const address = `${url.replace('http', 'ws')}/ws`;
  const command = ['run', 'pipecat', 'eval', 'run', scenario, '-v', '--bot-url', address];
  const env = cleanEnvironment(all, {
    OPENAI_BASE_URL: ai.url,
    PYTHONPATH: FACTORIES,
    // Speech is cached between runs, by default in the user's cache directory.
    PIPECAT_EVALS_CACHE_DIR: join(server, '.speech'),
  });
  const ending = await run([await ensureUv(), ...command], { cwd: server, env, isLive: true });
  const printed = ending.stdout + ending.stderr;
  expect(ending.code === 0, `exit code ${ending.code}`, printed);
  expect(!/warning|deprecated/i.test(printed), 'a warning', printed);
  return ending;
}

const passedOf = (stdout: string): string => stdout.match(/\d+\/\d+ passed/)?.[0] ?? 'passed';
