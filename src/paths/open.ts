import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { orElse } from '../or-else.ts';

/**
 * Reads a file at a real path. Since that was decided, a part of the path may have become a link, or the file a pipe. So
 * what counts is what was opened.
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

/** Opens a directory only to refer to it, which needs no permission. Node doesn't know this flag of Linux. */
const O_PATH = 0o10000000;

/** Where Linux has the open files of a process. */
const OPEN = '/proc/self/fd';

/**
 * Changes something at a real path. Since that was decided, a directory of the path may have become a link. On Linux, the
 * change is made in the directory that was opened, and no link counts any more. Elsewhere, a moment remains.
 *
 * @param work Gets another path of the same place.
 * @throws An error of the operating system, also if a directory of the path is a link now.
 */
export function changeReal<Result>(path: string, work: (path: string) => Result): Result {
  const directory = dirname(path);
  if (process.platform !== 'linux' || !existsSync(OPEN)) {
    if (realpathSync(directory) !== directory) throw failure('ESTALE', path);
    return work(path);
  }
  const descriptor = openSync(directory, O_PATH | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  try {
    if (readlinkSync(join(OPEN, String(descriptor))) !== directory) throw failure('ESTALE', path);
    return work(join(OPEN, String(descriptor), basename(path)));
  } finally {
    closeSync(descriptor);
  }
}

/** The real path of an open file. Only Linux knows it. */
const pathOf = (descriptor: number, path: string): string =>
  orElse(() => readlinkSync(join(OPEN, String(descriptor))), undefined) ?? realpathSync(path);

/** Some disks know a file by any case, and change how letters are composed. */
const isSpelt = (one: string, other: string): boolean =>
  one === other || one.normalize().toLowerCase() === other.normalize().toLowerCase();

const failure = (code: string, path: string): Error =>
  Object.assign(new Error(`${code}: ${path}`), { code, syscall: 'open' });
