import assert from 'node:assert/strict';
import { BIN } from './program.ts';
import { KEYS, openTerminal, type PersonalTerminal } from './pty.ts';

const { enter, down } = KEYS;

/** A part of a question, and the keys that answer it. */
export type Turn = readonly [question: string, keys: string];

export const TURNS = {
  directory: ['In which directory?', enter],
  agent: ['How do you want to build?', enter],
  bot: ['How do you want to build?', down + enter],
  name: ['Project name', enter],
  web: ['Where do people meet it?', enter],
  phone: ['Where do people meet it?', down + enter],
  client: ['Which web client?', enter],
  fullstack: ['What serves the client?', down + enter],
  noClient: ['Which web client?', down + down + enter],
  local: ['Which transport?', enter],
  provider: ['Which phone provider?', enter],
  alone: ['Add another transport?', enter],
  cascade: ['How does it think?', enter],
  realtime: ['How does it think?', down + enter],
  english: ['Which language does it speak?', enter],
  stt: ['Speech-to-text', `deepgram${enter}`],
  llm: ['Language model', `openai_llm${enter}`],
  tts: ['Text-to-speech', `carte${enter}`],
  speaker: ['Speech-to-speech', `openai${enter}`],
  noFeatures: ['Add features, such as recording?', enter],
  features: ['Add features, such as recording?', 'y'],
  avatar: ['A face for the bot?', down + enter],
  allFeatures: ['Which features?', `a${enter}`],
  cloud: ['Add cloud deployment files?', enter],
  noNoise: ['Noise cancellation in the cloud?', enter],
  noise: ['Noise cancellation in the cloud?', 'y'],
  noEvals: ['Add test conversations (evals)?', enter],
  evals: ['Add test conversations (evals)?', 'y'],
  make: ['Create this bot?', enter],
} as const satisfies Record<string, Turn>;

const t = TURNS;
const TO_WEB = [t.directory, t.bot, t.name, t.web, t.noClient, t.local, t.alone] as const;
const SERVICES = [t.cascade, t.english, t.stt, t.llm, t.tts] as const;

/** Complete paths through the wizard. */
export const WAYS: Readonly<Record<string, readonly Turn[]>> = {
  'a web bot': [...TO_WEB, ...SERVICES, t.noFeatures, t.cloud, t.noNoise, t.noEvals, t.make],
  'a web bot with a client': [
    ...[t.directory, t.bot, t.name, t.web, t.client, t.fullstack, t.local, t.alone],
    ...[...SERVICES, t.noFeatures, t.cloud, t.noNoise, t.noEvals, t.make],
  ],
  'all features': [...TO_WEB, ...SERVICES, t.features, t.avatar, t.allFeatures, t.cloud, t.noise, t.evals, t.make],
  realtime: [...TO_WEB, t.realtime, t.english, t.speaker, t.noFeatures, t.cloud, t.noNoise, t.evals, t.make],
  'a German bot': [
    ...TO_WEB,
    ...([t.cascade, ['Which language does it speak?', `german${enter}`], t.stt, t.llm, t.tts] as const),
    ...[t.noFeatures, t.cloud, t.noNoise, t.noEvals, t.make],
  ],
  'calls with a direction': [
    t.directory,
    t.bot,
    t.name,
    t.phone,
    ['Which phone provider?', down.repeat(4) + enter],
    ['Who calls whom?', down + enter],
    ['Add others, e.g. for testing?', ` ${enter}`],
    ...SERVICES,
    t.noFeatures,
    t.cloud,
    t.noNoise,
    t.noEvals,
    t.make,
  ],
};

/** The environment of a program in a terminal. */
export interface Seat {
  cwd: string;
  env?: Record<string, string>;
  cols?: number;
}

/** The command that runs `botcli` with this line. */
export const commandOf = (line: string): [string, ...string[]] => [
  process.execPath,
  BIN,
  ...line.split(' ').filter(Boolean),
];

/** Starts `botcli` with this line in a terminal. */
export const sitAt = (line: string, seat: Seat): PersonalTerminal => openTerminal(commandOf(line), seat);

/** Answers each question when it appears after the output of the previous turn. */
export async function take(terminal: PersonalTerminal, turns: readonly Turn[], mark = '◆'): Promise<void> {
  let seen = 0;
  for (const [question, keys] of turns) {
    await terminal.until(new RegExp(`\\${mark} [^${mark}]*${question.replaceAll(/[?()]/g, '\\$&')}`), seen);
    seen = terminal.text().length;
    terminal.type(keys);
  }
}

/** Runs a line in a terminal, and answers all questions. */
export async function walk(line: string, turns: readonly Turn[], seat: Seat, mark?: string) {
  const terminal = sitAt(line, seat);
  await take(terminal, turns, mark);
  const { code, signal } = await terminal.ended;
  const raw = terminal.raw();
  assert(raw.lastIndexOf('\u001b[?25l') <= raw.lastIndexOf('\u001b[?25h'), 'the cursor is still hidden');
  return { code, signal, text: terminal.text(), raw };
}
