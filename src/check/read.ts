import { basename, dirname, join, posix } from 'node:path';
import satisfies from 'semver/functions/satisfies.js';
import validRange from 'semver/ranges/valid.js';
import { readModules, requirementsOf, spelledAs } from '../existing/needs.ts';
import { openResolved, placeOf } from '../existing/open-project.ts';
import { packageManagerOf } from '../existing/package-manager.ts';
import { readPyproject } from '../existing/pyproject.ts';
import { readPythonFiles } from '../existing/python/files.ts';
import { decodeUtf8 } from '../formats/bytes.ts';
import { parseDotEnv } from '../formats/dotenv.ts';
import { LEADS_OUTSIDE, nameIn } from '../paths/locate.ts';
import {
  exists,
  listDirectory,
  type NoContents,
  readContents,
  readEnvFile,
  readNamedEnvFile,
  readText,
} from '../paths/read.ts';
import { directoriesAbove } from '../programs.ts';
import { planClient } from '../project/client.ts';
import { featuresOf } from '../project/features.ts';
import { guideFiles, planBot } from '../project/files/files.ts';
import type { Terminal } from '../shell/terminal.ts';
import { isObject, parsedJson, unique } from '../std.ts';
import { findRemains } from '../writing/scratch.ts';
import type { Facts } from './checks/facts.ts';
import { missingNames } from './checks/keys.ts';

/** What a project's files say. Git and the machine know the rest. */
export type FileFacts = Omit<Facts, 'restorable' | 'git' | 'refused' | 'going' | 'env' | 'machine'> & {
  env: Omit<Facts['env'], 'tracked'>;
};

/**
 * Reads what the checks look at. It starts nothing, so that a signal may end it at any time.
 *
 * @throws {UserError} Exit code 2: there is no project.
 */
export function readFacts(
  directory: string,
  terminal: Terminal,
  {
    command = 'check',
    isDeploying = false,
  }: { command?: Parameters<typeof openResolved>[1]['command']; isDeploying?: boolean } = {},
): FileFacts {
  const project = openResolved(directory, { command, cwd: terminal.cwd, env: terminal.env });
  const { root, config, state } = project;
  const python = readPythonFiles(root);
  const recorded = [...state.files.keys()].filter(path => !python.texts.has(path));
  const texts = new Map([...textsAt(root, recorded), ...python.texts]);
  const modules = readModules(python.texts);
  const read = requirementsOf(modules, config);
  const env = readEnv(root, terminal.env, read);
  const requirements = spelledAs(read, [...env.file.entries.keys(), ...Object.keys(terminal.env)]);
  const unset = missingNames({ requirements, env });
  const more = unset.length === 0 ? [] : secretTools(root, unset);
  return {
    project,
    texts,
    isDeploying,
    unread: python.unread,
    pyproject: readPyproject(root),
    missing: missingFiles(project, texts),
    remains: findRemains(root),
    requirements,
    env: { ...env, sources: unique([...env.sources, ...more]) },
    client: config.generate_client ? readClient(root) : undefined,
    place: path => placeOf(terminal.cwd, join(root, path)),
  };
}

/** More characters than botcli writes: a state file may name one large file many times. */
const MOST_CHARACTERS = 20 * 2 ** 20;

function textsAt(root: string, paths: readonly string[]): [string, string][] {
  let room = MOST_CHARACTERS;
  return paths.flatMap(path => {
    const text = room < 0 ? undefined : readText(root, path);
    room -= text?.length ?? 0;
    return text === undefined ? [] : [[path, text]];
  });
}

/** The files of the project's choices that don't exist. A missing directory counts once. */
function missingFiles({ root, config }: Facts['project'], texts: ReadonlyMap<string, string>): string[] {
  const features = featuresOf(config);
  const guides = guideFiles.filter(({ isOnRequest }) => !isOnRequest);
  const planned = [...planBot(features), ...planClient(features), ...guides].map(({ destination }) => destination);
  const missing = planned.filter(path => !texts.get(path) && !hasContent(root, path));
  const hasFolder = (path: string) => !path.startsWith('client/') || exists(root, 'client');
  const hasClient = missing.every(hasFolder);
  return [...(hasClient ? [] : ['client']), ...missing.filter(hasFolder)];
}

