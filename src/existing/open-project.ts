import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import gt from 'semver/functions/gt.js';
import { npxOf } from '../about.ts';
import { resolveConfig, type ScaffoldConfig } from '../config/config.ts';
import { attempt, type UserError, usageError } from '../errors.ts';
import { exists, isDirectory, listDirectory, ownersOf, readContents, whyUnreadable } from '../paths/read.ts';
import { type ProjectState, parseState, STATE_FILE } from '../project/files/state.ts';
import { type Environment, shellPath } from '../shells.ts';
import { orElse } from '../std.ts';
import { alternatives, isCopyable, onOneLine } from '../text.ts';
import { VERSION } from '../version.ts';
import { BOT } from './python/files.ts';

/** A project that botcli created. */
export interface Project {
  /** Its absolute path. */
  root: string;
  state: ProjectState;
  /** The state file as it was read. */
  stateFile: Buffer;
}

/** A project whose recorded choices describe a bot. */
interface ResolvedProject extends Project {
  config: ScaffoldConfig;
}

/** Where a command runs, and for messages: its name. */
interface Caller {
  command: 'calls' | 'check' | 'dev' | 'talk' | 'test' | 'update' | 'cloud deploy';
  cwd: string;
  env: Environment;
}

/**
 * The directory of the project that contains this one: itself, or the nearest one above that has a state file. Above
 * it, others could have planted one, as in /tmp. So the search ends at the user's home, and at what belongs neither to
 * the user nor to the owner of this directory.
 */
export function findProject(directory: string): string | undefined {
  const path = resolve(directory);
  if (exists(path, STATE_FILE)) return path;
  const known = [ownersOf(path, STATE_FILE)[0], process.getuid?.()];
  const top = aboveHome();
  for (let place = dirname(path), last = path; place !== last; last = place, place = dirname(place)) {
    if (place === top || ownersOf(place, STATE_FILE).some(one => !known.includes(one))) return undefined;
    if (exists(place, STATE_FILE)) return place;
  }
  return undefined;
}

/** The directory above the user's home; nothing if the user has none, as in some containers. */
const aboveHome = (): string | undefined => orElse(() => dirname(homedir()), undefined);

/** Reads the project in exactly this directory, or says why its state file can't be used: words after its name. */
export function readProject(root: string): Project | string {
  const stateFile = readContents(root, STATE_FILE);
  if (stateFile === 'is larger than 1 MiB') return stateFile;
  if (typeof stateFile === 'string') return "can't be read: it isn't a readable file";
  const state = parseState(stateFile.toString('utf8'));
  return typeof state === 'string' ? state : { root, state, stateFile };
}

/**
 * Opens the project around a directory.
 *
 * @throws {UserError} Exit code 2: there is no project, or its state file can't be used.
 */
export function openProject(directory: string, caller: Caller): Project {
  const path = resolve(caller.cwd, directory);
  const root = isDirectory(path) ? findProject(path) : undefined;
  // A bot that lost its state file doesn't belong to a project around it.
  if (root === undefined || (root !== path && exists(path, BOT))) throw noProject(directory, path, caller);
  const project = readProject(root);
  if (typeof project !== 'string') return project;
  throw unusable({ root }, caller, project, { hint: RESTORE });
}

/**
 * Opens the project around a directory, for a command that needs its configuration.
 *
 * @throws {UserError} Exit code 2: as `openProject`, or this release doesn't know the recorded choices.
 */
export function openResolved(directory: string, caller: Caller): ResolvedProject {
  const project = openProject(directory, caller);
  const errors: UserError[] = [];
  const config = attempt(() => configOf(project), errors);
  if (config) return { ...project, config };
  const { problems = [] } = errors[0] ?? {};
  refuseNewer(project, caller, problems);
  throw unusable(project, caller, "doesn't describe a bot:", { hint: RESTORE, problems });
}

/** Fails if a newer release wrote the project. */
export function refuseNewer(project: Project, caller: Caller, problems: readonly string[] = []): Project {
  const { version } = project.state;
  if (!gt(version, VERSION)) return project;
  const why = `was written by botcli ${version}, and this is ${VERSION}${problems.length > 0 ? ':' : ''}`;
  const npx = npxOf(version);
  const hint = `Use that version or a newer one${npx ? `: ${npx} ${caller.command}` : ''}`;
  throw unusable(project, caller, why, { hint, problems });
}

