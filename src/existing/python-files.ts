import { exists, listDirectory, readContents } from '../paths/read.ts';

/** The files that Python starts. */
export const BOT = 'server/bot.py';
export const CALL_SERVER = 'server/server.py';

/** The directory with the bot's code. */
const SERVER = 'server';
/** More files and bytes than a bot has: it may have been unpacked into a directory with something else. */
const MOST_FILES = 2000;
const MOST_BYTES = 20 * 2 ** 20;
/** Why not all of it was read. */
export const TOO_MUCH = 'has over 2,000 Python files or 20 MiB of them, so botcli read only some';
const IGNORED = new Set(['node_modules', '__pycache__', 'site-packages']);

/** The Python files of a project, by their paths in it. */
export interface PythonFiles {
  texts: ReadonlyMap<string, string>;
  /** Why there is no text of some: words that follow the name. */
  unread: ReadonlyMap<string, string>;
}

/** Reads a project's own Python files. Virtual environments aren't its own. */
export function readPythonFiles(root: string): PythonFiles {
  const texts = new Map<string, string>();
  const unread = new Map<string, string>();
  let room = MOST_BYTES;
  for (const path of listPython(root, unread)) {
    const contents = readContents(root, path);
    if (typeof contents !== 'string') {
      room -= contents.length;
      if (room < 0 || texts.size === MOST_FILES) return { texts, unread: unread.set(SERVER, TOO_MUCH) };
      texts.set(path, contents.toString('utf8'));
    } else if (contents !== 'absent' && contents !== 'is a directory') unread.set(path, contents);
  }
  return { texts, unread };
}

function* listPython(root: string, unread: Map<string, string>): Generator<string> {
  const folders = [SERVER];
  for (let folder = folders.shift(); folder !== undefined; folder = folders.shift()) {
    const entries = listDirectory(root, folder);
    if (typeof entries === 'string') unread.set(folder, entries);
    for (const entry of typeof entries === 'string' ? [] : entries) {
      const path = `${folder}/${entry.name}`;
      const isOwn = !entry.name.startsWith('.') && !IGNORED.has(entry.name);
      if (entry.isDirectory() && isOwn && !exists(root, `${path}/pyvenv.cfg`)) folders.push(path);
      if (entry.name.endsWith('.py') && !entry.isDirectory()) yield path;
    }
  }
}
