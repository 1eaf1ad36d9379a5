import { getSystemErrorMap } from 'node:util';
import { UserError } from '../errors.ts';

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  ENAMETOOLONG: 'the name is too long',
  EEXIST: 'something of that name appeared meanwhile',
  ENOENT: 'it disappeared meanwhile',
  ENOTDIR: 'a part of its path is not a directory',
  EISDIR: 'it is a directory',
  ELOOP: 'its path has too many symbolic links',
  EIO: 'the disk reports an error',
};

/** Whether an error comes from the operating system. Node's own errors have a `code` too, but no system call. */
export function isDiskError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

/** Does the work; what the operating system refuses comes out as a `UserError` that says so in words. */
export function explainingDiskErrors<Result>(action: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw explainDiskError(action, error);
  }
}

/**
 * The error to throw for one met on disk: `Cannot write server/bot.py: the disk is full. Nothing was changed.`
 * `left` names what could not be taken back. Errors that are not the disk's are our own and come back as they are.
 */
export function explainDiskError(action: string, error: unknown, left: readonly string[] = []): unknown {
  if (!isDiskError(error)) return error;
  const words = WORDS[error.code] ?? getSystemErrorMap().get(error.errno ?? 0)?.[1] ?? error.code;
  const what = `Cannot ${action}: ${words}.`;
  return left.length > 0
    ? new UserError(what, { reason: 'disk', hint: leftBehind(left) })
    : new UserError(`${what} Nothing was changed.`, { reason: 'disk' });
}

/** The sentence for what an undo had to leave. */
export function leftBehind(paths: readonly string[]): string {
  return `What was done could not be taken back at: ${paths.join(', ')}`;
}
