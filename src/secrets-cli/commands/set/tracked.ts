import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/**
 * Whether git tracks a file, so that anyone with the repository can read it. This searches git's index, where each path
 * follows its length and ends with a NUL, without running git. If the index can't be read, the file counts as
 * untracked.
 */
export function isTracked(path: string): boolean {
  try {
    const root = rootOf(dirname(resolve(path)));
    if (root === undefined) return false;
    const name = Buffer.from(relative(root, resolve(path)).split(sep).join('/'));
    const entry = Buffer.concat([Buffer.from([name.length & 0xff]), name, Buffer.from([0])]);
    return readFileSync(join(gitFolder(root), 'index')).includes(entry);
  } catch {
    return false;
  }
}

function rootOf(folder: string): string | undefined {
  if (existsSync(join(folder, '.git'))) return folder;
  return dirname(folder) === folder ? undefined : rootOf(dirname(folder));
}

/** In an additional worktree, `.git` is a file that contains the path of the directory. */
function gitFolder(root: string): string {
  const path = join(root, '.git');
  if (statSync(path).isDirectory()) return path;
  return resolve(
    root,
    readFileSync(path, 'utf8')
      .replace(/^gitdir: /, '')
      .trim(),
  );
}
