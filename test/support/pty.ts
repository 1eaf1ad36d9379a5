import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';
import { DEADLINE_MS, watch } from './program.ts';

export interface PersonalTerminal {
  readonly pid: number;
  /** All output so far, without escape sequences. */
  text(): string;
  /** All output so far, with escape sequences. */
  raw(): string;
  /** Waits until the output after the first `from` characters contains this. Fails if the program exits first. */
  until(expected: string | RegExp, from?: number): Promise<void>;
  /** Types keys, or bytes that aren't UTF-8. */
  type(keys: string | Buffer): void;
  resize(cols: number, rows: number): void;
  /** Sends the program the signal that closing the terminal window sends first. */
  close(): void;
  /** Removes the terminal at once. After that, the program's exit can't be observed. */
  vanish(): void;
  /** The program's exit code, or the signal that ended it. */
  readonly ended: Promise<{ code: number; signal: number }>;
}

export const KEYS = {
  enter: '\r',
  esc: '\u001b',
  ctrlC: '\u0003',
  ctrlD: '\u0004',
  ctrlZ: '\u001a',
  left: '\u001b[D',
  down: '\u001b[B',
  clear: '\u0015',
  erase: '\u007f',
} as const;

interface Surroundings {
  cwd: string;
  env?: Record<string, string>;
  cols?: number;
  rows?: number;
  patience?: number;
}

export function openTerminal(
  [file, ...args]: readonly [string, ...string[]],
  { cwd, env = {}, cols = 120, rows = 40, patience = DEADLINE_MS }: Surroundings,
): PersonalTerminal {
  const surroundings = { PATH: process.env.PATH, HOME: cwd, TERM: 'xterm-256color', ...env };
  const pty = spawn(file, args, { cwd, env: surroundings, cols, rows });
  let written = '';
  let hasEnded = false;
  const text = () => stripVTControlCharacters(written).replaceAll('\r', '');
  const { notify, until } = watch(text, () => hasEnded);
  const timer = setTimeout(() => pty.kill(process.platform === 'win32' ? undefined : 'SIGKILL'), patience);
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
  return {
    pid: pty.pid,
    text,
    raw: () => written,
    until,
    // Bytes work, too, although the types don't say so.
    type: keys => pty.write(keys as string),
    resize: (cols, rows) => pty.resize(cols, rows),
    close: () => pty.kill('SIGHUP'),
    vanish: () => (pty as unknown as { destroy(): void }).destroy(),
    ended,
  };
}
