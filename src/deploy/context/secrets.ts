import { readdirSync, type Stats, statSync } from 'node:fs';
import { join } from 'node:path';
import { isSystemError } from '../../system-errors.ts';

/** Finds files that are other names (hard links) of env files, or of files right in a directory of git. */
export class Secrets {
  private readonly secrets = new Set<string>();
  /** Files with several names, and their inodes. */
  private readonly suspects = new Map<string, string>();

  /** Notes a file to upload. */
  suspect(name: string, stat: Stats): void {
    if (stat.nlink > 1) this.suspects.set(name, idOf(stat));
  }

  /** Notes an env file, or a directory of git. */
  note(path: string, levels = 1): void {
    try {
      const stat = statSync(path);
      if (stat.isFile()) this.secrets.add(idOf(stat));
      if (stat.isDirectory() && levels > 0) for (const name of readdirSync(path)) this.note(join(path, name), 0);
    } catch (error) {
      if (!isSystemError(error)) throw error;
    }
  }

  /** The names of the files that are secrets. */
  found(): Set<string> {
    return new Set([...this.suspects].filter(([, id]) => this.secrets.has(id)).map(([name]) => name));
  }
}

const idOf = ({ dev, ino }: Stats): string => `${dev}:${ino}`;
