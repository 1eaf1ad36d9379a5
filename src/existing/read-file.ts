import { readFileSync, statSync } from 'node:fs';
import { explainSystemError } from '../system-errors.ts';

/** Why there are no contents. All but the first follow the name of the file. */
export type NoContents =
  | 'absent'
  | 'is a directory'
  | 'is not a file'
  | `can't be read: ${string}`
  | 'is larger than 1 MiB';

/** The largest text to read, in bytes. */
export const LARGEST = 2 ** 20;

/** The contents of a file, or why there are none. */
export function readContents(path: string, largest = Number.POSITIVE_INFINITY): Buffer | NoContents {
  try {
    const stat = statSync(path, { throwIfNoEntry: false });
    if (!stat) return 'absent';
    if (stat.isDirectory()) return 'is a directory';
    // Reading anything else, such as a pipe, could wait forever, and would take what is in it away from the bot.
    if (!stat.isFile()) return 'is not a file';
    return stat.size <= largest ? readFileSync(path) : 'is larger than 1 MiB';
  } catch (error) {
    return `can't be read: ${explainSystemError(error)}`;
  }
}

/** The contents of a file; undefined if there are none. */
export function readBytes(path: string): Buffer | undefined {
  const contents = readContents(path);
  return typeof contents === 'string' ? undefined : contents;
}

/** The text of a file; undefined if there is none, or it's larger than 1 MiB. */
export function readText(path: string): string | undefined {
  const contents = readContents(path, LARGEST);
  return typeof contents === 'string' ? undefined : contents.toString('utf8');
}
