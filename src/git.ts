import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { withOwnPrograms } from './search-path.ts';

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
 * The files that git tracks, so that anyone with the repository can read them.
 *
 * @param paths Relative to the directory, with `/`.
 * @returns Those of the paths that git tracks. None if there is no git or no repository, or git takes more than two seconds.
 */
export async function trackedFiles(
  directory: string,
  paths: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<ReadonlySet<string>> {
  if (paths.length === 0) return new Set();
  const args = [...HARMLESS, '-C', directory, 'ls-files', '-z', '--', ...paths];
  // Windows looks in the working directory first, which may hold a program of somebody else.
  const cwd = dirname(process.execPath);
  const settings = {
    env: { ...withOwnPrograms(env), ...OTHER_REPOSITORY, ...OFFLINE },
    cwd,
    timeout: PATIENCE,
    windowsHide: true,
  };
  return new Promise(resolve => {
    execFile('git', args, settings, (error, stdout) =>
      resolve(new Set(error ? [] : stdout.split('\0').filter(Boolean))),
    );
  });
}
