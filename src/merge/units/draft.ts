import { SAME_LINES } from '../lines.ts';
import { align, calleeOf } from './pairs.ts';
import { keyUnit, MISFIT, type Node, otherOf, type Place, Places, type Side, unitOf } from './places.ts';
import {
  endOf,
  headOf,
  isComment,
  isDefinition,
  isList,
  type List,
  listsOf,
  nextTo,
  type Part,
  type Token,
  type Tree,
  type Unit,
} from './tree.ts';

/** A part of a unit of one side. */
interface Word {
  side: Side;
  part: Part;
}

const HOLE = "botcli's change removes what is between these brackets of yours.";
export const twice = (name: string): string => `Your file already defines "${name}", and so does botcli's change.`;

/** A comment that is about a file: a block, or one for a tool. */
const HEADER = /^(\/\*|\/\/ ?(@ts-(no)?check|SPDX|Copyright))/;

/** Decides two more questions for each unit: in which order is it, and with which words. */
export class Draft extends Places {
  private readonly words = new Map<Node, Word[]>();
  /** For each unit of a list, the nearest ones that are old, once it was asked for. */
  private readonly olds = new Map<List, readonly ReadonlyMap<number, Node | undefined>[]>();

  constructor(...known: ConstructorParameters<typeof Places>) {
    super(...known);
    for (const place of new Set(this.placeOf.values())) if (place.nodes.length > 0) place.nodes = this.order(place);
    for (const node of this.nodes) if (this.isWritten(node)) this.decideWords(node);
    this.findHoles();
    this.findUnwritten();
  }

  /** The user's order, with what botcli has added or moved next to its neighbors. */
  private order(place: Place): Node[] {
    const inPlace = new Set(place.nodes);
    const [mine, its] = [this.movedBy(place, 'user', inPlace), this.movedBy(place, 'botcli', inPlace)];
    const [user, botcli] = [this.sequenceOf(place, 'user', inPlace), this.sequenceOf(place, 'botcli', inPlace)];
    const result = user.filter(node => this.isSettled(node) || !its.has(node) || mine.has(node));
    const placed = new Set(result);
    // What botcli has removed, or put into something else, still shows where it was.
    const ghosts = new Set<Node>();
    const rows = place.user?.units.map(unit => this.nodeOf.get(unit) as Node) ?? [];
    for (const [at, node] of rows.entries()) {
      if (inPlace.has(node) || !node.base) continue;
      let above = at - 1;
      while (above >= 0 && !placed.has(rows[above] as Node)) above -= 1;
      result.splice(above < 0 ? 0 : result.indexOf(rows[above] as Node) + 1, 0, node);
      ghosts.add(node);
    }
    const { language } = this.trees.base;
    const isSorted =
      place.user?.kind.isSorted === true &&
      result.length > 1 &&
      result.every(
        (node, at) => language.isUnique?.(signOf(node)) && (at === 0 || signOf(node) > signOf(result[at - 1] as Node)),
      );
    for (const [index, node] of botcli.entries()) {
      const unit = node.botcli as Unit;
      const kind = (place.botcli ?? place.user)?.kind;
      const isOrdered = kind?.isOrdered !== false && !isComment(keyUnit(node)) && !language.isImport?.(keyUnit(node));
      if (placed.has(node)) {
        const isBoth = mine.has(node) && its.has(node) && place.base && isOrdered && !this.isSettled(node);
        if (isBoth && !isBeside(user, botcli, node)) this.conflict(node, SAME_LINES);
        continue;
      }
      const isMovedHere = (one: Node) =>
        inPlace.has(one) && one.base && this.own(one.user) === place && this.own(one.base) !== place;
      // What both have moved, or what the user has put here, is still next to what botcli has in the list that it was in.
      const stays = (one: Node) =>
        placed.has(one) && (!mine.has(one) || its.has(one) || (isMovedHere(one) && one.botcli?.list === unit.list));
      let [before, after] = [index - 1, index + 1];
      while (before >= 0 && !stays(botcli[before] as Node)) before -= 1;
      while (after < botcli.length && !stays(botcli[after] as Node)) after += 1;
      const from = before < 0 ? -1 : result.indexOf(botcli[before] as Node);
      const to = after >= botcli.length ? result.length : result.indexOf(botcli[after] as Node);
      if (isOrdered && from > to) this.conflict(node, MISFIT);
      // The user has something else in place of what is next to it.
      const isOwn = (one: Node) => !one.base && one.user && !isComment(one.user) && !one.botcli;
      const isGone = ({ user }: Node) => !user || this.own(user) !== place;
      if (
        isOrdered &&
        this.nearOld(unit).some(isGone) &&
        result.slice(from + 1, Math.max(to, 0)).some(one => isOwn(one) || (isMovedHere(one) && !isComment(unitOf(one))))
      )
        this.conflict(node, MISFIT);
      const own = result.slice(from + 1, Math.max(to, 0)).find(isOwn);
      if (own && isOrdered && !node.base && this.replacedBy(unit).some(one => !one.user))
        for (const one of [node, own]) this.conflict(one, SAME_LINES);
      const there = result[from + 1];
      const isNamed = (one: Node) => kind?.hasNamed && signOf(one).startsWith('.');
      if (kind?.isPositional && place.base && there && isOwn(there) && !(isNamed(node) && isNamed(there)))
        this.conflict(node, SAME_LINES);
      const next = isOrdered && nextTo(unit, 1);
      const home = next && !isComment(next) ? this.homeOf(next, inPlace) : undefined;
      const isPassed = home && home !== this.nodeOf.get(next as Unit) && result.indexOf(home) <= from;
      if (isPassed) this.conflict(node, MISFIT);
      result.splice(this.placeIn(result, unit, { from, to, ghosts, isSorted }), 0, node);
      placed.add(node);
    }
    for (const node of place.nodes) if (!placed.has(node)) result.push(node);
    this.findLone(place);
    return result.filter(node => inPlace.has(node));
  }

