import { join } from 'node:path';
import type { Sound } from '../support/sound.ts';
import { expect } from './expect.ts';
import { runWell } from './processes.ts';
import type { RunningBot } from './running-bot.ts';
import { cleanEnvironment, ROOT } from './workshop.ts';

/** Talks with a bot, and says what it heard. */
export type Conversation = (bot: RunningBot) => Promise<string>;

export type Color = readonly [red: number, green: number, blue: number];

/** What the person does in a conversation, in addition to hearing the greeting. */
export interface Behaviour {
  /** How often they say what `speech.wav` holds: once, if nothing else is said. */
  turns?: number;
  /** They don't hear the replies out: they say the next thing in the middle. */
  interrupt?: boolean;
  /** What their camera sees; without one, it's off. */
  camera?: Color;
}

/** What came from the bot. */
export interface Heard {
  /** The greeting, and a reply for each turn. */
  sounds: Sound[];
  /** The transcripts of the user's words. */
  heard: string[];
  /** The bot's picture: the colour that its middle mostly has while the bot is quiet, while it speaks, and all roughly. */
  screen: { size: [number, number]; frames: number; quiet: Color | null; speaking: Color | null; seen: Color[] };
}

const SPEECH = join(ROOT, 'test/support/speech.wav');
const WEBRTC_CLIENT = join(import.meta.dirname, 'webrtc_client.py');
const PHONE_CLIENT = join(import.meta.dirname, 'phone_client.py');
const TALK_MS = 90_000;

/** The Python of a project's own virtual environment. */
export const pythonOf = (server: string): string => join(server, '.venv/bin/python');

/** Holds a spoken conversation over WebRTC, all of it as sound. */
export async function talk({ server, url }: RunningBot, behaviour: Behaviour = {}): Promise<Heard> {
  const { turns = 1, interrupt = false, camera } = behaviour;
  const options = [
    ...['--turns', String(turns)],
    ...(interrupt ? ['--interrupt'] : []),
    ...(camera ? ['--camera', ...camera.map(String)] : []),
  ];
  const command = [pythonOf(server), WEBRTC_CLIENT, url, SPEECH, ...options];
  const { stdout } = await runWell(command, { cwd: server, env: cleanEnvironment(), deadline: TALK_MS });
  return JSON.parse(stdout);
}

/** What a caller got. */
export interface Called {
  /** The greeting, and a reply for each turn. */
  sounds: Sound[];
  /** How often the provider was asked to drop the sound that it hadn't played yet. */
  clears: number;
}

/** Calls a bot as a phone provider does, over its media stream. */
export async function phone(
  { server, url }: RunningBot,
  provider: string,
  { turns = 1, interrupt = false }: Behaviour = {},
): Promise<Called> {
  const options = ['--provider', provider, '--turns', String(turns), ...(interrupt ? ['--interrupt'] : [])];
  const command = [pythonOf(server), PHONE_CLIENT, url, SPEECH, ...options];
  const { stdout } = await runWell(command, { cwd: server, env: cleanEnvironment(), deadline: TALK_MS });
  return JSON.parse(stdout);
}

/** The colours differ by no more than compression does to them. */
export function looksLike(seen: Color | null, color: Color): boolean {
  return seen?.every((value, at) => Math.abs(value - (color[at] ?? 0)) < 30) ?? false;
}

/** The JSON that one of our scripts prints, run with a project's Python. */
export async function runScript<Result>(
  server: string,
  script: string,
  args: readonly string[],
  input = '',
): Promise<Result> {
  const command = [pythonOf(server), join(import.meta.dirname, script), ...args];
  const { stdout } = await runWell(command, { cwd: server, env: cleanEnvironment(), input, deadline: TALK_MS });
  expect(stdout.trim() !== '', `${script} printed nothing`);
  return JSON.parse(stdout);
}
