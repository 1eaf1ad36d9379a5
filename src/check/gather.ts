import { basename, dirname, join } from 'node:path';
import satisfies from 'semver/functions/satisfies.js';
import validRange from 'semver/ranges/valid.js';
import { OLLAMA } from '../catalog/llm.ts';
import { revealedIn } from '../deploy/context/contents.ts';
import { readModules, requirementsOf, spelledAs } from '../existing/needs.ts';
import { openResolved, placeOf } from '../existing/open-project.ts';
import { packageManagerOf } from '../existing/package-manager.ts';
import { PYPROJECT, readPyproject } from '../existing/pyproject.ts';
import { readPythonFiles } from '../existing/python/files.ts';
import { decodeUtf8 } from '../formats/bytes.ts';
import { parseDotEnv } from '../formats/dotenv.ts';
import { committedFiles } from '../git.ts';
import { LEADS_OUTSIDE, nameIn } from '../paths/locate.ts';
import { exists, type NoContents, readContents, readEnvFile, readNamedEnvFile, readText } from '../paths/read.ts';
import { directoriesAbove } from '../programs.ts';
import { type PartName, partNames, planClient, usualPorts } from '../project/client.ts';
import { featuresOf } from '../project/features.ts';
import { guideFiles, planBot } from '../project/files/files.ts';
import { textHashOf } from '../project/files/state.ts';
import { frameworkPin, PIPECAT_RELEASE } from '../project/release.ts';
import type { Terminal } from '../shell/terminal.ts';
import { isObject, parsedJson, portIn, unique } from '../std.ts';
import { isLoopback } from '../this-computer.ts';
import { findRemains } from '../writing/scratch.ts';
import { type Facts, valueFor } from './checks/facts.ts';
import { type Finding, runChecks } from './checks/finding.ts';
import { missingNames } from './checks/keys.ts';
import { ollamaChecks } from './checks/machine.ts';
import { type Machine, thisMachine } from './this-machine.ts';

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

/** Words that start a program with variables from a tool for secrets, or set some. */
const STARTS =
  /^\[env\]|\b(?:(?:doppler|op|infisical|dotenvx|teller|secretspec) run|(?:chamber|aws-vault|fnox) exec|sops exec-env|uv run --env-file)\b/m;

/** Files that set variables; and those that may, or may start the bot with some. */
const TOOLS = '.envrc doppler.yaml doppler.yml .infisical.json secretspec.toml fnox.toml .sops.yaml';
const STARTERS =
  'mise.toml .mise.toml Makefile justfile Taskfile.yml Procfile package.json README.md run.sh start.sh dev.sh ' +
  'compose.yaml compose.yml docker-compose.yaml docker-compose.yml compose.override.yaml ' +
  '.devcontainer/devcontainer.json .vscode/launch.json .vscode/settings.json devenv.nix flake.nix';
const ENV_FILE = /env_?file["']?\s{0,9}:\s{0,9}["'[]{0,2}([^\s"',}\]]{1,200})/gi;

/**
 * The files of a project that start its bot with variables from elsewhere, such as a password manager.
 *
 * @param missing The variables that the bot needs and that aren't set.
 */
