import { lstatSync, realpathSync, type Stats, statSync } from 'node:fs';
import { dirname, isAbsolute, join, relative, sep } from 'node:path';
import type { ErrorCode } from '../error-codes.ts';
import { UserError } from '../errors.ts';
import { isSystemError } from '../system-errors.ts';
import { explainingDiskErrors } from './disk-error.ts';

/** Where to generate. */
interface Target {
  /** The nearest directory that exists: the target itself, or one above it. */
  base: string;
  /** The target's path without symbolic links, whether it exists or not. */
  root: string;
}

/** Looks up the target; it may be missing, or a link to a directory, but nothing else. */
export function findTarget(directory: string): Target {
  return explainingDiskErrors(`read ${directory}`, () => {
    for (let base = directory; ; base = dirname(base)) {
      const stat = unlessMissing(() => statSync(base));
      if (stat?.isDirectory()) return { base, root: join(realpathSync(base), relative(base, directory)) };
      if (stat) throw refusal(`${base} is not a directory.`, 'conflict');
      if (isThere(base)) throw refusal(`${base} is a symbolic link that leads nowhere.`, 'unsafe-link');
      if (base === dirname(base)) throw refusal(`${base} does not exist.`, 'conflict');
    }
  });
}

/** What keeps a file from being written, told of the first part of its path that has the problem. */
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
 * Follows `name` (posix, relative) below the real path `root`, one part at a time, without ever leaving it: a symbolic
 * link inside is followed, so that a write goes to what it points to and the link stays.
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
      if (!real) return { name: soFar, kind: 'unsafe', why: 'is a symbolic link that leads nowhere' };
      if (real !== root && !isWithin(root, real)) {
        return { name: soFar, kind: 'unsafe', why: 'is a symbolic link that leaves the directory' };
      }
      path = real;
      stat = lstatSync(path);
    }
    const why = rest.length > 0 ? whyNoDirectory(stat) : whyNoFile(stat);
    if (why) return { name: soFar, kind: 'blocked', why };
  }
  return { path, isFree: false };
}

const whyNoDirectory = (stat: Stats) => (stat.isDirectory() ? undefined : 'is a file, and should be a directory');

function whyNoFile(stat: Stats): string | undefined {
  if (stat.isDirectory()) return 'is a directory, and should be a file';
  return stat.isFile() ? undefined : 'is not a regular file';
}

/** Whether there is anything at a path, be it a symbolic link that leads nowhere. */
export function isThere(path: string): boolean {
  return unlessMissing(() => lstatSync(path)) !== undefined;
}

/** `undefined` when nothing is there, or something above is not a directory; `throwIfNoEntry` sees the first only. */
function unlessMissing(look: () => Stats): Stats | undefined {
  try {
    return look();
  } catch (error) {
    if (isSystemError(error) && (error.code === 'ENOENT' || error.code === 'ENOTDIR')) return undefined;
    throw error;
  }
}

/** The path below `directory` in posix form. Generators write nowhere else. */
export function nameWithin(directory: string, path: string): string {
  if (!isWithin(directory, path)) throw new Error(`A generator named ${path}, which is outside of ${directory}`);
  return relative(directory, path).replaceAll(sep, '/');
}

function isWithin(directory: string, path: string): boolean {
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
