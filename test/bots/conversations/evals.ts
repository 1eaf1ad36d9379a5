import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { BOT_STEP } from '../../../src/project/handover/next-steps.ts';
import { processesWith } from '../../support/left.ts';
import { DEFAULT_TRANSCRIPT } from '../../support/local-ai.ts';
import { ABILITIES, GREETING, QUESTION } from '../../support/local-ai-answers.ts';
import { expect, expectChat } from '../expect.ts';
import { type Ending, run, startService } from '../processes.ts';
import { BOTCLI } from '../projects.ts';
import type { RunningBot } from '../running-bot.ts';
import { waitFor } from '../slowness.ts';
import { cleanEnvironment, ensureUv, LOGS, listVariables, placeOnPath } from '../workshop.ts';

const FACTORIES = join(import.meta.dirname, '..');

/** Checks that the project's text scenarios pass, run as its README says, and that the framework warns of nothing. */
export async function passTextEvals(bot: RunningBot): Promise<string> {
  const { stdout } = await runEvals(bot, 'evals/starter_text.yaml');
  expectChat(bot.ai, QUESTION);
  return `${passedOf(stdout)}, ${verdictsOf(bot)} replies judged`;
}

/** The same with a speech-to-speech service, to which the person's words are typed. */
export async function passTypedEvals(bot: RunningBot): Promise<string> {
  const { stdout } = await runEvals(bot, 'evals/starter_text.yaml');
  const typed = bot.journal().filter(({ written }) => written === QUESTION);
  expect(typed.length === 1, `the service got the question ${typed.length} times`);
  return `${passedOf(stdout)}, ${verdictsOf(bot)} replies judged`;
}

/** Checks that a simulated person talks to the bot until they have what they want, and that the judge agrees. */
export async function passSimulation(bot: RunningBot): Promise<string> {
  const { stdout } = await runEvals(bot, 'evals/starter_simulation.yaml');
  expectChat(bot.ai, QUESTION);
  return `${passedOf(stdout)}, ${verdictsOf(bot)} verdicts`;
}

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
 * Checks that `botcli test` reports one scenario that passes and one that fails, as in CI: with keys, without `.env`. A bot
 * to which a test types isn't idle.
 */
export async function passTests({ server, ai }: RunningBot): Promise<string> {
  await writeFile(join(server, 'evals/hopeless.yaml'), HOPELESS);
  await rename(join(server, '.env'), join(server, '.env-kept'));
  const [{ all, required }, uv] = await Promise.all([listVariables(server), ensureUv()]);
  const keys = Object.fromEntries(required.map(name => [name, 'test']));
  const places = await mkdtemp(join(tmpdir(), 'passed-tests-'));
  const own = join(places, 'hurry.py');
  await writeFile(own, HURRY);
  const env = cleanEnvironment(all, { ...keys, OPENAI_BASE_URL: ai.url, CI: '1', PIPECAT_SETUP_FILES: own });
  env.PATH = `${await placeOnPath(uv)}:${env.PATH}`;
  const { code, stdout, stderr } = await run([...BOTCLI, 'test', '--json'], { cwd: server, env });
  await rename(join(server, '.env-kept'), join(server, '.env'));
  expect(code === 1 && stdout.startsWith('{'), `exit code ${code}`, stdout + stderr);
  const { scenarios, log, seconds }: TestReport = JSON.parse(stdout);
  const results = scenarios.map(({ name, result }) => `${name} ${result}`).join(', ');
  expect(results === 'hopeless/word failed, starter_text/greeting passed', results, stdout);
  expect(scenarios[0]?.reason?.includes('xylophone') === true, 'another reason', stdout);
  expect((await readFile(log, 'utf8')).includes(BOT_STEP.ready_when), 'another log', log);
  await Promise.all([dirname(log), places].map(path => rm(path, { recursive: true })));
  expectChat(ai, QUESTION);
  return `${results}, in ${seconds} s`;
}

/** A scenario that waits for ten minutes. */
const ENDLESS = HOPELESS.replaceAll('hopeless', 'endless').replace('3000', '600000');

/** How long it may take until a scenario has begun. */
const BEGUN_MS = 60_000;

/**
 * Checks how `botcli test` ends with the real framework: after Ctrl-C, when its time is over, without its keys, and with
 * a bot that doesn't start. It leaves nothing but the log of what failed.
 */
