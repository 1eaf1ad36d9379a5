import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative, sep } from 'node:path';
import lt from 'semver/functions/lt.js';
import { isPublished, PACKAGE } from '../about.ts';
import { runProcess } from '../dev/supervise.ts';
import { explainSystemError, isSystemError, UserError, usageError } from '../errors.ts';
import { configOf, type Project } from '../existing/open-project.ts';
import { nameIn } from '../paths/locate.ts';
import { exists } from '../paths/read.ts';
import { findProgram, withOwnPrograms } from '../programs.ts';
import { isVersion, type ProjectState, STATE_FILE } from '../project/files/state.ts';
import { renderProject } from '../rendering/project.ts';
import { watchInterruption } from '../shell/interruption.ts';
import type { Terminal } from '../shell/terminal.ts';
import type { Environment } from '../shells.ts';
import { orElse } from '../std.ts';
import { excerpt } from '../text.ts';
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
 * A release never changes, so a cached one needs no request. Without a network, npm's own limits take minutes. With these,
 * a registry that never answers costs 15 seconds.
 */
const EXEC_OPTIONS = [
  ...['--yes', '--prefer-offline', '--fetch-timeout=7000'],
  ...['--fetch-retries=1', '--fetch-retry-mintimeout=1000'],
];

/** How long npm may take to fetch and run a release, in milliseconds. */
const LIMIT = 120_000;

/** After this time, botcli says what takes so long. */
const SILENCE = 2_500;

/**
 * Runs an older release, which npm fetches if it isn't cached, in a temporary directory.
 *
 * @throws {UserError} Exit code 2: that isn't a release of botcli that is older than this one.
 */
async function renderElsewhere(
  { root, state: { version, choices } }: Project,
  terminal: Terminal,
): Promise<Tree | string> {
  expectOlderRelease(version);
  const { note, progress, env } = terminal;
  const directory = makeEmptyPackage(choices);
  const interruption = watchInterruption();
  const { signal } = interruption;
  const limit = limitOf(terminal, signal);
  const npmEnv = npmEnvironment({ ...process.env, ...env }, root);
  const surroundings = { root, cwd: directory, env: npmEnv, signal: limit.signal };
  try {
    const registry = await registryOf(surroundings);
    note(
      `botcli ${version} wrote this project. npm now fetches ${PACKAGE}@${version} from ${registry}, unless it is ` +
        'cached, and runs it to see what it wrote.',
    );
    const show = () => progress.show(`Running botcli ${version}…`);
    show();
    explainWait(registry, terminal, limit.signal, show);
    const words = [`--package=${PACKAGE}@${version}`, '--', 'botcli', 'init', TARGET, '--config', CHOICES];
    await runNpm(['exec', ...EXEC_OPTIONS, ...words], surroundings);
    return readTree(join(directory, TARGET));
  } catch (error) {
    signal.throwIfAborted();
    return `botcli ${version} can't be run: ${(error as Error).message}`;
  } finally {
    limit.end();
    interruption.ignore();
    progress.clear();
    removeOwn(directory);
  }
}

/**
 * Removes a directory of our own, or leaves it in the system's directory for temporary files: on Windows, a program that
 * has just ended may still be in it.
 */
const removeOwn = (directory: string): void =>
  orElse(() => rmSync(directory, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }), undefined);

/** The last door before npm, whatever a project says wrote it. */
function expectOlderRelease(version: string): void {
  if (isVersion(version) && lt(version, VERSION)) return;
  throw usageError(`botcli doesn't run "${excerpt(version)}": it isn't a release before ${VERSION}`, {
    reason: 'not-a-project',
    hint: 'Restore .botcli.json from version control.',
  });
}

const TARGET = 'project';
const CHOICES = 'choices.json';

/**
 * Makes a directory that is a package of its own: npm looks for settings and packages in no directory above it.
 *
 * @throws {UserError} The directory for temporary files is missing, or the disk refuses.
 */
function makeEmptyPackage(choices: ProjectState['choices']): string {
  const files = { 'package.json': '{}\n', '.npmrc': '', [CHOICES]: JSON.stringify(choices) };
  try {
    const directory = mkdtempSync(join(tmpdir(), 'botcli-base-'));
    for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text);
    return directory;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const why = explainSystemError(error);
    throw new UserError(`Cannot create a directory in ${tmpdir()}: ${why}. Nothing was changed.`, {
      reason: 'disk',
      hint: 'Set TMPDIR (on Windows, TEMP) to a directory in which you can create files.',
      cause: error,
    });
  }
}

/** A signal for work that may not take forever. */
function limitOf({ sleep }: Terminal, signal: AbortSignal): { signal: AbortSignal; end: () => void } {
  const over = new AbortController();
  const done = new AbortController();
  const seconds = LIMIT / 1000;
  const why = `npm took longer than ${seconds} seconds. Check your network, and the registry in: npm config get registry`;
  sleep(LIMIT, done.signal).then(
    () => over.abort(new Error(why)),
    () => {},
  );
  return { signal: AbortSignal.any([signal, over.signal, done.signal]), end: () => done.abort() };
}

/** Says what takes so long, unless it is over before. */
function explainWait(registry: string, { sleep, progress, note }: Terminal, over: AbortSignal, show: () => void): void {
  sleep(SILENCE, over).then(
    () => {
      progress.clear();
      note(`Waiting for ${registry}. If it doesn't answer, npm gives up after 15 seconds.`);
      show();
    },
    () => {},
  );
}

function readTree(directory: string): Tree {
  const entries = readdirSync(directory, { withFileTypes: true, recursive: true });
  const files = entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
  const tree = files.map(path => [relative(directory, path).replaceAll(sep, '/'), readFileSync(path)] as const);
  return new Map(tree.filter(([path]) => path !== STATE_FILE));
}

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
async function runNpm(
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
async function registryOf(surroundings: Surroundings): Promise<string> {
  const given = Object.entries(surroundings.env).find(([name]) => /^npm_config_registry$/i.test(name))?.[1];
  // npm doesn't print an address with credentials.
  const printed = await runNpm(['config', 'get', 'registry'], surroundings).catch(() => [given ?? '']);
  surroundings.signal.throwIfAborted();
  const address = printed.findLast(line => /^https?:\/\/\S+$/.test(line) && URL.canParse(line));
  if (address === undefined) return 'the registry in your npm settings';
  const { origin, pathname } = new URL(address);
  return `${origin}${pathname}`;
}
