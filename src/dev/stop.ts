import { UserError } from '../errors.ts';
import { QUIT, watchInterruption } from '../shell/interruption.ts';
import type { Terminal } from '../shell/terminal.ts';
import type { Reporter } from './reporter.ts';

/** A request to stop. */
export interface Stop {
  /** Aborted by the first signal, or once stdout can't be written. Its reason is a `UserError` with the exit code. */
  readonly signal: AbortSignal;
  /** Aborted by a second one, or by one that doesn't wait: whatever still runs must be killed. */
  readonly hurry: AbortSignal;
}

/** What stops some work, and how it says something. */
export interface Surroundings {
  stop: Stop;
  report: Reporter;
  terminal: Terminal;
}

/** npm passes a signal of the terminal on, so that one Ctrl-C arrives twice. In milliseconds. */
const SAME_MS = 200;

/** Does work that signals stop, whose reason it then throws. `say` gets what to say at the first one. */
export async function untilStopped<Result>(
  { readerLeft, note, progress }: Terminal,
  work: (stop: Stop) => Promise<Result>,
  say: (text: string) => void = note,
): Promise<Result> {
  const { signal: asked, settle, ignore } = watchInterruption('Stopped.', [QUIT]);
  const left = new AbortController();
  const onLeft = () =>
    left.abort(new UserError("Stopped: the output can't be written anymore.", { reason: 'interrupted' }));
  if (readerLeft.aborted) onLeft();
  readerLeft.addEventListener('abort', onLeft, { once: true });
  const hurry = new AbortController();
  let first: number | undefined;
  const onSignal = (name: NodeJS.Signals) => {
    progress.clear();
    if (first === undefined) say(name === 'SIGINT' ? 'Stopping. Press Ctrl-C again to stop at once.' : 'Stopping.');
    first ??= Date.now();
    if (Date.now() - first > SAME_MS) hurry.abort();
  };
  const onQuit = () => hurry.abort();
  const handlers = [
    ['SIGHUP', onSignal],
    ['SIGINT', onSignal],
    ['SIGTERM', onSignal],
    [QUIT[0], onQuit],
  ] as const;
  for (const [name, handler] of handlers) process.on(name, handler);
  const stop = { signal: AbortSignal.any([asked, left.signal]), hurry: hurry.signal };
  try {
    return await work(stop);
  } catch (error) {
    // A terminal that is closed ends a prompt and sends a signal, in any order.
    await settle();
    throw stop.signal.aborted ? stop.signal.reason : error;
  } finally {
    // After a signal, the program is about to exit with its code. One more should not end it before.
    if (!asked.aborted) {
      for (const [name, handler] of handlers) process.off(name, handler);
      ignore();
    }
  }
}
