import type { Module } from '../../formats/python/module.ts';
import type { Mention, Scope } from '../../formats/python/scope.ts';
import type { Lines, Versions } from '../lines.ts';
import type { Statement } from './draft.ts';
import { readLines } from './read.ts';

/** The new names of one scope, by its key. */
type Renames = ReadonlyMap<string, ReadonlyMap<string, string>>;

/**
 * Gives variables, functions and parameters of the base and of botcli's version the names that the user has given them.
 * A name counts as renamed if its definition and most of its uses are still there under one other name, which neither of
 * botcli's versions mentions.
 */
export function followRenames(versions: Versions<Lines>): Versions<Lines> {
  const { user } = versions;
  let { base, botcli } = versions;
  // A function has to have its new name before those in it are compared.
  for (;;) {
    const renames = findRenames({ user: readLines(user), base: readLines(base), botcli: readLines(botcli) });
    if (renames.size === 0) return { user, base, botcli };
    [base, botcli] = [base, botcli].map(lines => rename(lines, readLines(lines), renames)) as [Lines, Lines];
  }
}

function findRenames({ user, base, botcli }: Versions<Module>): Renames {
  const [before, now] = [scopesOf(base), scopesOf(user)];
  const taken = new Set(
    [...base.scopes, ...botcli.scopes].flatMap(({ defines, uses }) => [...defines.keys(), ...uses.keys()]),
  );
  const missing = new Set(user.scopes.flatMap(scope => [...scope.uses.keys()].filter(name => !scope.resolve(name))));
  const isFixed = fixedNames([base, botcli]);
  return new Map(
    [...before].flatMap(([key, old]) => {
      const scope = now.get(key);
      if (!scope) return [];
      const gone = [...old.defines.keys()].filter(
        name => !scope.defines.has(name) && !missing.has(name) && !isFixed.has(name),
      );
      const fresh = [...scope.defines.keys()].filter(name => !old.defines.has(name) && !taken.has(name));
      if (gone.length === 0 || fresh.length === 0) return [];
      const pairs = pairNames(describe(base, old, gone), describe(user, scope, fresh));
      return pairs.size > 0 ? [[key, pairs] as const] : [];
    }),
  );
}

/** The module and its functions, except for those of which there are several of one name. */
function scopesOf({ scopes }: Module): Map<string, Scope> {
  const named = scopes
    .filter(({ kind }) => kind === 'module' || kind === 'function')
    .map(one => [keyOf(one), one] as const);
  const keys = named.map(([key]) => key);
  return new Map(named.filter(([key]) => keys.indexOf(key) === keys.lastIndexOf(key)));
}

const keyOf = ({ kind, path }: Scope): string => `${kind} ${path}`;

/** Names in imports, in texts, in `global` and `nonlocal`: they can't be replaced one by one. */
function fixedNames(modules: readonly Module[]): Set<string> {
  return new Set(
    modules.flatMap(({ scopes, statements }) => [
      ...scopes.flatMap(mentionsIn).flatMap(({ name, column }) => (column === undefined ? name : [])),
      ...statements.flatMap(({ tokens: [first, ...rest] }) =>
        ['global', 'nonlocal'].includes(first?.code ?? '') ? rest.map(({ code }) => code) : [],
      ),
    ]),
  );
}

const mentionsIn = ({ defines, uses }: Scope): Mention[] => [...defines.values(), ...uses.values()].flat();

/** What is said about a name, in statements in which the names to compare are blank. */
interface Description {
  name: string;
  /** Its definition, and the beginning of it up to the first bracket: there may be another one inside. */
  definition: string;
  head: string;
  /** The other statements that mention it; of a function, those in it as well. */
  about: string[];
}

