import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isProtected } from '../../project/files/protected.ts';
import { isSystemError } from '../../system-errors.ts';

/** More bytes than an env file has. */
const LARGEST = 2 ** 20;

/**
 * Finds files that are other names (hard links) of env files, or of files right in a directory of git; and copies of env
 * files.
 */
export function createSecretFinder() {
  const secrets = new Set<string>();
  /** The paths of env files, by their sizes. */
  const originals = new Map<number, string[]>();
  /** Files with several names, and their inodes. */
  const suspects = new Map<string, string>();
  /** Notes an env file, or a directory of git. */
  const note = (path: string, levels = 1): void => {
    quietly(() => {
      const stat = statSync(path);
      if (stat.isFile() && isBlank(path, stat.size)) return;
      if (stat.isFile()) secrets.add(idOf(stat));
      // There may be a copy of what has no secret, such as .env.example.
      if (stat.isFile() && stat.size > 0 && stat.size <= LARGEST && isProtected(basename(path))) {
        originals.set(stat.size, [...(originals.get(stat.size) ?? []), path]);
      }
      if (stat.isDirectory() && levels > 0) for (const name of readdirSync(path)) note(join(path, name), 0);
    });
  };
  const isCopy = ({ path, bytes }: { path: string; bytes: number }): boolean =>
    (originals.get(bytes) ?? []).some(
      original => quietly(() => readFileSync(original).equals(readFileSync(path))) === true,
    );
  return {
    note,
    /** Notes a file to upload. */
    suspect(name: string, stat: Stats): void {
      if (stat.nlink > 1) suspects.set(name, idOf(stat));
    },
    /** The names of the files that are secrets, each with the reason, which follows the name. */
    found(files: readonly { name: string; path: string; bytes: number }[]): Map<string, string> {
      const copies = files.filter(isCopy);
      const others = [...suspects].filter(([, id]) => secrets.has(id));
      return new Map([
        ...copies.map(({ name }) => [name, 'is a copy of an env file'] as const),
        ...others.map(([name]) => [name, 'is another name of an env file'] as const),
      ]);
    },
  };
}

/** Whether an env file sets nothing. The code of a package is often a file like that. */
const isBlank = (path: string, bytes: number): boolean =>
  bytes <= LARGEST && isProtected(basename(path)) && !/^[ \t\f\v]*[^\s#]/m.test(readFileSync(path, 'latin1'));

const idOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`;

/** What can't be read is nothing's copy. The upload reads it again, and says why it can't. */
function quietly<Result>(look: () => Result): Result | undefined {
  try {
    return look();
  } catch (error) {
    if (!isSystemError(error)) throw error;
    return undefined;
  }
}