  /** The nearest units before and after one of botcli's that the base has, too. */
  private nearOld({ list, at }: Unit): Node[] {
    if (!list) return [];
    const known =
      this.olds.get(list) ??
      [list.units, list.units.toReversed()].map(units => {
        let last: Node | undefined;
        return new Map(
          units.map(unit => {
            const [near, node] = [last, this.nodeOf.get(unit)];
            if (node?.base && !isComment(unit)) last = node;
            return [unit.at, near] as const;
          }),
        );
      });
    this.olds.set(list, known);
    return known.flatMap(near => near.get(at) ?? []);
  }

  /**
   * Where a unit of botcli's goes between its neighbors: in the order of the alphabet, if the user's are; above what a
   * comment is about; in place of what botcli has removed; after what the user added, if they are items without order or
   * definitions.
   */
  private placeIn(
    result: readonly Node[],
    unit: Unit,
    { from, to, ghosts, isSorted }: { from: number; to: number; ghosts: ReadonlySet<Node>; isSorted: boolean },
  ): number {
    const { isBlock, isOrdered, separator, isSorted: canBeSorted } = (unit.list as List).kind;
    const { isFrame } = this.trees.base.language;
    if (isSorted && unit.sign !== undefined) {
      const greater = result.findIndex(one => signOf(one) > (unit.sign ?? ''));
      return greater === -1 ? result.length : greater;
    }
    const below = isComment(unit) && !isOrdered ? this.below(unit, this.trees.botcli) : undefined;
    if (below && result.includes(below)) return result.indexOf(below);
    const { importRank, isImport } = this.trees.base.language;
    if (importRank && isBlock) {
      const isAbove = (one: Node) =>
        isImport?.(unitOf(one)) && !ghosts.has(one) && (!isImport(unit) || importRank(unitOf(one)) < importRank(unit));
      // Another section begins below a blank line.
      const isApart = (one: Unit | undefined, { text }: Tree) => {
        const above = one && nextTo(one, -1);
        return isImport?.(unit) && above && isImport(above) && /\n\s*\n/.test(text.slice(endOf(above), one?.from));
      };
      const isOwnSection = isApart(unit, this.trees.botcli);
      const other = result.findIndex(
        (one, index) =>
          index > from &&
          ((isApart(one.user, this.trees.user) && (index > from + 1 || !isOwnSection)) ||
            !(ghosts.has(one) || isImport?.(unitOf(one)) || isComment(unitOf(one)))),
      );
      const end = other === -1 ? result.length : other;
      const last = result.slice(0, end).findLastIndex((one, index) => index > from && isAbove(one));
      if (last !== -1) return last + 1;
      if (isImport?.(unit) && from === -1 && to < result.length) return to;
    }
    const ghost = result.findIndex((one, index) => index > from && index < to && ghosts.has(one));
    if (ghost !== -1) return ghost;
    const isLast = (separator !== '' || !isBlock) && to === result.length && !canBeSorted;
    const isLoose = (one: Node | undefined) => one?.user && !one.base && !isFrame?.(one.user);
    if (!isOrdered && (from === -1 || isLast)) {
      let end = to;
      while (end < result.length && isLoose(result[end - 1]) && isComment(keyUnit(result[end - 1] as Node))) end -= 1;
      return end;
    }
    let at = from + 1;
    const added = result.slice(at).map(keyUnit);
    const isAmongDefinitions = isDefinition(unit) && added.every(one => isDefinition(one) || isComment(one));
    if (isBlock && to === result.length && isAmongDefinitions) return to;
    // A heading isn't above what the user has added below another one.
    while (isFrame?.(unit) && isLoose(result[at])) at += 1;
    return from === -1 && isBlock && isOrdered ? this.belowTop(result) : at;
  }

