import { join } from 'node:path';
import type { Sound } from '../support/sound.ts';
import { expect } from './expect.ts';
import { lastLines, run } from './processes.ts';
import type { RunningBot } from './running-bot.ts';
import { patient } from './slowness.ts';
import { cleanEnvironment, ROOT } from './workshop.ts';

/** Talks with a bot, and describes what it heard. */
export type Conversation = (bot: RunningBot) => Promise<string>;

export type Color = readonly [red: number, green: number, blue: number];

/** The person's actions in a conversation after the greeting. */
interface Behaviour {
  /** How often they say the sentence in `speech.wav`. Default: once. */
  turns?: number;
  /** What they type in the last turn instead. */
  type?: string;
  /** Whether they interrupt the replies with the next sentence. */
  interrupt?: boolean;
  /** The color that their camera sees. Default: the camera is off. */
  camera?: Color;
}

export interface Heard {
  /** The greeting, and a reply for each turn. */
  sounds: Sound[];
  /** The transcripts of the user's words. */
  heard: string[];
  /** The bot's picture: the main color of its center while the bot is quiet or speaking, and all rough colors. */
  screen: { size: [number, number]; frames: number; quiet: Color | null; speaking: Color | null; seen: Color[] };
}

/** What callers say. */
export const SPEECH = join(ROOT, 'test/support/speech.wav');
const TALK_MS = 90_000;

/** The Python of a project's own virtual environment. */
export const pythonOf = (server: string): string => join(server, '.venv/bin/python');

/** Runs a client of a bot. Its script says what the options mean. */
const meet = <Result>(script: string, { server, url }: RunningBot, options: object, deadline?: number) =>
  runScript<Result>(server, script, [], { input: JSON.stringify({ url, recording: SPEECH, ...options }), deadline });

/** Holds a spoken conversation over WebRTC. */
export const talk = (bot: RunningBot, behaviour: Behaviour = {}): Promise<Heard> =>
  meet('webrtc_client.py', bot, behaviour);

export interface Called {
  /** The greeting, and a reply for each turn. */
  sounds: Sound[];
  /** How often the bot asked the provider to drop sound that it hadn't played yet. */
  clears: number;
}

/** Calls a bot as a phone provider does, over its media stream. */
export const phone = (bot: RunningBot, provider: string, behaviour: Behaviour): Promise<Called> =>
  meet('phone_client.py', bot, { provider, ...behaviour });

/** What somebody heard who only listened in a browser. */
interface Listened {
  /** How often the bot began to speak, as it reported, and the seconds of sound. */
  speeches: number;
  seconds: number;
  errors: { error?: string }[];
  /** Whether the bot ended the session. */
  ended: boolean;
}

/**
 * Only listens over WebRTC, for so many seconds or longer on a slow machine, with a client that reports this many times
 * that it's ready.
 */
export const listen = (bot: RunningBot, seconds: number, ready = 1): Promise<Listened> =>
  meet('webrtc_client.py', bot, { wait: patient(seconds), ready });

/** What happened in a call, in seconds since it began. */
export interface Waited {
  /** How long it took from dialing until it began. */
  answered: number;
  /** When the bot spoke. */
  sounds: { from: number; to: number }[];
  /** When the caller's first words had ended. */
  said_at: number | null;
  hung_up_at: number | null;
}

/** How callers behave, and what their phones pick up. */
export interface Caller {
  provider?: string;
  /** When they speak, in seconds since the call began. */
  speak?: readonly number[];
  /** The noises, which come in turn until `quiet`, as in `noises.py`. */
  noise?: readonly string[];
  quiet?: number;
  /** Whether the bot's voice comes back. */
  echo?: boolean;
  patience?: number;
  /** Whether they hang up after the answer. */
  brief?: boolean;
}

/** Calls a bot several times at once. Callers speak at the given seconds, and stay for a time, or until it hangs up. */
export const callAtOnce = (bot: RunningBot, calls: number, { patience = 30, ...caller }: Caller): Promise<Waited[]> =>
  meet('phone_client.py', bot, { calls, patience, ...caller }, patience * 1000 + TALK_MS);

/** The same for one call. */
export const wait = async (bot: RunningBot, caller: Caller): Promise<Waited> =>
  (await callAtOnce(bot, 1, caller))[0] as Waited;

/** From dialing to the bot's first sound, and from the end of the caller's words to the answer, if there were any. */
export function delaysIn({ answered, sounds, said_at: said }: Waited) {
  const answer = said === null ? undefined : sounds.find(({ from }) => from > said);
  return { first: sounds[0] && sounds[0].from + answered, answer: answer && answer.from - (said ?? 0) };
}

/** The bot hung up on the caller, or didn't answer them. */
export const isDropped = (call: Waited): boolean => call.hung_up_at !== null || delaysIn(call).answer === undefined;

/** Whether two colors differ only by compression. */
export function looksLike(seen: Color | null, color: Color): boolean {
  return seen?.every((value, at) => Math.abs(value - (color[at] ?? 0)) < 30) ?? false;
}

/** Runs a script in this directory with a project's Python, and parses the JSON that it prints. */
export async function runScript<Result>(
  server: string,
  script: string,
  args: readonly string[],
  { input = '', deadline = TALK_MS }: { input?: string; deadline?: number | undefined } = {},
): Promise<Result> {
  const command = [pythonOf(server), join(import.meta.dirname, script), ...args];
  const place = { cwd: server, env: cleanEnvironment() };
  const { code, stdout, stderr } = await run(command, { ...place, input, deadline, isLive: true });
  // The last line says why it ended.
  expect(code === 0, lastLines(stderr, 1) || `exit code ${code}`, stdout + stderr);
  expect(stdout.trim() !== '', `${script} printed nothing`);
  return JSON.parse(stdout);
}
