import { type Dirent, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { UserError } from '../errors.ts';
import { explainSystemError } from '../system-errors.ts';
import { findTarget, isThere, isWithin, LEADS_OUTSIDE, locate } from './locate.ts';

/** Why there are no contents. All but the first follow the name of the file. */
export type NoContents =
  | 'absent'
  | 'is a directory'
  | 'is not a file'
  | `can't be read: ${string}`
  | 'is larger than 1 MiB'
  | typeof LEADS_OUTSIDE;

/** The largest text to read, in bytes. */
const LARGEST = 2 ** 20;

/** The contents of a file of a project of at most 1 MiB, or why there are none. Files that aren't botcli's to read can't be read. */
export function readContents(root: string, name: string): Buffer | NoContents {
  try {
    const destination = locate(findTarget(root).root, name);
    if (!('why' in destination)) return destination.isFree ? 'absent' : readAt(destination.path);
    if (destination.why === LEADS_OUTSIDE) return LEADS_OUTSIDE;
    return destination.kind === 'blocked' ? readAt(join(root, name)) : `can't be read: it ${destination.why}`;
  } catch (error) {
    return unreadable(error);
  }
}

const unreadable = (error: unknown): NoContents =>
  `can't be read: ${explainSystemError(error instanceof UserError ? error.cause : error)}`;

/** The contents of a file of a project; undefined if there are none. */
export function readBytes(root: string, name: string): Buffer | undefined {
  const contents = readContents(root, name);
  return typeof contents === 'string' ? undefined : contents;
}

/** The text of a file of a project; undefined if there is none, or it's larger than 1 MiB. */
export function readText(root: string, name: string): string | undefined {
  const contents = readContents(root, name);
  return typeof contents === 'string' ? undefined : contents.toString('utf8');
}

/**
 * The contents of the `.env` in a directory, or why there are none. Only the keys prompt and `check` read one, for the
 * names of its variables. It may be a link, as for python-dotenv.
 */
export function readEnvFile(directory: string): Buffer | NoContents {
  try {
    return readAt(join(directory, '.env'));
  } catch (error) {
    return unreadable(error);
  }
}

/** The contents of another env file of a project, which its code names, for `check` alone. Links must not lead outside. */
export function readNamedEnvFile(root: string, name: string): Buffer | NoContents {
  try {
    const path = join(root, name);
    if (!isThere(path)) return 'absent';
    return isWithin(realpathSync(root), realpathSync(path)) ? readAt(path) : LEADS_OUTSIDE;
  } catch (error) {
    return unreadable(error);
  }
}

function readAt(path: string): Buffer | NoContents {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return 'absent';
  if (stat.isDirectory()) return 'is a directory';
  // Reading anything else, such as a pipe, could wait forever, and would take what is in it away from the bot.
  if (!stat.isFile()) return 'is not a file';
  return stat.size <= LARGEST ? readFileSync(path) : 'is larger than 1 MiB';
}

/** Whether anything is at a path of a project, even if it can't be read. */
export const exists = (root: string, name: string): boolean => {
  try {
    return isThere(join(root, name));
  } catch {
    return false;
  }
};

/** What is in a project's directory, or one in it: nothing if there is none, or why it can't be read. */
export function listDirectory(root: string, name?: string): Dirent[] | NoContents {
  try {
    const place = name === undefined ? { path: root } : locate(findTarget(root).root, name, 'directory');
    return 'path' in place && isThere(place.path) ? readdirSync(place.path, { withFileTypes: true }) : [];
  } catch (error) {
    return unreadable(error);
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
