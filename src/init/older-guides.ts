import { readText } from '../paths/read.ts';
import { guidesOlderThan } from '../project/files/guides.ts';
import { VERSION } from '../version.ts';

/** The guides in a directory that an older botcli wrote. */
export const olderGuides = (directory: string): string[] => guidesOlderThan(VERSION, name => readText(directory, name));
