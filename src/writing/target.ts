import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import nodePath, { dirname, join, type PlatformPath, relative } from 'node:path';
import type { ErrorCode } from '../error-codes.ts';
import { UserError } from '../errors.ts';
import { isSystemError } from '../system-errors.ts';
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

/** A reason why a file can't be written. It names the first part of the path that has the problem. */
export interface Obstacle {
  name: string;
  kind: 'blocked' | 'unsafe';
  why: string;
}

/** The real path of a file to write, and whether it is new. */
interface Destination {
  path: string;
  isFree: boolean;
}

/**
 * Follows `name` (POSIX, relative) below the real path `root`, one part at a time, and never leaves `root`. Symbolic links
 * inside it are followed: a write changes the file that the link points to, and the link stays.
 */
export function findDestination(root: string, name: string): Destination | Obstacle {
  const parts = name.split('/');
  let path = root;
  for (const [index, part] of parts.entries()) {
    const rest = parts.slice(index + 1);
    const soFar = parts.slice(0, index + 1).join('/');
    path = join(path, part);
    let stat = unlessMissing(() => lstatSync(path));
    if (!stat) return { path: join(path, ...rest), isFree: true };
    if (stat.isSymbolicLink()) {
      const real = resolveLink(path);
      if (!real) return { name: soFar, kind: 'unsafe', why: 'is a broken symbolic link' };
      if (real !== root && !isWithin(root, real)) {
        return { name: soFar, kind: 'unsafe', why: 'is a symbolic link that points outside the directory' };
      }
      path = real;
      stat = lstatSync(path);
    }
    const why = rest.length > 0 ? whyNoDirectory(stat) : whyNoFile(stat);
    if (why) return { name: soFar, kind: 'blocked', why };
  }
  return { path, isFree: false };
}

const whyNoDirectory = (stat: Stats) => (stat.isDirectory() ? undefined : 'is a file, but must be a directory');

function whyNoFile(stat: Stats): string | undefined {
  if (stat.isDirectory()) return 'is a directory, but must be a file';
  return stat.isFile() ? undefined : 'is not a regular file';
}

/** Whether anything exists at a path, even a broken symbolic link. */
function isThere(path: string): boolean {
  return unlessMissing(() => lstatSync(path)) !== undefined;
}

/** `undefined` if nothing exists there, or a parent isn't a directory. `throwIfNoEntry` covers only the first case. */
function unlessMissing(look: () => Stats): Stats | undefined {
  try {
    return look();
  } catch (error) {
    if (isSystemError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** The path below `directory` in POSIX form. Generators write nowhere else. `paths` are the rules of the system. */
export function nameWithin(directory: string, path: string, paths: PlatformPath = nodePath): string {
  if (isWithin(directory, path, paths)) return paths.relative(directory, path).replaceAll(paths.sep, '/');
  throw new Error(`A generator tried to write ${path}, which is outside ${directory}`);
}

function isWithin(directory: string, path: string, { relative, sep, isAbsolute }: PlatformPath = nodePath): boolean {
  const way = relative(directory, path);
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way);
}

function resolveLink(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

const refusal = (what: string, reason: ErrorCode) => new UserError(`${what} Nothing was written.`, { reason });