  /** How many units are what the user has put at the top of a file, such as a license or `"use client"`. */
  private belowTop(nodes: readonly Node[]): number {
    const { language, text } = this.trees.user;
    const { isTop, isImport } = language;
    const other = nodes.findIndex(
      ({ base, user, botcli }) =>
        !user || base || botcli || user.list?.owner.list || !(isComment(user) || isTop?.(user)),
    );
    const top = nodes.slice(0, other === -1 ? nodes.length : other).map(unitOf);
    const first = nodes[other]?.user;
    const isAboutAll = (unit: Unit) => {
      const next = nextTo(unit, 1);
      const isApart = next !== undefined && /\n\s*\n/.test(text.slice(unit.to, next.from));
      return isApart || isTop?.(unit);
    };
    const apart = top.findLastIndex(isAboutAll) + 1;
    const isHeader = first && isImport?.(first) && HEADER.test(headOf(top[0] ?? first)[0]?.text ?? '');
    return apart === 0 && isHeader ? top.length : apart;
  }

  /** The units of a place that a side has moved: those whose order isn't that of the base. */
  private movedBy(place: Place, side: Side, inPlace: ReadonlySet<Node>): Set<Node> {
    const moved = this.sequenceOf(place, side, inPlace).filter(
      node => node.base && node[side] && (!place[side] || this.own(node[side]) === place),
    );
    // What this side has elsewhere, or had in a function, has no order here.
    const { isScope } = this.trees.base.language;
    const now = moved.filter(({ base }) => {
      const home = this.own(base);
      const owner = home && home !== place && this.ownerOf(home);
      const isInner = owner && owner !== this.root && (this.isThere(owner) || isScope?.(keyUnit(owner)));
      return !(place.base && isInner);
    });
    const key = ({ base }: Node) => `${base?.from}-${base?.to}`;
    const before = [...now].sort((one, other) => (one.base as Unit).from - (other.base as Unit).from);
    const still = new Set(align(before.map(key), now.map(key)).map(([at]) => before[at]));
    return new Set(moved.filter(node => !still.has(node)));
  }

