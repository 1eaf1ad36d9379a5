import { posix } from 'node:path';
import { unique } from '../unique.ts';
import { type PythonReads, readsOf } from './python/reads.ts';

/** How the path of a package's own code ends. */
const PACKAGE = '/__init__.py';
/** How many modules may look names up in each other. */
const MOST_LOOK_UPS = 50;

type Files = ReadonlyMap<string, string>;
type Modules = ReadonlyMap<string, PythonReads>;

/** How many projects to remember. */
const MOST_REMEMBERED = 4;
const remembered: { texts: readonly string[]; modules: Modules }[] = [];

/** Reads the modules of a project, or remembers what it read: `dev` looks at the same code again after each restart. */
export function readModules(files: Files): Modules {
  const texts = [...files].flat();
  const isSame = (known: readonly string[]) =>
    known.length === texts.length && known.every((one, at) => one === texts[at]);
  const at = remembered.findIndex(known => isSame(known.texts));
  const [project = { texts, modules: readEach(files) }] = at === -1 ? [] : remembered.splice(at, 1);
  remembered.unshift(project);
  remembered.splice(MOST_REMEMBERED);
  return project.modules;
}

/** Each module may use what another one gives a meaning. */
function readEach(files: Files): Modules {
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
export function withImports(path: string, modules: Modules, known: Iterable<string> = []): Set<string> {
  const found = new Set(known);
  const visit = (one: string) => {
    const reads = modules.get(one);
    if (!reads || found.has(one)) return;
    found.add(one);
    for (const name of reads.imports) for (const paths of modulesFor(name, one)) paths.forEach(visit);
  };
  visit(path);
  return found;
}

/**
 * The modules that a file doesn't work without, and those that these import, whether or not they exist. First come those
 * that are imported in any case. Each has the paths that it may be at: files, or a directory if nothing is in its own.
 */
export function importsBelow(start: string, modules: Modules) {
  const found = new Map<string, { paths: readonly string[]; by: string; isCertain: boolean }>();
  const visit = (by: string, isCertain: boolean): void => {
    for (const [name, isAlways] of modules.get(by)?.needs ?? []) {
      for (const paths of isAlways || !isCertain ? modulesFor(name, by) : []) {
        if (found.has(`${paths}`) || paths.includes(start)) continue;
        const folders = paths.filter(path => path.endsWith(PACKAGE) && modules.get(path)?.doesNothing);
        found.set(`${paths}`, { paths: [...paths, ...folders.map(path => posix.dirname(path))], by, isCertain });
        for (const path of paths) visit(path, isCertain);
      }
    }
  };
  visit(start, true);
  for (const path of [start, ...[...found.values()].flatMap(({ paths }) => paths)]) visit(path, false);
  return [...found.values()];
}

/** The files that an imported module, and each package around it, may be: Python loads those first. */
function modulesFor(name: string, importer: string): string[][] {
  const [dots = ''] = /^\.*/.exec(name) ?? [];
  const parts = name.slice(dots.length).split('.');
  return parts.map((_, at) => pathsOf(dots + parts.slice(0, at + 1).join('.'), importer));
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
  return [`${base}.py`, `${base}${PACKAGE}`];
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
