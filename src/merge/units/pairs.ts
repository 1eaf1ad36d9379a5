import { once, pairLines, type Versions } from '../lines.ts';
import { type Names, namesIn, namesOf } from './names.ts';
import {
  headOf,
  isComment,
  isDefinition,
  isList,
  type List,
  listsOf,
  nextTo,
  type Part,
  readTree,
  type Syntax,
  statementsIn,
  type Token,
  type Tree,
  type Unit,
} from './tree.ts';

/** Pairs what two rows of keys have in common, in order. */
export function align(one: readonly unknown[], other: readonly unknown[]): (readonly [number, number])[] {
  return pairLines(one.map(String), other.map(String)) ?? [];
}

/** What a part is compared by: lists of one kind are alike. */
const keyOf = (part: Part): string => (isList(part) ? `[${part.kind.isBlock}${part.kind.separator}` : part.plain);

type Fits = (one: Unit, two: Unit) => boolean;

/** Which unit of the base became which one of another version, and which list which one. */
export class Pairs {
  readonly forward = new Map<Unit, Unit>();
  readonly back = new Map<Unit, Unit>();
  readonly lists = new Map<List, List>();
  private readonly base: Tree;
  private readonly other: Tree;
  private readonly byShape: boolean;
  private readonly isImport: (unit: Unit) => boolean;

  /** @param byShape Whether units that differ only by names are the same, if they are in the same order. */
  constructor(base: Tree, other: Tree, byShape = false) {
    [this.base, this.other, this.byShape] = [base, other, byShape];
    this.isImport = unit => base.language.isImport?.(unit) === true;
    this.pair(base.root, other.root);
    for (let before = -1; before !== this.forward.size; ) {
      before = this.forward.size;
      // Each step takes what the ones before it have left; surer ones begin again as soon as one finds something.
      for (const step of this.steps()) {
        step();
        if (this.forward.size > before) break;
      }
    }
  }

  private steps(): (() => void)[] {
    return [
      () => {
        this.inLists((one, two) => this.same(one, two));
        // A definition is the one of its name, even if a copy of it is more like it.
        this.inLists((one, two) => this.signed(one.filter(isDefinition), two.filter(isDefinition)));
        const { isSingle } = this.base.language;
        if (isSingle) this.elsewhere(({ sign = '' }) => (isSingle(sign) ? sign : undefined));
      },
      () => {
        if (this.byShape) this.inLists((one, two) => this.sameShape(one, two));
      },
      () => {
        this.elsewhere(unit => (isBig(unit, 4) ? unit.hash : undefined));
        this.nextToPairs((one, two) => one.hash === two.hash);
        this.inLists((one, two) => this.signed(one, two));
      },
      () => {
        this.elsewhere(unit => (unit.list?.kind.isBlock && unit.size > 0 ? unit.hash : undefined), true);
        this.around();
      },
      () => {
        this.elsewhere(unit =>
          isBig(unit, 1) && isDefinition(unit) && unit.list?.kind.isBlock ? unit.sign : undefined,
        );
        this.inLists((one, two) => this.alike(one, two));
        this.nextToPairs((one, two) => !isComment(one) && !this.isImport(one) && likeness(one, two) > 0.5);
      },
    ];
  }

  private pair(one: Unit, two: Unit): void {
    if (this.forward.has(one) || this.back.has(two)) return;
    this.forward.set(one, two);
    this.back.set(two, one);
    for (const [list, its] of pairLists(one, two)) this.lists.set(list, its);
  }

  /** Pairs units in lists that are paired. */
  private inLists(pairIn: (one: Unit[], two: Unit[]) => void): void {
    for (const [list, other] of [...this.lists]) {
      const [one, two] = [
        list.units.filter(unit => !this.forward.has(unit)),
        other.units.filter(unit => !this.back.has(unit)),
      ];
      if (one.length > 0 && two.length > 0) pairIn(one, two);
    }
  }

  private same(one: Unit[], two: Unit[]): void {
    const hash = (unit: Unit) => unit.hash;
    for (const [at, to] of align(one.map(hash), two.map(hash))) this.pair(one[at] as Unit, two[to] as Unit);
  }

  private sameShape(one: Unit[], two: Unit[]): void {
    const shape = (unit: Unit) =>
      this.isImport(unit) || isComment(unit) ? unit.hash : headOf(unit).map(nameless(this.base)).join('\0');
    for (const [at, to] of align(one.map(shape), two.map(shape))) this.pair(one[at] as Unit, two[to] as Unit);
  }

