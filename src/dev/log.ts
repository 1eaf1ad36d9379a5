import { appendFileSync, renameSync } from 'node:fs';
import { explainSystemError } from '../errors.ts';
import { createTail } from './install.ts';

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
