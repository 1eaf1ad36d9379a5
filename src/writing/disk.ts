import * as nodeFiles from 'node:fs';
import { hasCode, orIfRefused } from '../errors.ts';
import { readReal } from '../paths/read.ts';

/** The calls that change the disk. Tests make each of them fail. */
export type FileSystem = Pick<
  typeof nodeFiles,
  | 'mkdirSync'
  | 'rmdirSync'
  | 'openSync'
  | 'fchmodSync'
  | 'writeFileSync'
  | 'fdatasyncSync'
  | 'closeSync'
  | 'linkSync'
  | 'renameSync'
  | 'unlinkSync'
>;

/** How long to wait before each new try, in milliseconds: two seconds in all. */
const PAUSES = [10, 20, 40, 80, 160, 320, 640, 730];

/** Errors of Windows for a file that a virus scanner, an indexer or an editor has open at the moment. */
const BUSY = ['EBUSY', 'EPERM', 'EACCES'];

/** For each call, the errors that may pass. A deleted file may stay in its directory until the scanner closes it. */
const PASSING = { renameSync: BUSY, unlinkSync: BUSY, rmdirSync: [...BUSY, 'ENOTEMPTY'], linkSync: ['EBUSY'] } as const;

/** The file system, which on Windows tries again if a file is busy. */
export function patient(
  files: FileSystem = nodeFiles,
  platform: NodeJS.Platform = process.platform,
  wait: (ms: number) => void = waitFor,
): FileSystem {
  if (platform !== 'win32') return files;
  const patiently = <Call extends keyof typeof PASSING>(name: Call) => {
    const call = files[name] as (...paths: string[]) => void;
    return (...paths: string[]) => {
      for (const pause of PAUSES) {
        try {
          return call(...paths);
        } catch (error) {
          if (!hasCode(error, PASSING[name])) throw error;
          wait(pause);
        }
      }
      return call(...paths);
    };
  };
  const calls = Object.keys(PASSING) as (keyof typeof PASSING)[];
  return { ...files, ...Object.fromEntries(calls.map(name => [name, patiently(name)])) };
}

/** Synchronous, because a commit is. */
const waitFor = (ms: number) => void Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);

/** Errors of a file system or mount that doesn't support hard links, or refuses this one. */
const NO_HARD_LINK = ['EPERM', 'EACCES', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EXDEV', 'EMLINK', 'EINVAL'];

/** Gives a file a second name. False if hard links don't work here. */
export const tryLink = (from: string, to: string, files: FileSystem): boolean =>
  orIfRefused(
    NO_HARD_LINK,
    () => {
      files.linkSync(from, to);
      return true;
    },
    false,
  );

interface NewFile {
  contents: Buffer;
  /** All of its permissions. Default: what the umask leaves. */
  mode?: number | undefined;
  /** Whether it must survive a power failure from now on. That takes milliseconds. */
  isDurable?: boolean;
}

/** Errors of network and virtual disks that can't flush. */
const NO_FLUSH = ['EINVAL', 'ENOSYS', 'ENOTSUP', 'EPERM'];

/** Writes a file where none is. */
export function createFile(path: string, { contents, mode, isDurable = false }: NewFile, files: FileSystem): void {
  const descriptor = files.openSync(path, 'wx', mode);
  try {
    // The umask removes bits from the mode given to `open`.
    if (mode !== undefined) files.fchmodSync(descriptor, mode);
    files.writeFileSync(descriptor, contents);
    if (isDurable) orIfRefused(NO_FLUSH, () => files.fdatasyncSync(descriptor), undefined);
  } finally {
    files.closeSync(descriptor);
  }
}

export const modeOf = (path: string): number => nodeFiles.statSync(path).mode & 0o7777;

/** The largest file to compare or to keep as a backup, in bytes. botcli writes none that is nearly as large. */
export const LARGEST_FILE = 2 ** 26;

/** Reads a whole file at a real path, as `readReal`. */
export const readWhole = (path: string): Buffer => readReal(path, LARGEST_FILE);
