import { posix } from 'node:path';
import { unique } from '../std.ts';
import { type PythonReads, readsOf } from './python/reads.ts';
import type { SettingsClass, SettingsField } from './python/settings.ts';

/** How the path of a package's own code ends. */
const PACKAGE = '/__init__.py';

type Files = ReadonlyMap<string, string>;
type Modules = ReadonlyMap<string, PythonReads>;

/** Reads each module, and adds what it needs by the classes of settings of others. */
export function readModules(files: Files): Modules {
  const modules = new Map([...files].map(([path, text]) => [path, readsOf(text)]));
  const all = [...modules.values()];
  const saysOf = settingsIn(all.flatMap(reads => reads.classes));
  const bases = new Set(all.flatMap(reads => reads.classes.flatMap(one => one.bases)));
  const made = new Set(all.flatMap(reads => reads.made.map(({ callee }) => callee)));
  for (const reads of all) {
    for (const { name, runs } of reads.classes) {
      const says = saysOf(name);
      if (!says) continue;
      const variables = says.flatMap(field => field.variables);
      for (const variable of variables) reads.mentioned.add(variable);
      for (const field of says.filter(one => !one.isExact)) for (const one of field.variables) reads.anyCase.add(one);
      // Nobody knows the variables of a field that has others in it.
      reads.isUntraced ||= says.some(field => !field.hasDefault && !isPlain(field));
      if (!made.has(name) && !bases.has(name)) requireFields(reads, says, [], runs);
    }
    for (const { callee, given, runs } of reads.made) {
      const says = saysOf(callee);
      reads.isUntraced ||= says !== undefined && given === undefined;
      if (says && given) requireFields(reads, says, given, runs);
    }
  }
  return modules;
}

type Runs = PythonReads['made'][number]['runs'];

/** Takes the variables of an object of settings whose caller gives it some fields. */
function requireFields(reads: PythonReads, says: readonly Field[], given: readonly string[], runs: Runs): void {
  const open = says.filter(field => {
    const isGiven = [field.name, ...(field.aliases ?? [])].some(name => given.includes(name));
    return !field.hasDefault && !isGiven && isPlain(field);
  });
  const names = open.flatMap(({ variables }) => variables);
  if (runs === 'never') return;
  for (const name of names) (runs === 'always' ? reads.required : reads.conditional).add(name);
}

/** A field of settings, with the variables that it may be from: none if that can't be followed. */
interface Field extends SettingsField {
  variables: readonly string[];
  isExact: boolean;
  isNested: boolean;
}

const isPlain = ({ variables, isNested }: Field): boolean => variables.length === 1 && !isNested;

/** More inherited fields, or bases of bases, than people write are not followed. */
const MOST_FIELDS = 100;
const MOST_BASES = 20;

interface Says extends Pick<SettingsClass, 'prefix' | 'isExact'> {
  fields: ReadonlyMap<string, SettingsField>;
}

/** Finds the fields of a class of settings, with those that it inherits. Other classes have none. */
function settingsIn(all: readonly SettingsClass[]): (name: string) => Field[] | undefined {
  const classes = new Map(all.map(one => [one.name, one]));
  const known = new Map<string, Says | undefined>();
  const read = (name: string, depth = 0): Says | undefined => {
    if (name === 'BaseSettings') return { prefix: '', isExact: false, fields: new Map() };
    if (known.has(name) || depth > MOST_BASES) return known.get(name);
    known.set(name, undefined);
    const own = classes.get(name);
    const base = own?.bases.map(one => read(one, depth + 1)).find(Boolean);
    if (!own || !base) return undefined;
    const inherited = base.fields.size > MOST_FIELDS ? new Map<string, SettingsField>() : base.fields;
    const says = {
      prefix: own.prefix === undefined ? base.prefix : own.prefix,
      isExact: own.isExact ?? base.isExact,
      fields: new Map([...inherited, ...own.fields.map(field => [field.name, field] as const)]),
    };
    known.set(name, says);
    return says;
  };
  const found = new Map<string, Field[] | undefined>();
  return name => {
    if (!found.has(name)) {
      const says = read(name);
      found.set(name, says && [...says.fields.values()].map(field => described(field, says, classes)));
    }
    return found.get(name);
  };
}

function described(
  field: SettingsField,
  { prefix, isExact = false }: Says,
  classes: ReadonlyMap<string, SettingsClass>,
): Field {
  const name = `${prefix}${field.name}`;
  const own = typeof prefix === 'string' ? [isExact ? name : name.toUpperCase()] : [];
  const isNested = field.types.some(type => classes.has(type));
  const variables = field.aliases ?? own;
  return { ...field, isExact, isNested, variables: isNested ? variables.flatMap(one => [one, `${one}_`]) : variables };
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

/** Where a file may be that a module names: Python is started next to the bot. None of them is outside of the project. */
export const placesOf = (file: string, importer: string): string[] =>
  posix.isAbsolute(file)
    ? []
    : unique(['server', posix.dirname(importer), '.'].map(folder => posix.join(folder, file))).filter(
        place => !place.startsWith('..'),
      );
