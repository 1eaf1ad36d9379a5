import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { type Requirements, requirementsOf, spelledAs } from '../existing/needs.ts';
import { findProject, openResolved, placeOf, type ResolvedProject } from '../existing/open-project.ts';
import { readPyproject } from '../existing/pyproject.ts';
import { readPythonFiles } from '../existing/python-files.ts';
import { parseDotEnv } from '../formats/dotenv.ts';
import { decodeUtf8 } from '../formats/utf8.ts';
import { trackedFiles } from '../git.ts';
import { exists, type NoContents, readContents, readEnvFile, readNamedEnvFile, readText } from '../paths/read.ts';
import { clientUrlOf } from '../project/client/facts.ts';
import { planClient } from '../project/client/files.ts';
import { featuresOf } from '../project/features.ts';
import { planBot } from '../project/files/files.ts';
import { guideFiles } from '../project/files/guides.ts';
import type { Terminal } from '../shell/terminal.ts';
import { unique } from '../unique.ts';
import { expectWhole, findRemains } from '../writing/repair.ts';
import { type EnvFacts, type Facts, valueFor } from './checks/facts.ts';
import { inDirectory } from './checks/project.ts';
import { readClient } from './client-packages.ts';
import type { Machine } from './this-machine.ts';

/**
 * Gathers what the checks look at. It reads files, tries ports, and asks uv for its version; it runs no code of the project.
 *
 * @throws {UserError} Exit code 2: there is no project.
 */
export async function gatherFacts(
  directory: string,
  machine: Machine,
  isDeploying: boolean,
  terminal: Terminal,
): Promise<Facts> {
  // What takes time runs while files are read.
  const uv = machine.uvVersion();
  const path = resolve(terminal.cwd, directory);
  if (!findProject(path)) expectWhole(path, inDirectory('botcli update', directory));
  const project = openResolved(directory, { command: 'check', cwd: terminal.cwd, env: terminal.env });
  const { root, config, state } = project;
  const missing = missingFiles(project);
  const tracked = trackedFiles(root, [...ENV_FILES, ...missing], terminal.env);
  const python = readPythonFiles(root);
  const recorded = textsAt(root, state.files.keys());
  const read = requirementsOf(python.texts, config);
  const env = readEnv(root, terminal.env, read);
  const requirements = spelledAs(read, [...env.file.entries.keys(), ...Object.keys(terminal.env)]);
  const ports = tryPorts(project, env, machine);
  const credentials = [...requirements.credentials.keys()].filter(({ files }) => files.some(machine.hasAtHome));
  const restorable = await tracked;
  return {
    project,
    texts: new Map([...recorded, ...python.texts]),
    isDeploying,
    unread: python.unread,
    pyproject: readPyproject(root),
    missing,
    restorable,
    remains: findRemains(root),
    requirements,
    env: { ...env, tracked: ENV_FILES.filter(path => restorable.has(path)) },
    machine: { node: machine.node, uv: await uv, credentials, ports: await ports },
    client: config.generate_client ? readClient(root) : undefined,
    place: path => placeOf(terminal.cwd, join(root, path)),
  };
}

/** The env files that people commit by mistake. */
const ENV_FILES = ['server/.env', '.env', 'client/.env'];

/** More characters than botcli writes: a state file may name one large file many times. */
const MOST_CHARACTERS = 20 * 2 ** 20;

function textsAt(root: string, paths: Iterable<string>): [string, string][] {
  let room = MOST_CHARACTERS;
  return [...paths].flatMap(path => {
    const text = room < 0 ? undefined : readText(root, path);
    room -= text?.length ?? 0;
    return text === undefined ? [] : [[path, text]];
  });
}

/** The files of the project's choices that don't exist. A missing directory counts once. */
function missingFiles({ root, config }: ResolvedProject): string[] {
  const features = featuresOf(config);
  const guides = guideFiles.filter(({ isOnRequest }) => !isOnRequest);
  const planned = [...planBot(features), ...planClient(features), ...guides].map(({ destination }) => destination);
  const missing = planned.filter(path => !hasContent(root, path));
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
function readEnv(root: string, shell: Terminal['env'], { envFiles, sources }: Requirements): Omit<EnvFacts, 'tracked'> {
  const path = findEnvFile(join(root, 'server')) ?? join(root, 'server/.env');
  const named = envFiles.map(({ places, ...one }) => ({
    ...one,
    isUsual: places.some(place => basename(place) === '.env'),
    found: places.find(place => typeof readNamedEnvFile(root, place) !== 'string'),
  }));
  const more = unique(named.flatMap(({ found }) => (found === undefined || join(root, found) === path ? [] : found)));
  return {
    ...parseEnvFile(readEnvFile(dirname(path)), shell),
    path: relative(root, path).split(sep).join('/'),
    shell,
    more: more.map(place => parseEnvFile(readNamedEnvFile(root, place), shell).file),
    sources: unique([...sources, ...named.flatMap(one => (one.found === undefined && !one.isUsual ? one.path : []))]),
  };
}

function parseEnvFile(read: Buffer | NoContents, shell: Terminal['env']): Pick<EnvFacts, 'problem' | 'file'> {
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

/** The port of the framework's runner. */
const BOT_PORT = 7860;
const CALL_SERVER_PORT = 8080;

async function tryPorts(
  { config }: ResolvedProject,
  env: Parameters<typeof valueFor>[1],
  machine: Machine,
): Promise<Facts['machine']['ports']> {
  const ownPort = Number(valueFor('PORT', env));
  const ports = [
    { part: 'bot' as const, number: BOT_PORT, isSet: false },
    ...(featuresOf(config).hasCallServer
      ? [{ part: 'call server' as const, number: ownPort || CALL_SERVER_PORT, isSet: ownPort > 0 }]
      : []),
    ...(config.generate_client
      ? [{ part: 'client' as const, number: Number(new URL(clientUrlOf(config)).port), isSet: false }]
      : []),
  ];
  return Promise.all(ports.map(async port => ({ ...port, isFree: await machine.isFree(port.number) })));
}