/** Whether there is a file, and it isn't empty, as far as that can be known. */
function hasContent(root: string, path: string): boolean {
  const contents = readContents(root, path);
  return contents !== 'absent' && contents !== 'is a directory' && contents.length > 0;
}

/**
 * Reads the env file where python-dotenv looks for it: next to the bot, else in the nearest directory above. Adds those
 * that the code names.
 */
function readEnv(root: string, shell: Terminal['env'], { envFiles, sources }: Facts['requirements']): FileFacts['env'] {
  const path = findEnvFile(join(root, 'server')) ?? join(root, 'server/.env');
  const named = envFiles.map(({ places, ...one }) => ({
    ...one,
    isUsual: places.some(place => basename(place) === '.env'),
    found: places.find(place => typeof readNamedEnvFile(root, place) !== 'string'),
  }));
  const more = unique(named.flatMap(({ found }) => (found === undefined || join(root, found) === path ? [] : found)));
  return {
    ...parseEnvFile(readEnvFile(dirname(path)), shell),
    path: nameIn(root, path),
    shell,
    more: more.map(place => parseEnvFile(readNamedEnvFile(root, place), shell).file),
    sources: unique([...sources, ...named.flatMap(one => (one.found === undefined && !one.isUsual ? one.path : []))]),
  };
}

function parseEnvFile(read: Buffer | NoContents, shell: Terminal['env']): Pick<FileFacts['env'], 'problem' | 'file'> {
  if (typeof read === 'string') return { problem: read, file: parseDotEnv('') };
  const text = decodeUtf8(read, { keepsMark: true });
  const problem = text === undefined ? 'is not UTF-8 text' : text.includes('\0') ? 'contains NUL bytes' : undefined;
  return { problem, file: parseDotEnv(problem ? '' : (text ?? ''), shell) };
}

function findEnvFile(directory: string): string | undefined {
  const path = join(directory, '.env');
  const contents = readEnvFile(directory);
  if (contents !== 'absent' && contents !== 'is a directory') return path;
  return basename(directory) === '' || dirname(directory) === directory ? undefined : findEnvFile(dirname(directory));
}

/** Words that start a program with variables from a tool for secrets. */
const STARTS =
  /\b(?:(?:doppler|op|infisical|dotenvx|teller|secretspec) run|(?:chamber|aws-vault|fnox) exec|sops exec-env|uv run --env-file)\b/;
const SETS = /\[env\]/;

/** Files that set variables, or that may start the bot with some; and what they say then. */
const FILES: readonly (readonly [says: RegExp | undefined, ...names: string[]])[] = [
  [undefined, '.envrc', 'doppler.yaml', 'doppler.yml', '.infisical.json', 'secretspec.toml', 'fnox.toml', '.sops.yaml'],
  [SETS, 'mise.toml', '.mise.toml'],
  [
    STARTS,
    'Makefile',
    'justfile',
    'Taskfile.yml',
    'Procfile',
    'package.json',
    'README.md',
    'run.sh',
    'start.sh',
    'dev.sh',
  ],
];

/** Files that start many programs: they count if they name a variable that the bot needs, or an env file of their own. */
const STARTERS = [
  ...['compose.yaml', 'compose.yml', 'docker-compose.yaml', 'docker-compose.yml', 'compose.override.yaml'],
  ...['.devcontainer/devcontainer.json', '.vscode/launch.json', '.vscode/settings.json', 'devenv.nix', 'flake.nix'],
];
const ENV_FILE = /env_?file["']?\s{0,9}:\s{0,9}["'[]{0,2}([^\s"',}\]]{1,200})/gi;

/**
 * The files of a project that start its bot with variables from elsewhere, such as a password manager.
 *
 * @param missing The variables that the bot needs and that aren't set.
 */
