import type { ErrorCode } from './error-codes.ts';

/** A signal's is its number and 128: 130 after Ctrl-C. */
export type ExitCode = 1 | 2 | 129 | 130 | 143;

/** What a `UserError` says in addition to its message. */
export interface UserErrorDetails {
  /** A stable word for programs, printed as `error.code` by `--json`. */
  reason: ErrorCode;
  /** What to do next, shown on a line of its own. */
  hint?: string | undefined;
  /** Process exit code: 1 it failed or was declined, 2 wrong usage or invalid input; interrupted: 129, 130, 143. Default 1. */
  exitCode?: ExitCode;
  /** One line for each problem, when there are several. */
  problems?: readonly string[];
  /** More for programs: `--json` prints it next to the message. Its keys are in snake case. */
  facts?: Readonly<Record<string, unknown>>;
}

/**
 * The only error thrown on purpose: something that its reader can fix. It is shown without a stack.
 *
 * The program's word is called `reason`, never `code`: `yo` passes an error's `code` to `process.exit`, which takes
 * numbers only.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly hint: string | undefined;
  readonly exitCode: ExitCode;
  readonly reason: ErrorCode;
  readonly problems: readonly string[];
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(message: string, details: UserErrorDetails) {
    super(message);
    this.hint = details.hint;
    this.exitCode = details.exitCode ?? 1;
    this.reason = details.reason;
    this.problems = details.problems ?? [];
    this.facts = details.facts ?? {};
  }

  /** The same error in other words, with these details changed. */
  withMessage(message: string, changes: Partial<UserErrorDetails> = {}): UserError {
    const { hint, exitCode, reason, problems, facts } = this;
    return new UserError(message, { hint, exitCode, reason, problems, facts, ...changes });
  }
}

/** Wrong usage or invalid input: a `UserError` with exit code 2. */
export function usageError(message: string, details: Partial<Omit<UserErrorDetails, 'exitCode'>> = {}): UserError {
  return new UserError(message, { reason: 'usage', ...details, exitCode: 2 });
}
