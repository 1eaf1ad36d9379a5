import { existsSync, type Stats, statSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { requirementsOf } from '../existing/needs.ts';
import { openResolved, placeOf, type ResolvedProject } from '../existing/open-project.ts';
import { readPythonFiles } from '../existing/python-files.ts';
import { readContents, readText } from '../existing/read-file.ts';
import { decodeUtf8 } from '../formats/utf8.ts';
import { isTracked } from '../git-index.ts';
import { clientUrlOf } from '../project/client/facts.ts';
import { planClient } from '../project/client/files.ts';
import { featuresOf } from '../project/features.ts';
import { planBot } from '../project/files/files.ts';
import { guideFiles } from '../project/files/guides.ts';
import type { Terminal } from '../shell/terminal.ts';
import { parseEnvFile } from './checks/env-file.ts';
import { type EnvFacts, type Facts, valueFor } from './checks/facts.ts';
import { readClient } from './client-packages.ts';
import type { Machine } from './this-machine.ts';

/**
 * Gathers what the checks look at. It reads files, tries ports, and asks uv for its version; it runs no code of the project.
 *
 * @throws {UserError} Exit code 2: there is no project.
 */
export async function gatherFacts(directory: string, machine: Machine, terminal: Terminal): Promise<Facts> {
  // What takes time runs while files are read.
  const uv = machine.uvVersion();
  const project = openResolved(directory, { command: 'check', cwd: terminal.cwd, env: terminal.env });
  const { root, config, state } = project;
  const env = readEnv(root, terminal.env);
  const ports = tryPorts(project, env, machine);
  const python = readPythonFiles(root);
  const recorded = [...state.files.keys()].flatMap(path => textAt(root, path));
  const missing = missingFiles(project);
  const requirements = requirementsOf(python, config);
  const credentials = [...requirements.credentials.keys()].filter(({ files }) => files.some(machine.hasAtHome));
  return {
    project,
    texts: new Map([...recorded, ...python]),
    missing,
    restorable: new Set(missing.filter(path => isTracked(join(root, path)))),
    requirements,
    env,
    machine: { node: machine.node, uv: await uv, credentials, ports: await ports },
    client: config.generate_client ? readClient(join(root, 'client')) : undefined,
    place: path => placeOf(terminal.cwd, join(root, path)),
  };
}

function textAt(root: string, path: string): [string, string][] {
  const text = readText(join(root, path));
  return text === undefined ? [] : [[path, text]];
}

/** The files of the project's choices that don't exist. A missing directory counts once. */
function missingFiles({ root, config }: ResolvedProject): string[] {
  const features = featuresOf(config);
  const guides = guideFiles.filter(({ isOnRequest }) => !isOnRequest);
  const planned = [...planBot(features), ...planClient(features), ...guides].map(({ destination }) => destination);
  const missing = planned.filter(path => !hasContent(join(root, path)));
  const hasFolder = (path: string) => !path.startsWith('client/') || existsSync(join(root, 'client'));
  const hasClient = missing.every(hasFolder);
  return [...(hasClient ? [] : ['client']), ...missing.filter(hasFolder)];
}

/** Whether there is a file, and it isn't empty. */
function hasContent(path: string): boolean {
  const stat = statOf(path);
  return stat !== UNREADABLE && stat?.isFile() === true && stat.size > 0;
}

const UNREADABLE = 'unreadable';

/** What is at a path; undefined if nothing is there. A link to itself, or a locked directory, can't be followed. */
function statOf(path: string): Stats | typeof UNREADABLE | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return UNREADABLE;
  }
}

/** Reads the env file where python-dotenv looks for it: next to the bot, else in the nearest directory above. */
function readEnv(root: string, shell: Terminal['env']): EnvFacts {
  const path = findEnvFile(join(root, 'server')) ?? join(root, 'server/.env');
  const tracked = ['server/.env', '.env', 'client/.env'].filter(one => isTracked(join(root, one)));
  const facts = { path: relative(root, path).split(sep).join('/'), tracked, shell };
  const read = readContents(path);
  if (typeof read === 'string') return { ...facts, problem: read, file: { entries: new Map(), broken: [] } };
  const text = decodeUtf8(read);
  const problem = text === undefined ? 'is not UTF-8 text' : text.includes('\0') ? 'contains NUL bytes' : undefined;
  return { ...facts, problem, file: parseEnvFile(problem ? '' : (text ?? ''), shell) };
}

function findEnvFile(directory: string): string | undefined {
  const path = join(directory, '.env');
  const stat = statOf(path);
  if (stat === UNREADABLE || stat?.isFile() || stat?.isFIFO()) return path;
  return basename(directory) === '' || dirname(directory) === directory ? undefined : findEnvFile(dirname(directory));
}

/** The port of the framework's runner. */
const BOT_PORT = 7860;
const CALL_SERVER_PORT = 8080;

async function tryPorts(
  { config }: ResolvedProject,
  env: EnvFacts,
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
