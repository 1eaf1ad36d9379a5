import type { ErrorCode } from './error-codes.ts';
import { shortened } from './printable.ts';

/** After a signal, the exit code is 128 plus the signal's number: 130 for Ctrl-C. */
export type ExitCode = 1 | 2 | 129 | 130 | 131 | 143;

/** What a `UserError` carries in addition to its message. */
export interface UserErrorDetails {
  /** A stable code for programs, printed as `error.code` by `--json`. */
  reason: ErrorCode;
  /** What to do next, shown on a line of its own. */
  hint?: string | undefined;
  /** Exit code: 1 failed or declined, 2 wrong usage or invalid input, 129, 130 or 143 interrupted. Default 1. */
  exitCode?: ExitCode;
  /** One line for each problem, when there are several. */
  problems?: readonly string[];
  /** More details for programs: `--json` prints them next to the message. Keys are in snake case. */
  facts?: Readonly<Record<string, unknown>>;
  /** The error that this one explains. */
  cause?: unknown;
}

/** The longest message or problem, in characters. Each may quote what a project or a server says. */
const LONGEST = 2000;

/**
 * The only error thrown on purpose: a problem that the user can fix. It is shown without a stack.
 *
 * The code for programs is called `reason`, not `code`, because `yo` passes an error's `code` to `process.exit`, which
 * accepts only numbers.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly hint: string | undefined;
  readonly exitCode: ExitCode;
  readonly reason: ErrorCode;
  readonly problems: readonly string[];
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(message: string, details: UserErrorDetails) {
    super(shortened(message, LONGEST), { cause: details.cause });
    this.hint = details.hint;
    this.exitCode = details.exitCode ?? 1;
    this.reason = details.reason;
    this.problems = (details.problems ?? []).map(one => shortened(one, LONGEST));
    this.facts = details.facts ?? {};
  }

  /** A copy of this error with another message, and with these details changed. */
  withMessage(message: string, changes: Partial<UserErrorDetails> = {}): UserError {
    const { hint, exitCode, reason, problems, facts } = this;
    return new UserError(message, { hint, exitCode, reason, problems, facts, ...changes });
  }
}

/** For `catch`: throws another error instead of one for the user. */
export const explaining =
  (explain: (error: UserError) => UserError) =>
  (error: unknown): never => {
    throw error instanceof UserError ? explain(error) : error;
  };

/** For `catch`: undefined instead of an error for the user that doesn't matter. */
export const ignoring =
  (isIgnored: (error: UserError) => boolean) =>
  (error: unknown): undefined => {
    if (!(error instanceof UserError && isIgnored(error))) throw error;
    return undefined;
  };

/** A hint of several lines, without those that are absent. */
export const hintOf = (...lines: readonly (string | undefined)[]): string => lines.filter(Boolean).join('\n');

/** Wrong usage or invalid input: a `UserError` with exit code 2. */
export function usageError(message: string, details: Partial<Omit<UserErrorDetails, 'exitCode'>> = {}): UserError {
  return new UserError(message, { reason: 'usage', ...details, exitCode: 2 });
}
