import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { orElse } from './or-else.ts';
import { findProgram, withOwnPrograms } from './search-path.ts';
import type { Environment } from './shells.ts';
import { shortAnswer } from './short-answer.ts';

/** How long git may take, in milliseconds. */
const PATIENCE = 2000;

/**
 * The repository may be a stranger's, and its settings can name programs. So git runs no monitor, hook or pager, fetches
 * nothing, and writes nothing.
 */
const HARMLESS = ['--no-pager', '--literal-pathspecs', '-c', 'core.fsmonitor=', '-c', 'core.hooksPath=/dev/null'];
const OFFLINE = { GIT_ALLOW_PROTOCOL: '', GIT_NO_LAZY_FETCH: '1', GIT_OPTIONAL_LOCKS: '0' };

/** In a hook, these say which repository git is working on. */
const OTHER_REPOSITORY = { GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_INDEX_FILE: undefined };

/**
 * The files that git tracks, so that anyone with the repository can read them. Asks git once for each repository that
 * the paths are in, and not at all without one.
 *
 * @param paths Relative to the directory, with `/`. A directory stands for all of its files.
 * @returns Those of the paths that git tracks. None if there is no git or no repository, or git takes more than two seconds.
 */
export async function trackedFiles(
  directory: string,
  paths: readonly string[],
  env: Environment,
): Promise<ReadonlySet<string>> {
  const repositories = new Map<string, Map<string, string>>();
  for (const path of paths) {
    const folder = realPath(join(directory, dirname(path)));
    const repository = repositoryOf(folder);
    if (!repository) continue;
    const names = repositories.get(repository) ?? new Map();
    repositories.set(repository, names.set(slashed(relative(repository, join(folder, basename(path)))), path));
  }
  const found = await Promise.all(
    [...repositories].map(async ([repository, names]) => {
      const tracked = await listTracked(directory, repository, [...names.keys()], env);
      return [...names].filter(([name]) => tracked.some(one => one === name || one.startsWith(`${name}/`)));
    }),
  );
  return new Set(found.flat().map(([, path]) => path));
}

async function listTracked(
  directory: string,
  repository: string,
  paths: readonly string[],
  env: Environment,
): Promise<string[]> {
  const args = [...HARMLESS, '-C', repository, 'ls-files', '-z', '--', ...paths];
  const program = findProgram('git', env, directory);
  if (!program) return [];
  const ownEnv = { ...withOwnPrograms(env, directory), ...OTHER_REPOSITORY, ...OFFLINE };
  const answer = await shortAnswer([program, ...args], { env: ownEnv, patience: PATIENCE });
  return 'output' in answer ? answer.output.split('\0').filter(Boolean) : [];
}

/** The nearest directory above that holds a repository: a worktree and a submodule have a file named `.git`. */
function repositoryOf(directory: string): string | undefined {
  if (existsSync(join(directory, '.git'))) return directory;
  return dirname(directory) === directory ? undefined : repositoryOf(dirname(directory));
}

/** Without links, beyond which git knows no files. */
const realPath = (path: string): string => orElse(() => realpathSync(path), resolve(path));

const slashed = (path: string): string => path.split(sep).join('/');
