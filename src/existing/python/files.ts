import { exists, listDirectory, readContents } from '../../paths/read.ts';
import { unique } from '../../std.ts';

/** The files that Python starts. */
export const BOT = 'server/bot.py';
export const CALL_SERVER = 'server/server.py';

const SERVER = 'server';
/** More than a bot has: it may have been unpacked into a directory with something else. */
const MOST = { files: 2000, bytes: 20 * 2 ** 20, words: 500_000, folders: 2000 };
/** Why not all of it was read. */
const TOO_MUCH =
  'has over 2,000 Python files or directories, 20 MiB or 500,000 words of Python, so botcli read only some';
const TOO_LONG = "has over 500,000 words of Python, so botcli didn't read it";
const TOO_DEEP = "can't be read: it is more directories deep than botcli goes";
/** Reasons that don't keep the bot from running. */
export const LIMITS = ['is larger than 1 MiB', TOO_MUCH, TOO_LONG, TOO_DEEP];
const IGNORED = new Set(['node_modules', '__pycache__', 'site-packages']);

/** The Python files of a project, by their paths in it. */
interface PythonFiles {
  texts: ReadonlyMap<string, string>;
  /** Why there is no text of some: words that follow the name. */
  unread: ReadonlyMap<string, string>;
}

/**
 * Reads the Python files in `server/`, or in the whole project, such as in `tests/`: first those that Python starts.
 * Virtual environments aren't the project's own.
 */
export function readPythonFiles(root: string, isWhole = false): PythonFiles {
  const folders = isWhole ? [SERVER, '.'] : [SERVER];
  const texts = new Map<string, string>();
  const unread = new Map<string, string>();
  const room = { bytes: MOST.bytes, words: MOST.words };
  for (const path of unique([BOT, CALL_SERVER, ...folders.flatMap(folder => listPython(root, folder, unread))])) {
    const contents = readContents(root, path);
    if (typeof contents !== 'string') {
      const text = contents.toString('utf8');
      room.bytes -= contents.length;
      room.words -= room.bytes < 0 ? 0 : wordsIn(text, room.words);
      if (room.bytes < 0 || room.words < 0 || texts.size === MOST.files) {
        if (texts.size === 0) unread.set(path, TOO_LONG);
        else unread.set(SERVER, TOO_MUCH);
        break;
      }
      texts.set(path, text);
    } else if (contents !== 'absent' && contents !== 'is a directory') unread.set(path, contents);
  }
  return { texts, unread };
}

/** How many words, signs and ends of lines are in a text, which is about what takes time; as far as they matter. */
function wordsIn(text: string, most: number): number {
  const word = /\w+|[^\w ]/g;
  let count = 0;
  while (count <= most && word.test(text)) count += 1;
  return count;
}

function listPython(root: string, top: string, unread: Map<string, string>): string[] {
  const found: string[] = [];
  const folders = [top];
  for (const folder of folders) {
    const entries = listDirectory(root, folder);
    if (typeof entries === 'string') unread.set(folder, entries);
    for (const entry of typeof entries === 'string' ? [] : entries) {
      const path = folder === '.' ? entry.name : `${folder}/${entry.name}`;
      const isOwn = !entry.name.startsWith('.') && !IGNORED.has(entry.name);
      if (entry.name.endsWith('.py') && !entry.isDirectory()) found.push(path);
      else if (entry.isDirectory() && isOwn && folders.length === MOST.folders) unread.set(SERVER, TOO_MUCH);
      else if (entry.isDirectory() && isOwn && !exists(root, `${path}/pyvenv.cfg`)) folders.push(path);
    }
  }
  return found;
}
