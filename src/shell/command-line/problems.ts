import { type UserError, usageError } from '../../errors.ts';

/** Something wrong with a command line, and what may have been meant. */
export interface LineProblem {
  message: string;
  hint?: string | undefined;
}

/** Everything that is wrong with a line. */
export interface Fault {
  /** One line for each problem. */
  lines: string[];
  /** What to do, when there is only one problem. */
  hint: string | undefined;
  /** Where to find help. */
  see: string;
}

/** The fault of a line that has these problems. */
export function reportProblems(problems: readonly LineProblem[], line: string): Fault {
  const lines = problems.map(({ message, hint }) => (hint && problems.length > 1 ? `${message}. ${hint}` : message));
  return { lines, hint: problems.length === 1 ? problems[0]?.hint : undefined, see: `See ${line} --help` };
}

/** The one error of a line: its own problems, and `more` that the command found in the rest of it. */
export function faultError({ lines, hint, see }: Fault, more: readonly string[] = []): UserError {
  // An option's own problem explains whatever else the command says of that option.
  const named = new Set(lines.map(line => line.split(' ')[0]));
  const all = [
    ...(hint && more.length > 0 ? [`${lines[0]}. ${hint}`] : lines),
    ...more.filter(line => !named.has(line.split(' ')[0])),
  ];
  if (all.length === 1) return usageError(all[0] as string, { hint: hint ? `${hint} ${see}` : see });
  return usageError(`${all.length} problems in this command line:`, { problems: all, hint: see });
}
