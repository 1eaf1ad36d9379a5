import { UserError } from '../errors.ts';
import { type Interruption, QUIT, watchInterruption } from '../shell/interruption.ts';
import type { Terminal } from '../shell/terminal.ts';

/** A request to stop. */
export interface Stop {
  /** Aborted by the first signal. Its reason is a `UserError` with the exit code. */
  readonly signal: AbortSignal;
  /** Aborted by a second one, or by one that doesn't wait: whatever still runs must be killed. */
  readonly hurry: AbortSignal;
}

/** npm passes a signal of the terminal on, so that one Ctrl-C arrives twice. In milliseconds. */
const SAME_MS = 200;

/**
 * Does work that signals stop. Before and after it, they have their default effect.
 *
 * @param onStop Called at the first signal, with what to say.
 * @throws The reason of `stop.signal`, once that is aborted, or what the work throws.
 */
export async function untilStopped<Result>(
  onStop: (text: string) => void,
  work: (stop: Stop) => Promise<Result>,
): Promise<Result> {
  const stop = watchStop(onStop);
  try {
    return await work(stop);
  } catch (error) {
    // A terminal that is closed ends a prompt and sends a signal, in any order.
    await stop.settle();
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    stop.ignore();
  }
}

/** Watches for the signals that end the program. `ignore` restores their default effect, unless one came. */
function watchStop(onStop: (text: string) => void): Stop & Pick<Interruption, 'settle' | 'ignore'> {
  const { signal, settle, ignore } = watchInterruption('Stopped.', [QUIT]);
  const hurry = new AbortController();
  let first: number | undefined;
  const onSignal = (name: NodeJS.Signals) => {
    if (first === undefined) onStop(name === 'SIGINT' ? 'Stopping. Press Ctrl-C again to stop at once.' : 'Stopping.');
    first ??= Date.now();
    if (Date.now() - first > SAME_MS) hurry.abort();
  };
  const names = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
  for (const name of names) process.on(name, onSignal);
  const onQuit = () => hurry.abort();
  process.on(QUIT[0], onQuit);
  return {
    signal,
    hurry: hurry.signal,
    settle,
    ignore() {
      // After a signal, the program is about to exit with its code. One more should not end it before.
      if (signal.aborted) return;
      for (const name of names) process.off(name, onSignal);
      process.off(QUIT[0], onQuit);
      ignore();
    },
  };
}

/** Aborted once stdout can't be written, with a reason. */
export function withReader({ readerLeft }: Terminal): AbortSignal {
  const left = new AbortController();
  const why = new UserError("Stopped: the output can't be written anymore.", { reason: 'interrupted' });
  if (readerLeft.aborted) left.abort(why);
  readerLeft.addEventListener('abort', () => left.abort(why), { once: true });
  return left.signal;
}
