import { UserError } from '../errors.ts';
import type { PartName } from '../project/client.ts';
import { QUIT, watchInterruption } from '../shell/interruption.ts';
import type { Style, Terminal } from '../shell/terminal.ts';
import { asLine, withoutMarks } from '../text.ts';

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
  const names = ['SIGHUP', 'SIGINT', 'SIGTERM'] as const;
  for (const name of names) process.on(name, onSignal);
  process.on(QUIT[0], onQuit);
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
      for (const name of names) process.off(name, onSignal);
      process.off(QUIT[0], onQuit);
      ignore();
    }
  }
}

/** What has lines of its own: a part of the project, or the tunnel. */
export type Source = PartName | 'tunnel';

/** What happens to a part, or to all of them: `dev`. */
type EventName = 'installing' | 'started' | 'ready' | 'problem' | 'restarted' | 'exited' | 'number';

/** Shows what happens: as lines for people, or one JSON object a line for programs. */
interface Reporter {
  /** Shows a part's output. The promise, if there is one, is resolved once more can be shown. */
  output(part: Source, lines: readonly string[]): Promise<void> | undefined;
  /** Reports an event: its facts for programs, in snake case, and a text for people, if there is something to say. */
  event(part: Source | 'dev', event: EventName, facts: object, text?: string): void;
  say(text: string): void;
}

const COLORS: Readonly<Record<Source, keyof Style>> = {
  bot: 'cyan',
  calls: 'yellow',
  client: 'green',
  tunnel: 'magenta',
};
const WIDTH = 6;

export function createReporter({ print, printPaced, note, style }: Terminal, isJson: boolean): Reporter {
  if (isJson) {
    return {
      output: (part, lines) => printPaced(lines.map(text => asLine({ part, event: 'output', text })).join('\n'), true),
      event: (part, event, facts) => void printPaced(asLine({ part, event, ...facts }), true),
      say: () => {},
    };
  }
  return {
    output(part, lines) {
      const prefix = style[COLORS[part]](`${part.padEnd(WIDTH)} │`);
      return printPaced(lines.map(text => `${prefix} ${withoutMarks(text)}`).join('\n'));
    },
    event(_part, _event, _facts, text) {
      if (text) print(text);
    },
    say: note,
  };
}

/** A time in seconds, for people: `0.4s`, `6s`. */
export const inSeconds = (ms: number): string =>
  ms < 9950 ? `${(ms / 1000).toFixed(1).replace(/\.0$/, '')}s` : `${Math.round(ms / 1000)}s`;

/** A time for programs, in seconds. */
export const secondsOf = (ms: number): number => Math.round(ms / 100) / 10;

export const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
