import { resolve } from 'node:path';
import { usageError } from '../errors.ts';
import { findProject, openProject, type Project, refuseNewer } from '../existing/open-project.ts';
import { BOT } from '../existing/python/files.ts';
import { exists, readText } from '../paths/read.ts';
import type { ProjectState } from '../project/files/state.ts';
import type { JsonFile } from '../shell/json-file.ts';
import type { Terminal } from '../shell/terminal.ts';
import { VERSION } from '../version.ts';
import { findReadme, stateFromReadme } from './readme-command.ts';

/**
 * Opens the project around a directory. If the directory has a bot that lost its state file, its README or the given file
 * says how it was made.
 *
 * @returns The project. Without a state file, it has no `stateFile`.
 * @throws {UserError} Exit code 2: there is no project, its state can't be used, or a newer release wrote it.
 */
export function openOrRebuild(directory: string, given: JsonFile | undefined, { cwd, env }: Terminal): Project {
  const caller = { command: 'update', cwd, env } as const;
  const root = resolve(cwd, directory);
  const found = findProject(root);
  if (found === undefined || (found !== root && exists(root, BOT))) {
    const readme = findReadme(path => readText(root, path));
    const state = stateFrom(given) ?? stateFromReadme(readText(root, readme ?? 'README.md') ?? '');
    if (state) return refuseNewer({ root, state, stateFile: undefined }, caller);
  }
  return refuseNewer(openProject(directory, caller), caller);
}

/** The state that a config file describes: this release made the project from it. */
function stateFrom(given: JsonFile | undefined): ProjectState | undefined {
  if (!given) return undefined;
  const { file, fileName, fileProblem } = given;
  if (fileProblem) throw usageError(`${fileName} ${fileProblem}`, { reason: 'invalid-configuration' });
  return { version: VERSION, choices: { ...(file as object) }, files: new Map() };
}
