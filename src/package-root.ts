import { existsSync } from 'node:fs';
import { dirname, extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

// A bundler moves shared code into separate files, which changes `import.meta.url`. So only this module looks up where
// the generators are.

const here = fileURLToPath(import.meta.url);

/** The directory that contains `src` and `generators`: the package root, or its `dist`. */
const root = findAbove(dirname(here));

/** Our generators: each has a directory in `generators`. */
export const GENERATORS = ['app', 'bot', 'client', 'guide', 'quickstart'] as const;
export type GeneratorName = (typeof GENERATORS)[number];

/** The module of one of our generators. */
export const generatorModule = (name: GeneratorName): string => join(root, 'generators', name, `index${extname(here)}`);

/** The template directory of one of our generators. */
export const generatorTemplates = (name: GeneratorName): string => join(root, 'generators', name, 'templates');

/** The directory with the pages of `botcli guide`. */
export const guidePages = join(root, 'src/guide/pages');

/** Whether a module belongs to this package. */
export const isOurs = (path: string): boolean => path.startsWith(root + sep);

function findAbove(directory: string): string {
  return existsSync(join(directory, 'generators')) ? directory : findAbove(dirname(directory));
}
