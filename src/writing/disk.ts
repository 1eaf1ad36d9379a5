import * as nodeFiles from 'node:fs';
import { hasCode } from '../errors.ts';

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
