import { exists, listDirectory, readText } from '../paths/read.ts';

/** The directory with the bot's code. */
const SERVER = 'server';
/** More files than a bot has: it may have been unpacked into a directory with something else. */
const MOST_FILES = 2000;
const IGNORED = new Set(['node_modules', '__pycache__', 'site-packages']);

/** The texts of a project's own Python files, by their paths in the project. Virtual environments aren't its own. */
export function readPythonFiles(root: string): Map<string, string> {
  const texts = new Map<string, string>();
  const folders = [SERVER];
  for (let folder = folders.shift(); folder !== undefined && texts.size < MOST_FILES; folder = folders.shift()) {
    for (const entry of listDirectory(root, folder)) {
      const path = `${folder}/${entry.name}`;
      const isOwn = !entry.name.startsWith('.') && !IGNORED.has(entry.name);
      if (entry.isDirectory() && isOwn && !exists(root, `${path}/pyvenv.cfg`)) folders.push(path);
      const text = entry.name.endsWith('.py') && !entry.isDirectory() ? readText(root, path) : undefined;
      if (text !== undefined) texts.set(path, text);
    }
  }
  return texts;
}
