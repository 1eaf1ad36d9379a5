import { type UserError, usageError } from '../../errors.ts';

export interface LineProblem {
  message: string;
  hint?: string | undefined;
  /** The name of an option that doesn't exist. */
  unknown?: string;
}

export interface Fault {
  lines: string[];
  /** How to fix it, if there is only one problem. */
  hint: string | undefined;
  see: string;
}

export function reportProblems(problems: readonly LineProblem[], line: string): Fault {
  const lines = problems.map(({ message, hint }) => (hint && problems.length > 1 ? `${message}. ${hint}` : message));
  return { lines, hint: problems.length === 1 ? problems[0]?.hint : undefined, see: `See ${line} --help` };
}

/** The error for a line: its own problems, and `more` that the command found. */
export function faultError({ lines, hint, see }: Fault, more: readonly string[] = []): UserError {
  // If an option has a problem of its own, the command's problems with it are redundant.
  const named = new Set(lines.map(line => line.split(' ')[0]));
  const all = [
    ...(hint && more.length > 0 ? [`${lines[0]}. ${hint}`] : lines),
    ...more.filter(line => !named.has(line.split(' ')[0])),
  ];
  if (all.length === 1) return usageError(all[0] as string, { hint: hint ? `${hint} ${see}` : see });
  return usageError(`${all.length} problems in this command line:`, { problems: all, hint: see });
}
