import { readPythonFiles } from '../existing/python-files.ts';
import { type PythonReads, readsOf } from '../existing/python-reads.ts';
import { importsOf } from '../formats/python/imports.ts';
import { readPython } from '../formats/python/module.ts';
import { listPackages, listVariables, withoutPackages, withoutVariables } from '../merge/index.ts';
import type { FileUpdate, KeptUse } from './files.ts';

/** Code that the user wrote or edited, as it is after the update. */
interface OwnCode {
  path: string;
  text: string;
  reads: PythonReads;
}

/** Code of the user's that may use what an update takes away. Files that mention none of these words aren't read. */
export function findOwnCode(root: string, updates: readonly FileUpdate[], words: readonly string[]): OwnCode[] {
  if (words.length === 0) return [];
  const files = new Map(readPythonFiles(root).texts);
  for (const { path, action, change } of updates) {
    if (action === 'merged' && change?.after) files.set(path, change.after.toString());
    else if (action !== 'kept' && action !== 'orphaned') files.delete(path);
  }
  const isNamed = (text: string) => words.some(word => text.toLowerCase().includes(word.toLowerCase()));
  return [...files].flatMap(([path, text]) => (isNamed(text) ? [{ path, text, reads: readsOf(text) }] : []));
}

/** The name under which a file is imported; nothing if it isn't a module. */
export const moduleOf = (path: string): string | undefined =>
  /^server\/(.+)\.py$/
    .exec(path)?.[1]
    ?.replaceAll('/', '.')
    .replace(/\.__init__$/, '');

/** The file that imports a module. */
export const importerOf = (module: string, code: readonly OwnCode[]): OwnCode | undefined =>
  code.find(({ reads }) => [...reads.imports].some(name => name.replace(/^\.+/, '') === module));

/** The names that a module defined and no longer does. */
export function lostNames(before: string, after: string): string[] {
  const [old, now] = [before, after].map(text => readPython(text).scopes[0]?.defines);
  return [...(old?.keys() ?? [])].filter(name => !now?.has(name));
}

/** The file that uses a name of a module, and the name. */
export function userOfNames(
  module: string,
  names: readonly string[],
  code: readonly OwnCode[],
): { path: string; name: string } | undefined {
  for (const { path, text } of code) {
    const tokens = readPython(text).statements.map(statement => statement.tokens);
    for (const one of tokens.flatMap(importsOf)) {
      const isFrom = one.module.replace(/^\.+/, '') === module;
      if (isFrom && one.name !== undefined && names.includes(one.name)) return { path, name: one.name };
      const local = one.alias ?? (one.name === module || isFrom ? module : undefined);
      const used = tokens.flat().find(({ code: name }, at, all) => {
        const isOfModule = all[at - 1]?.code === '.' && all[at - 2]?.code === local;
        return isOfModule && names.includes(name);
      });
      if (used) return { path, name: used.code };
    }
  }
  return undefined;
}

/** How a file names what it offers, which of that code uses, and how the file is without it. */
export interface Offer {
  files: RegExp;
  verb: KeptUse['verb'];
  list(text: string): string[];
  isUsed(name: string, reads: PythonReads): boolean;
  without(text: string, names: readonly string[]): string;
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_.]/g, '');

/** What code outside of a file may need of it. */
export const OFFERS: readonly Offer[] = [
  {
    files: /^server\/\.env\.example$/,
    verb: 'reads',
    list: listVariables,
    // A class of settings has an attribute for each variable.
    isUsed: (name, { mentioned, names }) => mentioned.has(name) || names.has(name.toLowerCase()),
    without: withoutVariables,
  },
  {
    files: /^server\/pyproject\.toml$/,
    verb: 'imports',
    list: listPackages,
    isUsed: (name, { imports }) =>
      [...imports].some(module => {
        const [top = '', , service = ''] = module.split('.');
        return plain(top) === plain(name) || (top === 'pipecat' && plain(service) === plain(name));
      }),
    without: withoutPackages,
  },
];
