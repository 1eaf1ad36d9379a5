import { UserError } from '../errors.ts';
import type { Terminal } from './terminal.ts';

/** An error for programs. */
export function errorFacts(error: unknown, debug: boolean, { asRun }: Pick<Terminal, 'asRun'>): object {
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
