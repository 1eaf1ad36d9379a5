import { dirname, join, relative, sep } from 'node:path';
import { watch } from 'chokidar';
import type { Facts } from '../check/checks/facts.ts';
import { refusalIn } from '../check/checks/project.ts';
import { refusedByPython } from '../check/this-machine.ts';
import { explainSystemError, isSystemError, UserError } from '../errors.ts';
import { locate } from '../paths/locate.ts';
import { exists } from '../paths/read.ts';
import { installAll } from './prepare.ts';
import type { Surroundings } from './surroundings.ts';

/** Names of directories in which nothing is a bot's code. */
const OTHERS = /^(\.|__pycache__$|node_modules$|recordings$|transcripts$|logs?$|venv$|site-packages$)/;

/** Whether a file is one that the bot reads when it starts. A path in `server/`, with the system's separators. */
function restartsBot(path: string): boolean {
  const parts = path.split(sep);
  const name = parts.pop() ?? '';
  if (parts.some(part => OTHERS.test(part))) return false;
  return name.endsWith('.py') || (parts.length === 0 && (name === '.env' || name === 'pyproject.toml'));
}

/** How long nothing may change before changes count as one, in milliseconds. */
const QUIET_MS = 250;

/** Calls `onChange` with the paths in `server/` that have changed, many saves together. Returns what ends that. */
export async function watchProject(
  root: string,
  onChange: (paths: readonly string[]) => void,
  say: (text: string) => void,
): Promise<() => Promise<void>> {
  // It may be a link in the project.
  const place = locate(root, 'server', 'directory');
  const server = 'path' in place ? place.path : join(root, 'server');
  const around = dirname(server);
  const changed = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  // A server directory that is moved away and back, as by a change of branches, is seen from the one around it.
  const watcher = watch(around, {
    ignoreInitial: true,
    // A link may lead anywhere: out of the project, or round in circles.
    followSymlinks: false,
    ignored: (path, stats) => {
      if (path === around || path === server) return false;
      const inside = relative(server, path);
      if (inside === '..' || inside.startsWith(`..${sep}`)) return true;
      return !restartsBot(inside) && (stats?.isFile() === true || !restartsBot(join(inside, 'any.py')));
    },
  });
  watcher.on('all', (event, path) => {
    const inside = relative(server, path);
    if (event === 'addDir' || event === 'unlinkDir' || !restartsBot(inside)) return;
    changed.add(inside);
    clearTimeout(timer);
    timer = setTimeout(() => {
      const paths = [...changed].sort();
      changed.clear();
      onChange(paths);
    }, QUIET_MS);
  });
  const onError = (error: unknown) => {
    const why = isSystemError(error) ? explainSystemError(error) : String(error);
    say(`Some files in server/ can't be watched: ${why}. After an edit, run the same command again.`);
  };
  watcher.once('error', onError).on('error', () => {});
  await new Promise<void>(resolve => watcher.once('ready', () => resolve()));
  return async () => {
    clearTimeout(timer);
    await watcher.close();
  };
}

/** Checks whether a bot can start with changed files, and installs what is new. Throws if that fails unwatched. */
export function createEditCheck(facts: Facts, isWatched: boolean, around: Surroundings) {
  const { stop, report, terminal } = around;
  const { root } = facts.project;
  const suspects = new Set<string>();
  return async (paths: readonly string[]): Promise<boolean> => {
    try {
      if (paths.includes('pyproject.toml')) await installAll(facts, around);
    } catch (error) {
      stop.signal.throwIfAborted();
      if (!isWatched || !(error instanceof UserError)) throw error;
      for (const line of [error.message, ...error.problems]) report.say(line);
      return false;
    }
    if (!isWatched) return true;
    for (const path of paths) if (path.endsWith('.py')) suspects.add(`server/${path.replaceAll(sep, '/')}`);
    const files = [...suspects].filter(path => exists(root, path));
    const refused = await refusedByPython(root, files, { env: terminal.env, signal: stop.signal });
    if (refused.size === 0) suspects.clear();
    for (const [path, refusal] of refused) report.say(refusalIn(path, refusal));
    if (refused.size > 0) report.say('The bot keeps running as it was. Save the file again after you fix it.');
    return refused.size === 0;
  };
}
