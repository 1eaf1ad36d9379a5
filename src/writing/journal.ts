import { isObject, parsedJson } from '../json.ts';
import { excerpt } from '../printable.ts';
import { isInside, isProtected } from '../project/files/protected.ts';

/** A change to one file, as needed to finish or undo it. */
interface Entry {
  /** Its real path in the project, with `/`. */
  path: string;
  /** The SHA-256 of what it was; null if there was no file. */
  old: string | null;
  /** The SHA-256 of what it becomes; null if it is deleted. */
  new: string | null;
}

/** What a run is about to do. It is on disk before the first change to the project, and until after the last one. */
export interface Journal {
  /** In the order in which they happen. When the last one has happened, the run has succeeded. */
  entries: readonly Entry[];
  /** The directories that it creates, each after its parent. */
  directories: readonly string[];
}

/** The largest journal that is read, in bytes. Ours have a few thousand. */
export const LARGEST_JOURNAL = 2 ** 20;

export const journalText = (journal: Journal): string => `${JSON.stringify(journal, null, 2)}\n`;

/**
 * Reads a journal, which may be a stranger's.
 *
 * @returns The journal, or what is wrong with it, worded to follow "its journal".
 */
export function parseJournal(text: string): Journal | string {
  const value = parsedJson(text);
  if (!isObject(value) || !isList(value.entries) || !isList(value.directories)) return "isn't one that botcli writes";
  const { entries, directories } = value;
  if (entries.length === 0 || !entries.every(isEntry) || !directories.every(isText)) {
    return "isn't one that botcli writes";
  }
  const paths = entries.map(({ path }) => path);
  const bad = [...paths, ...directories].find(path => !isInside(path) || isProtected(path));
  if (bad !== undefined) return `names ${excerpt(bad)}, which botcli never touches`;
  if (new Set(paths).size < paths.length) return 'names a file twice';
  return { entries, directories };
}

const isText = (value: unknown): value is string => typeof value === 'string';
const isList = (value: unknown): value is readonly unknown[] => Array.isArray(value);

function isEntry(value: unknown): value is Entry {
  if (!isObject(value) || typeof value.path !== 'string') return false;
  const hashes = [value.old, value.new];
  return hashes.every(isHash) && value.old !== value.new;
}

const isHash = (value: unknown): boolean =>
  value === null || (typeof value === 'string' && /^[0-9a-f]{64}$/.test(value));