export async function endTests({ server, ai }: RunningBot): Promise<string> {
  await writeFile(join(server, 'evals/endless.yaml'), ENDLESS);
  const mark = randomUUID();
  const places = await mkdtemp(join(tmpdir(), 'ended-tests-'));
  const [{ all }, uv] = await Promise.all([listVariables(server), ensureUv()]);
  const env = cleanEnvironment(all, { OPENAI_BASE_URL: ai.url, CI: '1', TMPDIR: places, ENDED_TESTS: mark });
  env.PATH = `${await placeOnPath(uv)}:${env.PATH}`;
  const place = { cwd: server, env };
  const test = (...args: string[]) => run([...BOTCLI, 'test', 'endless', ...args, '--json'], place);
  const errorIn = ({ stdout }: Ending): { code?: string; problems?: string[] } => JSON.parse(stdout).error ?? {};

  const stopped = startService([...BOTCLI, 'test', 'endless'], place, join(LOGS, 'ended-tests.log'));
  const late = test('--timeout', '0.3');
  await waitFor(() => stopped.log().includes('endless/word'), BEGUN_MS);
  stopped.signal('SIGINT');
  await waitFor(stopped.ended, BEGUN_MS);
  expect(stopped.log().endsWith('Stopped.\n'), 'Ctrl-C does not stop it', stopped.log());
  const timeout = await late;
  expect(timeout.code === 1 && errorIn(timeout).code === 'timeout', 'another end than its time', timeout.stdout);
  const logs = (await readdir(places)).filter(name => name.startsWith('botcli-test-'));
  expect(logs.length === 1, `it leaves ${logs.length} logs`, logs.join('\n'));

  await rename(join(server, '.env'), join(server, '.env-kept'));
  const keyless = await test();
  await rename(join(server, '.env-kept'), join(server, '.env'));
  expect(keyless.code === 1 && keyless.stdout.includes('"env-file-missing"'), 'no key is missing', keyless.stdout);

  const good = await readFile(join(server, 'bot.py'), 'utf8');
  await writeFile(join(server, 'bot.py'), `raise RuntimeError("it is broken")\n${good}`);
  const broken = await test();
  await writeFile(join(server, 'bot.py'), good);
  const reason = errorIn(broken).problems?.at(-1);
  expect(broken.code === 1 && reason === 'RuntimeError: it is broken', `the reason is ${reason}`, broken.stdout);

  const left = processesWith(`ENDED_TESTS=${mark}`);
  expect(left.length === 0, 'a process is left', left.join('\n'));
  await Promise.all([rm(places, { recursive: true }), rm(join(server, 'evals/endless.yaml'))]);
  return 'Ctrl-C, a timeout, no keys, and a bot that does not start leave nothing running';
}

/** `talkInText` with a service that repeats what it hears. */
export const talkInTextInRealtime = (bot: RunningBot): Promise<string> => talkInText(bot, `You said: ${QUESTION}`);

/** Checks that `botcli talk` gets the greeting and each answer of a real bot, which isn't idle then, and leaves nothing. */
export async function talkInText({ server, standIns }: RunningBot, answer = ABILITIES): Promise<string> {
  const mark = randomUUID();
  const places = await mkdtemp(join(tmpdir(), 'talked-'));
  const [{ all }, uv] = await Promise.all([listVariables(server), ensureUv()]);
  const own = join(places, 'hurry.py');
  await writeFile(own, HURRY);
  const setUp = [standIns.PIPECAT_SETUP_FILES, own].filter(Boolean).join(delimiter);
  const env = cleanEnvironment(all, { ...standIns, TMPDIR: places, TALKED: mark, PIPECAT_SETUP_FILES: setUp });
  env.PATH = `${await placeOnPath(uv)}:${env.PATH}`;
  const said = ['--say', 'One', '--say', QUESTION];
  const { code, stdout, stderr } = await run([...BOTCLI, 'talk', ...said, '--json'], { cwd: server, env });
  expect(code === 0, `exit code ${code}`, stdout + stderr);
  const lines = stdout.trim().split('\n');
  const texts = lines.map(line => JSON.parse(line)).flatMap(({ event, text }) => (event === 'bot' ? [text] : []));
  const expected = [GREETING, 'You said: One', answer];
  expect(JSON.stringify(texts) === JSON.stringify(expected), 'another conversation', stdout);
  const left = [
    ...processesWith(`TALKED=${mark}`),
    ...(await readdir(places)).filter(name => name.startsWith('botcli')),
  ];
  expect(left.length === 0, 'something is left', left.join('\n'));
  await rm(places, { recursive: true });
  return `${texts.length} answers`;
}

/** What `botcli test --json` prints. */
interface TestReport {
  seconds: number;
  scenarios: { name: string; result: string; reason?: string }[];
  log: string;
}

/** How many times the judge was asked. */
const verdictsOf = ({ ai }: RunningBot): number =>
  ai.journal.filter(({ path, stream }) => path.endsWith('/chat/completions') && !stream).length;

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
