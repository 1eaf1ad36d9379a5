import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { resolve } from 'node:path';
import { isatty } from 'node:tty';
import { explainSystemError, hasCode, isSystemError } from '../errors.ts';
import { decodeUtf8 } from '../formats/bytes.ts';
import { explainJsonFault, explainRepeats, isDeeper, MOST_LEVELS } from '../formats/json.ts';
import { parsedJson } from '../std.ts';
import type { Terminal } from './terminal.ts';

/** The largest input to read by default, in bytes: a device may never end. */
const LIMIT = 2 ** 20;

/** How long a named pipe may have no writer, and when to look again, in milliseconds. */
const PATIENCE = 10_000;
const PAUSE = 20;

/** Why an input can't be read. The message follows its name: `is larger than 1 MiB`. It never quotes the content. */
export class Unreadable extends Error {}

type InputPlace = Pick<Terminal, 'cwd' | 'inputIsTerminal' | 'inputBytes' | 'sleep'>;

/** Reads a file (or a pipe such as `<(…)`) relative to the working directory, or stdin for `-`. Throws `Unreadable`. */
export async function readInput(path: string, place: InputPlace, largest = LIMIT): Promise<Uint8Array> {
  if (path === '') throw unreadable('the path is empty');
  if (path !== '-') return readFile(resolve(place.cwd, path), place, largest);
  if (place.inputIsTerminal) throw new Unreadable('is a terminal: pipe something in');
  return readAtMost(place.inputBytes(), largest);
}

async function readFile(path: string, place: InputPlace, largest: number): Promise<Uint8Array> {
  // Opening a named pipe would wait until somebody writes to it, and nothing could end that.
  const file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK).catch((error: unknown) => {
    throw unreadable(explainSystemError(error));
  });
  try {
    const stat = await file.stat();
    if (stat.isDirectory()) throw unreadable('it is a directory');
    if (isatty(file.fd)) throw unreadable('it is a terminal');
    const chunks = stat.isFIFO() ? readPipe(file, path, place) : file.createReadStream({ autoClose: false });
    return await readAtMost(chunks, largest);
  } finally {
    await file.close();
  }
}

/** Reads a pipe to its end. That of `<(…)` has a writer from the start. */
async function* readPipe(file: FileHandle, path: string, { sleep }: InputPlace): AsyncGenerator<Uint8Array> {
  let hasBegun = /^\/(dev\/(fd\/|stdin$)|proc\/)/.test(path);
  for (let waited = 0; waited < PATIENCE; waited += hasBegun ? 0 : PAUSE) {
    const read = await file.read().catch((error: unknown) => {
      if (hasCode(error, ['EAGAIN'])) return undefined;
      throw error;
    });
    if (read?.bytesRead === 0 && hasBegun) return;
    // Without an end or an error, there is a writer, who may take long: perhaps it asks for a password.
    hasBegun ||= read?.bytesRead !== 0;
    if (read && read.bytesRead > 0) yield read.buffer.subarray(0, read.bytesRead);
    else await sleep(PAUSE);
  }
  throw unreadable(`it is a pipe, and nobody has opened it for writing within ${PATIENCE / 1000} seconds`);
}

async function readAtMost(chunks: AsyncIterable<Uint8Array>, largest: number): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let length = 0;
  try {
    for await (const chunk of chunks) {
      parts.push(chunk);
      length += chunk.length;
      if (length > largest) throw new Unreadable(`is larger than ${largest / 2 ** 20} MiB`);
    }
  } catch (error) {
    // A broken disk or network may fail long after the file was opened.
    throw isSystemError(error) ? unreadable(explainSystemError(error)) : error;
  }
  return Buffer.concat(parts);
}

const unreadable = (why: string) => new Unreadable(`can't be read: ${why}`);

/** Reads the JSON of `--config`, a path or `-` for stdin. A problem is worded to follow the name of the file. */
export async function readJsonFile(
  path: string,
  terminal: Terminal,
): Promise<{ fileName: string; file?: unknown; fileProblem?: string }> {
  const fileName = path === '-' ? 'stdin' : path || '--config';
  try {
    const text = decodeUtf8(await readInput(path, terminal));
    if (text === undefined) throw new Unreadable("can't be read: it isn't UTF-8 text");
    return { file: parse(text), fileName };
  } catch (error) {
    if (error instanceof Unreadable) return { fileName, fileProblem: error.message };
    throw error;
  }
}

/** Reports only the position of a fault: the text may contain secrets, and Node's own message would quote them. */
function parse(text: string): unknown {
  if (text.trim() === '') throw new Unreadable("can't be read: it is empty");
  const value = parsedJson(text);
  if (value === undefined) throw new Unreadable(`can't be read: ${explainJsonFault(text)}`);
  if (isDeeper(value, MOST_LEVELS)) throw new Unreadable(`can't be read: it has more than ${MOST_LEVELS} levels`);
  const repeats = explainRepeats(text);
  if (repeats) throw new Unreadable(`can't be read: it ${repeats}`);
  return value;
}
