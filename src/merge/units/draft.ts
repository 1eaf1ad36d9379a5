import { once, SAME_LINES, type Versions } from '../lines.ts';
import { align, calleeOf, type Pairs, pairLists } from './pairs.ts';
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

export type Side = 'user' | 'botcli';
export const otherOf = (side: Side): Side => (side === 'user' ? 'botcli' : 'user');

/** A unit in its versions. */
export interface Node extends Partial<Versions<Unit>> {
  /** The list that the merge has it in, if it has it. */
  place?: Place;
}

/** A list in its versions, and the units that the merge has in it, in order. */
export interface Place extends Partial<Versions<List>> {
  id: number;
  nodes: Node[];
}

/** A part of a unit of one side. */
interface Word {
  side: Side;
  part: Part;
}

/** What is known of a merge before it's drafted. */
interface Decisions {
  /** Units of the base that stay although one side has removed them. */
  kept: ReadonlySet<Unit>;
  /** Units that stay as the user has them, because the user must decide about them, and why. */
  contested: ReadonlyMap<Unit, string>;
}

export const MISFIT = "botcli's change doesn't fit the blocks around it in your file.";
const HOLE = "botcli's change removes what is between these brackets of yours.";
export const twice = (name: string): string => `Your file already defines "${name}", and so does botcli's change.`;
const MOVED = 'You moved these lines, and botcli removes them.';

/** A comment that is about a file: a block, or one for a tool. */
const HEADER = /^(\/\*|\/\/ ?(@ts-(no)?check|SPDX|Copyright))/;

/** The unit by which a node is known in every draft. */
export const keyUnit = ({ user, base, botcli }: Node): Unit => (botcli ?? user ?? base) as Unit;
/** The unit that the merge writes. */
export const unitOf = ({ user, botcli }: Node): Unit => (user ?? botcli) as Unit;

/** Decides three questions for each unit: is it there, in which list and where, and with which words. */
export class Draft {
  readonly trees: Versions<Tree>;
  readonly nodeOf = new Map<Unit, Node>();
  readonly placeOf = new Map<List, Place>();
  readonly nodes: Node[] = [];
  readonly root: Node;
  /** What the user must decide, found by this draft: the units, by their keys, and why. */
  readonly conflicts = new Map<Unit, string>();
  private readonly decisions: Decisions;
  private readonly words = new Map<Node, Word[]>();
  private readonly stays = new Map<Node, boolean>();
  private readonly settled = new Map<Node, boolean>();
  private readonly before = new Map<List, readonly (Place | undefined)[]>();
  private readonly after = new Map<List, readonly (Place | undefined)[]>();
  /** For each unit of a list, the nearest ones that are old, once it was asked for. */
  private readonly olds = new Map<List, readonly ReadonlyMap<number, Node | undefined>[]>();
  /** What each comment is right above, once it was asked for. */
  private readonly subjects = new Map<Unit, Node | undefined>();
  private places = 0;

  constructor(trees: Versions<Tree>, pairs: Record<Side, Pairs>, decisions: Decisions) {
    [this.trees, this.decisions] = [trees, decisions];
    for (const base of trees.base.units) {
      const [user, botcli] = [pairs.user.forward.get(base), pairs.botcli.forward.get(base)];
      this.add({ base, ...(user && { user }), ...(botcli && { botcli }) });
      for (const list of listsOf(base))
        this.addPlace({ base: list, user: pairs.user.lists.get(list), botcli: pairs.botcli.lists.get(list) });
    }
    this.root = this.nodeOf.get(trees.base.root) as Node;
    this.pairNew();
    for (const side of ['user', 'botcli'] as const)
      for (const unit of trees[side].units) {
        if (!this.nodeOf.has(unit)) this.add({ [side]: unit });
        for (const list of listsOf(unit)) if (!this.placeOf.has(list)) this.addPlace({ [side]: list });
      }
    this.putInPlaces();
    for (const place of new Set(this.placeOf.values())) if (place.nodes.length > 0) place.nodes = this.order(place);
    for (const node of this.nodes) if (this.isWritten(node)) this.decideWords(node);
    this.findHoles();
    this.findUnwritten();
  }

  private add(node: Node): void {
    this.nodes.push(node);
    for (const unit of [node.base, node.user, node.botcli]) if (unit) this.nodeOf.set(unit, node);
  }

