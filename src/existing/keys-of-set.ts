import { readText } from '../paths/read.ts';
import { DEPLOY_FILE, parseDeployFile } from './deploy-file.ts';
import { readModules, requirementsOf } from './needs.ts';
import { findProject, knownConfigOf, readProject } from './open-project.ts';
import { readPythonFiles } from './python/files.ts';

/**
 * The keys that a secret set needs, according to the code of the project around a directory. None if there is no
 * project, or its deploys use another set.
 */
export function keysOfSet(set: string, directory: string): readonly string[] {
  const root = findProject(directory);
  const deploy = root === undefined ? undefined : parseDeployFile(readText(root, DEPLOY_FILE) ?? '');
  if (root === undefined || deploy?.secretSet !== set) return [];
  const project = readProject(root);
  const config = typeof project === 'string' ? undefined : knownConfigOf(project);
  // What is wrong with the project is nothing that this command can't work without.
  return config ? requirementsOf(readModules(readPythonFiles(root).texts), config).inCloud : [];
}
