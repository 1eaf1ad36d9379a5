import { randomBytes } from 'node:crypto';
import {
  closeSync,
  fsyncSync,
  lstatSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { hasCode } from '../system-errors.ts';

/** The file that a path leads to, through symbolic links. A link to a missing file leads to where that would be. */
export function followLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!hasCode(error, ['ENOENT']) || !lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path;
    return followLinks(resolve(realpathSync(dirname(path)), readlinkSync(path)));
  }
}

/** Replaces a whole file, readable only by its owner: it has either the old or the new content, never a part of it. */
export function replaceFile(path: string, text: string): void {
  const staged = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`);
  const file = openSync(staged, 'wx', 0o600);
  try {
    try {
      // Unlike `writeSync`, this continues after a short write, such as on a disk that fills up.
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(staged, path);
  } catch (error) {
    rmSync(staged, { force: true });
    throw error;
  }
}
