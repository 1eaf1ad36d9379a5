import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { AiPath, Failure } from '../../support/local-ai.ts';
import { expect } from '../expect.ts';
import { makeProject, OPENAI } from '../projects.ts';
import type { RunningBot } from '../running-bot.ts';
import { patient, slowness } from '../slowness.ts';
import type { StandInProgram } from '../stand-in.ts';
import { type Caller, type Conversation, listen, runScript, type Waited, wait } from '../talk.ts';
import { WORKSHOP } from '../workshop.ts';
import { SPOKEN } from './realtime.ts';
import { findInLog, SPEAKS } from './records.ts';

const STT = 'audio/transcriptions';
const LLM = 'chat/completions';
const TTS = 'audio/speech';

/** Nobody waits longer than this, in seconds, for a sound or the end of the call: after an error, and in silence. */
const PATIENCE = { error: 8, silence: 17 };

/** When the caller speaks, if they do: after the greeting, and at this second at the earliest. */
const SPEAK_AT = 4;
const WORDS_SECONDS = 2;

const refusal = (status: number, code: string): Failure => ({ status, error: { message: `stand-in: ${code}`, code } });
const BAD_KEY = refusal(401, 'invalid_api_key');
const NO_CREDIT = refusal(429, 'insufficient_quota');
const BUSY = refusal(429, 'rate_limit_exceeded');
const BROKEN = refusal(500, 'server_error');

/** A failure of a service, and what the caller hears. */
interface Case {
  path: AiPath;
  failure: Failure;
  /** How often it fails. Default: always. */
  times?: number;
  /** Whether it begins only when the caller speaks. */
  isLate?: true;
  /** How long nothing may be heard. Default: as after an error. */
  kind?: keyof typeof PATIENCE;
  /** The bot's last words. None if its voice fails. */
  ends?: 'with words' | 'without words';
}

const CASES: Record<string, Case> = {
  'a refused key of the LLM': { path: LLM, failure: BAD_KEY, ends: 'with words' },
  'a refused key of the TTS': { path: TTS, failure: BAD_KEY, ends: 'without words' },
  'a refused key of the STT': { path: STT, failure: BAD_KEY, isLate: true, ends: 'with words' },
  'no credit': { path: LLM, failure: NO_CREDIT, ends: 'with words' },
  'an LLM that drops connections': { path: LLM, failure: 'drops', ends: 'with words' },
  'a TTS that fails each time': { path: TTS, failure: BROKEN, ends: 'without words' },
  'a TTS that hangs': { path: TTS, failure: 'hangs', kind: 'silence', ends: 'without words' },
  'an LLM that hangs': { path: LLM, failure: 'hangs', ends: 'with words' },
  'a slow LLM': { path: LLM, failure: { seconds: 12 } },
  'an STT that hangs': { path: STT, failure: 'hangs', isLate: true, ends: 'with words' },
  // The framework's client tries three times for each reply.
  'a busy LLM': { path: LLM, failure: BUSY, times: 4 },
  'an STT with a bad moment': { path: STT, failure: BROKEN, times: 3, isLate: true },
};

/** How the guard of each kind of service learns that it works: a row for each, whose guards differ. */
const GUARDS = {
  answers: { stt_service: 'openai_stt' },
  pings: { stt_service: 'assemblyai_stt' },
  nothing: { stt_service: 'azure_stt' },
  slow: { stt_service: 'moonshine_stt', llm_service: 'ollama_llm', tts_service: 'kokoro_tts' },
};

/**
 * Scripted calls to the guard of each kind of service: it hangs up for failures, and never for silence. Errors that no
 * retry fixes end a call at once.
 */
export async function judgeCalls(server: string): Promise<string> {
  const judged: string[] = [];
  for (const [kind, services] of Object.entries(GUARDS)) {
    const config = { ...OPENAI, ...services, transports: ['tel_a'] };
    const directory = await makeProject({ name: `guard-${kind}`, config }, join(WORKSHOP, 'guards'));
    judged.push(await judge(server, kind, join(directory, 'server/guard.py')));
  }
  return judged.join('; ');
}

/** Scripted calls to the guard of a speech-to-speech service. */
export const judgeSessions = (server: string): Promise<string> => judge(server, 'realtime', 'guard.py');

async function judge(server: string, kind: string, guard: string): Promise<string> {
  const { checked, wrong } = await runScript<{ checked: number; wrong: string[] }>(server, 'check_guard.py', [
    kind,
    guard,
  ]);
  expect(wrong.length === 0, `${wrong.length} calls went wrong`, wrong.join('\n'));
  return `${kind}: ${checked} calls and errors`;
}

/** Calls while each service fails in each way: within seconds, the caller hears a sentence, or the bot hangs up. */
export async function surviveCascade(bot: RunningBot): Promise<string> {
  const seen: string[] = [];
  for (const [name, one] of Object.entries(CASES)) seen.push(`${name}: ${await failIn(bot, name, one)}`);
  return seen.join('; ');
}

