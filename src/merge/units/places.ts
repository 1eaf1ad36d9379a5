import { once, SAME_LINES, type Versions } from '../lines.ts';
import { align, calleeOf, type Pairs, pairLists } from './pairs.ts';
import { headOf, isComment, type List, listsOf, nextTo, type Tree, type Unit } from './tree.ts';

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

/** What is known of a merge before it's drafted. */
interface Decisions {
  /** Units of the base that stay although one side has removed them. */
  kept: ReadonlySet<Unit>;
  /** Units that stay as the user has them, because the user must decide about them, and why. */
  contested: ReadonlyMap<Unit, string>;
}

export const MISFIT = "botcli's change doesn't fit the blocks around it in your file.";
const MOVED = 'You moved these lines, and botcli removes them.';

/** The unit by which a node is known in every draft. */
export const keyUnit = ({ user, base, botcli }: Node): Unit => (botcli ?? user ?? base) as Unit;
/** The unit that the merge writes. */
export const unitOf = ({ user, botcli }: Node): Unit => (user ?? botcli) as Unit;

/** Decides two questions for each unit: is it there, and in which list. */
export class Places {
  readonly trees: Versions<Tree>;
  readonly nodeOf = new Map<Unit, Node>();
  readonly placeOf = new Map<List, Place>();
  readonly nodes: Node[] = [];
  readonly root: Node;
  /** What the user must decide, found by this draft: the units, by their keys, and why. */
  readonly conflicts = new Map<Unit, string>();
  private readonly decisions: Decisions;
  private readonly stays = new Map<Node, boolean>();
  private readonly settled = new Map<Node, boolean>();
  private readonly before = new Map<List, readonly (Place | undefined)[]>();
  private readonly after = new Map<List, readonly (Place | undefined)[]>();
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

  protected conflict(node: Node, reason: string): undefined {
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
  protected replacedCall(item: Unit): Node | undefined {
    const { user, botcli } = this.own(item) ?? {};
    if (!user || !botcli || user.kind.isBlock || calleeOf(user) === calleeOf(botcli)) return undefined;
    let outer = user.owner;
    while (outer.list && !outer.list.kind.isBlock) outer = outer.list.owner;
    return this.nodeOf.get(outer);
  }

  /** What a comment is right above. */
  protected below(comment: Unit, tree: Tree): Node | undefined {
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

  protected own(unit: Unit | undefined): Place | undefined {
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

  /** The units of the base that botcli has removed where it has a new one. */
  protected replacedBy({ list: own, at }: Unit): Node[] {
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
}

/** Whether two units say the same, without their comments. */
const hasSameWords = (one: Unit, two: Unit): boolean => {
  const [words, others] = [one, two].map(unit => headOf(unit).map(({ plain }) => plain));
  return words?.join('\0') === others?.join('\0');
};
