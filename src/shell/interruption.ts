import { setImmediate as nextTurn } from 'node:timers/promises';
import { type ExitCode, UserError } from '../errors.ts';

/** The signals that end a process, and the exit code by which a shell knows each. */
const SIGNALS: readonly [NodeJS.Signals, ExitCode][] = [
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
];

/** A request to stop, seen while something was under way. */
export interface Interruption {
  /** Aborted by the first of the signals, with the `UserError` to throw as its reason. */
  readonly signal: AbortSignal;
  /** Lets signals that arrived during synchronous work be seen. */
  settle(): Promise<void>;
  /** Gives the signals back to their usual effect. */
  ignore(): void;
}

/** Turns the signals that end a process into an `AbortSignal`, so that work under way can end in order. */
export function watchInterruption(message = 'Interrupted. Nothing was changed.'): Interruption {
  const controller = new AbortController();
  const handlers = SIGNALS.map(([signal, exitCode]) => {
    const onSignal = () => controller.abort(new UserError(message, { exitCode, reason: 'interrupted' }));
    return [signal, onSignal] as const;
  });
  for (const [signal, onSignal] of handlers) process.on(signal, onSignal);
  return {
    signal: controller.signal,
    // Node hears of signals when it polls. The first turn may end without a poll, the second always has one.
    settle: async () => {
      await nextTurn();
      await nextTurn();
    },
    ignore: () => {
      for (const [signal, onSignal] of handlers) process.off(signal, onSignal);
    },
  };
}
