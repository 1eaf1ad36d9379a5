import type { Module } from '../../formats/python/module.ts';
import type { Mention, Scope } from '../../formats/python/scope.ts';
import { isSame, type Lines, once, pairLines, type Versions } from '../lines.ts';
import { readLines, type Statement, wordOf } from './draft.ts';

/** Names by the key of the scope that defines them. */
type Names = ReadonlyMap<string, ReadonlySet<string>>;

/**
 * Gives variables, functions and parameters of the base and of botcli's version the names that the user has given them.
 * A name counts as renamed if its definition and most of its uses are still there, in order, under one other name, which
 * neither of botcli's versions mentions.
 */
export function followRenames(versions: Versions<Lines>): Versions<Lines> {
  const { user } = versions;
  let { base, botcli } = versions;
  // A function has to have its new name before those in it are compared.
  for (;;) {
    const renames = findRenames({ user: readLines(user), base: readLines(base), botcli: readLines(botcli) });
    const renamed = rename(base, renames);
    if (isSame(renamed, base)) return { user, base, botcli };
    [base, botcli] = [renamed, rename(botcli, renames)];
  }
}

/** The new names, by the scope and the old one. */
function findRenames(versions: Versions<Module>): ReadonlyMap<string, string> {
  const { gone, fresh } = compareNames(versions);
  const [base, user] = [blankNames(versions.base, gone), blankNames(versions.user, fresh)];
  const codes = (some: readonly Blanked[]) => some.map(({ code }) => code);
  const pairs = new Map(pairLines(codes(base), codes(user)));
  const newNames = (at: number) => user[pairs.get(at) ?? -1]?.names ?? [];
  const mentions = new Map<string, [at: number, index: number][]>();
  for (const [at, { names }] of base.entries())
    for (const [index, { id }] of names.entries()) mentions.set(id, [...(mentions.get(id) ?? []), [at, index]]);
  const renames = new Map<string, string>();
  for (const [at, { statement, names }] of base.entries()) {
    for (const [index, { id, scope, isDefined }] of names.entries()) {
      const now = newNames(at)[index];
      if (!isDefined || !now?.isDefined || now.scope !== scope) continue;
      // A function is what is in it, too.
      const isFunction = wordOf(statement) === 'def' && index === 0;
      const body = isFunction ? base.flatMap((one, from) => (one.statement.header === statement ? from : [])) : [];
      const uses = mentions.get(id)?.filter(([from]) => from !== at) ?? [];
      const kept = [
        ...uses.map(([from, place]) => newNames(from)[place]?.name === now.name),
        ...body.map(from => pairs.has(from)),
      ];
      if (kept.length === 0 || 2 * kept.filter(Boolean).length > kept.length) renames.set(id, now.name);
    }
  }
  return renames;
}

/** The names that the user's version no longer defines where the base does, and those that only it has. */
function compareNames({ user, base, botcli }: Versions<Module>): { gone: Names; fresh: Names } {
  const before = scopesOf(base);
  const known = [...base.scopes, ...botcli.scopes];
  const isTaken = new Set(known.flatMap(({ defines, uses }) => [...defines.keys(), ...uses.keys()]));
  // Names in imports, in texts, in `global` and `nonlocal` can't be replaced one by one.
  const isFixed = new Set([
    ...known
      .flatMap(({ defines, uses }) => [...defines.values(), ...uses.values()].flat())
      .flatMap(({ name, column }) => (column === undefined ? name : [])),
    ...[...base.statements, ...botcli.statements].flatMap(({ tokens: [first, ...rest] }) =>
      ['global', 'nonlocal'].includes(first?.code ?? '') ? rest.map(({ code }) => code) : [],
    ),
  ]);
  const [gone, fresh] = [new Map<string, Set<string>>(), new Map<string, Set<string>>()];
  for (const [key, { defines }] of scopesOf(user)) {
    const old = [...(before.get(key)?.defines.keys() ?? [])];
    gone.set(key, new Set(old.filter(name => !defines.has(name) && !isFixed.has(name))));
    fresh.set(key, new Set([...defines.keys()].filter(name => !isTaken.has(name))));
  }
  return { gone, fresh };
}

/** The module and its functions, except for those of which there are several of one name. */
function scopesOf({ scopes }: Module): Map<string, Scope> {
  return once(
    scopes.filter(({ kind }) => kind === 'module' || kind === 'function'),
    scopeKey,
  );
}

const scopeKey = ({ kind, path }: Scope): string => `${kind} ${path}`;

/** A statement in which some names are blank. */
interface Blanked {
  statement: Statement;
  code: string;
  names: { id: string; scope: string; name: string; isDefined: boolean }[];
}

function blankNames({ scopes, statements }: Module, names: Names): Blanked[] {
  const blanks = new Map<string, Blanked['names'][number]>();
  for (const { mention, home } of scopes.flatMap(resolveAll)) {
    const { name } = mention;
    const isDefined = home.defines.get(name)?.[0] === mention;
    const scope = scopeKey(home);
    if (names.get(scope)?.has(name)) blanks.set(placeOf(mention), { id: idOf(home, name), scope, name, isDefined });
  }
  return statements.map(statement => {
    const found = statement.tokens.map(token => blanks.get(placeOf(token)));
    const codes = statement.tokens.map(({ kind, code }, at) =>
      found[at] ? '_' : `${kind === 'text' ? '"' : ''}${code}`,
    );
    return { statement, code: codes.join(), names: found.flatMap(one => one ?? []) };
  });
}

const idOf = (scope: Scope, name: string): string => `${scopeKey(scope)} ${name}`;

/** Each mention in a scope, and the scope that gives the name its meaning. */
function resolveAll(scope: Scope): { mention: Mention; home: Scope }[] {
  const defined = [...scope.defines.values()].flat().map(mention => ({ mention, home: scope }));
  const used = [...scope.uses].flatMap(([name, all]) => {
    const home = scope.resolve(name);
    return home ? all.map(mention => ({ mention, home })) : [];
  });
  return [...defined, ...used];
}

const placeOf = ({ line, column }: Pick<Mention, 'line' | 'column'>): string => `${line} ${column}`;

function rename(lines: Lines, renames: ReadonlyMap<string, string>): Lines {
  // What `+=` changes is mentioned twice at one place.
  const places = new Map<string, { line: number; column: number; name: string; now: string }>();
  for (const { mention, home } of readLines(lines).scopes.flatMap(resolveAll)) {
    const { name, line, column = 0 } = mention;
    const now = renames.get(idOf(home, name));
    if (now !== undefined) places.set(placeOf(mention), { line, column, name, now });
  }
  const result = [...lines];
  for (const { line, column, name, now } of [...places.values()].sort((one, other) => other.column - one.column)) {
    const text = result[line] ?? '';
    // Python reads some letters as others.
    if (!text.startsWith(name, column)) continue;
    result[line] = `${text.slice(0, column)}${now}${text.slice(column + name.length)}`;
  }
  return result;
}
