import { sep } from 'node:path';
import { refusalIn } from '../check/checks/code.ts';
import type { Facts } from '../check/checks/facts.ts';
import { refusedByPython } from '../check/python.ts';
import type { UserError } from '../errors.ts';
import { exists } from '../paths/read.ts';
import type { Terminal } from '../shell/terminal.ts';
import { install } from './install.ts';
import type { Plan, Surroundings } from './plan.ts';
import type { Stop } from './stop.ts';

/**
 * Creates a check of whether the bot can start with changed files in `server/`. It installs packages that are new, and
 * says what is wrong.
 *
 * @param fail Called with what is wrong if nobody is there who can repair it.
 */
export function createEditCheck(
  { facts, isWatched }: Pick<Plan, 'facts' | 'isWatched'>,
  surroundings: Surroundings,
  fail: (error: UserError) => void,
) {
  const { stop, report, terminal } = surroundings;
  const syntaxErrors = createSyntaxCheck(facts.project, stop, terminal);
  return async (paths: readonly string[]): Promise<boolean> => {
    const failure = paths.includes('pyproject.toml') ? await install('server', facts, surroundings) : undefined;
    if (failure && !isWatched) fail(failure);
    else if (failure) for (const line of [failure.message, ...failure.problems]) report.say(line);
    if (failure) return false;
    const errors = isWatched ? await syntaxErrors(paths) : [];
    for (const line of errors) report.say(line);
    if (errors.length > 0) report.say('The bot keeps running as it was. Save the file again after you fix it.');
    return errors.length === 0;
  };
}

/** Creates a check of changed files in `server/`, and of those that were wrong before. It returns what Python says. */
function createSyntaxCheck({ root }: Facts['project'], { signal }: Stop, { env }: Terminal) {
  const suspects = new Set<string>();
  return async (paths: readonly string[]): Promise<readonly string[]> => {
    for (const path of paths) if (path.endsWith('.py')) suspects.add(`server/${path.replaceAll(sep, '/')}`);
    const files = [...suspects].filter(path => exists(root, path));
    const refused = await refusedByPython(root, files, { env, signal });
    if (refused.size === 0) suspects.clear();
    return [...refused].map(([path, refusal]) => refusalIn(path, refusal));
  };
}
