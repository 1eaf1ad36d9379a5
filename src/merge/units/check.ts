import { SAME_LINES, type Versions } from '../lines.ts';
import { type Draft, twice } from './draft.ts';
import { type Names, namesIn, namesOf } from './names.ts';
import { keyUnit, MISFIT, type Node, otherOf, type Side, unitOf } from './places.ts';
import { headOf, isComment, isList, type List, listsOf, statementsIn, type Tree, type Unit } from './tree.ts';

/** What is wrong with a merge. */
interface Faults {
  /** What the user must decide, and why. */
  conflicts: Map<Unit, string>;
  /** Units of the base that the merge needs, although one side has removed them. */
  needed: Unit[];
  /** The units of the result. */
  unitOf: ReadonlyMap<Node, Unit>;
}

const UNBALANCED = "With botcli's change, the brackets of your file would no longer match.";
const lost = (name: string) => `Your lines use "${name}", which botcli's change removes.`;
const missing = (name: string) => `botcli's change uses "${name}", which your file doesn't define any more.`;
const hidden = (name: string) => `With botcli's change, "${name}" would be used outside of the block that defines it.`;
export const GOES_WITH = 'This goes with another conflict:';
const goesWith = (name: string) => `${GOES_WITH} both are about "${name}".`;
const other = (name: string) => `With botcli's change, "${name}" would mean something else.`;
const early = (name: string) => `With botcli's change, "${name}" would be used before it is defined.`;
const dead = (whose: string, word: string) => `Nothing after ${whose} "${word}" would run.`;

/** A merge in the making, as rules of a language see it. */
export interface Merge {
  draft: Draft;
  result: Tree;
  nodeOf: ReadonlyMap<Unit, Node>;
  unitOf: ReadonlyMap<Node, Unit>;
  /** The changes of botcli's that it has. */
  changes: readonly Node[];
  names: { user: Names; base: Names; now: Names };
}

/** What a rule of a language finds wrong: at a change of botcli's, or because of some. */
export interface LanguageFault {
  reason: string;
  at?: Node | undefined;
  near?: readonly Node[];
}

/** Checks the text of a draft: it says what was planned, nothing is there twice, all of it runs, and names mean what they meant. */
export function checkDraft(draft: Draft, result: Tree, rules: (merge: Merge) => LanguageFault[]): Faults {
  return new Check(draft, result).run(rules);
}

class Check {
  readonly draft: Draft;
  readonly result: Tree;
  readonly nodeOf = new Map<Unit, Node>();
  readonly unitOf = new Map<Node, Unit>();
  private readonly conflicts = new Map<Unit, string>();
  private readonly needed: Unit[] = [];
  private changes: readonly Node[] | undefined;

  constructor(draft: Draft, result: Tree) {
    [this.draft, this.result] = [draft, result];
  }

  run(rules: (merge: Merge) => LanguageFault[]): Faults {
    const { language } = this.result;
    const { user, botcli } = this.draft.trees;
    const isBroken = this.result.errors > Math.max(user.errors, botcli.errors);
    const misfit = this.findMisfit(this.draft.root, this.result.root);
    if (isBroken || misfit) this.blame(isBroken ? (language.broken ?? UNBALANCED) : MISFIT, misfit);
    else {
      this.findLost();
      this.findTwice();
      this.findDead();
      if (language.role) this.checkNames();
      const names = { user: namesOf(user), base: namesOf(this.draft.trees.base), now: namesOf(this.result) };
      const merge = { ...this, changes: this.changesOfBotcli, names };
      for (const { reason, at, near } of rules(merge)) this.blame(reason, at, near);
    }
    return { conflicts: this.conflicts, needed: this.needed, unitOf: this.unitOf };
  }

  /** The changes of botcli's that the merge has. */
  private get changesOfBotcli(): readonly Node[] {
    this.changes ??= this.draft.nodes.filter(node => this.isChange(node));
    return this.changes;
  }

  private isChange(node: Node): boolean {
    const { base, user, botcli } = node;
    if (node === this.draft.root || this.draft.isSettled(node)) return false;
    if (!botcli) return base !== undefined && user !== undefined && !this.draft.isThere(node);
    if (!base) return user === undefined;
    return base.head !== botcli.head || !this.draft.isInBaseList(node, 'botcli');
  }

  /** Makes a change of botcli's the user's decision; without one, those near it, or all. */
  private blame(reason: string, node?: Node, near: readonly Node[] = []): void {
    const own = node && this.isChange(node) ? [node] : near;
    for (const one of own.length > 0 ? own : this.changesOfBotcli)
      if (!this.conflicts.has(keyUnit(one))) this.conflicts.set(keyUnit(one), reason);
  }

