import { once, pairLines, type Versions } from '../lines.ts';
import {
  headOf,
  isComment,
  isList,
  type List,
  listsOf,
  nextTo,
  type Part,
  readTree,
  type Syntax,
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
  private readonly isImport: (unit: Unit) => boolean;

  constructor(base: Tree, other: Tree) {
    [this.base, this.other] = [base, other];
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
        const { isSingle } = this.base.language;
        if (isSingle) this.elsewhere(({ sign = '' }) => (isSingle(sign) ? sign : undefined));
      },
      () => {
        this.elsewhere(unit => (isBig(unit, 4) ? unit.hash : undefined));
        this.inLists((one, two) => this.signed(one, two));
      },
      () => {
        this.elsewhere(unit => (unit.list?.kind.isBlock && unit.size > 0 ? unit.hash : undefined), true);
        this.around();
      },
      () => {
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

  /** Units with a sign, or words, that no other one of their list has. */
  private signed(one: Unit[], two: Unit[]): void {
    const head = (unit: Unit) => (unit.list?.kind.isBlock && unit.size > 2 ? unit.head : undefined);
    for (const key of [(unit: Unit): unknown => unit.sign, head]) {
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
      if (other && unit.type === other.type) this.pair(unit, other);
    }
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
        const score = likeness(unit, other);
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

const isBig = ({ list, size }: Unit, least: number): boolean =>
  list !== undefined && size >= least && (list.kind.isBlock || size > 8);

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

/** The share of words that two units have in common. */
function likeness(one: Unit, other: Unit): number {
  const [mine, its] = [countWords(one), countWords(other)];
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
  if (!base.language.rename) return { trees, pairs };
  const renames = findRenames(trees, pairs);
  if (renames.size === 0) return { trees, pairs };
  const renamed = { user, base: rename(base, renames), botcli: rename(botcli, renames) };
  return { trees: renamed, pairs: new Pairs(renamed.base, user) };
}

function findRenames({ user, base, botcli }: Versions<Tree>, pairs: Pairs): Map<string, string> {
  const { role } = base.language;
  const [before, now, new_] = [base, user, botcli].map(namesIn) as [Set<string>, Set<string>, Set<string>];
  const candidates = new Map<string, Set<string>>();
  for (const [unit, other] of pairs.forward) {
    if (unit.head === other.head || unit.parts.length !== other.parts.length) continue;
    for (const [at, part] of unit.parts.entries()) {
      const to = other.parts[at];
      if (!to || isList(part) || isList(to) || part.plain === to.plain || !role?.(part) || !role(to)) continue;
      if (now.has(part.text) || before.has(to.text) || new_.has(to.text)) continue;
      candidates.set(part.text, (candidates.get(part.text) ?? new Set()).add(to.text));
    }
  }
  const renames = new Map(
    [...candidates].flatMap(([name, to]) => (to.size === 1 ? [[name, ...to] as [string, string]] : [])),
  );
  // A new name for something else is no rename: what defines it must be the same but for names.
  const defined = new Set<string>();
  for (const [unit, other] of pairs.forward) {
    const [mine, its] = [headOf(unit), headOf(other)];
    const isSame = (token: Token, at: number) =>
      token.plain === its[at]?.plain || renames.get(token.text) === its[at]?.plain;
    if (mine.length !== its.length || !mine.every(isSame) || (unit.hash !== other.hash && likeness(unit, other) < 0.6))
      continue;
    for (const token of mine) if (role?.(token) === 'define' && renames.has(token.text)) defined.add(token.text);
  }
  return new Map([...renames].filter(([name]) => defined.has(name)));
}

/** Goes through the names of a text: their nodes, in order. */
function eachName({ text, syntax, language }: Tree, visit: (name: string, node: Syntax) => void): void {
  const walk = (node: Syntax) => {
    const name = text.slice(node.from, node.to);
    const token = { text: name, plain: name, type: node.name, from: node.from, to: node.to, syntax: node };
    if (language.role?.(token)) visit(name, node);
    for (const child of node.children) walk(child);
  };
  walk(syntax);
}

function namesIn(tree: Tree): Set<string> {
  const names = new Set<string>();
  eachName(tree, name => names.add(name));
  return names;
}

function rename(tree: Tree, renames: ReadonlyMap<string, string>): Tree {
  const { text, language } = tree;
  let [out, at] = ['', 0];
  eachName(tree, (name, { from, to, ...node }) => {
    const now = renames.get(name);
    if (now === undefined) return;
    out += text.slice(at, from) + (language.rename?.({ from, to, ...node }, name, now) ?? now);
    at = to;
  });
  return readTree(language, out + text.slice(at));
}
