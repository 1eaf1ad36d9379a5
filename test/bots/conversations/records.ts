import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_TRANSCRIPT } from '../../support/local-ai.ts';
import { ABILITIES, GREETING } from '../../support/local-ai-answers.ts';
import { measureChannels } from '../../support/sound.ts';
import { audible, expect, isAudible } from '../expect.ts';
import type { RunningBot } from '../running-bot.ts';
import { patient, waitFor } from '../slowness.ts';
import type { StandInProgram } from '../stand-in.ts';
import { type Conversation, listen, runScript, talk } from '../talk.ts';

const WAIT_MS = 20_000;

/** What the log says when the bot begins to speak. */
export const SPEAKS = /Bot started speaking/g;

/** Conversations, and the expected contents of their records. */
interface Records {
  /** Holds one conversation, and describes it. */
  converse: () => Promise<string>;
  /** How many conversations run at the same time. Default: one. */
  sessions?: number;
  /** The lines of the transcript, in the order of a conversation. */
  lines: readonly string[];
  /** The class of the language model's service. */
  model?: string;
}

/** Takes what a bot with traces sends. */
export const traces: StandInProgram = { script: 'traces.py', env: url => ({ OTEL_EXPORTER_OTLP_ENDPOINT: url }) };

/** Holds two conversations at the same time. Each has its own recording, transcript, debugger and trace. */
export async function recordTwoAtOnce(bot: RunningBot): Promise<string> {
  const converse = async () => `reply ${audible((await talk(bot)).sounds[1], 'reply')}`;
  const lines = [`bot: ${GREETING}`, `person: ${DEFAULT_TRANSCRIPT}`, `bot: ${ABILITIES}`];
  return `${await keepRecords(bot, { converse, sessions: 2, lines })}; ${await expectTraces(bot, 2)}`;
}

/** Checks that each session is a trace of its own, with its turns and what each service did in them. */
async function expectTraces(bot: RunningBot, sessions: number): Promise<string> {
  const seen = () => {
    const calls = new Map<unknown, unknown[]>();
    for (const { call, span } of bot.journal()) calls.set(call, [...(calls.get(call) ?? []), span]);
    return [...calls.values()];
  };
  const isWhole = (spans: unknown[]) =>
    ['conversation', 'turn', 'stt', 'llm', 'tts'].every(name => spans.includes(name));
  const areThere = await waitFor(() => seen().filter(isWhole).length === sessions, WAIT_MS);
  expect(areThere === true, `not ${sessions} whole traces`, JSON.stringify(bot.journal()));
  const isNamed = bot.journal().every(({ bot: name }) => name === 'records');
  expect(isNamed, 'another name', JSON.stringify(bot.journal()));
  return `${sessions} traces`;
}

/** Removes a bot's recordings, and returns where they will be. */
async function clearRecordings({ server }: RunningBot): Promise<string> {
  const recordings = join(server, 'recordings');
  await rm(recordings, { recursive: true, force: true });
  return recordings;
}

/** Holds conversations with a debugger attached, and checks their recordings and transcripts. */
export async function keepRecords(bot: RunningBot, records: Records): Promise<string> {
  const { converse, sessions = 1, lines, model = 'OpenAILLMService' } = records;
  const recordings = await clearRecordings(bot);
  const [watched, ...seen] = await Promise.all([
    watch(bot, sessions, model),
    ...Array.from({ length: sessions }, converse),
  ]);
  return [
    ...new Set(seen),
    await expectRecordings(bot, recordings, sessions),
    expectTranscript(bot, lines, sessions),
    watched,
  ].join('; ');
}

/** Checks that there is a WAV for each session, with the person on one channel and the bot on the other. */
async function expectRecordings(bot: RunningBot, directory: string, count: number): Promise<string> {
  await findInLog(bot, /Saved the recording as (.*\.wav)/g, count);
  const files = await readdir(directory);
  expect(files.length === count, `${files.length} recordings`, files.join('\n'));
  for (const file of files) {
    const channels = measureChannels(await readFile(join(directory, file)));
    expect(channels.length === 2, `${channels.length} channels`);
    audible(channels[0], 'person on the left channel');
    audible(channels[1], 'bot on the right channel');
  }
  return `${count} stereo recordings`;
}