  private addPlace(lists: { [side in keyof Versions<List>]?: List | undefined }): Place {
    const place = { ...lists, id: this.places++, nodes: [] } as Place;
    for (const list of [place.base, place.user, place.botcli]) if (list) this.placeOf.set(list, place);
    return place;
  }

  private conflict(node: Node, reason: string): undefined {
    if (!this.conflicts.has(keyUnit(node))) this.conflicts.set(keyUnit(node), reason);
  }

  /** Units that both sides have added to the same list, if they're the same, or have the same sign. */
  private pairNew(): void {
    const queue = [...new Set(this.placeOf.values())];
    for (let place = queue.pop(); place; place = queue.pop()) {
      const added = (list: List | undefined) => list?.units.filter(unit => !this.nodeOf.has(unit)) ?? [];
      const [mine, its] = [added(place.user), added(place.botcli)];
      if (mine.length === 0 || its.length === 0) continue;
      const pair = (user: Unit, botcli: Unit) => {
        if (this.nodeOf.has(user) || this.nodeOf.has(botcli)) return;
        this.add({ user, botcli });
        for (const [list, other] of pairLists(user, botcli)) queue.push(this.addPlace({ user: list, botcli: other }));
      };
      const hash = (unit: Unit) => unit.hash;
      for (const [at, to] of align(mine.map(hash), its.map(hash))) pair(mine[at] as Unit, its[to] as Unit);
      const signs = once(its, unit => unit.sign);
      for (const [sign, unit] of once(mine, one => one.sign)) {
        const other = signs.get(sign);
        if (other && this.trees.base.language.isUnique?.(String(sign))) pair(unit, other);
      }
    }
    // What a text has only once, wherever it is.
    const { isSingle } = this.trees.base.language;
    const news = (side: Side) => this.trees[side].units.filter(({ sign = '' }) => isSingle?.(sign));
    const signs = once(news('botcli'), unit => unit.sign);
    for (const [sign, user] of once(news('user'), unit => unit.sign)) {
      const botcli = signs.get(sign);
      if (botcli && !this.nodeOf.has(user) && !this.nodeOf.has(botcli)) this.add({ user, botcli });
    }
  }

  private ownerNode(unit: Unit | undefined): Node | undefined {
    return unit?.list && this.nodeOf.get(unit.list.owner);
  }

  /** Whether a unit stays as the user has it: the user must decide about it, or about what it is in. */
  isSettled(node: Node): boolean {
    const known = this.settled.get(node);
    if (known !== undefined) return known;
    const isIn = (side: Side): boolean => {
      const owner = this.ownerNode(node[side]);
      const isWhole = owner && (!owner[otherOf(side)] || !owner.base || !node[side]?.list?.kind.isBlock);
      return owner !== undefined && isWhole === true && this.isSettled(owner);
    };
    this.settled.set(node, false);
    const is = this.decisions.contested.has(keyUnit(node)) || this.isUsersOwn(node) || isIn('user') || isIn('botcli');
    this.settled.set(node, is);
    return is;
  }

  /** Whether a unit that botcli removes stays because the user has changed it. */
  private isUsersOwn({ base, user, botcli }: Node): boolean {
    const isChanged = base && user && !botcli && user.hash !== base.hash;
    return isChanged === true && this.trees.base.language.settle?.({ user, base }) === true;
  }

  /** Whether the merge has a unit. */
  isThere(node: Node): boolean {
    const known = this.stays.get(node);
    if (known !== undefined) return known;
    this.stays.set(node, true);
    const is = this.decideThere(node);
    this.stays.set(node, is);
    return is;
  }

  private decideThere(node: Node): boolean {
    const { base, user, botcli } = node;
    if (this.isSettled(node)) return user !== undefined;
    if (!base && !user && botcli && isComment(botcli)) return this.isAboutSomething(botcli);
    if (!base || (user && botcli)) return true;
    const left = user ?? botcli;
    if (!left) return false;
    if (this.decisions.kept.has(base)) return true;
    if (this.trees.base.language.isImport?.(base))
      return listsOf(left).some(list =>
        list.units.some(unit => !isComment(unit) && this.isThere(this.nodeOf.get(unit) as Node)),
      );
    if (isComment(left)) return user !== undefined && this.isAboutOwn(user);
    if (this.trees.base.language.isFrame?.(base)) return true;
    if (this.trees.base.language.settle?.(node) === true) return user !== undefined && user.hash !== base.hash;
    if (user && left.list?.kind.isBlock && left.list.kind.isOrdered && this.isReordered(base, user))
      this.conflict(node, MOVED);
    const isMoved = left.list?.kind.isBlock && this.own(left) !== this.own(base);
    const isChanged = left.head !== base.head && !(base.tail && !left.tail && hasSameWords(base, left));
    if (isChanged || (user && this.isThinned(base))) this.conflict(this.replacedCall(left) ?? node, SAME_LINES);
    else if (isMoved && (user ? !this.isWrapped(left) : this.isKept(base)))
      this.conflict(node, user ? MOVED : SAME_LINES);
    return false;
  }

