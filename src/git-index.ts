import { closeSync, existsSync, openSync, readFileSync, readSync, statSync } from 'node:fs';
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
    return contains(join(gitFolder(root), 'index'), entry);
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
  if (!isFile(path)) return path;
  return resolve(
    root,
    readFileSync(path, 'utf8')
      .replace(/^gitdir: /, '')
      .trim(),
  );
}

/** Reading anything else, such as a named pipe, could wait forever. */
const isFile = (path: string): boolean => statSync(path).isFile();

/** The index of a large repository has hundreds of megabytes, so it is read in parts of this size, in bytes. */
const PART = 2 ** 20;

/** Whether a file contains these bytes. */
function contains(path: string, bytes: Buffer): boolean {
  if (!isFile(path)) return false;
  const file = openSync(path, 'r');
  try {
    // Each part begins with the end of the one before, so that the bytes are found across parts.
    const part = Buffer.alloc(bytes.length + PART);
    let kept = 0;
    for (let read = 1; read > 0; ) {
      read = readSync(file, part, kept, PART, null);
      const filled = part.subarray(0, kept + read);
      if (filled.includes(bytes)) return true;
      kept = Math.min(bytes.length, filled.length);
      filled.copy(part, 0, filled.length - kept);
    }
    return false;
  } finally {
    closeSync(file);
  }
}
