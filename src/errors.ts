import { getSystemErrorMap } from 'node:util';
import { shortened } from './text.ts';

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
 * The only error thrown on purpose: a problem that the user can fix, shown without a stack. The code for programs is
 * called `reason`, because `yo` passes an error's `code` to `process.exit`, which accepts only numbers.
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

export function errorFacts(error: unknown, debug: boolean, { asRun }: { asRun(message: string): string }): object {
  if (!(error instanceof UserError)) {
    const stack = debug && error instanceof Error ? { stack: error.stack } : {};
    return { code: 'bug', message: String(error), ...stack };
  }
  const { reason, message, hint, problems, facts } = error;
  return {
    code: reason,
    message,
    ...(hint ? { hint: asRun(hint) } : {}),
    ...(problems.length > 0 ? { problems: problems.map(asRun) } : {}),
    ...facts,
  };
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

/** What a step returns; undefined if it failed, and then why is in `errors`. */
export function attempt<Result>(step: () => Result, errors: UserError[]): Result | undefined {
  try {
    return step();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    errors.push(error);
    return undefined;
  }
}

/** One error for all that is wrong: the only one as it is, or a list. `heading` follows the number of problems. */
export function allOf(
  found: readonly (UserError | string)[],
  { heading = ' in this command line:', ...details }: Partial<UserErrorDetails> & { heading?: string } = {},
): UserError {
  const errors = found.map(one => (typeof one === 'string' ? usageError(one) : one));
  const [only, ...others] = errors;
  if (only && others.length === 0) return only;
  const problems = errors.flatMap(({ message, problems: several }) => (several.length > 0 ? several : [message]));
  const hint = hintOf(...new Set(errors.map(error => error.hint)));
  const reason = only?.reason ?? 'usage';
  return usageError(`${problems.length} problems${heading}`, { reason, problems, hint: hint || undefined, ...details });
}

/** The problems of a command line that an error is about, one each. */
export function problemsIn(error: unknown): readonly string[] {
  if (!(error instanceof UserError)) return [];
  return error.problems.length === 0 && error.reason === 'usage' ? [error.message] : error.problems;
}

/** A hint of several lines, without those that are absent. */
export const hintOf = (...lines: readonly (string | undefined)[]): string => lines.filter(Boolean).join('\n');

/** Wrong usage or invalid input: a `UserError` with exit code 2. */
export function usageError(message: string, details: Partial<Omit<UserErrorDetails, 'exitCode'>> = {}): UserError {
  return new UserError(message, { reason: 'usage', ...details, exitCode: 2 });
}

/** Every `error.code` that `--json` prints. Scripts branch on them. The table in docs/reference.md comes from here. */
export const ERROR_CODES = {
  usage: 'The command line is wrong: an unknown option, a missing argument, or a value that is not allowed',
  'invalid-configuration':
    "The scaffold options or the config file don't describe a bot; `problems` lists what is wrong",
  'cannot-ask': "The command needs an answer but can't ask for it; the hint names the option to pass instead",
  declined: 'The user answered no, so nothing was changed',
  interrupted: 'Ctrl-C or another signal ended the command',
  conflict:
    'Something that already exists is in the way: files with different content, or a secret of a different type',
  'not-a-project': "The directory isn't in a project of botcli, or its .botcli.json can't be used",
  'unsafe-link':
    'A symbolic link points outside the target directory, to a file that botcli never touches, or to nothing',
  disk: 'The operating system could not read or write a file',
  'no-directory': 'The working directory was deleted, or its name is not UTF-8',
  file: "Secrets can't be read from the --file path, or from stdin",
  'account-file': "The file that stores the login can't be read or written, or changed meanwhile",
  'not-logged-in': 'There is no token for this API address: log in, or set BOTCLI_TOKEN',
  unauthorized: 'The platform rejected the token',
  forbidden: 'The account has no access to the organization',
  'no-organization': 'No organization is selected, and the account has none or several',
  'not-found': 'No secret, key, or organization has that name',
  region: 'The organization has no such region, or the secret is in a different one',
  refused: 'The platform rejected the request',
  'rate-limited': 'The platform received too many requests',
  'platform-problem': 'The platform had an internal error (HTTP 5xx)',
  timeout: 'The platform did not respond in time, or a command did not finish in time',
  unreachable: "The platform can't be reached",
  proxy: "The proxy refused the request, or can't be reached",
  certificate: "The platform's certificate can't be trusted",
  'bad-answer': 'The response is not one that the platform would send',
  'not-verified': "The platform accepted a change, but looking it up doesn't show it",
  'provisioning-failed': 'The platform stored the secret but could not provision it',
  'program-missing': 'A program that the command needs, such as npm or a tunnel, is not on the PATH',
  'install-failed': 'uv, npm or another package manager could not install packages',
  'part-ended': 'The bot, or a program next to it, ended or never got ready',
  'service-failed': 'A provider refuses a key of the bot, has no credit left for it, or is out of reach',
  context: 'The files that a deploy would send are incomplete, too large, or unreadable',
  'build-failed': 'The cloud could not build the image; `log` has the end of the log of the build',
  'rollout-failed': 'The new deployment does not become ready; `log` has the end of the log of the bot',
  'call-failed': 'A test call: the bot did not come up, stayed silent, or logged errors; `log` has the end of its log',
  'gate-failed':
    'A conversation that decides about a deployment failed; `scenarios` has the results, `rolled_back` what is deployed again',
  superseded: 'Somebody else deployed the same agent meanwhile',
  limit: 'A spend limit, missing billing, or the capacity of the platform is in the way',
  bug: 'A bug in botcli: please report it, with the output of --debug',
} as const;

export type ErrorCode = keyof typeof ERROR_CODES;

const WORDS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EROFS: 'the file system is read-only',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the disk quota is used up',
  EIO: 'the disk reported an I/O error',
  ENOENT: 'no such file or directory',
  EISDIR: 'it is a directory',
  ENXIO: 'it is a socket',
  ESTALE: 'it has just changed',
  ENOTDIR: 'part of its path is not a directory',
  ELOOP: 'its path has too many symbolic links',
  ERR_FS_FILE_TOO_LARGE: 'it is larger than 64 MiB',
  ENAMETOOLONG: 'the name is too long',
};

/** Whether an error comes from the operating system. Node's own errors also have a `code`, but no `syscall`. */
export function isSystemError(error: unknown): error is NodeJS.ErrnoException & { code: string } {
  return error instanceof Error && 'syscall' in error && 'code' in error && typeof error.code === 'string';
}

/** Whether an error comes from the operating system, with one of these codes. */
export const hasCode = (error: unknown, codes: readonly string[]): boolean =>
  isSystemError(error) && codes.includes(error.code);

/** What some work returns, or something else if the system refuses it with one of these codes. */
export function orIfRefused<Result, Other>(codes: readonly string[], work: () => Result, other: Other): Result | Other {
  try {
    return work();
  } catch (error) {
    if (hasCode(error, codes)) return other;
    throw error;
  }
}

/** Explains an operating system error in plain language. Any other error keeps its own message. */
export function explainSystemError(error: unknown): string {
  if (!isSystemError(error)) return error instanceof Error ? error.message : String(error);
  return WORDS[error.code] ?? getSystemErrorMap().get(error.errno ?? 0)?.[1] ?? error.code;
}