  /** The statement with a call of something else than before, if a unit is an item of that call. */
  private replacedCall(item: Unit): Node | undefined {
    const { user, botcli } = this.own(item) ?? {};
    if (!user || !botcli || user.kind.isBlock || calleeOf(user) === calleeOf(botcli)) return undefined;
    let outer = user.owner;
    while (outer.list && !outer.list.kind.isBlock) outer = outer.list.owner;
    return this.nodeOf.get(outer);
  }

  /** What a comment is right above. */
  private below(comment: Unit, tree: Tree): Node | undefined {
    const run: Unit[] = [];
    let at: Unit | undefined = comment;
    while (at && isComment(at) && !this.subjects.has(at)) {
      run.push(at);
      const next: Unit | undefined = nextTo(at, 1);
      at = next && !/\n\s*\n/.test(tree.text.slice(at.to, next.from)) ? next : undefined;
    }
    const subject = at && (isComment(at) ? this.subjects : this.nodeOf).get(at);
    for (const each of run) this.subjects.set(each, subject);
    return this.subjects.get(comment);
  }

  /** Whether the merge has what a new comment of botcli's is about. */
  private isAboutSomething(comment: Unit): boolean {
    const node = this.below(comment, this.trees.botcli);
    return (
      !node ||
      (this.isThere(node) && (node.base !== undefined || !node.user || this.own(node.user) === this.own(comment)))
    );
  }

  /** Whether a comment is about what botcli removes, too, and the user keeps. */
  private isAboutOwn(comment: Unit): boolean {
    const node = this.below(comment, this.trees.user);
    return node?.base !== undefined && !node.botcli && this.isThere(node);
  }

  /** Whether the user has removed something from what botcli removes as a whole. */
  private isThinned(base: Unit): boolean {
    return listsOf(base).some(list =>
      list.units.some(unit => {
        const node = this.nodeOf.get(unit) as Node;
        return !isComment(unit) && !node.botcli && (!node.user || this.isThinned(unit));
      }),
    );
  }

  /** Whether the user has put a unit of a block before or after another one than it was. */
  private isReordered(base: Unit, user: Unit): boolean {
    if (this.own(base) !== this.own(user)) return false;
    return ([-1, 1] as const).some(step => {
      const next = nextTo(user, step);
      const old = next && this.nodeOf.get(next)?.base;
      return old !== undefined && old.list === base.list && !isComment(old) && Math.sign(old.at - base.at) !== step;
    });
  }

  private own(unit: Unit | undefined): Place | undefined {
    return unit?.list && this.placeOf.get(unit.list);
  }

  /** Whether both sides still have the list of a unit: then it has left that list by itself. */
  private isKept(base: Unit): boolean {
    const place = this.own(base);
    return place?.user !== undefined && place.botcli !== undefined;
  }

  /** Whether a unit is in a block that its side has put around it. */
  private isWrapped(unit: Unit): boolean {
    const owner = this.ownerNode(unit);
    return owner !== undefined && owner !== this.root && !owner.base;
  }

  /** Whether a side has a unit in the list that the base has it in. */
  isInBaseList({ base, ...node }: Node, side: Side): boolean {
    return this.own(base) === this.own(node[side]);
  }

  ownerOf(place: Place): Node | undefined {
    const owners = [place.user, place.botcli, place.base].flatMap(list =>
      list ? [this.nodeOf.get(list.owner) as Node] : [],
    );
    return owners.find(owner => owner === this.root || this.stays.get(owner)) ?? owners[0];
  }

