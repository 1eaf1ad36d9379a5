import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isPublished, PACKAGE } from '../about.ts';
import { explainSystemError, isSystemError, UserError } from '../errors.ts';
import { configOf, type Project } from '../existing/open-project.ts';
import { nameIn } from '../paths/locate.ts';
import { exists } from '../paths/read.ts';
import { findProgram, withOwnPrograms } from '../programs.ts';
import { STATE_FILE } from '../project/files/state.ts';
import { renderProject } from '../rendering/project.ts';
import { watchInterruption } from '../shell/interruption.ts';
import type { Terminal } from '../shell/terminal.ts';
import type { Environment } from '../shells.ts';
import { orElse } from '../std.ts';
import { VERSION } from '../version.ts';

/** The files of a project, by path. */
export type Tree = ReadonlyMap<string, Buffer>;

/**
 * Renders the recorded choices with the version that wrote the project, or says why that can't be done: a sentence
 * without a full stop. If npm doesn't have that version, it's this one: the record says which texts are the same.
 */
export async function renderBase(project: Project, terminal: Terminal, running = VERSION): Promise<Tree | string> {
  const { state } = project;
  if (state.version === running) return renderHere(project);
  if (isPublished(state.version, running)) return renderElsewhere(project, terminal);
  const fetchesNone = isPublished(running, running)
    ? `botcli ${state.version} isn't a release, so npm doesn't have it`
    : `this botcli, ${running}, isn't a release, so it fetches no others`;
  terminal.note(
    `botcli ${state.version} wrote this project. Where ${running} writes other text, botcli can't merge your edits: ` +
      `${fetchesNone}.`,
  );
  return renderHere(project);
}

/** Renders the recorded choices with this release, or says why that can't be done. */
export function renderHere(project: Project): Tree | string {
  try {
    return new Map([...renderProject(configOf(project))].map(([path, text]) => [path, Buffer.from(text)]));
  } catch (error) {
    return `the recorded choices can't be rendered: ${(error as Error).message}`;
  }
}

/**
 * A release never changes, so a cached one needs no request. Without a network, npm's own limits take minutes. With
 * these, a registry that never answers costs 15 seconds.
 */
const EXEC_OPTIONS = [
  ...['--yes', '--prefer-offline', '--fetch-timeout=7000'],
  ...['--fetch-retries=1', '--fetch-retry-mintimeout=1000'],
];

/** How long npm may take to fetch and run a release, in milliseconds. */
const LIMIT = 120_000;
const TOO_LONG = `npm took longer than ${LIMIT / 1000} seconds. Check your network, and the registry in: npm config get registry`;

/** The directory and the file that an older release writes and reads. */
const TARGET = 'project';
const CHOICES = 'choices.json';

/** Runs an older release, which npm fetches if it isn't cached, in a temporary directory. */
async function renderElsewhere({ root, state: { version, choices } }: Project, terminal: Terminal) {
  const { note, progress, sleep } = terminal;
  const cwd = makeEmptyPackage({ [CHOICES]: JSON.stringify(choices) });
  const interruption = watchInterruption();
  const { signal } = interruption;
  const over = new AbortController();
  const done = new AbortController();
  sleep(LIMIT, done.signal).then(
    () => over.abort(new Error(TOO_LONG)),
    () => {},
  );
  const env = npmEnvironment({ ...process.env, ...terminal.env }, root);
  const npm = npmIn({ root, cwd, env, signal: AbortSignal.any([signal, over.signal]) });
  try {
    const registry = await registryOf(npm, env);
    signal.throwIfAborted();
    note(
      `botcli ${version} wrote this project. npm now fetches ${PACKAGE}@${version} from ${registry}, unless it is ` +
        'cached, and runs it to see what it wrote.',
    );
    progress.show(`Running botcli ${version}…`);
    const words = [`--package=${PACKAGE}@${version}`, '--', 'botcli', 'init', TARGET, '--config', CHOICES];
    await npm('exec', ...EXEC_OPTIONS, ...words);
    return readTree(join(cwd, TARGET));
  } catch (error) {
    signal.throwIfAborted();
    const { message } = over.signal.aborted ? over.signal.reason : (error as Error);
    return `botcli ${version} can't be run: ${message}`;
  } finally {
    done.abort();
    interruption.ignore();
    progress.clear();
    // On Windows, a program that has just ended may still be in it. Then it stays with the system's temporary files.
    orElse(() => rmSync(cwd, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }), undefined);
  }
}

/** Makes a directory that is a package, with these files: npm looks for settings and packages in none above it. */
function makeEmptyPackage(files: Readonly<Record<string, string>>): string {
  try {
    const directory = mkdtempSync(join(tmpdir(), 'botcli-base-'));
    for (const [name, text] of Object.entries({ 'package.json': '{}\n', '.npmrc': '', ...files })) {
      writeFileSync(join(directory, name), text);
    }
    return directory;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const why = explainSystemError(error);
    const hint = 'Set TMPDIR (on Windows, TEMP) to a directory in which you can create files.';
    throw new UserError(`Cannot create a directory in ${tmpdir()}: ${why}. Nothing was changed.`, {
      reason: 'disk',
      hint,
      cause: error,
    });
  }
}

function readTree(directory: string): Tree {
  const entries = readdirSync(directory, { withFileTypes: true, recursive: true });
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
  const tree = files.map(path => [nameIn(directory, path), readFileSync(path)] as const);
  return new Map(tree.filter(([path]) => path !== STATE_FILE));
}

type Npm = (command: string, ...words: string[]) => Promise<readonly string[]>;

/**
 * Returns a function that runs npm in a directory, and returns what it printed, or throws the most telling line of
 * that. All that npm starts ends with it. No program is looked for in the project, which is `root`.
 */
function npmIn({ root, cwd, env, signal }: { root: string; cwd: string; env: Environment; signal: AbortSignal }): Npm {
  const program = findProgram('npm', env, root) ?? 'npm';
  return async (command, ...more) => {
    const { runProcess } = await import('../dev/supervise.ts');
    const lines: string[] = [];
    // A workspace is another directory in which npm looks for settings.
    const words = [program, command, '--workspaces=false', ...more] as const;
    const { code } = await runProcess({ words, cwd, env }, some => void lines.push(...some), { signal, hurry: signal });
    if (code !== 0) throw new Error(tellingLine(lines));
    return lines;
  };
}

/** Settings for one command, which an npm around botcli passes on. */
const OF_ONE_COMMAND = [
  ...['call', 'package', 'workspace', 'workspaces', 'include_workspace_root', 'global', 'location'],
  // After `npm run --silent`, npm wouldn't say why it fails.
  'loglevel',
];

/**
 * An environment for npm: the registry is the user's decision, and nothing in it is the project's, which is `root`. An
 * npm around botcli passes on its settings. If it has read an .npmrc of the project, nobody can tell which of them come
 * from there, so all of them go.
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
async function registryOf(npm: Npm, env: Environment): Promise<string> {
  const given = Object.entries(env).find(([name]) => /^npm_config_registry$/i.test(name))?.[1];
  // npm doesn't print an address with credentials.
  const printed = await npm('config', 'get', 'registry').catch(() => [given ?? '']);
  const address = printed.findLast(line => /^https?:\/\/\S+$/.test(line) && URL.canParse(line));
  if (address === undefined) return 'the registry in your npm settings';
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
}
