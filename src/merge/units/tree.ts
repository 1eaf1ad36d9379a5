import type { Language, List, ListKind, Part, Syntax, Token, Unit } from './language.ts';

export type { List, Part, Token, Unit } from './language.ts';

/** A text as units. */
export interface Tree {
  text: string;
  root: Unit;
  units: Unit[];
  /** One step of indentation. */
  step: string;
  /** How many errors the parser found. */
  errors: number;
  language: Language;
  syntax: Syntax;
}

export const isList = (part: Part): part is List => 'units' in part;
export const isComment = (unit: Unit): boolean => unit.type === 'comment';
export const listsOf = (unit: Unit): List[] => unit.parts.filter(isList);

function collect(unit: Unit, isIn: (list: List) => boolean, found: Token[] = []): Token[] {
  for (const part of unit.parts) {
    if (!isList(part)) found.push(part);
    else if (isIn(part)) for (const each of part.units) collect(each, isIn, found);
  }
  return found;
}

export const tokensOf = (unit: Unit): Token[] => collect(unit, () => true);

/** The tokens of a unit except for what is in its blocks: a statement with all of its items. */
export const headOf = (unit: Unit): Token[] => collect(unit, ({ kind }) => !kind.isBlock);

/** The end of a unit with its comment. */
export const endOf = (unit: Unit): number => unit.tail?.to ?? unit.to;

/** The unit before or after another one. */
export const nextTo = ({ list, at }: Unit, step: 1 | -1): Unit | undefined => list?.units[at + step];

const ids = new Map<string, number>();
function idOf(key: string): number {
  const id = ids.get(key) ?? ids.size;
  ids.set(key, id);
  return id;
}

/** A place for one unit that isn't in a list, such as an element in brackets. */
const BOX: ListKind = { isBlock: true, separator: '', isOrdered: true, isFilled: true, range: () => [0, 1] };

/** Reads a text into units. */
export function readTree(language: Language, text: string): Tree {
  const reader = new Reader(language, text);
  return { text, language, ...reader.read() };
}

const INDENT = /[ \t]*/y;

class Reader {
  private readonly language: Language;
  private readonly text: string;
  private readonly step: string;
  private readonly units: Unit[] = [];
  private readonly lineStarts: number[];
  private errors = 0;