async function failIn(bot: RunningBot, name: string, one: Case): Promise<string> {
  const { path, failure, times, isLate, kind = 'error', ends } = one;
  const before = bot.ai.journal.length;
  bot.ai.fail(path, failure, times);
  const patience = patient((isLate ? SPEAK_AT + WORDS_SECONDS : 0) + (ends ? 30 : PATIENCE.silence));
  const waited = await wait(bot, { speak: isLate ? [SPEAK_AT] : [], patience });
  bot.ai.fail(path, undefined);
  const seen = JSON.stringify(waited);
  const since = isLate ? (waited.said_at ?? Infinity) : 0;
  const words = waited.sounds.find(sound => sound.from > since);
  // Within seconds, there is a sound or the end of the call.
  const end = waited.hung_up_at ?? Infinity;
  const first = Math.min(...[...waited.sounds.map(({ from }) => from), end].filter(at => at > since));
  expect(first < since + patient(PATIENCE[kind]), `${name}: silence`, seen);
  if (!ends) expect(waited.hung_up_at === null && words !== undefined, `${name}: it wasn't survived`, seen);
  else {
    expect(waited.hung_up_at !== null, `${name}: the line is still open`, seen);
    // The bot doesn't wait long for its last words to be heard. On a slow machine, it's enough that it wanted to say them.
    const said = slowness() > 1.5 && timesSaid(bot, 'GOODBYE', before) > 0;
    expect((said || words !== undefined) === (ends === 'with words'), `${name}: it ended not ${ends}`, seen);
  }
  return describe(waited, since);
}

/** How often the guard's sentence of this name was to be spoken, since some entry of the journal. */
function timesSaid({ server, ai }: RunningBot, name: string, since = 0): number {
  const guard = readFileSync(join(server, 'guard.py'), 'utf8');
  const sentence = new RegExp(`^${name} = "(.*)"$`, 'm').exec(guard)?.[1];
  return ai.journal
    .slice(since)
    .filter(({ path, text }) => path.endsWith('/speech') && text !== undefined && sentence?.startsWith(text)).length;
}

function describe({ sounds, hung_up_at }: Waited, since: number): string {
  const heard = sounds
    .filter(({ from }) => from > since)
    .map(({ from }) => `words after ${(from - since).toFixed(1)} s`);
  return [...heard, ...(hung_up_at === null ? [] : [`hangs up after ${(hung_up_at - since).toFixed(1)} s`])].join(', ');
}

/** The file in a bot's directory that says what is wrong with its stand-in. */
const MOOD = 'stand-in-mood.txt';

/** What is wrong with the speech-to-speech stand-in, if anything. */
type Mood = 'refuses' | 'closes' | 'closes twice' | 'hangs' | 'ignores' | '';

/** Says what is wrong with the stand-in from now on. */
const setMood = ({ server }: RunningBot, mood: Mood): void => writeFileSync(join(server, MOOD), mood);

/** A stand-in for a speech-to-speech service that fails on demand. */
export const moodyAi: StandInProgram = { script: 'realtime_ai.py', args: ['--mood', MOOD, ...SPOKEN] };

/** How long a greeting takes. */
const GREETING_MS = 3000;

/** Waits until the bot begins to speak. */
async function nextSpeech(bot: RunningBot): Promise<void> {
  await findInLog(bot, SPEAKS, [...bot.log().matchAll(SPEAKS)].length + 1);
}

/** Calls while the speech-to-speech service fails: it's reconnected, or the bot hangs up. */
export async function surviveRealtime(bot: RunningBot): Promise<string> {
  const seen: string[] = [];
  for (const mood of ['refuses', 'closes', 'hangs'] as const) {
    setMood(bot, mood);
    const waited = await wait(bot, { patience: patient(2 * PATIENCE.silence) });
    expect(waited.hung_up_at !== null, `${mood}: the line is still open`, JSON.stringify(waited));
    seen.push(`${mood}: ${describe(waited, 0)}`);
  }
  for (const mood of ['closes twice', 'hangs'] as const) {
    setMood(bot, '');
    const call = wait(bot, { speak: [patient(SPEAK_AT + 2)], patience: patient(SPEAK_AT + 4 + 2 * PATIENCE.silence) });
    await nextSpeech(bot);
    await sleep(patient(GREETING_MS));
    setMood(bot, mood);
    const waited = await call;
    const [, next] = waited.sounds;
    if (mood === 'closes twice')
      expect(next !== undefined && waited.hung_up_at === null, 'no words after it came back', JSON.stringify(waited));
    else {
      const silence = (waited.hung_up_at ?? Infinity) - (waited.said_at ?? 0);
      expect(silence < patient(PATIENCE.silence), `${silence} s of silence`, JSON.stringify(waited));
    }
    seen.push(`${mood} in the call: ${describe(waited, SPEAK_AT)}`);
  }
  setMood(bot, '');
  return seen.join('; ');
}