  /** The first unit of the plan that the result doesn't have as planned. */
  private findMisfit(node: Node, unit: Unit): Node | undefined {
    this.nodeOf.set(unit, node);
    this.unitOf.set(node, unit);
    const planned = this.draft.wordsOf(node).flatMap(({ part }) => (isList(part) || part.plain !== '' ? [part] : []));
    const found = unit.parts.filter(part => isList(part) || part.plain !== '');
    if (planned.length !== found.length) return node;
    for (const [at, part] of planned.entries()) {
      const now = found[at];
      if (!now || isList(part) !== isList(now)) return node;
      if (!isList(part)) {
        if (!isList(now) && part.plain !== now.plain) return node;
        continue;
      }
      // Comments may be in another block.
      const nodes = this.draft.placeOf.get(part)?.nodes.filter(one => !isComment(unitOf(one))) ?? [];
      const units = isList(now) ? now.units.filter(one => !isComment(one)) : [];
      for (const [index, one] of nodes.entries()) {
        const its = units[index];
        const misfit = its ? this.findMisfit(one, its) : one;
        if (misfit) return misfit;
      }
      if (nodes.length < units.length) return node;
    }
    return undefined;
  }

  /** Finds what only the user has, and the merge hasn't. */
  private findLost(): void {
    for (const node of this.draft.nodes) {
      if (!node.user || node.base || node.botcli || this.draft.isWritten(node)) continue;
      let outer = node;
      for (let at: Node | undefined = node; at?.user?.list; at = this.draft.nodeOf.get(at.user.list.owner))
        if (!this.draft.isWritten(at)) outer = at;
      this.conflicts.set(keyUnit(outer), SAME_LINES);
    }
  }

  private findTwice(): void {
    const { language } = this.result;
    const repeated = (list: List): Unit[] => {
      const seen = new Set<string>();
      return list.units.filter(({ sign = '' }) => {
        if (!language.isUnique?.(sign)) return false;
        const isAgain = seen.has(sign);
        seen.add(sign);
        return isAgain;
      });
    };
    const signsIn = (tree: Tree) =>
      tree.units
        .flatMap(listsOf)
        .flatMap(repeated)
        .map(({ sign }) => sign);
    const known = new Set([...signsIn(this.draft.trees.user), ...signsIn(this.draft.trees.botcli)]);
    for (const list of this.result.units.flatMap(listsOf)) {
      for (const { sign = '' } of repeated(list)) {
        if (known.has(sign)) continue;
        const same = list.units.filter(unit => unit.sign === sign).flatMap(unit => this.nodeOf.get(unit) ?? []);
        this.blame(
          twice(sign.replace(/^\S+ |^[@.]/, '')),
          same.find(node => this.isChange(node)),
        );
      }
    }
  }

  private findDead(): void {
    const { ends, isReached } = this.result.language;
    if (!ends) return;
    /** The units that can't be reached, and what ends before each. */
    const deadIn = ({ units }: List): [Unit, Unit][] => {
      let end: Unit | undefined;
      return units.flatMap((unit): [Unit, Unit][] => {
        if (isReached?.(unit)) end = undefined;
        if (!end || isComment(unit) || /^Function/.test(unit.type)) {
          if (ends(unit)) end ??= unit;
          return [];
        }
        const by = end;
        return [unit, ...statementsIn(unit)].map((one): [Unit, Unit] => [one, by]);
      });
    };
    const deadOf = (tree: Tree) => tree.units.flatMap(listsOf).flatMap(deadIn);
    const known = new Set([this.draft.trees.user, this.draft.trees.botcli].flatMap(deadOf).map(([unit]) => unit));
    for (const [unit, end] of deadOf(this.result)) {
      const [node, by] = [this.nodeOf.get(unit), this.nodeOf.get(end)];
      if ([node?.user, node?.botcli].some(one => one && known.has(one))) continue;
      this.blame(dead(by?.user ? 'your' : "botcli's", headOf(end)[0]?.text ?? ''), by && this.isChange(by) ? by : node);
    }
  }

  private checkNames(): void {
    const { trees } = this.draft;
    const views = { user: namesOf(trees.user), botcli: namesOf(trees.botcli), base: namesOf(trees.base) };
    const now = namesOf(this.result);
    const both = this.findBothDefined(views, now);
    for (const [unit, uses] of now.uses) {
      const node = this.nodeOf.get(unit);
      if (!node) continue;
      for (const [name, scope] of uses) {
        // What both have may mean what it means to either.
        const sides = (['user', 'botcli'] as const).filter(side => views[side].uses.get(node[side] as Unit)?.has(name));
        const problems = sides.map(side => this.problemOf(side, { node, name, scope }, views, now));
        if (problems.length === 0 || problems.some(problem => problem === undefined)) continue;
        const [problem] = problems as [Unit[] | string];
        if (typeof problem !== 'string') this.needed.push(...problem);
        else
          this.blame(
            this.draft.isSettled(node) || both.has(name) ? goesWith(name) : problem,
            node,
            this.changesOf(name),
          );
      }
    }
    this.findEarly(views, now);
  }

