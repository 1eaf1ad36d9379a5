import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { guidesOlderThan } from '../project/files/guides.ts';
import { VERSION } from '../version.ts';

/** The guides in a directory that an older botcli wrote. */
export const olderGuides = (directory: string): string[] =>
  guidesOlderThan(VERSION, name => textOf(join(directory, name)));

/** The text of a file, if it is one that can be read. */
export function textOf(path: string): string | undefined {
  try {
    // Reading anything else, such as a pipe, could wait forever.
    return statSync(path).isFile() ? readFileSync(path, 'utf8') : undefined;
  } catch {
    // An unreadable guide is reported when botcli tries to write it.
    return undefined;
  }
}
