import { lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import nodePath, { dirname, join, type PlatformPath, relative, sep } from 'node:path';
import { type ErrorCode, orIfRefused, UserError } from '../errors.ts';
import { isInside, isProtected } from '../project/protected.ts';
import { explainingDiskErrors } from './disk-error.ts';

/** Where to generate. */
interface Target {
  /** The nearest directory that exists: the target itself, or one above it. */
  base: string;
  /** The target's path with symbolic links resolved, whether or not it exists. */
  root: string;
}

/** Looks up the target. It must be a directory, a link to one, or missing. */
export function findTarget(directory: string): Target {
  return explainingDiskErrors(`read ${directory}`, () => {
    for (let base = directory; ; base = dirname(base)) {
      const stat = unlessMissing(() => statSync(base));
      if (stat?.isDirectory()) return { base, root: join(realpathSync(base), relative(base, directory)) };
      if (stat) throw refusal(`${base} is not a directory.`, 'conflict');
      if (isThere(base)) throw refusal(`${base} is a broken symbolic link.`, 'unsafe-link');
      if (base === dirname(base)) throw refusal(`${base} does not exist.`, 'conflict');
    }
  });
}

/** A reason why a file can't be read or written. It names the first part of the path that has the problem. */
export interface Obstacle {
  name: string;
  kind: 'blocked' | 'unsafe';
  why: string;
}

/** The real path of a file to read or write, and whether it is new. */
interface Destination {
  path: string;
  isFree: boolean;
}

type Wanted = 'file' | 'directory';

const NEVER_TOUCHED = 'is a path that botcli never touches';
export const LEADS_OUTSIDE = 'leads outside the directory, through a symbolic link';

/**
 * What people and coding agents find under any spelling. Programs such as git, Docker and uv look for one: a
 * `.GitIgnore` would ignore nothing, and git would take the keys.
 */
const READ_IN_ANY_CASE = /\.md$/i;

/** The most parts of a path that is followed, as links may lead in circles. botcli writes none with half as many. */
const MOST_PARTS = 30;

/**
 * Decides where a file of a project is, and whether botcli may read, show, write or delete it. Everything that touches
 * a project's files asks here first.
 *
 * Follows `name` (POSIX, relative) below the directory, one part at a time, and never leaves it. Symbolic links inside
 * it are followed: a write changes the file that the link points to, and the link stays. A document whose name differs
 * only in case is that document; anything else is in the way then. Env files but `.env.example`, and what belongs to
 * git, are refused under any name.
 *
 * @param root The real path of the directory.
 * @throws {UserError} The disk refuses to say.
 */
export const locate = (root: string, name: string, wanted: Wanted = 'file'): Destination | Obstacle =>
  isInside(name) ? locateListed(root, name, wanted) : { name, kind: 'unsafe', why: NEVER_TOUCHED };

/** Decides the same about a name that the disk itself gave: it may have characters that no name of botcli's has. */
export const locateListed = (root: string, name: string, wanted: Wanted = 'file'): Destination | Obstacle =>
  explainingDiskErrors(`read ${name}`, () => follow(root, name, wanted));

function follow(root: string, name: string, wanted: Wanted): Destination | Obstacle {
  if (isProtected(name)) return { name, kind: 'unsafe', why: NEVER_TOUCHED };
  const parts = name.split('/');
  if (parts.length > MOST_PARTS) {
    const beginning = parts.slice(0, MOST_PARTS).join('/');
    return { name: beginning, kind: 'unsafe', why: 'is more directories deep than botcli goes' };
  }
  let path = root;
  for (const [index, part] of parts.entries()) {
    const rest = parts.slice(index + 1);
    const soFar = parts.slice(0, index + 1).join('/');
    const unsafe = (why: string): Obstacle => ({ name: soFar, kind: 'unsafe', why });
    path = join(path, part);
    let stat = unlessMissing(() => lstatSync(path));
    const other = stat ? undefined : inOtherCase(dirname(path), part);
    if (other !== undefined) {
      if (rest.length > 0 || wanted === 'directory' || !READ_IN_ANY_CASE.test(part)) {
        const why = `differs only in case from the existing ${other}: rename that to ${part}`;
        return { name: soFar, kind: 'blocked', why };
      }
      path = join(dirname(path), other);
      stat = lstatSync(path);
    }
    if (!stat) {
      const secret = index > 0 ? whySecret(root, dirname(path), soFar) : undefined;
      return secret ?? { path: join(path, ...rest), isFree: true };
    }
    if (stat.isSymbolicLink()) {
      const link = path;
      const real = unlessMissing(() => realpathSync(link), [...MISSING, 'ELOOP']);
      if (!real) return unsafe('is a broken symbolic link');
      if (!isWithinOrAt(root, real)) return unsafe(LEADS_OUTSIDE);
      const target = nameIn(root, real);
      if (isProtected(target) || belongsToGit(root, real)) {
        return unsafe(`is a symbolic link to ${target}, which botcli never touches`);
      }
      path = real;
      stat = lstatSync(path);
    }
    const why = rest.length > 0 || wanted === 'directory' ? whyNoDirectory(stat) : whyNoFile(stat);
    if (why) return { name: soFar, kind: 'blocked', why };
  }
  return whySecret(root, path, name) ?? { path, isFree: false };
}

/**
 * The name of what is there in other case. On macOS and Windows it's the same file, so elsewhere it counts as that,
 * too: of two files, one would be lost there.
 */
const inOtherCase = (directory: string, part: string): string | undefined =>
  unlessMissing(() => readdirSync(directory))?.find(name => name.toLowerCase() === part.toLowerCase());

/**
 * Decides the same about the env file that the keys prompt writes: only a regular file, or a new one, and not through
 * any link. Its keys must not get into a file that others read.
 */
export const locateEnvFile = (root: string, name: string): Destination | Obstacle =>
  explainingDiskErrors(`read ${name}`, () => {
    const parent = dirname(name);
    const folder = locate(root, parent, 'directory');
    if ('why' in folder) return folder;
    const linked = (one: string): Obstacle => ({ name: one, kind: 'unsafe', why: 'is a symbolic link' });
    if (folder.path !== join(root, parent)) return linked(parent);
    const path = join(root, name);
    const stat = unlessMissing(() => lstatSync(path));
    if (!stat) return { path, isFree: true };
    if (stat.isSymbolicLink()) return linked(name);
    const why = whyNoFile(stat);
    return why ? { name, kind: 'blocked', why } : { path, isFree: false };
  });

/** Refuses an existing path that is really a protected one, by a short name of Windows. */
function whySecret(root: string, path: string, name: string): Obstacle | undefined {
  const real = nameIn(realpathSync.native(root), realpathSync.native(path));
  if (real === '' || !isProtected(real)) return undefined;
  return { name, kind: 'unsafe', why: `is another name of ${real}, which botcli never touches` };
}

/**
 * Whether a file has several names on its disk, as hard links. One of them may be a secret, and nobody can find them
 * all. Its contents may be compared, but not shown, merged or written elsewhere.
 */
export const hasOtherNames = (path: string): boolean => statSync(path).nlink > 1;

export const OTHER_NAMES =
  'has several names on this disk (hard links), and another one may be a secret. Replace it with a copy of itself';

/** Whether a real path is in a repository that isn't called `.git`: a bare one, or one that is elsewhere. */
export function belongsToGit(root: string, real: string): boolean {
  if (real === root) return false;
  const isRepository = ['HEAD', 'objects', 'refs'].every(name => isThere(join(real, name)));
  return isRepository || belongsToGit(root, dirname(real));
}

const whyNoDirectory = (stat: Stats) => (stat.isDirectory() ? undefined : 'is a file, but must be a directory');

function whyNoFile(stat: Stats): string | undefined {
  if (stat.isDirectory()) return 'is a directory, but must be a file';
  return stat.isFile() ? undefined : 'is not a regular file';
}

/** Whether anything exists at a path, even a broken symbolic link. */
export function isThere(path: string): boolean {
  return unlessMissing(() => lstatSync(path)) !== undefined;
}

const MISSING = ['ENOENT', 'ENOTDIR'];

/** `undefined` if nothing exists there, or a parent isn't a directory. `throwIfNoEntry` covers only the first case. */
const unlessMissing = <Found>(look: () => Found, codes = MISSING): Found | undefined =>
  orIfRefused(codes, look, undefined);

/** The name of a path below `root`, with `/`. */
export const nameIn = (root: string, path: string): string => relative(root, path).replaceAll(sep, '/');

/** The path below `directory` in POSIX form. Generators write nowhere else. `paths` are the rules of the system. */
export function nameWithin(directory: string, path: string, paths: PlatformPath = nodePath): string {
  if (isWithin(directory, path, paths)) return paths.relative(directory, path).replaceAll(paths.sep, '/');
  throw new Error(`A generator tried to write ${path}, which is outside ${directory}`);
}

/** On Windows, names that differ only in case are the same. */
const isWithinOrAt = (directory: string, path: string): boolean =>
  relative(directory, path) === '' || isWithin(directory, path);

export function isWithin(
  directory: string,
  path: string,
  { relative, sep, isAbsolute }: PlatformPath = nodePath,
): boolean {
  const way = relative(directory, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

const refusal = (what: string, reason: ErrorCode) => new UserError(`${what} Nothing was written.`, { reason });
