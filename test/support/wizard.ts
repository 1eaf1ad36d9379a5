import assert from 'node:assert/strict';
import { BIN } from './program.ts';
import { KEYS, openTerminal, type PersonalTerminal } from './pty.ts';

const { enter, down } = KEYS;

/** A part of a question, and the keys that answer it. */
export type Turn = readonly [question: string, keys: string];

export const TURNS = {
  directory: ['(a new directory, or . for this one)', enter],
  bot: ['Who builds the bot?', enter],
  agent: ['Who builds the bot?', down + enter],
  guides: ['Write these guides?', enter],
  recommended: ['Quick start, or choose everything?', enter],
  here: ['Quick start, or choose everything?', down + enter],
  steps: ['Quick start, or choose everything?', down.repeat(2) + enter],
  web: ['How will people talk to it?', enter],
  phone: ['How will people talk to it?', down + enter],
  noClient: ['Which web client?', down.repeat(3) + enter],
  fullstack: ['Which web client?', down + enter],
  local: ['How should audio travel?', enter],
  provider: ['Which phone provider?', enter],
  cascade: ['How should it think?', enter],
  realtime: ['How should it think?', down + enter],
  english: ['Which language does it speak?', enter],
  stt: ['Which service listens?', `deepgram${enter}`],
  llm: ['Which service writes the answers?', `openai_llm${enter}`],
  tts: ['Which service speaks?', `carte${enter}`],
  speaker: ['Which service listens and speaks?', `openai${enter}`],
  noFeatures: ['Which features?', enter],
  allFeatures: ['Which features?', `a${enter}`],
  avatar: ['Which avatar service?', down + enter],
  make: ['Create this bot?', enter],
  noKeys: ['Press Enter to skip one.', 'n'],
} as const satisfies Record<string, Turn>;

const t = TURNS;
const TO_STEPS = [t.directory, t.bot, t.steps] as const;
const TO_WEB = [...TO_STEPS, t.web, t.noClient, t.local] as const;
const SERVICES = [t.cascade, t.english, t.stt, t.llm, t.tts] as const;

/** The questions up to the one that creates a bot, and those after it. */
export const WAYS: Readonly<Record<string, readonly Turn[]>> = {
  'the recommended web bot': [t.directory, t.bot, t.recommended, t.web, t.make, t.noKeys],
  'a bot on this computer alone': [t.directory, t.bot, t.here, t.make],
  'the recommended phone bot': [t.directory, t.bot, t.recommended, t.phone, t.provider, t.make, t.noKeys],
  'a web bot': [...TO_WEB, ...SERVICES, t.noFeatures, t.make, t.noKeys],
  'a web bot with a client': [
    ...[...TO_STEPS, t.web, t.fullstack, t.local],
    ...[...SERVICES, t.noFeatures, t.make, t.noKeys],
  ],
  'all features': [...TO_WEB, ...SERVICES, t.allFeatures, t.avatar, t.make, t.noKeys],
  realtime: [...TO_WEB, t.realtime, t.english, t.speaker, t.noFeatures, t.make, t.noKeys],
  'a German bot': [
    ...TO_WEB,
    ...([t.cascade, ['Which language does it speak?', `german${enter}`], t.stt, t.llm, t.tts] as const),
    ...[t.noFeatures, t.make, t.noKeys],
  ],
  'calls with a direction': [
    ...TO_STEPS,
    t.phone,
    ['Which phone provider?', down.repeat(4) + enter],
    ['Who calls whom?', down + enter],
    ['Also reachable another way?', ` ${enter}`],
    ...[...SERVICES, t.noFeatures, t.make, t.noKeys],
  ],
};

interface Seat {
  cwd: string;
  env?: Record<string, string>;
  cols?: number;
  rows?: number;
}

export const commandOf = (line: string): [string, ...string[]] => [
  process.execPath,
  BIN,
  ...line.split(' ').filter(Boolean),
];

export const sitAt = (line: string, seat: Seat): PersonalTerminal =>
  // Where uv is on the PATH, botcli would offer to start the bot.
  openTerminal(commandOf(line), { ...seat, env: { PATH: '', ...seat.env } });

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
