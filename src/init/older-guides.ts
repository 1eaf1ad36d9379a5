import { readText } from '../paths/read.ts';
import { guidesOlderThan } from '../project/files/guides.ts';
import { VERSION } from '../version.ts';

export const olderGuides = (directory: string): string[] => guidesOlderThan(VERSION, name => readText(directory, name));
