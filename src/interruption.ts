import { setImmediate as nextTurn } from 'node:timers/promises';
import { UserError } from './errors.ts';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

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
  const onSignal = () => controller.abort(new UserError(message, { exitCode: 130, reason: 'interrupted' }));
  for (const signal of SIGNALS) process.on(signal, onSignal);
  return {
    signal: controller.signal,
    // Node hears of signals when it polls. The first turn may end without a poll, the second always has one.
    settle: async () => {
      await nextTurn();
      await nextTurn();
    },
    ignore: () => {
      for (const signal of SIGNALS) process.off(signal, onSignal);
    },
  };
}
