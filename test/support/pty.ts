import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';

/** Longer than any command takes, and shorter than mocha's patience. */
const DEADLINE_MS = 25_000;

/** A terminal in which a program runs. */
export interface PersonalTerminal {
  /** All that was written to it so far, as a person reads it: without escape sequences. */
  text(): string;
  /** The same, with them. */
  raw(): string;
  /** Waits until it shows this, or shows it after the first `from` characters. Fails if the program ends first. */
  until(expected: string | RegExp, from?: number): Promise<void>;
  type(keys: string): void;
  /** Signals to the program that its terminal goes away, as closing a window does first. */
  close(): void;
  /** Takes the terminal away at once. How the program ends is not seen any more. */
  vanish(): void;
  /** The program's exit code, or the signal that ended it. */
  readonly ended: Promise<{ code: number; signal: number }>;
}

export const KEYS = {
  enter: '\r',
  esc: '\u001b',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  left: '\u001b[D',
  down: '\u001b[B',
  clear: '\u0015',
  erase: '\u007f',
} as const;

/** The environment of a program. */
interface Surroundings {
  cwd: string;
  env?: Record<string, string>;
  cols?: number;
  rows?: number;
  /** How long it may take, in milliseconds. */
  patience?: number;
}

/** Starts a program in a real pseudo-terminal. */
export function openTerminal(
  [file, ...args]: readonly [string, ...string[]],
  { cwd, env = {}, cols = 120, rows = 40, patience = DEADLINE_MS }: Surroundings,
): PersonalTerminal {
  const surroundings = { PATH: process.env.PATH, HOME: cwd, TERM: 'xterm-256color', ...env };
  const pty = spawn(file, args, { cwd, env: surroundings, cols, rows });
  let written = '';
  let hasEnded = false;
  const listeners = new Set<() => void>();
  const notify = () => {
    for (const listener of listeners) listener();
  };
  const timer = setTimeout(() => pty.kill('SIGKILL'), patience);
  pty.onData(data => {
    written += data;
    notify();
  });
  const ended = new Promise<{ code: number; signal: number }>(resolve =>
    pty.onExit(({ exitCode, signal = 0 }) => {
      clearTimeout(timer);
      hasEnded = true;
      notify();
      resolve({ code: exitCode, signal });
    }),
  );
  const text = () => stripVTControlCharacters(written).replaceAll('\r', '');
  const shows = (expected: string | RegExp, from: number) =>
    typeof expected === 'string' ? text().includes(expected, from) : expected.test(text().slice(from));
  return {
    text,
    raw: () => written,
    until: (expected, from = 0) =>
      new Promise((resolve, reject) => {
        const look = () => {
          if (!shows(expected, from) && !hasEnded) return;
          listeners.delete(look);
          if (shows(expected, from)) resolve();
          else reject(new Error(`The program ended without showing ${expected}:\n${text()}`));
        };
        listeners.add(look);
        look();
      }),
    type: keys => pty.write(keys),
    close: () => pty.kill('SIGHUP'),
    vanish: () => (pty as unknown as { destroy(): void }).destroy(),
    ended,
  };
}
