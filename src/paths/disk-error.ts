import { explainSystemError, isSystemError, UserError } from '../errors.ts';

/** What these errors mean for a file that was as expected a moment ago. */
const MEANWHILE: Readonly<Record<string, string>> = {
  EEXIST: 'something with that name has just appeared',
  ENOENT: 'it has just disappeared, or nothing can be created there',
};

/** Does the work, and turns an operating system error into a `UserError` that explains it. */
export function explainingDiskErrors<Result>(action: string, work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    throw explainDiskError(action, error);
  }
}

/**
 * The error to throw for a disk error: `Cannot write server/bot.py: the disk is full. Nothing was changed.` If something
 * was, the hint says so. Errors that don't come from the disk are returned unchanged.
 */
export function explainDiskError(action: string, error: unknown, hint?: string): unknown {
  if (!isSystemError(error)) return error;
  const words = MEANWHILE[error.code] ?? explainSystemError(error);
  const what = `Cannot ${action}: ${words}.`;
  return new UserError(hint ? what : `${what} Nothing was changed.`, { reason: 'disk', hint, cause: error });
}

/** The error for a file that isn't as it was read, though nothing was written yet. */
export const hasJustChanged = (name: string): UserError =>
  new UserError(`${name} has just changed. Nothing was written.`, {
    reason: 'conflict',
    hint: 'Run the same command again.',
  });
