import type { Facts } from '../check/checks/facts.ts';
import type { UserError } from '../errors.ts';
import { exists } from '../paths/read.ts';
import type { Terminal } from '../shell/terminal.ts';
import { commandIn, createTail, install } from './install.ts';
import type { Plan, Surroundings } from './plan.ts';
import type { Stop } from './stop.ts';
import { runProcess } from './supervise.ts';

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

/** Finds syntax errors as Python does, and prints them as Python does, without the way there. */
const COMPILE = `
import sys, traceback
bad = False
for path in sys.argv[1:]:
    try:
        with open(path, "rb") as file:
            compile(file.read(), path, "exec")
    except (SyntaxError, ValueError) as error:
        bad = True
        print("".join(traceback.format_exception_only(type(error), error)), end="")
sys.exit(bad)
`;

/** Creates a check of changed files in `server/`, and of those that were wrong before. It returns what Python says. */
function createSyntaxCheck(project: Facts['project'], stop: Stop, terminal: Terminal) {
  const suspects = new Set<string>();
  return async (paths: readonly string[]): Promise<readonly string[]> => {
    for (const path of paths) if (path.endsWith('.py')) suspects.add(path);
    const files = [...suspects].filter(path => exists(project.root, `server/${path}`));
    if (files.length === 0) return [];
    const args = ['run', '--no-sync', 'python', '-c', COMPILE, ...files];
    const tail = createTail();
    const order = commandIn(project, { program: 'uv', args, folder: 'server' }, terminal);
    const { code } = await runProcess(order, lines => void tail.take(lines), stop);
    if (code === 0) suspects.clear();
    return code === 0 ? [] : [...tail.lines];
  };
}
