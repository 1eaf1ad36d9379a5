import { posix } from 'node:path';
import type { ImportedName } from '../formats/python/imports.ts';
import type { Mention } from '../formats/python/scope.ts';
import { nearest } from '../nearest.ts';
import { pathsOf, withoutSuffix } from './modules.ts';
import { isBuiltIn } from './python/builtins.ts';
import { certaintiesOf } from './python/certain.ts';
import { isStandard } from './python/known-modules.ts';
import type { PythonReads } from './python/reads.ts';

/** A name in a project's code that is sure to be missing when the code runs. */
interface MissingName {
  /** The file that uses it, and the line there, counted from 0. */
  path: string;
  line: number;
  name: string;
  /** The file that it is imported from, if it is. */
  from?: string;
  /** A name that is there and spelled nearly so. */
  similar?: string;
}

/** A file may use any number of names. After this many of each kind, others say no more. */
const MOST = { names: 10, imports: 500 };

/**
 * Finds names that nothing defines, and names that are imported from a module of the project which doesn't have them, in
 * the files that Python runs.
 */
export function missingNamesIn(modules: ReadonlyMap<string, PythonReads>, started: Iterable<string>): MissingName[] {
  const files = [...started].flatMap(path => {
    const reads = modules.get(path);
    return reads ? [{ path, reads, certain: certaintiesOf(reads.module) }] : [];
  });
  const changesPath = files.some(({ reads }) => reads.changesPath);
  const known = {
    modules,
    places: new Set([...modules.keys()].flatMap(path => placesAbove(path.replace(/\.py$/, '')))),
    attributes: new Set([...modules.values()].flatMap(({ module }) => [...certaintiesOf(module).setAttributes])),
  };
  return files.flatMap(({ path, certain }) => [
    ...firstOfEach(certain.undefined).map(({ name, line }) => ({
      ...{ path, line, name },
      ...similarTo(name, certain.exports ?? []),
    })),
    ...(changesPath ? [] : certain.importedNames.slice(0, MOST.imports))
      .flatMap(one => missingImport(one, path, known))
      .slice(0, MOST.names),
  ]);
}

/** What the files of a project have. */
interface Known {
  modules: ReadonlyMap<string, PythonReads>;
  /** The files, without their endings, and their directories. */
  places: ReadonlySet<string>;
  /** The attributes that some file sets, perhaps of a module. */
  attributes: ReadonlySet<string>;
}

function missingImport(
  { module, name, line }: Required<Omit<ImportedName, 'alias'>>,
  path: string,
  known: Known,
): MissingName[] {
  if (/^\.*$/.test(module) || isStandard(module.split('.')[0] ?? '') || isBuiltIn(name)) return [];
  const [from, other] = pathsOf(module, path).filter(one => known.modules.has(one));
  const reads = from === undefined || other ? undefined : known.modules.get(from);
  const exports = reads && certaintiesOf(reads.module).exports;
  if (from === undefined || !exports || exports.has(name) || known.attributes.has(name)) return [];
  const isPart = pathsOf(`${module}.${name}`, path).some(one => known.places.has(withoutSuffix(one)));
  const similar = similarTo(name, exports);
  // A package may have parts that aren't Python.
  const isDoubtful = from.endsWith('/__init__.py') && similar.similar === undefined;
  return isPart || isDoubtful ? [] : [{ path, line, name, from, ...similar }];
}

const placesAbove = (path: string): string[] => (path === '.' ? [] : [path, ...placesAbove(posix.dirname(path))]);

function firstOfEach(mentions: readonly Mention[]): Mention[] {
  const first = new Map<string, Mention>();
  for (const one of mentions) {
    if (first.size === MOST.names) break;
    if (!first.has(one.name)) first.set(one.name, one);
  }
  return [...first.values()];
}

function similarTo(name: string, names: Iterable<string>): Pick<MissingName, 'similar'> {
  const similar = nearest(
    name,
    [...names].filter(one => one.length > 2),
  );
  return similar === undefined ? {} : { similar };
}
