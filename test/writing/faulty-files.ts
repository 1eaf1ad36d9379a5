import * as nodeFiles from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { UserError } from '../../src/errors.ts';
import { applyChanges, type FileChange } from '../../src/writing/changes.ts';
import type { FileSystem } from '../../src/writing/disk.ts';
import type { Tree } from '../support/trees.ts';

export type Call = keyof FileSystem;

/** Returns the error that a call fails with, or undefined if it succeeds. */
export type Fault = (call: Call, path: string, to?: string) => Error | undefined;

/** Node's file system with faults. */
export function faultyFiles(fault: Fault): FileSystem {
  return new Proxy(nodeFiles, {
    get: (files, name) => {
      const call = name as Call;
      const real = files[call] as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        const error = fault(call, named(args[0]), named(args[1]));
        // Only a power failure would show the difference.
        if (!error && call === 'fdatasyncSync') return undefined;
        if (!error) return real(...args);
        if (call === 'closeSync') real(...args);
        throw error;
      };
    },
  });
}

/** The usual name of a path below an open directory. */
function named(path: unknown): string {
  const text = String(path);
  return text.startsWith('/proc/self/fd/') ? join(nodeFiles.readlinkSync(dirname(text)), basename(text)) : text;
}

/** An error like those of Node's file system calls. */
export function diskError(code: string): Error {
  return Object.assign(new Error(`${code}: injected`), { code, syscall: 'injected' });
}

/** What turns the files of one tree into those of another. */
export function changesBetween(before: Tree, after: Tree): FileChange[] {
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
  const bytes = (text: string | undefined) => (text === undefined ? undefined : Buffer.from(text));
  return names
    .filter(name => before[name] !== after[name])
    .map(name => ({ name, before: bytes(before[name]), after: bytes(after[name]) }));
}

/** Changes a directory on a file system, and returns the error for the user, if there is one. */
export const changeOn = (directory: string, changes: readonly FileChange[], files: FileSystem) =>
  applyChanges(directory, changes, files).catch((error: unknown) => {
    if (error instanceof UserError) return error;
    throw error;
  });

/** Fails the first time `fault` does, and never again. */
export function failingOnce(fault: Fault): Fault {
  let failed = false;
  return (call, ...paths) => {
    const error = failed ? undefined : fault(call, ...paths);
    failed ||= error !== undefined;
    return error;
  };
}

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
