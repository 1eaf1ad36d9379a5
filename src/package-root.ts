import { existsSync } from 'node:fs';
import { dirname, extname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

// A bundler moves what modules share into files of its own, and `import.meta.url` with them. So no module goes by its
// own place: this one alone finds out where the generators are.

const here = fileURLToPath(import.meta.url);

/** The directory that holds `src` and `generators`: the package's own, or its `dist`. */
const root = findAbove(dirname(here));

/** Our generators: each is a directory of `generators`. */
export const GENERATORS = ['app', 'bot', 'client', 'guide', 'quickstart'] as const;
type GeneratorName = (typeof GENERATORS)[number];

/** What a generator of ours is called in a Yeoman environment. */
export const namespaceOf = <const Name extends GeneratorName>(name: Name) => `botcli:${name}` as const;

/** The module of a generator of ours. */
export const generatorModule = (name: GeneratorName): string => join(root, 'generators', name, `index${extname(here)}`);

/** Where the templates of a generator of ours are. */
export const generatorTemplates = (name: GeneratorName): string => join(root, 'generators', name, 'templates');

/** This package's name. */
export const PACKAGE = 'generator-botcli';

/** Whether a module is one of this package's. */
export const isOurs = (path: string): boolean => path.startsWith(root + sep);

function findAbove(directory: string): string {
  return existsSync(join(directory, 'generators')) ? directory : findAbove(dirname(directory));
}
