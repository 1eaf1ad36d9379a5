import { join } from 'node:path';
import { exists, listDirectory } from '../paths/read.ts';
import { STATE_FILE } from '../project/files/state.ts';

/** How far below a directory to look for projects. */
const LEVELS = 2;

/** At most this many are found. */
const MOST = 3;

/** The nearest projects below a directory. */
export const projectsBelow = (directory: string): string[] => search(directory, LEVELS).slice(0, MOST);

function search(directory: string, levels: number): string[] {
  if (levels === 0) return [];
  return subdirectories(directory).flatMap(path => (exists(path, STATE_FILE) ? [path] : search(path, levels - 1)));
}

function subdirectories(directory: string): string[] {
  const entries = listDirectory(directory);
  const names = (typeof entries === 'string' ? [] : entries).filter(
    entry => entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name),
  );
  return names.map(({ name }) => join(directory, name)).sort();
}
