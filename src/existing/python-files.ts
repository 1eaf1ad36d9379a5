import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { explainSystemError } from '../system-errors.ts';
import { LARGEST, readContents } from './read-file.ts';

/** The directory with the bot's code. */
const SERVER = 'server';
/** More files than a bot has: it may have been unpacked into a directory with something else. */
const MOST_FILES = 2000;
const IGNORED = new Set(['node_modules', '__pycache__', 'site-packages']);

/** The Python files of a project, by their paths in it. */
export interface PythonFiles {
  texts: ReadonlyMap<string, string>;
  /** Why there is no text of some files and directories: words that follow the name. */
  unread: ReadonlyMap<string, string>;
}

/** Reads a project's own Python files. Virtual environments aren't its own. */
export function readPythonFiles(root: string): PythonFiles {
  const texts = new Map<string, string>();
  const unread = new Map<string, string>();
  const folders = [SERVER];
  for (let folder = folders.shift(); folder !== undefined && texts.size < MOST_FILES; folder = folders.shift()) {
    const entries = entriesOf(join(root, folder));
    if (typeof entries === 'string') unread.set(folder, entries);
    for (const entry of typeof entries === 'string' ? [] : entries) {
      const path = `${folder}/${entry.name}`;
      const isOwn = !entry.name.startsWith('.') && !IGNORED.has(entry.name);
      if (entry.isDirectory() && isOwn && !existsSync(join(root, path, 'pyvenv.cfg'))) folders.push(path);
      if (!entry.name.endsWith('.py') || entry.isDirectory()) continue;
      const contents = readContents(join(root, path), LARGEST);
      if (typeof contents !== 'string') texts.set(path, contents.toString('utf8'));
      else if (contents !== 'absent' && contents !== 'is a directory') unread.set(path, contents);
    }
  }
  return { texts, unread };
}

function entriesOf(folder: string) {
  try {
    return existsSync(folder) ? readdirSync(folder, { withFileTypes: true }) : [];
  } catch (error) {
    return `can't be read: ${explainSystemError(error)}`;
  }
}
