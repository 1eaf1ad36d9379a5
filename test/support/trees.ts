import {
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, posix, resolve } from 'node:path';

/** A directory's content by relative path: a file's text, `/` for a directory, `-> path` for a symbolic link. */
export type Tree = Readonly<Record<string, string>>;

/** Runs `use` in a new directory that contains `tree`. */
export async function inTree<Result>(tree: Tree, use: (directory: string) => Result | Promise<Result>) {
  const directory = mkdtempSync(join(tmpdir(), 'botcli-generation-'));
  try {
    growTree(directory, tree);
    return await use(directory);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** Writes a tree into a directory. */
export function growTree(directory: string, tree: Tree): void {
  for (const [name, value] of Object.entries(tree)) {
    const path = join(directory, name);
    mkdirSync(dirname(path), { recursive: true });
    if (value === '/') mkdirSync(path, { recursive: true });
    else if (value.startsWith('-> ')) link(value.slice(3), path);
    else writeFileSync(path, value);
  }
}

/** On Windows, a link has the type of what it leads to. */
function link(to: string, path: string): void {
  const leadsTo = lstatSync(resolve(dirname(path), to), { throwIfNoEntry: false });
  symlinkSync(to, path, leadsTo?.isDirectory() ? 'dir' : 'file');
}

/** The content of a directory in the notation of `Tree`; directories only if they are empty. */
export function readTree(directory: string): Tree {
  const lines = walk(directory).map(name => [name, describe(join(directory, name))] as const);
  return Object.fromEntries(lines.filter((line): line is [string, string] => line[1] !== undefined));
}

function describe(path: string): string | undefined {
  const stat = lstatSync(path);
  if (stat.isSymbolicLink()) return `-> ${readlinkSync(path)}`;
  if (stat.isDirectory()) return readdirSync(path).length === 0 ? '/' : undefined;
  return stat.isFile() ? readFileSync(path, 'utf8') : 'special';
}

/**
 * The state of a directory, for comparing: types, modes, contents, inodes and times. Staging and removing files changes
 * the times of directories, so those can be excluded.
 */
export function fingerprint(directory: string, directoryTimes = true): Record<string, string> {
  const line = (path: string) => {
    const stat = lstatSync(path, { bigint: true });
    const hasTime = directoryTimes || !stat.isDirectory();
    return [stat.mode.toString(8), stat.ino, hasTime && stat.mtimeNs, describe(path)].join(' ');
  };
  return Object.fromEntries(['', ...walk(directory)].map(name => [name, line(join(directory, name))]));
}

function walk(directory: string, prefix = ''): string[] {
  const entries = readdirSync(join(directory, prefix), { withFileTypes: true });
  const names = entries.flatMap(entry => {
    const name = posix.join(prefix, entry.name);
    return entry.isDirectory() ? [name, ...walk(directory, name)] : [name];
  });
  return names.sort();
}
