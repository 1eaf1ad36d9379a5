import { join } from 'node:path';
import { exists, listDirectory } from '../paths/read.ts';
import { STATE_FILE } from '../project/files/state.ts';

/** How far below a directory to look for projects. */
const LEVELS = 2;

const MOST = 3;

/** When so many directories are known, none below them are added. No more of one are looked at. */
const PATIENCE = 2000;

export function projectsBelow(directory: string): string[] {
  const found: string[] = [];
  const folders = subdirectories(directory).map(path => ({ path, level: 1 }));
  // The loop also visits what it adds.
  for (const { path, level } of folders) {
    if (exists(path, STATE_FILE)) found.push(path);
    else if (level < LEVELS && folders.length < PATIENCE)
      folders.push(...subdirectories(path).map(below => ({ path: below, level: level + 1 })));
    if (found.length === MOST) break;
  }
  return found;
}

function subdirectories(directory: string): string[] {
  const entries = listDirectory(directory);
  const names = (typeof entries === 'string' ? [] : entries).filter(
    entry => entry.isDirectory() && !/^\.|^node_modules$/.test(entry.name),
  );
  return names
    .slice(0, PATIENCE)
    .map(({ name }) => join(directory, name))
    .sort();
}