/**
 * The configuration that a project was made with.
 *
 * @throws {UserError} Every choice that this release doesn't know.
 */
export const configOf = ({ root, state }: Project): ScaffoldConfig =>
  resolveConfig({ file: state.choices, fileName: STATE_FILE, flags: {}, directoryName: basename(root) });

/** The same; undefined if this release doesn't know all of its choices. */
export const knownConfigOf = (project: Project): ScaffoldConfig | undefined => attempt(() => configOf(project), []);

/** A path as seen from the working directory; the absolute path if that is elsewhere. */
export function placeOf(cwd: string, path: string): string {
  const seen = relative(cwd, path) || '.';
  const short = seen.split(sep).filter(part => part === '..').length <= 2 ? seen : path;
  return short.split(sep).join('/');
}

const ANEW = 'run the command at the end of README.md in an empty directory, and copy the file from there.';
const RESTORE = `Restore the file from version control. Or ${ANEW}`;

function unusable(
  project: Pick<Project, 'root'>,
  { cwd }: Caller,
  why: string,
  details: { hint: string; problems?: readonly string[] },
) {
  return usageError(`${placeOf(cwd, join(project.root, STATE_FILE))} ${why}`, { reason: 'not-a-project', ...details });
}

function noProject(directory: string, path: string, { command, cwd, env }: Caller) {
  const name = directory === '.' ? 'This directory' : directory;
  const locked = whyUnreadable(path, STATE_FILE);
  if (locked !== undefined) {
    return usageError(`${name} can't be read: ${locked}`, {
      reason: 'not-a-project',
      hint: `botcli has to see whether there is a ${STATE_FILE}. Run it as a user who can open the directory.`,
    });
  }
  const why = isDirectory(path) ? `there is no ${STATE_FILE}` : 'it is not a directory';
  const hint = projectsNear(path, command, { cwd, env }) ?? NEW_PROJECT;
  return usageError(`${name} is not in a botcli project: ${why}`, { reason: 'not-a-project', hint });
}

const NEW_PROJECT = [
  `A project has a ${STATE_FILE}, which botcli init writes. If yours lost it, restore it from version control.`,
  `Or ${ANEW}`,
  'A new project: botcli init',
].join('\n');

/** The projects below a directory that a command may have meant. */
function projectsNear(path: string, command: Caller['command'], { cwd, env }: Omit<Caller, 'command'>) {
  const near = projectsBelow(path).map(root => relative(cwd, root));
  const places = near.filter(isCopyable).map(root => shellPath(root, env));
  if (places.length === 0) {
    return near.length > 0 ? `There is a project in ${near.map(onOneLine).join(', and in ')}.` : undefined;
  }
  // The arguments of `test` are conversations, and those of `calls` calls.
  if (command !== 'test' && command !== 'calls') {
    return `Did you mean ${alternatives(places.map(place => `botcli ${command} ${place}`))}?`;
  }
  return places.length === 1
    ? `Did you mean cd ${places[0]}, then botcli ${command}?`
    : `There are projects in ${places.join(', ')}. Change to one of them, then run botcli ${command}.`;
}

/** How many projects to name. */
const MOST = 3;

/** How many directories of one to look into, and how many to look at in all. */
const PATIENCE = 200;
const MOST_FOLDERS = 2000;

/** The first projects in a directory, or in one of its directories. */
function projectsBelow(directory: string): string[] {
  const folders = subdirectories(directory);
  const isProject = (path: string) => exists(path, STATE_FILE);
  const inside = folders.filter(path => !isProject(path)).flatMap(subdirectories);
  return [...folders, ...inside].slice(0, MOST_FOLDERS).filter(isProject).slice(0, MOST);
}

function subdirectories(directory: string): string[] {
  const entries = listDirectory(directory);
  return (typeof entries === 'string' ? [] : entries)
    .filter(entry => entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name))
    .slice(0, PATIENCE)
    .map(({ name }) => join(directory, name))
    .sort();
}