function describe(module: Module, scope: Scope, names: readonly string[]): Description[] {
  const mentions = mentionsOf(module, scope);
  const blank = new Set(names.flatMap(name => mentions.get(name)?.map(placeOf) ?? []));
  const places = new Map<string, readonly [Statement, number]>();
  for (const statement of module.statements) {
    for (const [at, token] of statement.tokens.entries()) places.set(placeOf(token), [statement, at]);
  }
  const write = (statement: Statement) => codesOf(statement, blank).join(' ');
  return names.flatMap(name => {
    const about = (mentions.get(name) ?? []).flatMap(mention => places.get(placeOf(mention))?.[0] ?? []);
    const [binding] = scope.defines.get(name) ?? [];
    const [statement, at = 0] = (binding && places.get(placeOf(binding))) ?? [];
    if (!binding || !statement) return [];
    const codes = codesOf(statement, blank);
    const end = codes.indexOf('(');
    const body = binding.by === 'function' ? module.statements.filter(({ header }) => header === statement) : [];
    return {
      name,
      definition: `${at} ${codes.join(' ')}`,
      head: `${at} ${(binding.by === 'assignment' && end > at ? codes.slice(0, end + 1) : codes).join(' ')}`,
      about: [...about.filter(one => one !== statement), ...body].map(write),
    };
  });
}

const placeOf = ({ line, column }: Pick<Mention, 'line' | 'column'>): string => `${line} ${column}`;

const codesOf = ({ tokens }: Statement, blank: ReadonlySet<string>): string[] =>
  tokens.map(token => (blank.has(placeOf(token)) ? '_' : `${token.kind === 'text' ? '"' : ''}${token.code}`));

/** The mentions of each name that a scope defines, also in the functions in it. */
function mentionsOf({ scopes }: Module, home: Scope): Map<string, Mention[]> {
  const found = new Map<string, Mention[]>();
  for (const [name, mention, scope] of scopes.flatMap(resolveAll)) {
    if (scope === home) found.set(name, [...(found.get(name) ?? []), mention]);
  }
  return found;
}

/** Each mention in a scope, and the scope that gives the name its meaning. */
function resolveAll(scope: Scope): [string, Mention, Scope][] {
  const defined = [...scope.defines].flatMap(([name, all]) =>
    all.map(one => [name, one, scope] as [string, Mention, Scope]),
  );
  const used = [...scope.uses].flatMap(([name, all]) => {
    const home = scope.resolve(name);
    return home ? all.map(one => [name, one, home] as [string, Mention, Scope]) : [];
  });
  return [...defined, ...used];
}

/** Pairs names that are defined in the same way, and that mostly the same statements mention. */
function pairNames(old: readonly Description[], now: readonly Description[]): Map<string, string> {
  const pairs = new Map<string, string>();
  for (const by of ['definition', 'head'] as const) {
    for (const one of old.filter(({ name }) => !pairs.has(name))) {
      const same = now.filter(other => other[by] === one[by]);
      const [other] = same;
      const isOnly = same.length === 1 && old.filter(each => each[by] === one[by]).length === 1;
      if (!other || !isOnly || [...pairs.values()].includes(other.name)) continue;
      const there = new Set(other.about);
      const kept = one.about.filter(text => there.has(text));
      const isSame = one.about.length === 0 ? by === 'definition' : 2 * kept.length > one.about.length;
      if (isSame) pairs.set(one.name, other.name);
    }
  }
  return pairs;
}

function rename(lines: Lines, module: Module, renames: Renames): Lines {
  const places = module.scopes.flatMap(resolveAll).flatMap(([name, { line, column = 0 }, home]) => {
    const now = renames.get(keyOf(home))?.get(name);
    return now === undefined ? [] : [{ line, column, name, now }];
  });
  const result = [...lines];
  const done = new Set<string>();
  for (const { line, column, name, now } of places.sort((one, other) => other.column - one.column)) {
    const text = result[line] ?? '';
    if (done.has(placeOf({ line, column })) || !text.startsWith(name, column)) continue;
    done.add(placeOf({ line, column }));
    result[line] = `${text.slice(0, column)}${now}${text.slice(column + name.length)}`;
  }
  return result;
}