  constructor(language: Language, text: string) {
    [this.language, this.text] = [language, text];
    this.lineStarts = [0, ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1)];
    this.step = language.isLoose ? ' ' : /^\t/m.test(text) ? '\t' : ' '.repeat(stepOf(text));
  }

  read(): Pick<Tree, 'root' | 'units' | 'step' | 'errors' | 'syntax'> {
    const syntax = this.language.parse(this.text);
    const root = newUnit('root', undefined, []);
    [root.from, root.to] = [0, this.text.length];
    this.flatten(syntax, root.parts, root);
    if (this.language.lists[syntax.name])
      for (const list of listsOf(root)) [list.from, list.to] = [0, this.text.length];
    this.finish(root);
    return { root, units: this.units.reverse(), step: this.step, errors: this.errors, syntax };
  }

  private add(parts: Part[], type: string, [start, end]: [number, number], syntax?: Syntax): void {
    const text = this.text.slice(start, end).trim();
    if (text === '') return;
    const from = this.text.indexOf(text, start);
    const plain = this.language.plain(text, type);
    parts.push({ text, plain, type, from, to: from + text.length, ...(syntax && { syntax }) });
  }

  /** Puts what a node says into parts. */
  private flatten(node: Syntax, parts: Part[], owner: Unit): void {
    const { lists, boxed, atoms } = this.language;
    if (node.isError) this.errors += 1;
    const into = { parts, owner, from: node.from };
    const kind = lists[node.name];
    if (boxed === node.name && node.parent?.name !== boxed) this.readList(BOX, [node], into);
    else if (kind) this.readList(kind, node.children, into);
    else if (node.children.length === 0 || atoms.has(node.name)) this.add(parts, node.name, [node.from, node.to], node);
    else this.flattenChildren(node, parts, owner);
  }

  private flattenChildren(node: Syntax, parts: Part[], owner: Unit): void {
    let at = node.from;
    const rest = (to: number) => {
      for (const { 0: word, index } of this.text.slice(at, to).matchAll(/\S+/g))
        this.add(parts, 'text', [at + index, at + index + word.length]);
    };
    for (const each of node.children) {
      rest(each.from);
      this.flatten(each, parts, owner);
      at = Math.max(at, each.to);
    }
    rest(node.to);
  }

  private readList(
    kind: ListKind,
    children: readonly Syntax[],
    { parts, owner, from }: { parts: Part[]; owner: Unit; from: number },
  ): void {
    const [start, end] = kind.range(children, this.text);
    for (const each of children.slice(0, start)) this.flatten(each, parts, owner);
    const list: List = { kind, units: [], from: children[start - 1]?.to ?? from, to: 0, owner };
    let unit: Unit | undefined;
    for (const each of children.slice(start, end)) {
      const text = this.text.slice(each.from, each.to);
      if (this.language.comments.has(each.name)) {
        this.readComment(each, list);
      } else if (kind.separator !== '' && text === kind.separator) {
        const last = list.units.findLast(one => !isComment(one));
        if (last) last.isClosed = true;
        unit = undefined;
      } else if (each.from < each.to && !(kind.skipsBlank && text.trim() === '')) {
        unit ??= push(list, newUnit(each.name, list, []));
        const into: Part[] = [];
        const inner = kind === BOX ? this.language.lists[each.name] : undefined;
        if (inner) this.readList(inner, each.children, { parts: into, owner: unit, from: each.from });
        else this.flatten(each, into, unit);
        unit.parts.push(...into);
        unit.from = Math.min(unit.from, into[0]?.from ?? each.from);
        unit.to = Math.max(unit.to, into.at(-1)?.to ?? 0);
        if (kind.separator === '' || kind.isBlock) unit = undefined;
      }
    }
    const last = list.units.at(-1);
    list.to = children[end]?.from ?? Math.max(list.from, last ? endOf(last) : 0);
    parts.push(list);
    for (const each of children.slice(end)) this.flatten(each, parts, owner);
  }

  /** A comment is the tail of the unit before it on its line, or a unit. */
  private readComment({ from, to }: Syntax, list: List): void {
    const text = this.text.slice(from, to).trimEnd();
    const comment = { text, plain: text, type: 'comment', from, to: from + text.length };
    const before = list.units.at(-1);
    if (before && !before.tail && !isComment(before) && !this.text.slice(before.to, from).includes('\n'))
      before.tail = comment;
    else push(list, newUnit('comment', list, [comment]));
  }

  /** How far the line of a place is indented. */
  private indentAt(at: number): number {
    let [low, high] = [0, this.lineStarts.length];
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if ((this.lineStarts[middle] ?? 0) <= at) low = middle;
      else high = middle;
    }
    INDENT.lastIndex = this.lineStarts[low] ?? 0;
    return Math.min(INDENT.exec(this.text)?.[0].length ?? 0, at - (this.lineStarts[low] ?? 0));
  }

  /** What is known of a unit once all of it was read. */
  private finish(unit: Unit): void {
    const [all, head]: [string[], string[]] = [[], []];
    for (const part of unit.parts) {
      if (isList(part)) {
        for (const each of part.units) this.finish(each);
        unit.size += part.units.reduce((sum, { size }) => sum + size, 0);
        all.push(`[${part.units.map(one => one.hash).join(' ')}]`);
        head.push(part.kind.isBlock ? '[]' : `[${part.units.map(one => one.head).join(' ')}]`);
      } else if (part.plain !== '') {
        unit.size += 1;
        all.push(part.plain);
        head.push(part.plain);
      }
    }
    unit.level = this.indentAt(unit.from) / this.step.length;
    if (this.language.isLoose && unit.list) all.push(String(unit.level));
    const tail = unit.tail ? `#${unit.tail.plain}` : '';
    unit.hash = idOf(`${all.join('\0')}${tail}`);
    unit.head = idOf(`h${head.join('\0')}${tail}`);
    unit.sign = isComment(unit) ? `# ${unit.hash}` : unit.list && this.language.sign(unit);
    this.units.push(unit);
  }
}

function push(list: List, unit: Unit): Unit {
  unit.at = list.units.push(unit) - 1;
  return unit;
}

const newUnit = (type: string, list: List | undefined, parts: Token[]): Unit => ({
  type,
  parts,
  from: parts[0]?.from ?? Infinity,
  to: parts[0]?.to ?? 0,
  list,
  at: 0,
  sign: undefined,
  hash: 0,
  head: 0,
  size: 0,
  level: 0,
});

/** The width of one step: the first that nine in ten indentations are multiples of. */
function stepOf(text: string): number {
  const widths = [...text.matchAll(/^( +)\S/gm)].map(([, space = '']) => space.length);
  const fits = (step: number) => widths.filter(one => one % step === 0).length > 0.9 * widths.length;
  return [2, 4, 3, 8].find(step => widths.includes(step) && fits(step)) ?? (widths.length > 0 ? 4 : 2);
}
