import { type UserError, usageError } from '../errors.ts';

/** Something wrong with a command line; `unknown` is what was typed for a name that doesn't exist. */
export interface Problem {
  message: string;
  hint?: string;
  unknown?: string;
}

/** The one error that tells all problems of a line, and which of the `names`, shown behind `prefix`, may be meant. */
export async function describeProblems(
  problems: readonly Problem[],
  line: string,
  names: readonly string[],
  prefix: string,
): Promise<UserError> {
  const { nearest } = await import('../nearest.ts');
  const told = problems.map(({ message, hint, unknown = '' }) => {
    const meant = nearest(unknown, names);
    return { message, hint: meant ? `Did you mean ${prefix}${meant}?` : hint };
  });
  const see = `See ${line} --help`;
  if (told.length === 1) {
    const [{ message, hint }] = told as [Problem];
    return usageError(message, { hint: hint ? `${hint} ${see}` : see });
  }
  return usageError(`${told.length} problems in this command line`, {
    problems: told.map(({ message, hint }) => (hint ? `${message}. ${hint}` : message)),
    hint: see,
  });
}
