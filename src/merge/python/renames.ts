import { isDeepStrictEqual } from 'node:util';
import type { Module } from '../../formats/python/module.ts';
import type { Mention, Scope } from '../../formats/python/scope.ts';
import { type Lines, once, type Versions } from '../lines.ts';
import { readLines, type Statement } from './draft.ts';

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
    const renamed = rename(base, renames);
    if (isDeepStrictEqual(renamed, base)) return { user, base, botcli };
    [base, botcli] = [renamed, rename(botcli, renames)];
  }
}

function findRenames({ user, base, botcli }: Versions<Module>): Renames {
  const [before, now] = [scopesOf(base), scopesOf(user)];
  const isTaken = new Set(
    [...base.scopes, ...botcli.scopes].flatMap(({ defines, uses }) => [...defines.keys(), ...uses.keys()]),
  );
  const isMissing = new Set(user.scopes.flatMap(scope => [...scope.uses.keys()].filter(name => !scope.resolve(name))));
  const isFixed = fixedNames([base, botcli]);
  const changed = [...before].flatMap(([key, old]) => {
    const scope = now.get(key);
    if (!scope) return [];
    const gone = [...old.defines.keys()].filter(
      name => !scope.defines.has(name) && !isMissing.has(name) && !isFixed.has(name),
    );
    const fresh = [...scope.defines.keys()].filter(name => !isTaken.has(name));
    return gone.length > 0 && fresh.length > 0 ? [{ key, old, scope, gone, fresh }] : [];
  });
  if (changed.length === 0) return new Map();
  const describe = { base: describerOf(base), user: describerOf(user) };
  return new Map(
    changed.map(({ key, old, scope, gone, fresh }) => [
      key,
      pairNames(describe.base(old, gone), describe.user(scope, fresh)),
    ]),
  );
}

/** The module and its functions, except for those of which there are several of one name. */
function scopesOf({ scopes }: Module): Map<string, Scope> {
  return once(
    scopes.filter(({ kind }) => kind === 'module' || kind === 'function'),
    scopeKey,
  );
}

const scopeKey = ({ kind, path }: Scope): string => `${kind} ${path}`;

/** Names in imports, in texts, in `global` and `nonlocal`: they can't be replaced one by one. */
function fixedNames(modules: readonly Module[]): Set<string> {
  return new Set(
    modules.flatMap(({ scopes, statements }) => [
      ...scopes
        .flatMap(({ defines, uses }) => [...defines.values(), ...uses.values()].flat())
        .flatMap(({ name, column }) => (column === undefined ? name : [])),
      ...statements.flatMap(({ tokens: [first, ...rest] }) =>
        ['global', 'nonlocal'].some(word => word === first?.code) ? rest.map(({ code }) => code) : [],
      ),
    ]),
  );
}

/** What is said about a name, in statements in which the names to compare are blank. */
interface Description {
  name: string;
  /** Its definition, and the beginning of it up to the first bracket: there may be another one inside. */
  definition: string;
  head: string;
  /** The other statements that mention it; of a function, those in it as well. */
  about: string[];
}

/** Describes names of the scopes of a module. */
function describerOf(module: Module): (scope: Scope, names: readonly string[]) => Description[] {
  const places = new Map<string, readonly [Statement, number]>();
  const bodies = new Map<Statement | undefined, Statement[]>();
  for (const statement of module.statements) {
    for (const [at, token] of statement.tokens.entries()) places.set(placeOf(token), [statement, at]);
    add(bodies, statement.header, statement);
  }
  const mentions = new Map<Scope, Map<string, Mention[]>>();
  for (const { mention, home } of module.scopes.flatMap(resolveAll)) {
    const known = mentions.get(home) ?? new Map<string, Mention[]>();
    mentions.set(home, known);
    add(known, mention.name, mention);
  }
  return (scope, names) => {
    const mentionsOf = (name: string) => mentions.get(scope)?.get(name) ?? [];
    const blank = new Set(names.flatMap(mentionsOf).map(placeOf));
    const write = (statement: Statement) => codesOf(statement, blank).join();
    return names.flatMap(name => {
      const [binding] = scope.defines.get(name) ?? [];
      const [statement, at = 0] = (binding && places.get(placeOf(binding))) ?? [];
      if (!binding || !statement) return [];
      const codes = codesOf(statement, blank);
      const end = codes.indexOf('(');
      const about = mentionsOf(name).flatMap(mention => places.get(placeOf(mention))?.[0] ?? []);
      const body = binding.by === 'function' ? (bodies.get(statement) ?? []) : [];
      return {
        name,
        definition: `${at} ${codes.join()}`,
        head: `${at} ${(binding.by === 'assignment' && end > at ? codes.slice(0, end + 1) : codes).join()}`,
        about: [...about.filter(one => one !== statement), ...body].map(write),
      };
    });
  };
}

function add<Key, Item>(map: Map<Key, Item[]>, key: Key, item: Item): void {
  const known = map.get(key);
  if (known) known.push(item);
  else map.set(key, [item]);
}

const placeOf = ({ line, column }: Pick<Mention, 'line' | 'column'>): string => `${line} ${column}`;

const codesOf = ({ tokens }: Statement, blank: ReadonlySet<string>): string[] =>
  tokens.map(token => (blank.has(placeOf(token)) ? '_' : `${token.kind === 'text' ? '"' : ''}${token.code}`));

/** Each mention in a scope, and the scope that gives the name its meaning. */
function resolveAll(scope: Scope): { mention: Mention; home: Scope }[] {
  const defined = [...scope.defines.values()].flat().map(mention => ({ mention, home: scope }));
  const used = [...scope.uses].flatMap(([name, all]) => {
    const home = scope.resolve(name);
    return home ? all.map(mention => ({ mention, home })) : [];
  });
  return [...defined, ...used];
}

/** Pairs names that are defined in the same way, and that mostly the same statements mention. */
function pairNames(old: readonly Description[], now: readonly Description[]): Map<string, string> {
  const pairs = new Map<string, string>();
  for (const by of ['definition', 'head'] as const) {
    const [mine, ours] = [once(now, one => one[by]), once(old, one => one[by])];
    for (const [key, one] of ours) {
      const other = mine.get(key);
      if (!other) continue;
      const there = new Set(other.about);
      const kept = one.about.filter(text => there.has(text));
      const isSame = one.about.length === 0 ? by === 'definition' : 2 * kept.length > one.about.length;
      if (isSame) pairs.set(one.name, other.name);
    }
  }
  return pairs;
}

function rename(lines: Lines, renames: Renames): Lines {
  const places = readLines(lines)
    .scopes.flatMap(resolveAll)
    .flatMap(({ mention: { name, line, column = 0 }, home }) => {
      const now = renames.get(scopeKey(home))?.get(name);
      return now === undefined ? [] : [{ line, column, name, now }];
    });
  const result = [...lines];
  const done = new Set<string>();
  for (const { line, column, name, now } of places.sort((one, other) => other.column - one.column)) {
    const text = result[line];
    if (done.has(placeOf({ line, column })) || !text?.startsWith(name, column)) continue;
    done.add(placeOf({ line, column }));
    result[line] = `${text.slice(0, column)}${now}${text.slice(column + name.length)}`;
  }
  return result;
}
