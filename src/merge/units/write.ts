import type { Draft } from './draft.ts';
import { type Node, type Place, type Side, unitOf } from './places.ts';
import { endOf, isComment, isList, type List, nextTo, type Part, type Tree, type Unit } from './tree.ts';

/** Writes what a draft has decided, in the user's look. */
export const writeDraft = (draft: Draft): string => new Writer(draft).write();

class Writer {
  private readonly draft: Draft;
  private out = '';

  constructor(draft: Draft) {
    this.draft = draft;
  }

  write(): string {
    this.writeUnit(this.draft.root, 0);
    return this.out;
  }

  private treeOf(side: Side): Tree {
    return this.draft.trees[side];
  }

  private indent(level: number): string {
    const { step } = this.treeOf('user');
    const whole = Math.max(0, Math.floor(level));
    return step.repeat(whole) + ' '.repeat(Math.round((Math.max(0, level) - whole) * step.length));
  }

  /** A gap with its lines as much deeper as what follows is. */
  private shift(gap: string, side: Side, by: number): string {
    const { step } = this.treeOf(side);
    if (!gap.includes('\n') || (by === 0 && step === this.treeOf('user').step)) return gap;
    return gap.replace(
      /\n([ \t]*)(?=[^\n]|$)/g,
      (_, space: string) => `\n${this.indent(space.length / step.length + by)}`,
    );
  }

  private writeUnit(node: Node, level: number): void {
    for (const [index, { side, part }] of this.draft.wordsOf(node).entries()) {
      const unit = node[side] as Unit;
      const at = unit.parts[index] === part ? index : unit.parts.indexOf(part);
      const by = level - unit.level;
      if (at > 0)
        this.out += this.shift(this.treeOf(side).text.slice((unit.parts[at - 1] as Part).to, part.from), side, by);
      else if (index > 0 && this.out.trimEnd() === this.out) this.out += ' ';
      if (isList(part)) this.writeList(this.draft.placeOf.get(part) as Place, { side, own: part, by });
      else this.out += part.text;
    }
  }

  private writeList(place: Place, { side, own, by }: { side: Side; own: List; by: number }): void {
    const { nodes } = place;
    const { kind } = own;
    if (nodes.length === 0) {
      const isEmpty = own.units.length === 0;
      this.out += isEmpty
        ? this.shift(this.treeOf(side).text.slice(own.from, own.to), side, by)
        : kind.isBlock
          ? '\n'
          : '';
      return;
    }
    const [look, lookSide] = this.lookOf(place, side, own);
    const shift = own.owner.level + by - look.owner.level;
    const isUsers = lookSide === 'user' && shift === 0;
    const source = this.treeOf(lookSide).text;
    const { owner, units } = look;
    const [first, second, last] = [units[0], units[1], units.at(-1)];
    const lead = first ? source.slice(look.from, first.from) : kind.isBlock ? '\n' : '';
    const isLong =
      kind.isLined === true ||
      lead.includes('\n') ||
      (kind.isBlock && owner.list === undefined) ||
      (second !== undefined && source.slice(first?.to, second.from).includes('\n'));
    const gaps = units.map(({ from }, at) => source.slice(at > 0 ? endOf(units[at - 1] as Unit) : look.from, from));
    const least = isLong && gaps.every(gap => gap.includes('\n')) ? 1 : 0;
    const closing = last
      ? (last.tail ? source.slice(last.to, last.tail.from).trim() : '') + source.slice(endOf(last), look.to)
      : kind.isBlock && look.to < source.length
        ? '\n'
        : '';
    const plain = units.find(unit => !isComment(unit)) ?? first;
    const level = (plain ? plain.level : owner.level + (isLong ? 1 : 0)) + shift;
    const most = this.treeOf('user').language.isFrame?.(owner) ? 1 : Infinity;
    const { separator } = kind;
    const lastIn = (list: List | undefined) => list?.units.findLast(unit => !isComment(unit));
    const hasEnd = separator !== '' && (lastIn(look) ?? lastIn(place.botcli))?.isClosed === true;
    const lastReal = nodes.findLast(node => !isComment(unitOf(node)));
    for (const [at, node] of nodes.entries()) {
      const unit = unitOf(node);
      const isOwn = isUsers && unit.list === look;
      const offset =
        isOwn || this.treeOf('user').language.isLoose
          ? unit.level - level
          : isComment(unit)
            ? unit.level - (unit.list?.units.find(one => !isComment(one)) ?? unit).level
            : 0;
      const before = nodes[at - 1];
      const asIs = before && isUsers ? this.rawBetween(before, node) : undefined;
      if (before) this.out += asIs ?? this.gap(before, node, { level: level + offset, isLong, least, most, kind });
      else if (lead.includes('\n'))
        this.out += lead.replace(/\n\s*$/, lines => `${lines.replace(/[^\n]/g, '')}${this.indent(level + offset)}`);
      else this.out += owner.list ? lead : this.indent(unit.level);
      this.writeUnit(node, level + (isLong || isOwn ? offset : 0));
      const after = nodes[at + 1];
      if (after && isUsers && this.rawBetween(node, after) !== undefined) {
        if (!kind.isBlock && !isComment(unit) && node !== lastReal && !unit.isClosed) this.out += separator;
        continue;
      }
      if (!after && isOwn && unit === last && this.hasOwnTail(node)) {
        this.out += source.slice(unit.to, look.to);
        return;
      }
      const isLast = node === lastReal;
      const isSeparated = () =>
        kind.isBlock ? unit.isClosed || (!this.out.endsWith('}') && (!isLast || hasEnd || isLong)) : !isLast || hasEnd;
      if (separator !== '' && !isComment(unit) && isSeparated()) this.out += separator;
      const tail = this.tailOf(node);
      if (tail) this.out += this.gapOfTail(node) + tail;
    }
    const ending = nodes.at(-1) as Node;
    const end = this.shift(/\S/.test(closing) ? closing.replace(separator, '') : closing, lookSide, shift);
    const needsLine = !kind.isBlock && !end.includes('\n') && (this.tailOf(ending) !== '' || isComment(unitOf(ending)));
    this.out += needsLine ? `\n${this.indent(level - 1)}` : end;
  }