  private putInPlaces(): void {
    const others = this.nodes.filter(node => node !== this.root);
    const put = (node: Node) => {
      const place = this.isThere(node) ? this.findPlace(node) : undefined;
      if (place) node.place = place;
    };
    for (const node of others) if (node.base) put(node);
    for (const node of others) if (!node.base) put(node);
    const { isFrame } = this.trees.base.language;
    for (const node of others) if (!isFrame?.(keyUnit(node))) this.nest(node);
    for (const node of others) {
      if (node.place && this.isCircular(node)) {
        this.conflict(node, MISFIT);
        delete node.place;
      }
      if (!node.place) continue;
      const owner = this.ownerOf(node.place);
      if (owner && owner !== this.root && !this.isThere(owner)) {
        // What the user has stays, with what it's in.
        const isMine = this.isSettled(node) || (node.user && !node.botcli);
        this.conflict((isMine && this.ownerNode(node.user)) || node, node.user ? SAME_LINES : MISFIT);
      } else node.place.nodes.push(node);
    }
    for (const node of others) {
      const unit = keyUnit(node);
      if (!node.place || (node.user && node.botcli) || !isFrame?.(unit)) continue;
      const isContent = (one: Node) => !isComment(unitOf(one)) || (one.user && !one.base);
      if (listsOf(unit).some(list => this.placeOf.get(list)?.nodes.some(isContent))) continue;
      node.place.nodes.splice(node.place.nodes.indexOf(node), 1);
      delete node.place;
      this.stays.set(node, false);
    }
  }

  /** Whether a unit would be in itself. */
  private isCircular(node: Node): boolean {
    const seen = new Set<Node>();
    for (let at: Node | undefined = node; at && at !== this.root; at = at.place && this.ownerOf(at.place)) {
      if (seen.has(at)) return true;
      seen.add(at);
    }
    return false;
  }

  /** In which list a unit is. What only one side has goes with its neighbors. */
  private findPlace(node: Node): Place | undefined {
    const [base, user, botcli] = [this.own(node.base), this.own(node.user), this.own(node.botcli)];
    if (this.isSettled(node)) return user;
    if (this.trees.base.language.isFrame?.(keyUnit(node))) return user ?? botcli;
    if (user && botcli) {
      if (user === botcli || !node.base) return user;
      if (botcli === base || user === base) {
        const [place, other]: [Place, Side] = botcli === base ? [user, 'botcli'] : [botcli, 'user'];
        // The other side has moved the block that it was in.
        const owner = this.ownerNode(node.base);
        const isMoved =
          owner?.base && owner !== this.root && owner[other] && this.own(owner[other]) !== this.own(owner.base);
        return isMoved && base && !this.isIn(place, base) ? this.conflict(node, SAME_LINES) : place;
      }
      const isUsers = this.trees.base.language.settle?.(node) === true;
      return isUsers ? user : this.conflict(node, SAME_LINES);
    }
    const side = user ? 'user' : 'botcli';
    const [unit, place] = [node[side] as Unit, (user ?? botcli) as Place];
    const near = (step: 1 | -1) => this.nearPlaces(unit.list as List, side, step, !node.base)[unit.at];
    if (side === 'botcli' && this.replacesWrapped(unit)) return this.conflict(node, SAME_LINES);
    if (side === 'botcli' && !node.base && unit.list?.kind.isBlock && unit.list.kind.isOrdered) {
      const homes = new Set(this.replacedBy(unit).flatMap(({ user: its }) => (its && this.own(its)) ?? []));
      const [home] = homes;
      if (homes.size === 1 && home) return home;
    }
    const [before, after] = [near(-1), near(1)];
    if (side === 'user' && isComment(unit)) {
      const below = this.below(unit, this.trees.user);
      return below?.user && !below.base ? this.findPlace(below) : (after ?? before ?? place);
    }
    if (before === place || after === place || (!before && !after)) return place;
    if (before && before === after) return before;
    const owner = this.ownerOf(place);
    if (!owner || owner === this.root || this.isThere(owner)) {
      const edge = (before ?? after) as Place;
      if (before && after) return place[otherOf(side)] ? place : this.conflict(node, MISFIT);
      // What the other side has removed might be in the block as well, or not.
      const beyond = nextTo(unit, before ? 1 : -1);
      const gone = beyond && !isComment(beyond) ? this.nodeOf.get(beyond) : undefined;
      if (gone?.base && !gone[otherOf(side)] && this.isIn(edge, place)) return this.conflict(node, MISFIT);
      // Next to a block that is around its neighbor now, unless that runs once; with the neighbor, if that is elsewhere.
      const block = this.ownerOf(edge);
      const isOnce = before && block && !block.base && this.trees.base.language.runsOnce?.(keyUnit(block));
      return this.isIn(edge, place) && !isOnce ? place : edge;
    }
    return this.conflict(node, MISFIT);
  }

