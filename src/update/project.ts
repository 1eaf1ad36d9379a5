import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import gt from 'semver/functions/gt.js';
import { usageError } from '../errors.ts';
import { PROGRAM } from '../program.ts';
import { type ProjectState, parseState, STATE_FILE } from '../project/files/state.ts';
import type { JsonFile } from '../shell/json-file.ts';
import type { Terminal } from '../shell/terminal.ts';
import { shellPath } from '../shells.ts';
import { explainSystemError } from '../system-errors.ts';
import { VERSION } from '../version.ts';
import { stateFromReadme } from './readme-command.ts';

/** A project that botcli made. */
export interface Project {
  /** Its directory, absolute. */
  directory: string;
  state: ProjectState;
  /** The state file as it was read. */
  stateFile: Buffer | undefined;
  /** Whether there is no state file, so its README said how it was made. */
  isRebuilt: boolean;
}

/**
 * Finds the project in a directory. If it has no state file, its README or the given file says how it was made.
 *
 * @throws {UserError} Exit code 2: there is none, or its state can't be used.
 */
export function openProject(typed: string, given: JsonFile | undefined, terminal: Terminal): Project {
  const directory = resolve(terminal.cwd, typed);
  const stateFile = readIfFile(join(directory, STATE_FILE), `${typed === '.' ? '' : `${typed}/`}${STATE_FILE}`);
  if (stateFile === undefined) {
    const readme = readIfFile(join(directory, 'README.md'), 'README.md')?.toString('utf8');
    const state = stateFrom(given) ?? stateFromReadme(readme ?? '');
    if (state) return { directory, state, stateFile, isRebuilt: true };
    throw noProject(typed, directory, terminal);
  }
  const state = parseState(stateFile.toString('utf8'));
  if (typeof state === 'string') throw unusable(`${STATE_FILE} ${state}. Nothing was changed.`);
  if (!gt(state.version, VERSION)) return { directory, state, stateFile, isRebuilt: false };
  throw usageError(
    `This project was written by botcli ${state.version}, and this is ${VERSION}. Nothing was changed.`,
    {
      reason: 'not-a-project',
      hint: `Use that release or a newer one: ${PROGRAM.replace(VERSION, state.version)} update`,
    },
  );
}

/** The state that a config file describes: this release made the project from it. */
function stateFrom(given: JsonFile | undefined): ProjectState | undefined {
  if (!given) return undefined;
  const { file, fileName, fileProblem } = given;
  if (fileProblem) throw usageError(`${fileName} ${fileProblem}`, { reason: 'invalid-configuration' });
  return { version: VERSION, choices: { ...(file as object) }, files: new Map() };
}

function readIfFile(path: string, name: string): Buffer | undefined {
  try {
    // Reading anything else, such as a pipe, could wait forever.
    return statSync(path, { throwIfNoEntry: false })?.isFile() ? readFileSync(path) : undefined;
  } catch (error) {
    throw usageError(`Can't read ${name}: ${explainSystemError(error)}`, { reason: 'not-a-project' });
  }
}

const unusable = (message: string) =>
  usageError(message, {
    reason: 'not-a-project',
    hint: [
      'Restore the file from version control. Without it, say how the project was made:',
      '  delete it, and pass the choices with --config FILE, or as options',
    ].join('\n'),
  });

function noProject(typed: string, directory: string, { cwd, env }: Terminal) {
  const near = nearestProjects(directory).map(path => shellPath(relative(cwd, path) || '.', env));
  const hint =
    near.length > 0
      ? `Did you mean ${near.map(path => `botcli update ${path}`).join(', or ')}?`
      : [
          `A project has a ${STATE_FILE}, which botcli init writes. If yours lost it, restore it from version control,`,
          'or say how the project was made: --config FILE',
          'A new project: botcli init',
        ].join('\n');
  return usageError(`${typed === '.' ? 'This directory' : typed} has no botcli project (no ${STATE_FILE})`, {
    reason: 'not-a-project',
    hint,
  });
}

/** How far below a directory to look for projects. */
const LEVELS = 2;

/** The project that contains the directory, or those in it. */
function nearestProjects(directory: string): string[] {
  for (let at = dirname(directory); at !== dirname(at); at = dirname(at)) {
    if (existsSync(join(at, STATE_FILE))) return [at];
  }
  return projectsBelow(directory, LEVELS).slice(0, 3);
}

function projectsBelow(directory: string, levels: number): string[] {
  if (levels === 0) return [];
  return subdirectories(directory).flatMap(path =>
    existsSync(join(path, STATE_FILE)) ? [path] : projectsBelow(path, levels - 1),
  );
}

function subdirectories(directory: string): string[] {
  try {
    const entries = readdirSync(directory, { withFileTypes: true });
    const names = entries.filter(entry => entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name));
    return names.map(({ name }) => join(directory, name)).sort();
  } catch {
    return [];
  }
}