  /** Units with a sign, or words, that no other one of their list has. An import may be by another path to the same file. */
  private signed(one: Unit[], two: Unit[]): void {
    const head = (unit: Unit) => (unit.list?.kind.isBlock && unit.size > 2 ? unit.head : undefined);
    const file = (unit: Unit) =>
      this.isImport(unit)
        ? headOf(unit)
            .map(({ plain }) => plain.replace(/^".*\//, '"'))
            .join(' ')
        : undefined;
    for (const key of [(unit: Unit): unknown => unit.sign, head, file]) {
      const its = once(two, key);
      for (const [own, unit] of once(one, key)) {
        const other = its.get(own);
        if (other) this.pair(unit, other);
      }
    }
  }

  /** Units that are elsewhere, if each version has just one with that key. */
  private elsewhere(key: (unit: Unit) => unknown, ofAll = false): void {
    const its = once(
      this.other.units.filter(unit => ofAll || !this.back.has(unit)),
      key,
    );
    const mine = once(
      this.base.units.filter(unit => ofAll || !this.forward.has(unit)),
      key,
    );
    for (const [own, unit] of mine) {
      const other = its.get(own);
      if (other && unit.type === other.type && !this.isInCopy(unit, other)) this.pair(unit, other);
    }
  }

  /** Whether another unit is in a copy of a definition that a unit is in: at least half of it is still there, too. */
  private isInCopy(unit: Unit, other: Unit): boolean {
    const [one, two] = [definitionOf(unit), definitionOf(other)];
    const now = one && this.forward.get(one);
    if (!now || !two || this.back.has(two)) return false;
    const leavesIn = (all: Unit) =>
      statementsIn(all).filter(each => isBig(each, 4) && !listsOf(each).some(list => list.kind.isBlock));
    const still = new Set(leavesIn(now).map(({ hash }) => hash));
    const leaves = leavesIn(two);
    const twins = leaves.filter(({ hash }) => still.has(hash));
    return (twins.length > 0 && 2 * twins.length >= leaves.length) || this.isInCopy(one, two);
  }

  /** Units next to paired ones, also where these are elsewhere. */
  private nextToPairs(fits: Fits): void {
    for (const step of [1, -1] as const) {
      for (const unit of step === 1 ? this.base.units : this.base.units.toReversed()) {
        if (this.forward.has(unit) || !unit.list?.kind.isBlock) continue;
        const before = nextTo(unit, step === 1 ? -1 : 1);
        const its = before && this.forward.get(before);
        const other = its && nextTo(its, step);
        if (other && !this.back.has(other) && other.type === unit.type && fits(unit, other)) this.pair(unit, other);
      }
    }
  }

  /** Blocks with the same content under another header. */
  private around(): void {
    for (const unit of this.base.units) {
      if (this.forward.has(unit) || !unit.list) continue;
      const inner = listsOf(unit).flatMap(list => (list.kind.isBlock ? list.units : []));
      if (inner.length === 0) continue;
      const owners = inner.flatMap(one => this.forward.get(one)?.list?.owner ?? []);
      const isMost = (owner: Unit) => {
        const size = this.base.language.isFrame?.(owner) ? listsOf(owner).flatMap(list => list.units).length : Infinity;
        return 2 * owners.filter(one => one === owner).length > Math.min(inner.length, size);
      };
      const other = owners.find(isMost);
      if (other && !this.back.has(other) && this.lists.get(unit.list) === other.list) this.pair(unit, other);
    }
  }

  /** Units between the same neighbors of which one has most of the other's words. */
  private alike(one: Unit[], two: Unit[]): void {
    let from = 0;
    for (const unit of one) {
      if (isComment(unit) || this.isImport(unit)) continue;
      const [low, high] = [this.nearestPair(unit, -1, two), this.nearestPair(unit, 1, two)];
      let [best, most] = [-1, 0.5];
      for (let at = from; at < two.length; at += 1) {
        const other = two[at] as Unit;
        if (other.at >= high) break;
        if (other.at <= low || other.type !== unit.type || this.back.has(other)) continue;
        const score = isOnly(unit, this.forward) && isOnly(other, this.back) ? 1 : likeness(unit, other);
        if (score > most) [best, most] = [at, score];
      }
      if (best === -1) continue;
      this.pair(unit, two[best] as Unit);
      from = best + 1;
    }
  }

  /** Where the other list has the pair of the nearest unit before or after one. */
  private nearestPair(unit: Unit, step: 1 | -1, [other]: readonly Unit[]): number {
    for (let at = nextTo(unit, step); at; at = nextTo(at, step)) {
      const its = this.forward.get(at);
      if (its && its.list === other?.list) return its.at;
    }
    return step === 1 ? Infinity : -1;
  }
}

/** The innermost definition that a unit is in. */
function definitionOf(unit: Unit): Unit | undefined {
  let outer = unit.list?.owner;
  while (outer && !isDefinition(outer)) outer = outer.list?.owner;
  return outer;
}

const isBig = ({ list, size }: Unit, least: number): boolean =>
  list !== undefined && size >= least && (list.kind.isBlock || size > 8);

/** Whether an item is the only one without a pair between its neighbors. */
const isOnly = (unit: Unit, pairs: ReadonlyMap<Unit, Unit>): boolean =>
  unit.list?.kind.isBlock === false &&
  unit.list.kind.isOrdered &&
  ([1, -1] as const).every(step => {
    const next = nextTo(unit, step);
    return !next || pairs.has(next);
  });

/** The lists of two paired units that belong together. */
export function pairLists(one: Unit, two: Unit): [List, List][] {
  const [mine, its] = [listsOf(one), listsOf(two)];
  if (mine.length === 0 || its.length === 0) return [];
  if (
    one.hash === two.hash ||
    (mine.length === 1 && its.length === 1 && mine[0]?.kind === its[0]?.kind && mine[0]?.kind.isBlock)
  )
    return mine.flatMap((list, at): [List, List][] => (its[at] ? [[list, its[at]]] : []));
  return align(one.parts.map(keyOf), two.parts.map(keyOf)).flatMap(([at, to]): [List, List][] => {
    const [list, other] = [one.parts[at] as Part, two.parts[to] as Part];
    return isList(list) && isList(other) ? [[list, other]] : [];
  });
}

/** What is called with a list of items. */
export function calleeOf(list: List): string {
  const { parts } = list.owner;
  const before = parts.slice(0, parts.indexOf(list) - 1);
  const start = before.findLastIndex(part => isList(part) || !/^[\w.$]+$/.test(part.plain));
  return before
    .slice(start + 1)
    .map(keyOf)
    .join('');
}

/** All tokens of a unit. */
const tokensOf = (unit: Unit): Token[] =>
  unit.parts.flatMap(part => (isList(part) ? part.units.flatMap(tokensOf) : [part]));

const counts = new WeakMap<Unit, Map<string, number>>();
/** How often a unit has each word. */
function countWords(unit: Unit): Map<string, number> {
  const known = counts.get(unit);
  if (known) return known;
  const found = new Map<string, number>();
  for (const { plain } of unit.list?.kind.isBlock === false ? headOf(unit) : tokensOf(unit))
    if (/\w/.test(plain)) found.set(plain, (found.get(plain) ?? 0) + 1);
  counts.set(unit, found);
  return found;
}

/** The share of words that two units have in common, except for some. */
export function likeness(one: Unit, other: Unit, except: readonly string[] = []): number {
  const count = (unit: Unit) => [...countWords(unit)].filter(([word]) => !except.includes(word));
  const [mine, its] = [count(one), new Map(count(other))];
  let [both, sum] = [0, 0];
  for (const [word, times] of mine) {
    both += Math.min(times, its.get(word) ?? 0);
    sum += times;
  }
  for (const times of its.values()) sum += times;
  return sum === 0 ? 0 : (2 * both) / sum;
}

/** The versions after botcli's got the user's names, and the pairs of the base and the user's. */
interface Renamed {
  trees: Versions<Tree>;
  pairs: Pairs;
}

/** Gives the base and botcli's version the names that the user has given to what is otherwise the same. */
export function followRenames(trees: Versions<Tree>): Renamed {
  const { user, base, botcli } = trees;
  const pairs = new Pairs(base, user);
  const now = new Set(definitionsIn(user));
  if (!base.language.rename || definitionsIn(base).every(one => now.has(one))) return { trees, pairs };
  const renames = findRenames(trees, new Pairs(base, user, true));
  if (renames.size === 0) return { trees, pairs };
  const renamed = { user, base: rename(base, renames), botcli: rename(botcli, renames) };
  return { trees: renamed, pairs: new Pairs(renamed.base, user) };
}

/** The new names of a scope, by the signs of it and of those around it. */
type Renames = ReadonlyMap<string, ReadonlyMap<string, string>>;

function findRenames({ user, base, botcli }: Versions<Tree>, pairs: Pairs): Renames {
  const { role } = base.language;
  const [before, now] = [namesOf(base), namesOf(user)];
  const mentioned = new Set([base, botcli].flatMap(tree => tree.units.flatMap(unit => namesIn(unit, tree))));
  const candidates = new Map<Unit, Map<string, Set<string>>>();
  const scopeIn = (names: Names, unit: Unit, name: string) =>
    names.uses.get(unit)?.get(name) ?? [...names.scopes].find(([, defines]) => defines.get(name)?.includes(unit))?.[0];
  const add = (unit: Unit, name: string, to: string) => {
    const scope = scopeIn(before, unit, name);
    if (!scope) return;
    const its = scope === base.root ? user.root : pairs.forward.get(scope);
    const isStill = its && now.scopes.get(its)?.has(name);
    if (!its || isStill || mentioned.has(to) || !now.scopes.get(its)?.has(to)) return;
    const own = candidates.get(scope) ?? new Map<string, Set<string>>();
    candidates.set(scope, own.set(name, (own.get(name) ?? new Set()).add(to)));
  };
  for (const [unit, other] of pairs.forward) {
    if (unit.head === other.head || !before.uses.has(unit)) continue;
    const [mine, its] = [headOf(unit), headOf(other)];
    for (const [at, to] of align(mine.map(nameless(base)), its.map(nameless(user)))) {
      const [one, two] = [mine[at] as Token, its[to] as Token];
      if (one.text !== two.text && role?.(one) && role(two)) add(unit, one.text, two.text);
    }
  }
  const renames = new Map<string, Map<string, string>>();
  for (const [scope, names] of candidates) {
    for (const [name, [to, ...others]] of names) {
      if (to === undefined || others.length > 0 || !isRename(scope, name, to)) continue;
      const key = pathOf(scope);
      renames.set(key, (renames.get(key) ?? new Map<string, string>()).set(name, to));
    }
  }
  return renames;

  /** A new name for something else is no rename: most that mentions it is the same but for names. */
  function isRename(scope: Unit, name: string, to: string): boolean {
    const definers = before.scopes.get(scope)?.get(name) ?? [];
    const units = [...before.uses].flatMap(([unit, uses]) =>
      pairs.forward.has(unit) && (uses.get(name) === scope || definers.includes(unit)) ? [unit] : [],
    );
    const still = units.filter(unit => namesIn(pairs.forward.get(unit), user).includes(to));
    // What defines it must be mostly the same.
    const isSame = (unit: Unit) =>
      definers.includes(unit) &&
      likeness(unit, pairs.forward.get(unit) as Unit, [name, to]) >= (isDefinition(unit) ? 0.7 : 0.5);
    return still.some(isSame) && 2 * still.length > units.length;
  }
}

/** What each scope defines: its path, the name, and which one of this path it is. */
function definitionsIn(tree: Tree): string[] {
  const times = new Map<string, number>();
  return [...namesOf(tree).scopes].flatMap(([scope, names]) =>
    [...names.keys()].map(name => {
      const key = `${pathOf(scope)} ${name}`;
      times.set(key, (times.get(key) ?? 0) + 1);
      return `${key} ${times.get(key)}`;
    }),
  );
}

/** A token as it's compared if names may differ. */
const nameless =
  ({ language }: Tree) =>
  (token: Token): string =>
    language.role?.(token) ? '' : token.plain;

/** The signs of a scope and of those around it. */
const pathOf = (scope: Unit): string => (scope.list ? `${pathOf(scope.list.owner)}/${scope.sign}` : '');

function rename(tree: Tree, renames: Renames): Tree {
  const { text, language } = tree;
  const names = namesOf(tree);
  const scopes = new Map(
    [...names.scopes].flatMap(([scope, defines]) =>
      [...defines].flatMap(([name, by]) => by.map(unit => [`${name} ${unit.from} ${unit.to}`, scope] as const)),
    ),
  );
  const places: { node: Syntax; to: string }[] = [];
  for (const [unit, uses] of names.uses) {
    const visit = (node: Syntax, name: string) => {
      const scope = uses.get(name) ?? scopes.get(`${name} ${unit.from} ${unit.to}`);
      const to = scope && renames.get(pathOf(scope))?.get(name);
      if (to !== undefined) places.push({ node, to });
    };
    for (const token of headOf(unit)) {
      if (!token.syntax) continue;
      if (language.role?.(token)) visit(token.syntax, token.text);
      else if (language.usesWithin?.(token).length) eachName(tree, token.syntax, visit);
    }
  }
  let [out, at] = ['', 0];
  for (const { node, to } of places.sort((one, other) => one.node.from - other.node.from)) {
    const name = text.slice(node.from, node.to);
    out += text.slice(at, node.from) + (language.rename?.(node, name, to) ?? to);
    at = node.to;
  }
  return readTree(language, out + text.slice(at));
}

/** Goes through the names within a token. */
function eachName({ text, language }: Tree, outer: Syntax, visit: (node: Syntax, name: string) => void): void {
  for (const node of outer.children) {
    const name = text.slice(node.from, node.to);
    if (language.role?.({ text: name, plain: name, type: node.name, from: node.from, to: node.to, syntax: node }))
      visit(node, name);
    eachName({ text, language } as Tree, node, visit);
  }
}
