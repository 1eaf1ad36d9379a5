import { runProcess } from '../dev/supervise.ts';
import { nameIn } from '../paths/locate.ts';
import { exists } from '../paths/read.ts';
import { findProgram, withOwnPrograms } from '../search-path.ts';
import type { Environment } from '../shells.ts';

/** Where npm runs, and until when. */
interface Surroundings {
  /** The project's directory, in which no program is looked for. */
  root: string;
  /** A directory of our own, with a package.json and an .npmrc: npm looks no further. */
  cwd: string;
  /** From `npmEnvironment`. */
  env: Environment;
  signal: AbortSignal;
}

/**
 * Runs npm. All that it starts ends with it.
 *
 * @returns What it printed.
 * @throws {Error} With the most telling line that it printed.
 */
export async function runNpm(
  [command, ...words]: readonly [string, ...string[]],
  { root, cwd, env, signal }: Surroundings,
): Promise<readonly string[]> {
  const program = findProgram('npm', env, root) ?? 'npm';
  const lines: string[] = [];
  const take = (more: readonly string[]) => void lines.push(...more);
  // A workspace is another directory in which npm looks for settings.
  const line = [program, command, '--workspaces=false', ...words] as const;
  const { code } = await runProcess({ words: line, cwd, env }, take, { signal, hurry: signal });
  if (code !== 0) throw new Error(tellingLine(lines));
  return lines;
}

/** Settings for one command, which an npm around botcli passes on. */
const OF_ONE_COMMAND = [
  ...['call', 'package', 'workspace', 'workspaces', 'include_workspace_root', 'global', 'location'],
  // After `npm run --silent`, npm wouldn't say why it fails.
  'loglevel',
];

/**
 * An environment for npm: the registry is the user's decision, and nothing in it is the project's. An npm around botcli
 * passes on its settings. If it has read an .npmrc of the project, nobody can tell which of them come from there, so all
 * of them go.
 *
 * @param root The project's directory.
 */
export function npmEnvironment(env: Environment, root: string): Environment {
  const { npm_config_local_prefix: around, HOME, USERPROFILE } = env;
  const isForeign =
    around !== undefined &&
    ![HOME, USERPROFILE].includes(around) &&
    exists(around, '.npmrc') &&
    [nameIn(around, root), nameIn(root, around)].some(way => !way.startsWith('..'));
  const isOwn = (name: string) => {
    const [, key] = /^npm_config_(.*)$/i.exec(name) ?? [];
    return key === undefined || !(isForeign || OF_ONE_COMMAND.includes(key.toLowerCase().replaceAll('-', '_')));
  };
  return Object.fromEntries(Object.entries(withOwnPrograms(env, root)).filter(([name]) => isOwn(name)));
}

/** The line of npm's output, or of the program's, that says what is wrong. */
function tellingLine(printed: readonly string[]): string {
  const lines = printed.map(line => line.trim());
  const line = lines.find(text => /^(npm error (?!(code|syscall|errno|path) )|error:)/.test(text));
  const text = line?.replace(/^npm error /, '') ?? lines.findLast(text => text !== '') ?? 'npm failed';
  return text.replaceAll(/\/\/[^/\s]*@/g, '//');
}

/** The registry that npm asks, without the credentials and the query of its address. */
export async function registryOf(surroundings: Surroundings): Promise<string> {
  const given = Object.entries(surroundings.env).find(([name]) => /^npm_config_registry$/i.test(name))?.[1];
  // npm doesn't print an address with credentials.
  const printed = await runNpm(['config', 'get', 'registry'], surroundings).catch(() => [given ?? '']);
  surroundings.signal.throwIfAborted();
  const address = printed.findLast(line => /^https?:\/\/\S+$/.test(line) && URL.canParse(line));
  if (address === undefined) return 'the registry in your npm settings';
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
}
