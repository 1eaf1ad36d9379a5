import { type UserError, usageError } from '../../errors.ts';

/** Something wrong with a command line; `unknown` is what was typed for a name that doesn't exist. */
export interface Problem {
  message: string;
  hint?: string;
  unknown?: string;
}

/** What is wrong with a line, told. */
export interface Fault {
  /** A line a problem. */
  told: string[];
  /** What the reader can do, when there is but one problem. */
  hint: string | undefined;
  /** Where help is. */
  see: string;
}

/** Tells the problems of a line, and which of the `names`, shown behind `prefix`, an unknown one may mean. */
export async function tellProblems(
  problems: readonly Problem[],
  line: string,
  names: readonly string[],
  prefix: string,
): Promise<Fault> {
  const { didYouMean } = await import('../../nearest.ts');
  const hints = problems.map(({ hint, unknown = '' }) => didYouMean(unknown, names, name => prefix + name) ?? hint);
  const told = problems.map(({ message }, at) =>
    hints[at] && hints.length > 1 ? `${message}. ${hints[at]}` : message,
  );
  return { told, hint: hints.length === 1 ? hints[0] : undefined, see: `See ${line} --help` };
}

/** The one error of a line: its own faults, and `more` that the command found in what was typed beside them. */
export function faultError({ told, hint, see }: Fault, more: readonly string[] = []): UserError {
  // What an option's own fault explains needs no second line.
  const named = new Set(told.map(line => line.split(' ')[0]));
  const lines = [
    ...(hint && more.length > 0 ? [`${told[0]}. ${hint}`] : told),
    ...more.filter(line => !named.has(line.split(' ')[0])),
  ];
  if (lines.length === 1) return usageError(lines[0] as string, { hint: hint ? `${hint} ${see}` : see });
  return usageError(`${lines.length} problems in this command line:`, { problems: lines, hint: see });
}
