import { type Dirent, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { findTarget, isThere, LEADS_OUTSIDE, locate } from './locate.ts';

/** Why there are no contents. All but the first follow the name of the file. */
export type NoContents =
  | 'absent'
  | 'is a directory'
  | 'is not a file'
  | "can't be read"
  | 'is larger than 1 MiB'
  | typeof LEADS_OUTSIDE;

/** The largest text to read, in bytes. */
const LARGEST = 2 ** 20;

/** The contents of a file of a project, or why there are none. Files that aren't botcli's to read can't be read. */
export function readContents(root: string, name: string, largest = Number.POSITIVE_INFINITY): Buffer | NoContents {
  try {
    const destination = locate(findTarget(root).root, name);
    if (!('why' in destination)) return destination.isFree ? 'absent' : readAt(destination.path, largest);
    if (destination.why === LEADS_OUTSIDE) return LEADS_OUTSIDE;
    return destination.kind === 'blocked' ? readAt(join(root, name), largest) : "can't be read";
  } catch {
    return "can't be read";
  }
}

/** The contents of a file of a project; undefined if there are none. */
export function readBytes(root: string, name: string): Buffer | undefined {
  const contents = readContents(root, name);
  return typeof contents === 'string' ? undefined : contents;
}

/** The text of a file of a project; undefined if there is none, or it's larger than 1 MiB. */
export function readText(root: string, name: string): string | undefined {
  const contents = readContents(root, name, LARGEST);
  return typeof contents === 'string' ? undefined : contents.toString('utf8');
}

/**
 * The contents of the `.env` in a directory, or why there are none. Only the keys prompt and `check` read one, for the
 * names of its variables. It may be a link, as for python-dotenv.
 */
export function readEnvFile(directory: string): Buffer | NoContents {
  try {
    return readAt(join(directory, '.env'), Number.POSITIVE_INFINITY);
  } catch {
    return "can't be read";
  }
}

function readAt(path: string, largest: number): Buffer | NoContents {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return 'absent';
  if (stat.isDirectory()) return 'is a directory';
  // Reading anything else, such as a pipe, could wait forever, and would take what is in it away from the bot.
  if (!stat.isFile()) return 'is not a file';
  return stat.size <= largest ? readFileSync(path) : 'is larger than 1 MiB';
}

/** Whether anything is at a path of a project, even if it can't be read. */
export const exists = (root: string, name: string): boolean => {
  try {
    return isThere(join(root, name));
  } catch {
    return false;
  }
};

/** What is in a project's directory, or one in it: nothing if it can't be read. */
export function listDirectory(root: string, name?: string): Dirent[] {
  try {
    const place = name === undefined ? { path: root } : locate(findTarget(root).root, name, 'directory');
    return 'path' in place ? readdirSync(place.path, { withFileTypes: true }) : [];
  } catch {
    return [];
  }
}

/** Whether a path that the user typed is a directory. */
export function isDirectory(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
