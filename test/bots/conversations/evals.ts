import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEFAULT_TRANSCRIPT } from '../../support/local-ai.ts';
import { ABILITIES, GREETING, QUESTION } from '../../support/local-ai-answers.ts';
import { expect, expectChat } from '../expect.ts';
import { type Ending, run } from '../processes.ts';
import type { RunningBot } from '../running-bot.ts';
import { cleanEnvironment, ensureUv, listVariables } from '../workshop.ts';

const FACTORIES = join(import.meta.dirname, '..');

/** Checks that the project's text scenarios pass, run as its README says, and that the framework warns of nothing. */
export async function passTextEvals(bot: RunningBot): Promise<string> {
  const { stdout } = await runEvals(bot, 'evals/starter_text.yaml');
  expectChat(bot.ai, QUESTION);
  return `${passedOf(stdout)}, ${verdictsOf(bot)} replies judged`;
}

/** Checks that a simulated person talks to the bot until they have what they want, and that the judge agrees. */
export async function passSimulation(bot: RunningBot): Promise<string> {
  const { stdout } = await runEvals(bot, 'evals/starter_simulation.yaml');
  expectChat(bot.ai, QUESTION);
  return `${passedOf(stdout)}, ${verdictsOf(bot)} verdicts`;
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
  const command = ['run', 'python', '-m', 'pipecat.evals', 'run', scenario, '-v', '--bot-url', address];
  const env = cleanEnvironment(all, {
    OPENAI_BASE_URL: ai.url,
    PYTHONPATH: FACTORIES,
    // Speech is cached between runs, by default in the user's cache directory.
    PIPECAT_EVALS_CACHE_DIR: join(server, '.speech'),
  });
  const ending = await run([await ensureUv(), ...command], { cwd: server, env });
  const printed = ending.stdout + ending.stderr;
  expect(ending.code === 0, `exit code ${ending.code}`, printed);
  expect(!/warning|deprecated/i.test(printed), 'a warning', printed);
  return ending;
}

const passedOf = (stdout: string): string => stdout.match(/\d+\/\d+ passed/)?.[0] ?? 'passed';
