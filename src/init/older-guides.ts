import { join } from 'node:path';
import { readText } from '../existing/read-file.ts';
import { guidesOlderThan } from '../project/files/guides.ts';
import { VERSION } from '../version.ts';

/** The guides in a directory that an older botcli wrote. */
export const olderGuides = (directory: string): string[] =>
  guidesOlderThan(VERSION, name => readText(join(directory, name)));
