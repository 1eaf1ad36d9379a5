import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { findProgram, shortAnswer, withOwnPrograms } from './programs.ts';
import type { Environment } from './shells.ts';
import { orElse } from './std.ts';

const PATIENCE = 10_000;

/**
 * The repository may be a stranger's, and its settings can name programs. So git runs no monitor, hook or pager, and
 * neither fetches nor writes.
 */
const HARMLESS = ['--no-pager', '--literal-pathspecs', '-c', 'core.fsmonitor=', '-c', 'core.hooksPath=/dev/null'];
const OFFLINE = { GIT_ALLOW_PROTOCOL: '', GIT_NO_LAZY_FETCH: '1', GIT_OPTIONAL_LOCKS: '0' };

/** In a hook, these say which repository git is working on. */
const OTHER_REPOSITORY = { GIT_DIR: undefined, GIT_WORK_TREE: undefined, GIT_INDEX_FILE: undefined };

/** Whether git tracks a file, so that anyone with the repository can read it. It doesn't say so if it takes too long. */
export async function isTracked(path: string, env: Environment): Promise<boolean> {
  const folder = realPath(dirname(path));
  const repository = repositoryOf(folder);
  if (!repository) return false;
  const name = slashed(relative(repository, join(folder, basename(path))));
  const answer = await askGit(folder, repository, ['ls-files', '-z', '--', name], env);
  return 'output' in answer && answer.output.split('\0').includes(name);
}

/**
 * The files (relative, with `/`) of a directory that git tracks or doesn't ignore; none if there is no git or no
 * repository, or git takes too long. Or the repository, if git refuses to read it because it is another user's.
 */
export async function committedFiles(
  directory: string,
  env: Environment,
): Promise<{ files: { path: string; isTracked: boolean }[] } | { refused: string }> {
  const folder = realPath(directory);
  const repository = repositoryOf(folder);
  if (!repository) return { files: [] };
  const within = slashed(relative(repository, folder));
  // -t says which are tracked.
  const list = ['ls-files', '-z', '-t', '--cached', '--others', '--exclude-standard', '--', within || '.'];
  const answer = await askGit(directory, repository, list, env);
  if ('output' in answer) {
    const start = within === '' ? 0 : within.length + 1;
    const lines = answer.output.split('\0').filter(line => line !== '' && !line.endsWith('/'));
    return { files: lines.map(line => ({ path: line.slice(2 + start), isTracked: !line.startsWith('? ') })) };
  }
  // Git names this setting in every language.
  return answer.errors?.includes('safe.directory') ? { refused: repository } : { files: [] };
}

async function askGit(
  directory: string,
  repository: string,
  args: readonly string[],
  env: Environment,
): ReturnType<typeof shortAnswer> {
  const program = findProgram('git', env, directory);
  if (!program) return { problem: "isn't installed" };
  const ownEnv = { ...withOwnPrograms(env, directory), ...OTHER_REPOSITORY, ...OFFLINE };
  return shortAnswer([program, ...HARMLESS, '-C', repository, ...args], { env: ownEnv, patience: PATIENCE });
}

/** The nearest directory above that holds a repository: a worktree and a submodule have a file named `.git`. */
function repositoryOf(directory: string): string | undefined {
  if (existsSync(join(directory, '.git'))) return directory;
  return dirname(directory) === directory ? undefined : repositoryOf(dirname(directory));
}

/** Without links, beyond which git knows no files. */
const realPath = (path: string): string => orElse(() => realpathSync(path), resolve(path));

const slashed = (path: string): string => path.split(sep).join('/');