function secretTools(root: string, missing: readonly string[]): string[] {
  const folders = [mayHave(root, '.'), mayHave(root, 'server')];
  const inBoth = (names: readonly string[]) => names.flatMap(name => folders.flatMap(pathIn => pathIn(name) ?? []));
  const found = FILES.flatMap(([says, ...names]) =>
    inBoth(names).filter(path => (says ? says.test(readText(root, path) ?? '') : exists(root, path))),
  );
  const starts = (text = '') =>
    missing.some(name => text.includes(name)) ||
    [...text.matchAll(ENV_FILE)].some(([, path = '']) => basename(path) !== '.env');
  return [...found, ...inBoth(STARTERS).filter(path => starts(readText(root, path)))];
}

/** Returns the path of a name in a folder, unless nothing there has such a name, in any case. */
function mayHave(root: string, folder: string): (name: string) => string | undefined {
  const entries = listDirectory(root, folder);
  const names = typeof entries === 'string' ? undefined : new Set(entries.map(({ name }) => name.toLowerCase()));
  return name => {
    const [first = ''] = name.toLowerCase().split('/');
    return names?.has(first) === false ? undefined : posix.join(folder, name);
  };
}

/** A name that npm accepts. */
const PACKAGE = /^(?:@[\w.-]{1,100}\/)?[\w.-]{1,100}$/;
/** Longer ranges say nothing that a person wrote. */
const LONGEST_RANGE = 200;
const MOST_PACKAGES = 500;

/** Compares the web client's package.json with its node_modules. Undefined if there is no package.json. */
function readClient(root: string): Facts['client'] {
  const path = 'client/package.json';
  if (!exists(root, path)) return undefined;
  const manifest = objectIn(readContents(root, path));
  const required = Object.entries({ ...textsOf(manifest?.dependencies), ...textsOf(manifest?.devDependencies) })
    .filter(([name, range]) => PACKAGE.test(name) && range.length <= LONGEST_RANGE)
    .slice(0, MOST_PACKAGES);
  const engines = textsOf(manifest?.engines).node;
  const modules = 'client/node_modules';
  const { manager, place } = packageManagerOf(join(root, 'client'));
  // With Plug'n'Play, yarn unpacks nothing.
  const isPacked = exists(place, '.pnp.cjs');
  const isInstalled =
    isPacked || exists(root, modules) || (required.length > 0 && required.every(([name]) => isHoisted(root, name)));
  const isThere = ([name, range]: [string, string]): boolean => {
    const installed = `${modules}/${name}/package.json`;
    const contents = readContents(root, installed);
    // In a workspace, packages may be outside the project, where nothing is read.
    if (contents === LEADS_OUTSIDE) return true;
    if (contents === 'absent') return isHoisted(root, name);
    const { version } = textsOf(objectIn(contents));
    // Other ranges, such as a path or a tag, say nothing about the version.
    return version !== undefined && (!/^[~^\d>=<]/.test(range) || satisfies(version, range));
  };
  return {
    isReadable: manifest !== undefined,
    engines: isRange(engines) ? engines : undefined,
    manager,
    isInstalled,
    mismatched: isInstalled && !isPacked ? required.filter(one => !isThere(one)).map(([name]) => name) : [],
  };
}

/** Whether a package is where the workspace that the client belongs to has it. Node looks in each directory above. */
const isHoisted = (root: string, name: string): boolean =>
  directoriesAbove(root).some(directory => exists(directory, `node_modules/${name}/package.json`));

const isRange = (text = ''): boolean => text.length <= LONGEST_RANGE && validRange(text) !== null;

function objectIn(contents: ReturnType<typeof readContents>): Record<string, unknown> | undefined {
  const value = parsedJson(typeof contents === 'string' ? '' : contents.toString('utf8'));
  return isObject(value) ? value : undefined;
}

const textsOf = (value: unknown): Record<string, string> =>
  Object.fromEntries(
    Object.entries(Object(value)).filter((one): one is [string, string] => typeof one[1] === 'string'),
  );
