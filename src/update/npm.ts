import {
  execFileSync,
  type SpawnOptionsWithStdioTuple,
  type StdioNull,
  type StdioPipe,
  spawn,
} from 'node:child_process';
import { nameIn } from '../paths/locate.ts';
import { exists } from '../paths/read.ts';
import { ofWindows, withOwnPrograms } from '../search-path.ts';
import type { Environment } from '../shells.ts';

const ON_WINDOWS = process.platform === 'win32';

/**
 * Runs npm.
 *
 * @param words Its options and arguments. A shell gets them on Windows, so they may contain only plain characters.
 * @param cwd A directory of our own, with a package.json and an .npmrc: npm looks no further.
 * @param env From `npmEnvironment`.
 * @returns What it printed to stdout.
 * @throws {Error} With the most telling line that it printed.
 */
export function runNpm(
  command: string,
  words: readonly string[],
  cwd: string,
  env: Environment,
  signal: AbortSignal,
): Promise<string> {
  // A workspace is another directory in which npm looks for settings.
  const line = [command, '--workspaces=false', ...words];
  const unsafe = line.find(word => !/^[\w@.=/-]+$/.test(word));
  if (unsafe !== undefined) throw new Error(`Not a plain word: ${JSON.stringify(unsafe)}`);
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const settings: SpawnOptionsWithStdioTuple<StdioNull, StdioPipe, StdioPipe> = {
      ...{ cwd, env },
      stdio: ['ignore', 'pipe', 'pipe'],
    };
    // Windows runs npm only through its shell. Elsewhere it has a group of its own, so that what it starts ends with it.
    const npm = ON_WINDOWS
      ? spawn(`npm ${line.join(' ')}`, { ...settings, shell: true })
      : spawn('npm', line, { ...settings, detached: true });
    const printed = { stdout: '', stderr: '' };
    for (const stream of ['stdout', 'stderr'] as const) {
      npm[stream].setEncoding('utf8').on('data', chunk => {
        printed[stream] += chunk;
      });
    }
    const stop = () => {
      if (npm.pid !== undefined) endAll(npm.pid);
      reject(signal.reason);
    };
    signal.addEventListener('abort', stop, { once: true });
    npm.on('error', reject);
    npm.on('close', code => {
      signal.removeEventListener('abort', stop);
      if (code === 0) resolve(printed.stdout);
      else reject(new Error(tellingLine(printed.stderr + printed.stdout)));
    });
  });
}

/** Ends a process with all that it started. */
function endAll(pid: number): void {
  try {
    if (ON_WINDOWS)
      execFileSync(ofWindows('taskkill.exe', process.env), ['/T', '/F', '/PID', String(pid)], { stdio: 'ignore' });
    else process.kill(-pid);
  } catch {
    // It has just ended.
  }
}

/** Settings for one command, which an npm around botcli passes on. */
const OF_ONE_COMMAND = ['call', 'package', 'workspace', 'workspaces', 'include_workspace_root', 'global', 'location'];

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
function tellingLine(printed: string): string {
  const lines = printed.split('\n').map(line => line.trim());
  const line = lines.find(text => /^(npm error (?!(code|syscall|errno|path) )|error:)/.test(text));
  const text = line?.replace(/^npm error /, '') ?? lines.findLast(text => text !== '') ?? 'npm failed';
  return text.replaceAll(/\/\/[^/\s]*@/g, '//');
}

/** The registry that npm asks, without the credentials and the query of its address. */
export async function registryOf(cwd: string, env: Environment, signal: AbortSignal): Promise<string> {
  const given = Object.entries(env).find(([name]) => /^npm_config_registry$/i.test(name))?.[1];
  // npm doesn't print an address with credentials.
  const address = await runNpm('config', ['get', 'registry'], cwd, env, signal).catch(() => given ?? '');
  signal.throwIfAborted();
  if (!URL.canParse(address.trim())) return 'the registry in your npm settings';
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
}