  /** For each unit of a list, where the nearest one before or after it is that both have. */
  private nearPlaces(list: List, side: Side, step: 1 | -1, isFinal: boolean): readonly (Place | undefined)[] {
    const key = step === 1 ? this.after : this.before;
    const known = key.get(list);
    if (known) return known;
    const places: (Place | undefined)[] = [];
    let last: Place | undefined;
    for (const unit of step === 1 ? list.units.toReversed() : list.units) {
      places[unit.at] = last;
      const { place, base, ...node } = this.nodeOf.get(unit) as Node;
      if (base && !isComment(base) && place && node[otherOf(side)]) last = place;
    }
    if (isFinal) key.set(list, places);
    return places;
  }

  /** Whether botcli writes a new unit in place of one that the user has put into a new list. */
  private replacesWrapped(unit: Unit): boolean {
    return ([-1, 1] as const).some(step => {
      let next = nextTo(unit, step);
      while (next && !this.nodeOf.get(next)?.base) next = nextTo(next, step);
      const neighbor = next && this.nodeOf.get(next)?.base;
      const end = this.own(unit)?.base?.units.at(step === 1 ? -1 : 0);
      const gone = neighbor ? nextTo(neighbor, step === 1 ? -1 : 1) : end;
      const { user, botcli } = (gone && this.nodeOf.get(gone)) ?? {};
      return user && !botcli && !this.own(user)?.base;
    });
  }

  /** Whether a list is in another one. */
  private isIn(inner: Place, outer: Place): boolean {
    const seen = new Set<Place>();
    for (let at: Place | undefined = inner; at && !seen.has(at); ) {
      if (at === outer) return true;
      seen.add(at);
      const owner = this.ownerOf(at);
      at = owner && (owner.place ?? this.own(unitOf(owner)));
    }
    return false;
  }

  /** A block that one side has put around units goes to where these are. */
  private nest(node: Node): void {
    if (!node.place || node.base || (node.user && node.botcli) || this.isSettled(node)) return;
    const side = node.user ? 'user' : 'botcli';
    const homes = new Set<Place>();
    for (const unit of listsOf(node[side] as Unit).flatMap(list => list.units)) {
      const now = this.nodeOf.get(unit) as Node;
      const home = now.base && this.own(now[otherOf(side)]);
      if (home && this.isThere(now) && now.place === this.placeOf.get(unit.list as List)) homes.add(home);
    }
    const [home] = homes;
    if (homes.size > 1) this.conflict(node, MISFIT);
    else if (home && home !== node.place && home[otherOf(side)]) {
      const owner = this.ownerOf(node.place);
      const isGone = owner !== undefined && owner !== this.root && !this.isThere(owner);
      const isAround = listsOf(node[side] as Unit).some(list => this.isIn(home, this.placeOf.get(list) as Place));
      if (isAround) this.conflict(node, MISFIT);
      else if (!home.base || isGone) node.place = home;
    }
  }

  /** Whether the merge writes a unit, and all that it is in. */
  isWritten(node: Node): boolean {
    for (let at: Node | undefined = node; at && at !== this.root; at = at.place && this.ownerOf(at.place))
      if (!at.place) return false;
    return true;
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

  /** The units of the base that botcli has removed where it has a new one. */
  private replacedBy({ list: own, at }: Unit): Node[] {
    const list = own && this.placeOf.get(own)?.base;
    if (!list) return [];
    const near = (units: readonly Unit[]) =>
      units.map(unit => this.nodeOf.get(unit)?.base).find(base => base?.list === list && !isComment(base));
    const before = near(own.units.slice(0, at).toReversed())?.at ?? -1;
    const after = near(own.units.slice(at + 1))?.at ?? Infinity;
    return list.units.flatMap(unit => {
      const node = this.nodeOf.get(unit) as Node;
      return unit.at > before && unit.at < after && !node.botcli && !isComment(unit) ? [node] : [];
    });
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
      return !(place.base && owner && (this.stays.get(owner) || isScope?.(keyUnit(owner))));
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

/** Whether two units say the same, without their comments. */
const hasSameWords = (one: Unit, two: Unit): boolean =>
  isSame(
    headOf(one).map(({ plain }) => plain),
    headOf(two).map(({ plain }) => plain),
  );

const isBeside = (user: readonly Node[], botcli: readonly Node[], node: Node): boolean =>
  [-1, 1].some(step => user[user.indexOf(node) + step] === botcli[botcli.indexOf(node) + step]);
