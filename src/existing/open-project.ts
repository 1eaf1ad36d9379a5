import { lstatSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import gt from 'semver/functions/gt.js';
import { resolveConfig, type ScaffoldConfig } from '../config/config.ts';
import { UserError } from '../errors.ts';
import { type ProjectState, parseState, STATE_FILE } from '../project/files/state.ts';
import { VERSION } from '../version.ts';

/** A project that botcli created. */
export interface Project {
  /** Its absolute path. */
  root: string;
  state: ProjectState;
  config: ScaffoldConfig;
}

/** The directory of the project that contains this one: itself, or the nearest one above that has a state file. */
export function findProject(directory: string): string | undefined {
  const path = resolve(directory);
  if (exists(join(path, STATE_FILE))) return path;
  return dirname(path) === path ? undefined : findProject(dirname(path));
}

/** Whether there is anything at a path that can be looked at. */
function exists(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  } catch {
    return false;
  }
}

/**
 * Reads how a project was made.
 *
 * @throws {UserError} Exit code 2: there is no project, or its state file can't be used.
 */
export function openProject(directory: string): Project {
  const root = findProject(directory);
  if (root === undefined) {
    throw notAProject(`${directory} is not in a botcli project: there is no ${STATE_FILE}`, {
      hint: 'Pass the directory that botcli init created, or create a project with: botcli init',
    });
  }
  const text = readText(join(root, STATE_FILE));
  const state = text === undefined ? "can't be read: it isn't a readable file" : parseState(text);
  if (typeof state === 'string') {
    throw notAProject(`${join(root, STATE_FILE)} ${state}`, { hint: 'Restore the file, for example from git.' });
  }
  return { root, state, config: configOf(root, state) };
}

function configOf(root: string, { choices, version }: ProjectState): ScaffoldConfig {
  try {
    return resolveConfig({ file: choices, fileName: STATE_FILE, flags: {}, directoryName: 'bot' });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const isNewer = gt(version, VERSION);
    const hint = isNewer ? `Use that release: npx botcli@${version} check` : 'Restore the file, for example from git.';
    const why = isNewer ? `was written by botcli ${version}, and this is ${VERSION}` : "doesn't describe a bot";
    throw notAProject(`${join(root, STATE_FILE)} ${why}:`, { hint, problems: error.problems });
  }
}

const notAProject = (message: string, details: { hint: string; problems?: readonly string[] }) =>
  new UserError(message, { reason: 'not-a-project', exitCode: 2, ...details });

/** The largest file that is read, in bytes. */
const LARGEST = 2 ** 20;

/** The text of a file; undefined if there is none, or it isn't a readable file of at most 1 MiB. */
export function readText(path: string): string | undefined {
  try {
    // Reading anything else, such as a pipe, could wait forever.
    const stat = statSync(path);
    return stat.isFile() && stat.size <= LARGEST ? readFileSync(path, 'utf8') : undefined;
  } catch {
    return undefined;
  }
}
