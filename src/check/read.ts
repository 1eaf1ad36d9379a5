import { basename, dirname, join, resolve } from 'node:path';
import { readModules } from '../existing/modules.ts';
import { requirementsOf, spelledAs } from '../existing/needs.ts';
import { findProject, openResolved, placeOf } from '../existing/open-project.ts';
import { readPyproject } from '../existing/pyproject.ts';
import { readPythonFiles } from '../existing/python/files.ts';
import { parseDotEnv } from '../formats/dotenv.ts';
import { decodeUtf8 } from '../formats/utf8.ts';
import { nameIn } from '../paths/locate.ts';
import { exists, type NoContents, readContents, readEnvFile, readNamedEnvFile, readText } from '../paths/read.ts';
import { planClient } from '../project/client/files.ts';
import { featuresOf } from '../project/features.ts';
import { planBot } from '../project/files/files.ts';
import { guideFiles } from '../project/files/guides.ts';
import type { Terminal } from '../shell/terminal.ts';
import { unique } from '../unique.ts';
import { expectWhole, findRemains } from '../writing/repair.ts';
import { missingNames } from './checks/env-names.ts';
import type { Facts } from './checks/facts.ts';
import { inDirectory } from './checks/fixes.ts';
import { readClient } from './client-packages.ts';
import { secretTools } from './secret-tools.ts';

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
  const path = resolve(terminal.cwd, directory);
  if (!findProject(path)) expectWhole(path, inDirectory('botcli update', directory));
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