  /** Finds items that the user has added next to those that botcli removes from a list whose order matters. */
  private findLone({ base, user: list }: Place): void {
    if (!list || list.kind.isBlock || !list.kind.isOrdered || list.kind.separator === '') return;
    const stays = (unit: Unit) => !isComment(unit) && this.nodeOf.get(unit)?.botcli !== undefined;
    // Nothing is left that would be in order.
    if (!list.kind.isPositional && !base?.units.some(stays)) return;
    for (const unit of list.units) {
      const { base, botcli } = this.nodeOf.get(unit) as Node;
      if (base || botcli || isComment(unit)) continue;
      for (const neighbor of [nextTo(unit, -1), nextTo(unit, 1)]) {
        const node = neighbor && this.nodeOf.get(neighbor);
        if (node?.base && !node.botcli && !this.isSettled(node)) this.conflict(node, SAME_LINES);
      }
    }
  }

  /** The node of a place that a unit is, or is in. */
  private homeOf(unit: Unit, inPlace: ReadonlySet<Node>): Node | undefined {
    let node = this.nodeOf.get(unit);
    while (node && !inPlace.has(node)) node = node.place && this.ownerOf(node.place);
    return node;
  }

  /** The units of a place in the order of one side. A block of the other side counts as the units in it. */
  private sequenceOf(place: Place, side: Side, inPlace: ReadonlySet<Node>): Node[] {
    const found: Node[] = [];
    const seen = new Set<Node>();
    const visit = (units: readonly Unit[]) => {
      for (const unit of units) {
        const node = this.homeOf(unit, inPlace);
        if (!node)
          for (const list of listsOf(unit))
            if (list.units.some(one => inPlace.has(this.nodeOf.get(one) as Node))) visit(list.units);
        if (!node || seen.has(node)) continue;
        seen.add(node);
        found.push(node);
      }
    };
    visit(place[side]?.units ?? []);
    for (const node of place.nodes) {
      const unit = node[side];
      if (seen.has(node) || !unit) continue;
      // Its neighbors are in another list of this side.
      const near = (step: 1 | -1) => {
        let next = nextTo(unit, step);
        while (next && !seen.has(this.nodeOf.get(next) as Node)) next = nextTo(next, step);
        return next && found.indexOf(this.nodeOf.get(next) as Node);
      };
      const [before, after] = [near(-1), near(1)];
      const later = found.findIndex(one => (one[side]?.from ?? -1) > unit.from);
      const next = after ?? (later === -1 ? found.length : later);
      found.splice(before === undefined ? next : before + 1, 0, node);
      seen.add(node);
    }
    return found;
  }

  /** What a unit says in the merge: its words, and its lists. */
  wordsOf(node: Node): readonly Word[] {
    return this.words.get(node) ?? [];
  }

  private decideWords(node: Node): void {
    const chosen = this.chooseWords(node);
    const side = typeof chosen === 'object' ? 'user' : chosen;
    const words = (node[side] as Unit).parts.map(part => ({ side, part }));
    if (typeof chosen === 'object')
      for (const word of words) Object.assign(word, { part: { ...word.part, ...chosen } });
    this.words.set(node, words);
  }

  /** The side whose words a unit has: the one that has changed them. */
  private chooseWords(node: Node): Side | Pick<Token, 'text' | 'plain'> {
    const { base, user, botcli } = node;
    if (!user || !botcli || this.isSettled(node)) return user ? 'user' : 'botcli';
    const { settle, plain } = this.trees.base.language;
    const contest = (reason: string): Side => {
      this.conflict(node, reason);
      return 'user';
    };
    const decide = (): ReturnType<typeof this.chooseWords> | undefined => {
      const text = settle?.(node);
      return text === undefined || text === true ? text && 'user' : { text, plain: plain(text, user.type) };
    };
    if (!base && (!isAlike(user, botcli) || (isDefinition(user) && user.hash !== botcli.hash))) {
      const decided = decide();
      if (decided) return decided;
      const [, name] = /^(?:define |\.)"?(.*?)"?$/.exec(user.sign ?? '') ?? [];
      return contest(name === undefined ? SAME_LINES : twice(name));
    }
    const misgiven = base && listsOf(base).flatMap(list => this.misgiven(list) ?? [])[0];
    if (misgiven) {
      this.conflict(this.replacedCall(user) ?? node, misgiven);
      return 'user';
    }
    const said = (unit: Unit) =>
      unit.parts
        .filter(part => isList(part) || part.plain !== '')
        .map(part => (isList(part) ? `\0${this.placeOf.get(part)?.id}` : part.plain));
    const [mine, its, old] = [said(user), said(botcli), base && said(base)];
    if (isSame(mine, its) && this.hasNewLook(node)) return 'botcli';
    if (isSame(mine, its) || (old && isSame(old, its))) return 'user';
    if (old && isSame(old, mine)) return 'botcli';
    return decide() ?? contest(SAME_LINES);
  }

