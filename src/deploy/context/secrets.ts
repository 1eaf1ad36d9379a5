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
export class Secrets {
  private readonly secrets = new Set<string>();
  /** The paths of env files, by their sizes. */
  private readonly originals = new Map<number, string[]>();
  /** Files with several names, and their inodes. */
  private readonly suspects = new Map<string, string>();

  /** Notes a file to upload. */
  suspect(name: string, stat: Stats): void {
    if (stat.nlink > 1) this.suspects.set(name, idOf(stat));
  }

  /** Notes an env file, or a directory of git. */
  note(path: string, levels = 1): void {
    quietly(() => {
      const stat = statSync(path);
      if (stat.isFile()) this.secrets.add(idOf(stat));
      // There may be a copy of what has no secret, such as .env.example.
      if (stat.isFile() && stat.size > 0 && stat.size <= LARGEST && isProtected(basename(path))) {
        this.originals.set(stat.size, [...(this.originals.get(stat.size) ?? []), path]);
      }
      if (stat.isDirectory() && levels > 0) for (const name of readdirSync(path)) this.note(join(path, name), 0);
    });
  }

  /** The names of the files that are secrets, each with the reason, which follows the name. */
  found(files: readonly { name: string; path: string; bytes: number }[]): Map<string, string> {
    const copies = files.filter(file => this.isCopy(file));
    const others = [...this.suspects].filter(([, id]) => this.secrets.has(id));
    return new Map([
      ...copies.map(({ name }) => [name, 'is a copy of an env file'] as const),
      ...others.map(([name]) => [name, 'is another name of an env file'] as const),
    ]);
  }

  private isCopy({ path, bytes }: { path: string; bytes: number }): boolean {
    const originals = this.originals.get(bytes) ?? [];
    return originals.some(original => quietly(() => readFileSync(original).equals(readFileSync(path))) === true);
  }
}

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