/** In a browser, one error reports a broken service, from the start or later, and the session ends. */
export async function reportOnce(bot: RunningBot): Promise<string> {
  setMood(bot, 'refuses');
  const refused = await listen(bot, 15);
  expect(refused.ended && refused.errors.length === 1, 'a refused key', JSON.stringify(refused));
  setMood(bot, '');
  const session = listen(bot, 30);
  await nextSpeech(bot);
  await sleep(patient(GREETING_MS));
  setMood(bot, 'closes');
  const { errors, ended, speeches } = await session;
  setMood(bot, '');
  expect(speeches === 1 && ended, 'the session goes on', JSON.stringify({ speeches, ended }));
  expect(errors.length === 1, `${errors.length} errors`, JSON.stringify(errors));
  return `one error, then the end: ${errors[0]?.error}`;
}

/** A browser session of a cascade goes on after an error, which the client gets. */
export const goOn: Conversation = async bot => {
  bot.ai.fail(LLM, BAD_KEY);
  const { errors, ended } = await listen(bot, 6);
  bot.ai.fail(LLM, undefined);
  expect(!ended && errors.length === 1, `${errors.length} errors, ended: ${ended}`, JSON.stringify(errors));
  return `one error, and the session stays: ${errors[0]?.error}`;
};

const PROVIDERS = ['twilio', 'telnyx', 'plivo', 'exotel'];

/** Where people call from, if the noise ends after some seconds, and what they say meanwhile. */
const places = (seconds: number): readonly Caller[] => [
  { noise: ['crowd', 'hiss'], quiet: seconds },
  { noise: ['distant', 'coughs'], quiet: seconds },
  // Somebody on hold, who then says nothing.
  { noise: ['music'], quiet: seconds / 2 },
  // Somebody who hears themselves.
  { echo: true, speak: [8, 16] },
];

/**
 * When callers ask after the noise: some in two parts with six seconds between them, as of a number. Their clocks begin
 * when they call, some time after ours, and in between the stand-ins begin to hear words.
 */
const ASK_AFTER = 5;
const PAUSE = 8;
const PAUSING = [1, 3];
const HANG_UP_AFTER = 30;

/** What the framework logs when noise has cut the bot short, and it lets the bot go on. */
const RESUMED = /Empty user turn \(interrupted\), running LLM/g;

/**
 * Four people call at once, each by another provider and from another place. Noise is no failure: nobody is hung up on,
 * the bot begins to speak at most once a minute meanwhile, and it answers their question afterwards.
 *
 * @param seconds - how long the places are noisy
 * @param shift - which provider the first place has; the others follow
 */
export const surviveNoise =
  (seconds: number, shift = 0): Conversation =>
  async bot => {
    const ask = seconds + patient(ASK_AFTER);
    const patience = ask + patient(HANG_UP_AFTER);
    const called = places(seconds).map(async (place, at) => {
      const provider = PROVIDERS[(at + shift) % PROVIDERS.length] as string;
      const asks = PAUSING.includes(at) ? [ask, ask + patient(PAUSE)] : [ask];
      const caller = { ...place, provider, speak: [...(place.speak ?? []), ...asks], patience };
      return { provider, waited: await wait(bot, caller) };
    });
    hearNothing(bot, true);
    await sleep((ask - 1) * 1000);
    // A slow machine keeps callers waiting, and the bot says so.
    const excused = (bot.log().match(RESUMED)?.length ?? 0) + timesSaid(bot, 'WAIT');
    hearNothing(bot, false);
    const calls = await Promise.all(called);
    const spoken = calls.reduce((sum, { waited }) => sum + wordsBefore(ask, waited), 0);
    expect(spoken <= calls.length * Math.ceil(ask / 60) + excused, `it spoke ${spoken} times in all calls`, bot.log());
    return calls
      .map(({ provider, waited }) => `${provider}: ${expectHeard(provider, waited, ask, excused)}`)
      .join('; ');
  };

/** The stand-in for each kind of service that hears. */
function hearNothing(bot: RunningBot, isNoise: boolean): void {
  bot.ai.hearNothing(isNoise);
  setMood(bot, isNoise ? 'ignores' : '');
}

/** How often a bot spoke after its greeting. */
const wordsBefore = (ask: number, { sounds }: Waited): number =>
  sounds.slice(1).filter(({ from }) => from < ask).length;

function expectHeard(provider: string, waited: Waited, ask: number, excused: number): string {
  const seen = JSON.stringify(waited);
  expect(waited.hung_up_at === null, `${provider}: it hung up`, seen);
  expect(waited.sounds[0] !== undefined, `${provider}: no greeting`, seen);
  const length = wordsBefore(ask, waited);
  expect(length <= Math.ceil(ask / 60) + excused, `${provider}: it spoke ${length} times`, seen);
  const isAnswered = waited.sounds.some(({ from }) => from > ask + 1);
  expect(isAnswered, `${provider}: the question wasn't answered`, seen);
  return `${length} times words in ${ask} s`;
}
