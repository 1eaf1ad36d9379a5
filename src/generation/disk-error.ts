import { UserError } from '../errors.ts';
import { explainSystemError, isSystemError } from '../system-errors.ts';

/** What these mean for a file that was as expected a moment ago. */
const MEANWHILE: Readonly<Record<string, string>> = {
  EEXIST: 'something of that name appeared meanwhile',
  ENOENT: 'it disappeared meanwhile',
};

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
  if (!isSystemError(error)) return error;
  const words = MEANWHILE[error.code] ?? explainSystemError(error);
  const what = `Cannot ${action}: ${words}.`;
  return left.length > 0
    ? new UserError(what, { reason: 'disk', hint: leftBehind(left) })
    : new UserError(`${what} Nothing was changed.`, { reason: 'disk' });
}

/** The sentence for what an undo had to leave. */
export function leftBehind(paths: readonly string[]): string {
  return `What was done could not be taken back at: ${paths.join(', ')}`;
}
