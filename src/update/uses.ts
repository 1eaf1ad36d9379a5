import { readPythonFiles } from '../existing/python/files.ts';
import { type PythonReads, readsOf } from '../existing/python/reads.ts';
import { importsOf } from '../formats/python/imports.ts';
import { readPython } from '../formats/python/module.ts';
import type { Token } from '../formats/python/tokens.ts';
import type { FileUpdate } from './files.ts';

/** Where a project may have Python: first where Python starts it, then anywhere, such as in `tests/`. */
const FOLDERS = ['server', '.'];

/** Code of the user's that may use what an update takes away. Files that mention none of these words aren't read. */
export function findOwnCode(root: string, updates: readonly FileUpdate[], words: readonly string[]): OwnCode[] {
  if (words.length === 0) return [];
  const files = new Map(readPythonFiles(root, FOLDERS).texts);
  for (const { path, action, change } of updates) {
    if (action === 'merged' && change?.after) files.set(path, change.after.toString());
    else if (action !== 'kept' && action !== 'orphaned') files.delete(path);
  }
  return [...files].map(codeOf).filter(({ mentions }) => words.some(mentions));
}

/** Code that the user wrote or edited, as it is after the update. */
type OwnCode = ReturnType<typeof codeOf>;

function codeOf([path, text]: readonly [path: string, text: string]) {
  const plainText = plain(text);
  let known: PythonReads | undefined;
  return {
    path,
    text,
    /** Whether it may use something, which takes less time than to read it. */
    mentions: (name: string) => plainText.includes(plain(name.replace(/.*\./, ''))),
    reads: () => (known ??= readsOf(text)),
  };
}

/** A name as others may write it: a package `a-b` is imported as `a_b`. */
export const plain = (name: string): string => name.toLowerCase().replaceAll(/[-_.]/g, '');

/** The name under which a file is imported; nothing if it isn't a module. */
export const moduleOf = (path: string): string | undefined =>
  /^server\/(.+)\.py$/
    .exec(path)?.[1]
    ?.replaceAll('/', '.')
    .replace(/\.__init__$/, '');

/** A module as the files next to it import it: others may write `server.guard`, or `.guard`. */
const plainName = (module: string): string => module.replace(/^(?:[\w.]*\.)?server\.|^\.+/, '');

/** The file that imports a module. */
export const importerOf = (module: string, code: readonly OwnCode[]): OwnCode | undefined =>
  code.find(
    ({ text, mentions, reads }) =>
      mentions(module) &&
      ([...reads().imports].some(name => plainName(name) === module) || namesModule(tokensOf(text), module)),
  );

/** Functions that take the name of a module, or of something in it, as a text. */
const BY_TEXT = ['import_module', '__import__', 'run_module', 'find_spec', 'patch', 'setattr', 'delattr'];

/** Whether code imports a module by its name as a text. */
function namesModule(tokens: readonly Token[], module: string): boolean {
  return tokens.some(({ kind, code }, at) => {
    const name = `${plainName(code)}.`;
    const isGiven = tokens[at - 1]?.code === '(' && BY_TEXT.includes(tokens[at - 2]?.code ?? '');
    return kind === 'text' && isGiven && name.startsWith(`${module}.`);
  });
}

const tokensOf = (text: string): Token[] => readPython(text).statements.flatMap(({ tokens }) => tokens);

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
    const name = nameUsed(module, names, text);
    if (name !== undefined) return { path, name };
  }
  return undefined;
}

function nameUsed(module: string, names: readonly string[], text: string): string | undefined {
  const statements = readPython(text).statements.map(({ tokens }) => tokens);
  const tokens = statements.flat();
  const locals = new Set<string | undefined>();
  for (const one of statements.flatMap(importsOf)) {
    const isFrom = plainName(one.module) === module;
    if (isFrom && one.name !== undefined && names.includes(one.name)) return one.name;
    if (isFrom || one.name === module) locals.add(one.alias ?? module.split('.').at(-1));
  }
  const isDynamic = namesModule(tokens, module);
  const used = tokens.find(({ kind, code: name }, at) => {
    if (kind === 'text' && partOf(name, module) !== undefined) return names.includes(partOf(name, module) ?? '');
    // As in getattr(bot, "name").
    const isGiven = kind === 'text' && tokens[at - 1]?.code === ',' && (isDynamic || locals.size > 0);
    const isOfModule = tokens[at - 1]?.code === '.' && (isDynamic || locals.has(tokens[at - 2]?.code));
    return (isGiven || isOfModule) && names.includes(name);
  });
  return used && (partOf(used.code, module) ?? used.code);
}

/** The name of a module that a text such as `bot.call_env` has. */
function partOf(text: string, module: string): string | undefined {
  const name = plainName(text);
  return name.startsWith(`${module}.`) ? name.slice(module.length + 1).split('.')[0] : undefined;
}
