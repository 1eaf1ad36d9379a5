import type { ChildProcess } from 'node:child_process';
import { appendFileSync, renameSync } from 'node:fs';
import type { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import { explainSystemError } from '../errors.ts';
import { withoutSequences } from '../text.ts';

/** The streams of a process. Python's log is in stderr. */
export type StreamName = 'stdout' | 'stderr';

/** Takes whole lines of one stream, as plain text. No more come before the promise that it returns is resolved. */
type TakeLines = (lines: readonly string[], stream: StreamName) => Promise<void> | undefined;

/** How long output may take to arrive after a process has ended. */
const DRAIN_MS = 1000;
/** The longest line, in characters. A longer one arrives in pieces. */
const LONGEST_LINE = 65_536;
/** How often a line is passed on that a program writes again and again, such as the progress of a download. */
const PROGRESS_MS = 2000;

/** Passes on the lines of a process, each stream's in order. */
export function follow({ stdout, stderr }: ChildProcess, take: TakeLines) {
  const streams = [stdout, stderr].filter(stream => stream !== null);
  let taking = 0;
  const takeSlowly: TakeLines = async (lines, name) => {
    taking++;
    await take(lines, name);
    taking--;
  };
  const passed = Promise.all(
    streams.map(stream => passOn(stream, lines => takeSlowly(lines, stream === stdout ? 'stdout' : 'stderr'))),
  ).then(() => true);
  return {
    /** Waits for the rest of the output. A stopped process's output is dropped if nobody takes it. */
    async finish(isStopped: () => boolean): Promise<void> {
      const soon = () => sleep(DRAIN_MS, false, { ref: false });
      while (!(await Promise.race([passed, soon()]))) {
        if (taking > 0 && !isStopped()) continue;
        for (const stream of streams) stream.destroy();
        return;
      }
    },
  };
}

async function passOn(stream: Readable, take: (lines: readonly string[]) => ReturnType<TakeLines>): Promise<void> {
  let rest = '';
  let progressAt = 0;
  try {
    for await (const chunk of stream.setEncoding('utf8')) {
      const [unfinished = '', ...lines] = `${rest}${chunk}`.split(/\r?\n/).reverse();
      const whole = lines.reverse().map(lastState);
      rest = unfinished;
      // The last one may still be arriving. After a carriage return at the end, so may a line feed.
      const end = rest.lastIndexOf('\r', rest.length - 2);
      if (end !== -1) {
        const state = lastState(rest.slice(0, end));
        const isDue = state !== '' && Date.now() - progressAt >= PROGRESS_MS;
        if (isDue) whole.push(state);
        if (isDue) progressAt = Date.now();
        rest = isDue ? rest.slice(end + 1) : `${state}${rest.slice(end)}`;
      }
      if (rest.length > LONGEST_LINE) whole.push(lastState(rest));
      if (rest.length > LONGEST_LINE) rest = '';
      if (whole.length > 0) await take(whole);
    }
  } catch {
    // It was closed before its end.
  }
  if (rest !== '') await take([lastState(rest)]);
}

/** What a terminal shows of a line in the end, as plain text: a carriage return begins it again. */
function lastState(line: string): string {
  const text = withoutSequences(line);
  return text.includes('\r') ? (text.split('\r').findLast(state => state.trim() !== '') ?? '') : text;
}

/** How many of a tool's last lines to show. */
const LAST_LINES = 20;

/** Keeps the last lines that it is given. */
export function createTail() {
  const lines: string[] = [];
  return {
    lines: lines as readonly string[],
    take(more: readonly string[]): void {
      lines.push(...more.slice(-LAST_LINES));
      lines.splice(0, lines.length - LAST_LINES);
    },
  };
}

/** How long a log may get before it begins again, in bytes. What was in it is kept once, next to it. */
const MOST_BYTES = 32 * 2 ** 20;

/** Writes a program's output into a file of at most `most` bytes. A full disk doesn't end the program. */
export function createLog(path: string, most = MOST_BYTES) {
  const tail = createTail();
  let size = 0;
  let problem: string | undefined;
  const write = (text: string) => {
    if (problem !== undefined) return;
    const more = Buffer.byteLength(text);
    try {
      if (size > 0 && size + more > most) {
        renameSync(path, `${path}.1`);
        size = 0;
      }
      appendFileSync(path, text);
      size += more;
    } catch (error) {
      problem = explainSystemError(error);
    }
  };
  // It's there even if the program says nothing.
  write('');
  return {
    take(lines: readonly string[]): undefined {
      tail.take(lines);
      write(`${lines.join('\n')}\n`);
    },
    /** The last lines, also if they couldn't be written. */
    lastLines: tail.lines,
    /** Where it is, in a sentence. */
    get place(): string {
      return problem === undefined ? `The bot's log is ${path}` : `The bot's log ${path} is incomplete: ${problem}`;
    },
  };
}
