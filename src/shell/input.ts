import { open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isatty } from 'node:tty';
import { explainSystemError, isSystemError } from '../system-errors.ts';

/** The largest input to read, in bytes: a device may never end. */
const LIMIT = 2 ** 20;

/** Why an input can't be read. The message follows its name: `is larger than 1 MiB`. It never quotes the content. */
export class Unreadable extends Error {}

/** The parts of a terminal that reading needs. */
interface InputPlace {
  readonly cwd: string;
  readonly inputIsTerminal: boolean;
  inputBytes(): AsyncIterable<Uint8Array>;
}

/**
 * Reads the whole file at a path relative to the working directory, or stdin for `-`. Pipes such as `<(…)` work.
 *
 * @throws {Unreadable}
 */
export async function readInput(path: string, place: InputPlace): Promise<Uint8Array> {
  if (path === '') throw unreadable('the path is empty');
  if (path !== '-') return readFile(resolve(place.cwd, path));
  if (place.inputIsTerminal) throw new Unreadable('is a terminal: pipe something in');
  return readAtMost(place.inputBytes());
}

async function readFile(path: string): Promise<Uint8Array> {
  const file = await open(path).catch((error: unknown) => {
    throw unreadable(explainSystemError(error));
  });
  try {
    if ((await file.stat()).isDirectory()) throw unreadable('it is a directory');
    if (isatty(file.fd)) throw unreadable('it is a terminal');
    return await readAtMost(file.createReadStream({ autoClose: false }));
  } finally {
    await file.close();
  }
}

async function readAtMost(chunks: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of chunks) {
      parts.push(chunk);
      length += chunk.length;
      if (length > LIMIT) throw new Unreadable('is larger than 1 MiB');
    }
  } catch (error) {
    // A broken disk or network may fail long after the file was opened.
    throw isSystemError(error) ? unreadable(explainSystemError(error)) : error;
  }
  return Buffer.concat(parts);
}

const unreadable = (why: string) => new Unreadable(`can't be read: ${why}`);
