import * as nodeFiles from 'node:fs';
import type { FileSystem } from '../../src/writing/disk.ts';
import { type Call, type Fault, faultyFiles } from './faulty-files.ts';

/** What a dead process would have done next. */
export class Dead extends Error {}

/** How a process ends at a call: before it, or in the middle of it. */
export const MOMENTS = ['before', 'within'] as const;

/**
 * A file system of a process that is killed at the call with this number, counted from 1. Nothing that the process tries
 * after that has an effect, so it can't clean up.
 */
export function dyingAt(number: number, moment: (typeof MOMENTS)[number], fault: Fault): FileSystem {
  let calls = 0;
  const files = faultyFiles(fault);
  return new Proxy(files, {
    get: (_, name) => {
      const call = name as Call;
      const real = files[call] as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        calls += 1;
        if (calls < number) return real(...args);
        // The system closes the files of a dead process.
        if (call === 'closeSync') real(...args);
        if (calls === number && moment === 'within') leaveHalf(call, args);
        throw new Dead(`at call ${number}`);
      };
    },
  });
}

/** Only writing takes long enough to be cut off. */
function leaveHalf(call: Call, [file, contents]: unknown[]): void {
  if (call !== 'writeFileSync') return;
  const bytes = contents as Buffer;
  nodeFiles.writeFileSync(file as number, bytes.subarray(0, bytes.length / 2));
}
