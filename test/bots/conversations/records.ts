import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { DEFAULT_TRANSCRIPT } from '../../support/local-ai.ts';
import { ABILITIES, GREETING } from '../../support/local-ai-answers.ts';
import { measureChannels } from '../../support/sound.ts';
import { audible, expect } from '../expect.ts';
import type { RunningBot } from '../running-bot.ts';
import { runScript, talk } from '../talk.ts';

const SESSIONS = 2;
const WAIT_MS = 20_000;

/** Two conversations at once: each is recorded, transcribed and watched for itself. */
export async function recordTwoAtOnce(bot: RunningBot): Promise<string> {
  const recordings = join(bot.server, 'recordings');
  await rm(recordings, { recursive: true, force: true });
  const [watched] = await Promise.all([watch(bot), ...Array.from({ length: SESSIONS }, () => talk(bot))]);
  const said = expectTranscript(bot.log());
  return `${await expectRecordings(bot, recordings)}; ${said}; ${watched}`;
}

/** A WAV for each session, with the person on one channel and the bot on the other. */
async function expectRecordings(bot: RunningBot, directory: string): Promise<string> {
  await seen(() => matches(bot.log(), /Recorded (.*\.wav)/g), SESSIONS, 'recordings', bot);
  const files = await readdir(directory);
  expect(files.length === SESSIONS, `${files.length} recordings`, files.join('\n'));
  for (const file of files) {
    const channels = measureChannels(await readFile(join(directory, file)));
    expect(channels.length === 2, `${channels.length} channels`);
    audible(channels[0], 'person on the left channel');
    audible(channels[1], 'bot on the right channel');
  }
  return `${files.length} stereo recordings`;
}

/** Each session's lines of both sides are in the bot's log. */
export function expectTranscript(log: string, sessions = SESSIONS): string {
  const lines = matches(log, /Transcript: (.*)/g);
  for (const line of [`bot: ${GREETING}`, `person: ${DEFAULT_TRANSCRIPT}`, `bot: ${ABILITIES}`]) {
    const count = lines.filter(one => one === line).length;
    expect(count === sessions, `logged ${count} times, not ${sessions}: ${line}`, lines.join('\n'));
  }
  return `${lines.length} lines of transcript`;
}

/** What a debugger is told of a session. */
interface Watched {
  processors: string[];
  frames: string[];
}

/** A debugger attaches to each session, at a port of its own, and is told of its frames. */
async function watch(bot: RunningBot): Promise<string> {
  const ports = await seen(
    () => matches(bot.log(), /Whisker running at ws:\/\/localhost:(\d+)/g),
    SESSIONS,
    'ports',
    bot,
  );
  expect(new Set(ports).size === SESSIONS, `the same port twice: ${ports.join(', ')}`);
  for (const watched of await Promise.all(
    ports.map(port => runScript<Watched>(bot.server, 'watch_frames.py', [port])),
  )) {
    expect(watched.processors.includes('OpenAILLMService'), 'the pipeline is not shown', watched.processors.join('\n'));
    const frames = ['TranscriptionFrame', 'LLMContextFrame', 'LLMTextFrame', 'BotStoppedSpeakingFrame'];
    for (const frame of frames) expect(watched.frames.includes(frame), `no ${frame}`, watched.frames.join('\n'));
  }
  return `whisker at ${ports.join(' and ')}`;
}

const matches = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, found = '']) => found);

/** Waits until so many of something are there. */
async function seen(find: () => string[], count: number, what: string, bot: RunningBot): Promise<string[]> {
  for (const end = Date.now() + WAIT_MS; Date.now() < end; await sleep(100)) {
    const found = find();
    if (found.length >= count) return found;
  }
  throw new Error(`not ${count} ${what} in ${WAIT_MS / 1000} s: ${find().join(', ')}\n${bot.server}`);
}
