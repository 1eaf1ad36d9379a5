import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

/**
 * Whether git tracks a file, so that whoever has the repository has its content. Looks into git's index, where each path
 * follows its length and ends with a NUL, and runs nothing. Whatever can't be read is not tracked.
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

/** In a working tree beside the first one, `.git` is a file that says where the folder is. */
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
