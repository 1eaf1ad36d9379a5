import { headOf, type List, listsOf, type Tree, type Unit } from './tree.ts';

/** The names of a text. */
export interface Names {
  /** What each scope defines, and where. */
  scopes: Map<Unit, Map<string, Unit[]>>;
  /** The names that each unit uses, with the scope that defines each; nothing if none does. */
  uses: Map<Unit, Map<string, Unit | undefined>>;
  /** The names that each unit defines around it or for what is in it. */
  defines: Map<Unit, Set<string>>;
}

const known = new WeakMap<Tree, Names>();

export function namesOf(tree: Tree): Names {
  const names = known.get(tree) ?? readNames(tree);
  known.set(tree, names);
  return names;
}

function readNames({ root, language }: Tree): Names {
  const names: Names = { scopes: new Map(), uses: new Map(), defines: new Map() };
  const parents = new Map<Unit, Unit>();
  const define = (scope: Unit, name: string, by: Unit) => {
    const own = names.scopes.get(scope) ?? new Map<string, Unit[]>();
    const known = own.get(name);
    if (known) known.push(by);
    else names.scopes.set(scope, own.set(name, [by]));
  };
  const read = (unit: Unit, scope: Unit) => {
    if (unit !== scope) parents.set(unit, scope);
    const [uses, defines] = [new Map<string, Unit | undefined>(), new Set<string>()];
    for (const token of headOf(unit)) {
      for (const name of language.usesWithin?.(token) ?? []) uses.set(name, undefined);
      const role = language.role?.(token);
      if (role === 'use') uses.set(token.text, undefined);
      if (role !== 'define') continue;
      define(language.isInner?.(token) ? unit : scope, token.text, unit);
      defines.add(token.text);
    }
    names.uses.set(unit, uses);
    names.defines.set(unit, defines);
    const inner = language.hoists && unit !== root && !language.isScope?.(unit) ? scope : unit;
    for (const list of blocksOf(unit)) for (const each of list.units) read(each, inner);
  };
  read(root, root);
  for (const [unit, uses] of names.uses) {
    for (const name of uses.keys()) {
      let scope: Unit | undefined = unit;
      const start = scope;
      const isHidden = (one: Unit) => language.hidesNames?.(one) && one !== start && parents.get(start as Unit) !== one;
      while (scope && (isHidden(scope) || !names.scopes.get(scope)?.has(name))) scope = parents.get(scope);
      uses.set(name, scope);
    }
  }
  return names;
}

/** The blocks of a unit, also those within its items. */
const blocksOf = (unit: Unit): List[] =>
  listsOf(unit).flatMap(list => (list.kind.isBlock ? [list] : list.units.flatMap(blocksOf)));

/** The names in the head of a unit: those that it defines and uses. */
export const namesIn = (unit: Unit | undefined, { language }: Tree): string[] =>
  unit === undefined
    ? []
    : headOf(unit).flatMap(token => [
        ...(language.role?.(token) ? [token.text] : []),
        ...(language.usesWithin?.(token) ?? []),
      ]);