  /** Finds constants that are used above their definitions, although they aren't on any side. */
  private findEarly(views: Record<Side, Names>, now: Names): void {
    const definerBelow = (names: Names, unit: Unit | undefined, name: string): Unit | undefined => {
      const scope = unit && names.uses.get(unit)?.get(name);
      const [first] = (scope && names.scopes.get(scope)?.get(name)) || [];
      const isBelow = first && unit && first.list === unit.list && first.at > unit.at;
      return isBelow && !/^(Function|Type|Interface|Import)/.test(first.type) ? first : undefined;
    };
    for (const [unit, uses] of now.uses) {
      const node = this.nodeOf.get(unit);
      for (const name of node ? uses.keys() : []) {
        const definer = definerBelow(now, unit, name);
        if (
          !node ||
          !definer ||
          definerBelow(views.user, node.user, name) ||
          definerBelow(views.botcli, node.botcli, name)
        )
          continue;
        const by = [node, this.nodeOf.get(definer)].find(one => one?.botcli && !this.draft.isSettled(one));
        if (by) this.conflicts.set(keyUnit(by), early(name));
      }
    }
  }

  /** The changes that remove what defines a name; without them, those that use it more or less than before. */
  private changesOf(name: string): Node[] {
    const { base, botcli } = this.draft.trees;
    const isIn = (unit: Unit | undefined, tree: Tree) =>
      unit !== undefined && namesOf(tree).defines.get(unit)?.has(name) === true;
    const defining = this.changesOfBotcli.filter(node => isIn(node.base, base) && !isIn(node.botcli, botcli));
    if (defining.length > 0) return defining;
    return this.changesOfBotcli.filter(
      node => namesIn(node.base, base).includes(name) !== namesIn(node.botcli, botcli).includes(name),
    );
  }

  private nodeIn(unit: Unit): Node | undefined {
    return this.nodeOf.get(unit) ?? this.draft.nodeOf.get(unit);
  }

  /** What is wrong with a name in the eyes of one side; or the imports that it needs. */
  private problemOf(
    side: Side,
    { node, name, scope }: { node: Node; name: string; scope: Unit | undefined },
    views: Record<Side, Names>,
    now: Names,
  ): string | Unit[] | undefined {
    const { isImport } = this.result.language;
    const before = views[side].uses.get(node[side] as Unit)?.get(name);
    const definers = scope ? (now.scopes.get(scope)?.get(name) ?? []) : [];
    const isOnlyOf = (one: Unit | Node | undefined, whose: Side) => {
      const its = one && 'parts' in one ? this.nodeIn(one) : one;
      return its !== undefined && its[whose] !== undefined && !its.base && !its[otherOf(whose)];
    };
    if (!before)
      return definers.some(one => isOnlyOf(one, otherOf(side))) && !node[otherOf(side)] ? other(name) : undefined;
    const olds = views[side].scopes.get(before)?.get(name) ?? [];
    const old = olds.flatMap(one => this.nodeIn(one) ?? []);
    if (!scope) {
      const needed = old.flatMap(one => this.importsOf(one, name));
      if (needed.length > 0) return needed;
      const isStill = old.some(one => this.unitOf.has(one) && now.defines.get(this.unitOf.get(one) as Unit)?.has(name));
      if (isStill) return hidden(name);
      if (old.some(one => this.draft.isSettled(one))) return goesWith(name);
      return side === 'user' ? lost(name) : missing(name);
    }
    const isShared = definers.some(one => old.includes(this.nodeIn(one) as Node));
    const isSameImport = definers.some(
      one => isImport?.(one) && olds.some(two => isImport?.(two) && one.sign === two.sign),
    );
    // Both versions of botcli's define it there.
    const isRedefined =
      scope === this.unitOf.get(this.nodeIn(before) ?? this.draft.root) &&
      definers.some(one => this.nodeIn(one)?.botcli) &&
      old.length > 0 &&
      old.every(one => one.base && !one.botcli && !this.unitOf.has(one));
    // What was below both may be in a block of the other side's now.
    const isPassed = isOnlyOf(scope, otherOf(side)) && scope !== this.result.root;
    return isShared || isSameImport || isRedefined || isPassed ? undefined : other(name);
  }

  /** A removed import of a package, and what it imports by a name. */
  private importsOf({ base }: Node, name: string): Unit[] {
    const { isImport, isOwnImport } = this.result.language;
    if (!base || !isImport?.(base) || isOwnImport?.(base)) return [];
    const inner = listsOf(base).flatMap(list =>
      list.units.filter(unit => headOf(unit).some(({ text }) => text === name)),
    );
    return inner.length > 0 || listsOf(base).length === 0 ? [base, ...inner] : [];
  }

  /** Finds names to which each side has given a meaning. */
  private findBothDefined(views: Versions<Names>, now: Names): Set<string> {
    const both = new Set<string>();
    for (const defines of now.scopes.values()) {
      for (const [name, by] of defines) {
        const isNew = (side: Side) =>
          by.flatMap(unit => {
            const node = this.nodeOf.get(unit);
            const has = (one: keyof Versions<Names>) => node?.[one] && views[one].defines.get(node[one])?.has(name);
            return node && has(side) && !has(otherOf(side)) && !has('base') ? [node] : [];
          });
        const [mine, its] = [isNew('user'), isNew('botcli')];
        const one = its.find(node => !mine.includes(node));
        if (mine.length === 0 || !one) continue;
        this.blame(twice(name), one);
        both.add(name);
      }
    }
    return both;
  }
}
