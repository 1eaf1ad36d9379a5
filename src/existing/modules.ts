import { posix } from 'node:path';
import { unique } from '../unique.ts';
import { type PythonReads, readsOf } from './python/reads.ts';

/** How many modules may look names up in each other. */
const MOST_LOOK_UPS = 50;

/** Reads the modules of a project. Each may use what another one gives a meaning. */
export function readModules(files: ReadonlyMap<string, string>): Map<string, PythonReads> {
  const modules = new Map<string, PythonReads>();
  const open = new Set<string>();
  const read = (path: string): PythonReads | undefined => {
    const text = files.get(path);
    if (modules.has(path) || text === undefined || open.has(path) || open.size > MOST_LOOK_UPS)
      return modules.get(path);
    open.add(path);
    const reads = readsOf(text, name => lookUp(name, path));
    open.delete(path);
    modules.set(path, reads);
    return reads;
  };
  const lookUp = (full: string, importer: string) => {
    const [, dots = '', module = '', name = ''] = /^(\.*)(?:(.*)\.)?([^.]+)$/.exec(full) ?? [];
    const paths = dots + module === '' ? [] : pathsOf(dots + module, importer);
    const meaning = paths.flatMap(path => read(path) ?? [])[0]?.meaningOf(name);
    // What another module imports from its own package means something else here.
    return meaning?.is === 'import' && meaning.path.startsWith('.') ? undefined : meaning;
  };
  for (const path of files.keys()) read(path);
  // In the order of the files, whichever was read first.
  return new Map(
    [...files.keys()].flatMap(path => (modules.has(path) ? [[path, modules.get(path) as PythonReads]] : [])),
  );
}

/** A file and what it imports, directly or not. */
export function withImports(
  path: string,
  modules: ReadonlyMap<string, PythonReads>,
  known: Iterable<string> = [],
): Set<string> {
  const found = new Set(known);
  const visit = (one: string) => {
    const reads = modules.get(one);
    if (!reads || found.has(one)) return;
    found.add(one);
    for (const name of reads.imports) pathsOf(name, one).forEach(visit);
  };
  visit(path);
  return found;
}

/** The files that an imported module may be. Python looks for it next to `bot.py`; `.call` is next to the importer. */
export function pathsOf(name: string, importer: string): string[] {
  const [dots = ''] = /^\.*/.exec(name) ?? [];
  const folders = importer.split('/');
  const folder = dots === '' ? ['server'] : folders.slice(0, folders.length - dots.length);
  const rest = name
    .slice(dots.length)
    .split('.')
    .filter(part => part !== '');
  const base = [...folder, ...rest].join('/');
  return [`${base}.py`, `${base}/__init__.py`];
}

/** The path of a module without its ending, so that of a package is its directory. */
export const withoutSuffix = (path: string): string => path.replace(/(?:\/__init__)?\.py$/, '');

/** Where a file may be that a module names: Python is started next to the bot. None of them is outside of the project. */
export const placesOf = (file: string, importer: string): string[] =>
  posix.isAbsolute(file)
    ? []
    : unique(['server', posix.dirname(importer), '.'].map(folder => posix.join(folder, file))).filter(
        place => !place.startsWith('..'),
      );