  /** The list whose look the merge takes: the user's, unless it's empty, or only botcli has put it on more or fewer lines. */
  private lookOf({ user, base, botcli }: Place, side: Side, own: List): [list: List, side: Side] {
    if (!user || !botcli || this.draft.isSettled(this.draft.nodeOf.get(own.owner) as Node)) return [own, side];
    const { trees } = this.draft;
    const isWide = (list: List, { text }: Tree) =>
      text.slice(list.from, list.units[0]?.from ?? list.from).includes('\n');
    const [mine, its] = [isWide(user, trees.user), isWide(botcli, trees.botcli)];
    const isReset =
      base !== undefined && own.owner.list !== undefined && mine === isWide(base, trees.base) && its !== mine;
    return user.units.length === 0 || isReset ? [botcli, 'botcli'] : [user, 'user'];
  }

  /** The text between the units of two nodes that are neighbors on one side. */
  private between(before: Node, node: Node, side: keyof typeof this.draft.trees): string | undefined {
    const [one, two] = [before[side], node[side]];
    return one && two && nextTo(two, -1) === one ? this.draft.trees[side].text.slice(one.to, two.from) : undefined;
  }

  /** What the user has between two units, if botcli hasn't changed it. */
  private rawBetween(before: Node, node: Node): string | undefined {
    const [mine, old, its] = (['user', 'base', 'botcli'] as const).map(side => this.between(before, node, side));
    const isSame = (one: string | undefined) =>
      one !== undefined && mine !== undefined && linesIn(one) === linesIn(mine);
    return this.hasOwnTail(before) && !(isSame(old) && its !== undefined && !isSame(its)) ? mine : undefined;
  }

  private hasOwnTail(node: Node): boolean {
    return this.tailOf(node) === (node.user?.tail?.text ?? '');
  }

  private tailOf(node: Node): string {
    const { base, user, botcli } = node;
    const [old, mine, its] = [base, user, botcli].map(unit => unit?.tail?.text ?? '') as [string, string, string];
    if (!user || !botcli || this.draft.isSettled(node)) return user ? mine : its;
    return mine === old ? its : mine;
  }

  /** The white space before the comment after a unit. */
  private gapOfTail({ user, botcli }: Node): string {
    const side = user?.tail ? 'user' : 'botcli';
    const unit = side === 'user' ? user : botcli;
    const between = this.treeOf(side).text.slice(unit?.to, unit?.tail?.from);
    return between.slice(between.trimEnd().length);
  }

  /** What is between two units: as it is where they're neighbors. */
  private gap(
    before: Node,
    node: Node,
    {
      level,
      isLong,
      least,
      most,
      kind,
    }: { level: number; isLong: boolean; least: number; most: number; kind: List['kind'] },
  ): string {
    /** The lines between a unit and the one before or after it. */
    const around = (unit: Unit | undefined, step: 1 | -1, tree: Tree) => {
      const next = unit && nextTo(unit, step);
      const [first, then] = step === 1 ? [unit, next] : [next, unit];
      return first && then ? linesIn(tree.text.slice(endOf(first), then.from)) : 0;
    };
    const { user, base, botcli } = this.draft.trees;
    const side = (['botcli', 'user'] as const).find(one => this.between(before, node, one) !== undefined);
    let count: number;
    if (side) {
      const raw = this.treeOf(side).text.slice(endOf(before[side] as Unit), node[side]?.from);
      if (kind.isBlock && !raw.includes('\n')) return kind.separator ? raw.replace(kind.separator, '') : raw;
      const [mine, old] = [around(node.user, -1, user), around(node.base, -1, base)];
      const above = node.user && this.draft.nodeOf.get(nextTo(node.user, -1) ?? node.user);
      count = side === 'botcli' && node.base && above?.base && mine !== old ? mine : linesIn(raw);
    } else {
      const lines = (one: Node, step: 1 | -1) => around(unitOf(one), step, this.treeOf(one.user ? 'user' : 'botcli'));
      const isImport = (unit: Unit | undefined) => unit !== undefined && user.language.isImport?.(unit) === true;
      const areImports = [before, node].every(one => isImport(unitOf(one)));
      const isFirst = !isImport(nextTo(unitOf(node), -1)) || lines(before, -1) > 1;
      const its = around(node.botcli, -1, botcli);
      // What begins a section because botcli has removed what was above it.
      const isReset = node.base && around(node.user, -1, user) === around(node.base, -1, base) && its > 0;
      const above = isReset ? its : areImports && isFirst ? 1 : lines(node, -1);
      count = Math.max(above, areImports ? 0 : lines(before, 1), isLong ? 1 : 0);
    }
    if (!kind.isBlock) count = isLong ? Math.max(count, least) : 0;
    const isAfterComment = this.tailOf(before) !== '' || isComment(unitOf(before));
    const { isFrame } = user.language;
    if (isFrame?.(unitOf(before)) && !isFrame(unitOf(node))) count = Math.max(count, 2);
    else count = Math.min(count, most);
    const lines = isAfterComment || (kind.isBlock && isLong) ? Math.max(count, 1) : count;
    return lines > 0 ? `${'\n'.repeat(lines)}${this.indent(level)}` : ' ';
  }
}

const linesIn = (text: string): number => text.split('\n').length - 1;