  /** Whether only botcli has put words around a list that are only look, such as brackets. */
  private hasNewLook({ base, user, botcli }: Node): boolean {
    const looks = [base, user, botcli].map(
      unit => unit?.parts.filter(part => !isList(part) && part.type === 'Look').length,
    );
    return looks[0] === looks[1] && looks[0] !== looks[2];
  }

  /**
   * Why what one side has given to a call would go to something else: the other side calls another thing. What botcli only
   * changes counts, too: it may know nothing of what the user calls.
   */
  private misgiven(list: List): string | undefined {
    const { isImport } = this.trees.base.language;
    if (list.kind.isBlock || isImport?.(list.owner) || isDefinition(list.owner)) return undefined;
    const place = this.placeOf.get(list) as Place;
    const side = (['user', 'botcli'] as const).find(one => {
      const other = place[otherOf(one)];
      const isGiven = (unit: Unit) => {
        const node = this.nodeOf.get(unit) as Node;
        const isChange = node.base ? one === 'botcli' && unit.hash !== node.base.hash : !node[otherOf(one)];
        return !isComment(unit) && isChange;
      };
      return other && calleeOf(other) !== calleeOf(list) && place[one]?.units.some(isGiven);
    });
    const callee = calleeOf(list) || 'something else';
    if (side === 'user') return `You gave these settings to ${callee}.`;
    return side && `botcli's change gives settings to ${callee}, which your file has replaced.`;
  }

  /** Finds brackets in which the merge has nothing, although something must be in them. */
  private findHoles(): void {
    for (const [list, place] of this.placeOf) {
      const owner = this.nodeOf.get(list.owner) as Node;
      const isOwn = owner.base === undefined && list === place.user && !owner.botcli;
      if (place.nodes.length > 0 || list.units.every(isComment) || !(list.kind.isFilled || isOwn)) continue;
      if (!this.isWritten(owner) || !this.wordsOf(owner).some(({ part }) => part === list)) continue;
      for (const unit of list.units) {
        const node = this.nodeOf.get(unit) as Node;
        this.conflict(node.user && !node.botcli ? node : owner, HOLE);
      }
    }
  }

  /** Finds what would be in a list that the words of its owner don't have, such as the body of a function. */
  private findUnwritten(): void {
    const parts = this.nodes.flatMap(node => this.wordsOf(node).map(({ part }) => part));
    const written = new Set(parts.map(part => isList(part) && this.placeOf.get(part)));
    for (const node of this.nodes) {
      const owner = node.place && !written.has(node.place) && this.ownerOf(node.place);
      if (!owner || isComment(unitOf(node)) || !this.isWritten(owner)) continue;
      if (node.user) this.conflict(owner, SAME_LINES);
      else this.conflict(node, MISFIT);
    }
  }
}

const signOf = (node: Node): string => keyUnit(node).sign ?? '';

/** Whether two units say the same, except for what is in blocks, and in lists without order. */
const isAlike = (one: Unit, two: Unit): boolean =>
  one.parts.length === two.parts.length &&
  one.parts.every((part, at) => {
    const other = two.parts[at] as Part;
    if (!isList(part)) return !isList(other) && part.plain === other.plain;
    const isFree = part.kind.isBlock || !part.kind.isOrdered;
    const hash = (unit: Unit) => unit.hash;
    return isList(other) && (isFree || isSame(part.units.map(hash), other.units.map(hash)));
  });

const isSame = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((each, at) => each === other[at]);

const isBeside = (user: readonly Node[], botcli: readonly Node[], node: Node): boolean =>
  [-1, 1].some(step => user[user.indexOf(node) + step] === botcli[botcli.indexOf(node) + step]);
