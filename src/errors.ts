/** A signal's is its number and 128: 130 after Ctrl-C. */
export type ExitCode = 1 | 2 | 129 | 130 | 143;

/** What a caller may say about a `UserError` beside its message. */
export interface UserErrorDetails {
  /** What to do next, shown on a line of its own. */
  hint?: string | undefined;
  /** Process exit code: 1 it failed or was declined, 2 wrong usage or invalid input; interrupted: 129, 130, 143. Default 1. */
  exitCode?: ExitCode;
  /** A stable word for programs, printed as `error.code` by `--json`. */
  reason?: string;
  /** One line a problem, when there are several. */
  problems?: readonly string[];
  /** More for programs: `--json` prints it beside the message. */
  facts?: Readonly<Record<string, unknown>>;
}

/**
 * The only error thrown on purpose: something that its reader can mend. It is told without a stack.
 *
 * The program's word is called `reason`, never `code`: `yo` passes an error's `code` to `process.exit`, which takes
 * numbers only.
 */
export class UserError extends Error {
  override readonly name = 'UserError';
  readonly hint: string | undefined;
  readonly exitCode: ExitCode;
  readonly reason: string;
  readonly problems: readonly string[];
  readonly facts: Readonly<Record<string, unknown>>;

  constructor(message: string, details: UserErrorDetails = {}) {
    super(message);
    this.hint = details.hint;
    this.exitCode = details.exitCode ?? 1;
    this.reason = details.reason ?? 'failed';
    this.problems = details.problems ?? [];
    this.facts = details.facts ?? {};
  }

  /** The same told in other words, with these details changed. */
  retold(message: string, changes: UserErrorDetails = {}): UserError {
    const { hint, exitCode, reason, problems, facts } = this;
    return new UserError(message, { hint, exitCode, reason, problems, facts, ...changes });
  }
}

/** Wrong usage or invalid input: a `UserError` with exit code 2. */
export function usageError(message: string, details: Omit<UserErrorDetails, 'exitCode'> = {}): UserError {
  return new UserError(message, { reason: 'usage', ...details, exitCode: 2 });
}