function secretTools(root: string, missing: readonly string[]): string[] {
  const inBoth = (names: string) => names.split(' ').flatMap(name => [name, `server/${name}`]);
  const hasEnvFile = (text: string) => [...text.matchAll(ENV_FILE)].some(([, path = '']) => basename(path) !== '.env');
  const maySet = (path: string, text = '') =>
    STARTS.test(text) || hasEnvFile(text) || (!path.endsWith('.md') && missing.some(name => text.includes(name)));
  return [
    ...inBoth(TOOLS).filter(path => exists(root, path)),
    ...inBoth(STARTERS).filter(path => maySet(path, readText(root, path))),
  ];
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

/** The env files that people commit by mistake. */
const ENV_FILES = ['server/.env', '.env', 'client/.env'];

/**
 * Adds what git and the machine know: it tries ports, asks uv for its version, and has Python
 * compile the project's files. It runs no code of the project.
 *
 * @param botPort The port of the bot that is about to start: a number, or any that is free if only the bot starts.
 *   Default: the usual one.
 */
export async function gatherFacts(
  files: FileFacts,
  machine: Machine,
  { env: shell }: Terminal,
  botPort?: number | 'any',
): Promise<Facts> {
  const { project, texts, missing, requirements, env } = files;
  const { root } = project;
  const edited = editedPython(files);
  const [committed, uv, refused, going, ports, ollama] = await Promise.all([
    committedFiles(root, shell),
    machine.uvVersion(root),
    machine.refusedByPython(root, [...edited.keys()]),
    namesThatGo(edited, texts.get(PYPROJECT)),
    botPort === 'any' ? [] : tryPorts(project, env, machine, botPort),
    askOllama(texts, env, machine),
  ]);
  const credentials = [...requirements.credentials.keys()].filter(({ files }) => files.some(machine.hasAtHome));
  const inGit = 'files' in committed ? committed.files : [];
  const isTracked = (path: string) => inGit.some(one => one.isTracked && `${one.path}/`.startsWith(`${path}/`));
  const tracked = ENV_FILES.filter(isTracked);
  const revealing = inGit.slice(0, MOST_FILES).flatMap(file => {
    const secret = tracked.includes(file.path) ? undefined : revealedIn(join(root, file.path));
    return secret ? [{ ...file, ...secret }] : [];
  });
  return {
    ...files,
    restorable: new Set(missing.filter(isTracked)),
    refused,
    going,
    git: 'refused' in committed ? committed : { revealing },
    env: { ...env, tracked },
    machine: { node: machine.node, uv, credentials, ports, ollama },
  };
}

/** The Python files that aren't as botcli wrote them. Python accepts all others, and starting it takes time. */
const editedPython = ({ texts, project }: FileFacts): Map<string, string> =>
  new Map(
    [...texts].filter(
      ([path, text]) => path.endsWith('.py') && textHashOf(Buffer.from(text)) !== project.state.files.get(path),
    ),
  );

/** What the user's own code names that the framework will drop, as far as the release that the project has says so. */
async function namesThatGo(edited: ReadonlyMap<string, string>, pyproject = ''): Promise<string[]> {
  if (edited.size === 0) return [];
  const { findTouched, loadFrameworkTable, readCode } = await import('../existing/framework.ts');
  const { code } = readCode(edited);
  if (code.length === 0) return [];
  const release = frameworkPin(pyproject) ?? PIPECAT_RELEASE;
  const touched = findTouched(code, await loadFrameworkTable(), release, release);
  return unique(touched.map(({ change: { name, argument = '' } }) => `${name} ${argument}`));
}

/** The most files to look into. A project has fewer, or its data are in git, too. */
const MOST_FILES = 2000;

/** Asks Ollama, if the code uses it and it is on this machine: a project doesn't decide who else gets a request. */
async function askOllama(
  texts: ReadonlyMap<string, string>,
  env: Parameters<typeof valueFor>[1],
  machine: Pick<Machine, 'ollamaModels'>,
): Promise<Facts['machine']['ollama']> {
  if (![...texts].some(([path, text]) => path.endsWith('.py') && text.includes(OLLAMA.modelEnv))) return undefined;
  const address = valueFor(OLLAMA.addressEnv, env) ?? OLLAMA.address;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (url?.protocol !== 'http:' || !isLoopback(url)) return undefined;
  const model = valueFor(OLLAMA.modelEnv, env) ?? OLLAMA.model;
  return { isUsual: address === OLLAMA.address, model, models: await machine.ollamaModels(url) };
}

/** What keeps a project's language model from answering, if it runs on this machine. */
export async function findInOllama(directory: string, terminal: Terminal): Promise<Finding[]> {
  const { texts, env } = readFacts(directory, terminal);
  const ollama = await askOllama(texts, env, thisMachine(terminal));
  return runChecks('machine', ollamaChecks, { machine: { ollama } });
}

async function tryPorts(
  { config }: Facts['project'],
  env: Parameters<typeof valueFor>[1],
  machine: Machine,
  botPort?: number,
): Promise<Facts['machine']['ports']> {
  const usual = usualPorts(config);
  const ownPort = portIn(valueFor('PORT', env));
  const numbers = { ...usual, bot: botPort ?? usual.bot, calls: ownPort ?? usual.calls };
  const isSet = (part: PartName) => part === 'calls' && ownPort !== undefined;
  const ports = partNames(config).map(part => ({ part, number: numbers[part], isSet: isSet(part) }));
  return Promise.all(ports.map(async port => ({ ...port, isFree: await machine.isFree(port.number) })));
}
