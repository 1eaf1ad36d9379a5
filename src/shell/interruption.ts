import { closeSync, fstatSync } from 'node:fs';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { type ExitCode, UserError } from '../errors.ts';
import { orElse } from '../std.ts';

/** The signals that end a process, each with the exit code that shells use for it. */
const SIGNALS: readonly [NodeJS.Signals, ExitCode][] = [
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
];

/** A request to stop the current work. */
export interface Interruption {
  /** Aborted by the first signal. Its reason is the `UserError` to throw. */
  readonly signal: AbortSignal;
  /** Handles signals that arrived during synchronous work. */
  settle(): Promise<void>;
  /** Restores the default effect of the signals. */
  ignore(): void;
}

/** A signal that asks a program to quit without delay: Ctrl-\\, or Ctrl-Break on Windows. */
export const QUIT: readonly [NodeJS.Signals, ExitCode] = [process.platform === 'win32' ? 'SIGBREAK' : 'SIGQUIT', 131];

/** Turns the signals that end a process, and `others`, into an `AbortSignal`, so that work can stop cleanly. */
export function watchInterruption(
  message = 'Interrupted. Nothing was changed.',
  others: readonly (typeof QUIT)[] = [],
): Interruption {
  const controller = new AbortController();
  const handlers = [...SIGNALS, ...others].map(([signal, exitCode]) => {
    const onSignal = () => controller.abort(new UserError(message, { exitCode, reason: 'interrupted' }));
    return [signal, onSignal] as const;
  });
  for (const [signal, onSignal] of handlers) process.on(signal, onSignal);
  // A terminal that closes sends a signal, which no longer ends the process.
  outliveLostTerminal();
  return {
    signal: controller.signal,
    // Node receives signals when it polls. The first turn may end without polling; the second always polls.
    settle: async () => {
      await nextTurn();
      await nextTurn();
    },
    ignore: () => {
      for (const [signal, onSignal] of handlers) process.off(signal, onSignal);
    },
  };
}

// A terminal may be closed while the program is running in it.

/** Whether a descriptor is a terminal. Node's module for terminals takes time to load, so that happens on demand. */
const isTerminal = (descriptor: number): boolean => process.getBuiltinModule('node:tty').isatty(descriptor);

/** Makes an input survive the loss of its terminal: setting its mode would emit an error, which readline throws. */
export function outliveTerminal(input: NodeJS.ReadStream): NodeJS.ReadStream {
  const setRawMode = input.setRawMode.bind(input);
  outliveLostTerminal();
  return Object.assign(input, {
    setRawMode: (mode: boolean) => (isTerminal((input as typeof process.stdin).fd) ? setRawMode(mode) : input),
  });
}

/**
 * Lets the process exit with its exit code after its terminal was closed. On exit, Node restores the mode of terminals
 * and aborts if that fails, but it skips closed descriptors.
 */
function outliveLostTerminal(): void {
  process.off('exit', closeLostTerminal).once('exit', closeLostTerminal);
}

function closeLostTerminal(): void {
  for (const descriptor of [0, 1, 2]) if (isLost(descriptor)) closeSync(descriptor);
}

/** Whether it was a terminal, or is a device such as /dev/null, which is safe to close. False if it's closed. */
const isLost = (descriptor: number): boolean =>
  orElse(() => fstatSync(descriptor).isCharacterDevice() && !isTerminal(descriptor), false);

/** How long the rest of a pasted text may take to arrive, in milliseconds. */
const PASTE_MS = 100;

/** Drops what was typed or pasted before now. Otherwise, it would answer the next question, or run in the shell. */
export async function dropInput(input: NodeJS.ReadStream): Promise<void> {
  input.setRawMode(true).resume();
  await sleep(PASTE_MS);
  input.pause().setRawMode(false);
}