/** Checks that the bot's log contains the lines of both sides for each session. */
function expectTranscript(bot: RunningBot, expected: readonly string[], sessions: number): string {
  const lines = matches(bot.log(), /Transcript: (.*)/g);
  const seen = lines.join('\n');
  for (const line of expected) {
    const count = lines.filter(one => one === line).length;
    expect(count === sessions, `logged ${count} times, not ${sessions}: ${line}`, seen);
  }
  if (sessions === 1) expect(seen === expected.join('\n'), 'the order of the transcript', seen);
  return `${lines.length} lines of transcript`;
}

/** The data that a debugger receives about a session. */
interface Watched {
  processors: string[];
  frames: string[];
}

/** Attaches a debugger to each session, on its own port, and checks the received frames. */
async function watch(bot: RunningBot, sessions: number, model: string): Promise<string> {
  const ports = await findInLog(bot, /Whisker running at ws:\/\/localhost:(\d+)/g, sessions);
  expect(new Set(ports).size === sessions, `the same port twice: ${ports.join(', ')}`);
  for (const { processors, frames } of await Promise.all(
    ports.map(port => runScript<Watched>(bot.server, 'watch_frames.py', [port])),
  )) {
    expect(processors.includes(model), 'the pipeline is not shown', processors.join('\n'));
    for (const frame of ['TranscriptionFrame', 'LLMContextFrame', 'LLMTextFrame', 'BotStoppedSpeakingFrame']) {
      expect(frames.includes(frame), `no ${frame}`, frames.join('\n'));
    }
  }
  return `whisker at ${ports.join(' and ')}`;
}

/** Waits until the log contains something this many times. */
export async function findInLog(bot: RunningBot, pattern: RegExp, count: number): Promise<string[]> {
  const find = () => matches(bot.log(), pattern);
  const isThere = await waitFor(() => find().length >= count, WAIT_MS);
  expect(isThere === true, `not ${count} times in the log: ${pattern}`, bot.log());
  return find();
}

const matches = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);

const SESSIONS = 3;

/** Ctrl-C, once or twice, ends a bot with open sessions, after each session's recording is written. */
export const stopWith =
  (signals: number): Conversation =>
  async bot => {
    const recordings = await clearRecordings(bot);
    const sessions = Array.from({ length: SESSIONS }, () => listen(bot, 40));
    await findInLog(bot, SPEAKS, SESSIONS);
    await sleep(patient(1000));
    const start = Date.now();
    for (let sent = 0; sent < signals; sent++) {
      bot.signal('SIGINT');
      await sleep(300);
    }
    expect((await waitFor(bot.ended, WAIT_MS)) === true, 'the bot still runs');
    const seconds = (Date.now() - start) / 1000;
    const ended = (await Promise.all(sessions)).filter(session => session.ended).length;
    expect(ended === SESSIONS, `${ended} sessions ended`);
    const files = await readdir(recordings);
    expect(files.length === SESSIONS, `${files.length} recordings`, bot.log());
    for (const file of files) audible(measureChannels(await readFile(join(recordings, file)))[1], 'bot');
    return `${SESSIONS} sessions end in ${seconds.toFixed(1)} s, each with its recording`;
  };

/** A bot that is killed leaves a valid recording of all but the last seconds. */
export async function survivesKill(bot: RunningBot): Promise<string> {
  const recordings = await clearRecordings(bot);
  const session = listen(bot, 30);
  await findInLog(bot, SPEAKS, 1);
  const voiceOnDisk = async () => {
    const [file] = await readdir(recordings).catch(() => []);
    const [, voice] = file ? measureChannels(await readFile(join(recordings, file))) : [];
    return voice;
  };
  // A part of ten seconds is written at once. Meanwhile, the file may be incomplete.
  await waitFor(async () => isAudible(await voiceOnDisk().catch(() => undefined)), 20_000);
  bot.signal('SIGKILL');
  await session;
  const voice = await voiceOnDisk();
  return `a killed bot leaves ${voice?.seconds.toFixed(0)} s, with its ${audible(voice, 'bot')} of words`;
}
