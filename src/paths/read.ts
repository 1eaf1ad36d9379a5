import {
  closeSync,
  constants,
  type Dirent,
  fstatSync,
  lstatSync,
  openSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { explainSystemError, UserError } from '../errors.ts';
import { orElse } from '../std.ts';
import { belongsToGit, findTarget, isThere, isWithin, LEADS_OUTSIDE, locate } from './locate.ts';

/** Why there are no contents. All but the first follow the name of the file. */
export type NoContents =
  | 'absent'
  | 'is a directory'
  | 'is not a file'
  | `can't be read: ${string}`
  | `is larger than ${number} MiB`
  | typeof LEADS_OUTSIDE
  | typeof NO_ENV_FILE;

/** A link may give any file of the user's the name of an env file. */
export const NO_ENV_FILE = "is a symbolic link to a file that isn't named like an env file";

/** The largest text to read by default, in bytes. */
const LARGEST = 2 ** 20;

/** The contents of a file of a project, or why there are none. Files that aren't botcli's to read can't be read. */
export const readContents = (root: string, name: string, largest = LARGEST): Buffer | NoContents =>
  orWhyNot(() => {
    const destination = locate(findTarget(root).root, name);
    if (!('why' in destination)) return destination.isFree ? 'absent' : readAt(destination.path, largest);
    if (destination.why === LEADS_OUTSIDE) return LEADS_OUTSIDE;
    return destination.kind === 'blocked' ? readAt(join(root, name), largest) : `can't be read: it ${destination.why}`;
  });

/** What some work returns, or why it can't be read if that fails. */
function orWhyNot<Result>(work: () => Result | NoContents): Result | NoContents {
  try {
    return work();
  } catch (error) {
    return `can't be read: ${explainSystemError(error instanceof UserError ? error.cause : error)}`;
  }
}

/** The contents of a file of a project; undefined if there are none. */
export function readBytes(root: string, name: string): Buffer | undefined {
  const contents = readContents(root, name);
  return typeof contents === 'string' ? undefined : contents;
}

/** The text of a file of a project; undefined if there is none, or it's larger than 1 MiB. */
export function readText(root: string, name: string): string | undefined {
  return readBytes(root, name)?.toString('utf8');
}

/**
 * The contents of the `.env` in a directory, or why there are none. Only the keys prompt and `check` read one, for the
 * names of its variables. It may be a link to another env file, wherever that is.
 */
export const readEnvFile = (directory: string): Buffer | NoContents =>
  orWhyNot(() => {
    const path = join(realpathSync(directory), '.env');
    if (!isThere(path)) return 'absent';
    const real = realpathSync(path);
    return isEnvFile(real) ? readAt(real) : NO_ENV_FILE;
  });

/** A file that people keep variables in: `.env`, `.env.local`, `team.env`. */
const isEnvFile = (path: string): boolean => /^\.env($|\.)|\.env$/i.test(basename(path));

/**
 * The contents of another env file of a project, which its code names, for `check` alone. Links must not lead outside,
 * and nothing of git's is read.
 */
export const readNamedEnvFile = (root: string, name: string): Buffer | NoContents =>
  orWhyNot(() => {
    const path = join(root, name);
    if (!isThere(path)) return 'absent';
    const [top, real] = [realpathSync(root), realpathSync(path)];
    if (!isWithin(top, real)) return LEADS_OUTSIDE;
    return belongsToGit(top, real) ? NO_ENV_FILE : readAt(real);
  });

function readAt(path: string, largest = LARGEST): Buffer | NoContents {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat) return 'absent';
  if (stat.isDirectory()) return 'is a directory';
  // Reading anything else, such as a pipe, could wait forever, and would take what is in it away from the bot.
  if (!stat.isFile()) return 'is not a file';
  return stat.size <= largest ? readReal(path, largest) : `is larger than ${largest / 2 ** 20} MiB`;
}

/** Whether anything is at a path of a project, even if it can't be read. */
export const exists = (root: string, name: string): boolean => orElse(() => isThere(join(root, name)), false);

/** Why nobody can know whether a file is in a directory; undefined if it can be known. */
export function whyUnreadable(directory: string, name: string): string | undefined {
  try {
    isThere(join(directory, name));
    return undefined;
  } catch (error) {
    return explainSystemError(error);
  }
}

/** The users that own a directory, and a file in it, as far as they exist. Without users, as on Windows, nobody. */
export function ownersOf(directory: string, name: string): number[] {
  if (!process.getuid) return [];
  const stats = () => [directory, join(directory, name)].map(path => lstatSync(path, { throwIfNoEntry: false }));
  return orElse(stats, []).flatMap(stat => (stat ? [stat.uid] : []));
}

/** What is in a project's directory, or one in it: nothing if there is none, or why it can't be read. */
export const listDirectory = (root: string, name = '.'): Dirent[] | NoContents =>
  orWhyNot(() => {
    const place = name === '.' ? { path: root } : locate(findTarget(root).root, name, 'directory');
    if ('why' in place) return place.why === LEADS_OUTSIDE ? LEADS_OUTSIDE : `can't be read: it ${place.why}`;
    return isThere(place.path) ? readdirSync(place.path, { withFileTypes: true }) : [];
  });

/** Whether a path that the user typed is a directory. */
export const isDirectory = (path: string): boolean => orElse(() => statSync(path).isDirectory(), false);

/**
 * Reads a file at a real path. Since that was decided, a part of the path may have become a link, or the file a pipe.
 * So what counts is what was opened.
 *
 * @param largest In bytes.
 * @throws An error of the operating system, also for a file that is too large or no longer the same.
 */
export function readReal(path: string, largest: number): Buffer {
  const seen = statSync(path);
  if (seen.size > largest) throw failure('ERR_FS_FILE_TOO_LARGE', path);
  const descriptor = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  try {
    const opened = fstatSync(descriptor);
    // The number of the disk isn't compared: on Windows, these calls may give it in two forms.
    const isSame = opened.isFile() && opened.ino === seen.ino;
    if (!isSame || !isSpelt(pathOf(descriptor, path), path)) throw failure('ESTALE', path);
    if (opened.size > largest) throw failure('ERR_FS_FILE_TOO_LARGE', path);
    return readFileSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The real path of an open file. Only Linux knows it. */
const pathOf = (descriptor: number, path: string): string =>
  orElse(() => readlinkSync(`/proc/self/fd/${descriptor}`), undefined) ?? realpathSync(path);

/** Some disks know a file by any case, and change how letters are composed. */
const isSpelt = (one: string, other: string): boolean =>
  one === other || one.normalize().toLowerCase() === other.normalize().toLowerCase();

const failure = (code: string, path: string): Error =>
  Object.assign(new Error(`${code}: ${path}`), { code, syscall: 'open' });
