import { randomBytes } from 'node:crypto';
import {
  closeSync,
  constants,
  copyFileSync,
  fsyncSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** A file with this age isn't being written any more. In milliseconds. */
const OLD_MS = 60_000;

/** A hidden file next to a file, for the time of a change. */
export const stagedPath = (path: string, suffix = randomBytes(6).toString('hex')): string =>
  join(dirname(path), `.${basename(path)}.${suffix}`);

/** The file that a path leads to, through symbolic links. A link to a missing file leads to where that would be. */
export function followLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (!isMissing || !lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path;
    return followLinks(resolve(realpathSync(dirname(path)), readlinkSync(path)));
  }
}

/**
 * Replaces a whole file, readable only by its owner: it has either the old or the new content, never a part of it.
 *
 * @param beforeReplacing Called when the new content is on the disk, right before the old content is gone.
 */
export function replaceFile(path: string, text: string, beforeReplacing: () => void): void {
  const staged = stagedPath(path);
  const file = openSync(staged, 'wx', 0o600);
  try {
    try {
      // Unlike `writeSync`, this continues after a short write, such as on a disk that fills up.
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    beforeReplacing();
    renameSync(staged, path);
  } catch (error) {
    rmSync(staged, { force: true });
    throw error;
  }
}

/** Copies a file to an unused name next to it, `FILE.broken` or `FILE.broken-2` and so on. Returns its path. */
export function copyBroken(path: string): string {
  for (let number = 1; ; number += 1) {
    const copy = `${path}.broken${number > 1 ? `-${number}` : ''}`;
    try {
      copyFileSync(path, copy, constants.COPYFILE_EXCL);
      return copy;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

/** The copies that `copyBroken` made. */
export const brokenCopies = (path: string): string[] =>
  ownFiles(path, `${basename(path)}.broken`, /^(?:-\d+)?$/).map(([copy]) => copy);

/** Removes what killed processes left behind while they replaced a file. */
export function removeLeftovers(path: string): void {
  const leftovers = ownFiles(path, `.${basename(path)}.`, /^(?:lock\.)?[0-9a-f]{12}$/);
  for (const [leftover, { mtimeMs }] of leftovers) {
    if (Date.now() - mtimeMs > OLD_MS) rmSync(leftover, { force: true });
  }
}

/** The user's own files next to a file, whose names have this beginning and rest. */
function ownFiles(path: string, beginning: string, rest: RegExp): [path: string, stat: Stats][] {
  const user = process.getuid?.();
  const isOwn = (stat: Stats) => stat.isFile() && (user === undefined || stat.uid === user);
  return namesIn(dirname(path))
    .filter(name => name.startsWith(beginning) && rest.test(name.slice(beginning.length)))
    .map(name => join(dirname(path), name))
    .flatMap(file => {
      // Another process may remove it at any time.
      const stat = lstatSync(file, { throwIfNoEntry: false });
      return stat && isOwn(stat) ? [[file, stat] as [string, Stats]] : [];
    });
}

function namesIn(directory: string): string[] {
  try {
    return readdirSync(directory);
  } catch {
    // A directory that is missing, or can't be read, has nothing that we could remove.
    return [];
  }
}
