import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ExitCode, UserError } from '../errors.ts';
import { outliveLostTerminal } from './terminal/lost-terminal.ts';

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
