import { type Draft, type Node, otherOf, type Place, type Side, unitOf } from './draft.ts';
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
      const at = unit.parts.indexOf(part);
      const by = level - unit.level;
      if (at > 0)
        this.out += this.shift(this.treeOf(side).text.slice((unit.parts[at - 1] as Part).to, part.from), side, by);
      else if (index > 0 && !/\s$/.test(this.out)) this.out += ' ';
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
    const [look, lookSide, shift] = this.lookOf(place, side, own, by);
    const source = this.treeOf(lookSide).text;
    const { owner, units } = look;
    const [first, second, last] = [units[0], units[1], units.at(-1)];
    const lead = first ? source.slice(look.from, first.from) : kind.isBlock ? '\n' : '';
    const isLong =
      lead.includes('\n') ||
      (kind.isBlock && owner.list === undefined) ||
      (second !== undefined && source.slice(first?.to, second.from).includes('\n'));
    const closing = last
      ? (last.tail ? source.slice(last.to, last.tail.from).trim() : '') + source.slice(endOf(last), look.to)
      : kind.isBlock && look.to < source.length
        ? '\n'
        : '';
    const plain = units.find(unit => !isComment(unit)) ?? first;
    const level = (plain ? plain.level : owner.level + (isLong ? 1 : 0)) + shift;
    const { separator } = kind;
    const hasEnd = separator !== '' && closing.includes(separator);
    const lastReal = nodes.findLast(node => !isComment(unitOf(node)));
    for (const [at, node] of nodes.entries()) {
      const unit = unitOf(node);
      const above = unit.list?.units.find(one => !isComment(one)) ?? unit;
      const offset = this.treeOf('user').language.isLoose
        ? unit.level - level
        : isComment(unit)
          ? unit.level - above.level
          : 0;
      const isUsers = lookSide === 'user' && shift === 0;
      if (at > 0) this.out += this.gap(nodes[at - 1] as Node, node, { level: level + offset, isLong, isUsers, kind });
      else if (lead.includes('\n'))
        this.out += lead.replace(/\n\s*$/, lines => `${lines.replace(/[^\n]/g, '')}${this.indent(level + offset)}`);
      else this.out += owner.list ? lead : this.indent(unit.level);
      this.writeUnit(node, level + (isLong ? offset : 0));
      const isLast = node === lastReal;
      const isSeparated = kind.isBlock
        ? unit.isClosed || (!this.out.endsWith('}') && (!isLast || hasEnd || isLong))
        : !isLast || hasEnd;
      if (separator !== '' && !isComment(unit) && isSeparated) this.out += separator;
      const tail = this.tailOf(node);
      const own = node.user?.tail?.text === tail ? node.user : undefined;
      const space = this.treeOf('user').text.slice(own?.to, own?.tail?.from);
      if (tail) this.out += ((own && /\s+$/.exec(space)?.[0]) ?? '  ') + tail;
    }
    const ending = nodes.at(-1) as Node;
    const end = this.shift(/\S/.test(closing) ? closing.replace(separator, '') : closing, lookSide, shift);
    const needsLine = !kind.isBlock && !end.includes('\n') && (this.tailOf(ending) !== '' || isComment(unitOf(ending)));
    this.out += needsLine ? `\n${this.indent(level - 1)}` : end;
  }

  /** The list whose look the merge takes: the user's, unless it's empty, or only botcli has put it on more or fewer lines. */
  private lookOf(place: Place, side: Side, own: List, by: number): [list: List, side: Side, shift: number] {
    const other = otherOf(side);
    const its = place[other];
    if (!its) return [own, side, by];
    const isWide = (list: List, { text }: Tree) =>
      text.slice(list.from, list.units[0]?.from ?? list.from).includes('\n');
    const { user, base } = this.draft.trees;
    const isReset =
      place.base !== undefined &&
      side === 'user' &&
      isWide(own, user) === isWide(place.base, base) &&
      isWide(its, this.treeOf(other)) !== isWide(own, user);
    return own.units.length === 0 || isReset ? [its, other, own.owner.level + by - its.owner.level] : [own, side, by];
  }

  private tailOf({ base, user, botcli }: Node): string {
    const [old, mine, its] = [base, user, botcli].map(unit => unit?.tail?.text ?? '') as [string, string, string];
    if (!user || !botcli) return user ? mine : its;
    return mine === old ? its : mine;
  }

  /** What is between two units: as it is where they're neighbors. */
  private gap(
    before: Node,
    node: Node,
    { level, isLong, isUsers, kind }: { level: number; isLong: boolean; isUsers: boolean; kind: List['kind'] },
  ): string {
    const linesIn = (text: string) => text.split('\n').length - 1;
    let count: number | undefined;
    for (const side of ['user', 'botcli'] as const) {
      const [one, two] = [before[side], node[side]];
      if (count !== undefined || !one || !two || nextTo(two, -1) !== one) continue;
      const raw = this.treeOf(side).text.slice(endOf(one), two.from);
      const isAsIs = (side === 'user' && isUsers) || (kind.isBlock && !raw.includes('\n'));
      if (isAsIs) return kind.separator ? raw.replace(kind.separator, '') : raw;
      count = linesIn(raw);
    }
    /** The lines between a unit and the one before or after it. */
    const around = (one: Node, step: 1 | -1) => {
      const unit = unitOf(one);
      const next = nextTo(unit, step);
      const [first, then] = step === 1 ? [unit, next] : [next, unit];
      const { text } = this.treeOf(one.user ? 'user' : 'botcli');
      return first && then ? linesIn(text.slice(endOf(first), then.from)) : 0;
    };
    count ??= Math.max(around(node, -1), around(before, 1), isLong ? 1 : 0);
    const isAfterComment = this.tailOf(before) !== '' || isComment(unitOf(before));
    const lines = isAfterComment || (kind.isBlock && isLong) ? Math.max(count, 1) : count;
    return lines > 0 ? `${'\n'.repeat(lines)}${this.indent(level)}` : ' ';
  }
}
