/** A node of a parser's tree. */
export interface Syntax {
  name: string;
  from: number;
  to: number;
  children: Syntax[];
  parent: Syntax | undefined;
  isError: boolean;
}

/** A kind of list. */
export interface ListKind {
  /** Whether its units are on lines of their own. */
  isBlock: boolean;
  separator: string;
  /** Whether the order of its units means something. */
  isOrdered: boolean;
  /** Whether its units mean something by their number. */
  isPositional?: boolean;
  /** Whether those with a name of their own don't. */
  hasNamed?: boolean;
  /** Whether new units go where the alphabet says, if the others are in its order. */
  isSorted?: boolean;
  /** Whether each unit has a line of its own, although it's no block. */
  isLined?: boolean;
  /** Whether something must be in it. */
  isFilled?: boolean;
  /** Whether children of white space are no units. */
  skipsBlank?: boolean;
  /** Which children of its node are its units. */
  range(children: readonly Syntax[], text: string): [start: number, end: number];
}

/** A word of a unit. */
export interface Token {
  text: string;
  /** What it says, without its look; empty if it's only look. */
  plain: string;
  /** The name of its node. */
  type: string;
  from: number;
  to: number;
  syntax?: Syntax;
}

/** A place for units: a block, or the items in brackets. Its range has the gaps at both ends. */
export interface List {
  kind: ListKind;
  units: Unit[];
  from: number;
  to: number;
  owner: Unit;
}

export type Part = Token | List;

/** A statement, an item, a rule, an element, a line: its words, and its lists of units. */
export interface Unit {
  type: string;
  parts: Part[];
  /** The comment after it, on its last line. */
  tail?: Token;
  /** Whether a separator follows. */
  isClosed?: boolean;
  from: number;
  to: number;
  /** Nothing for the whole text. */
  list: List | undefined;
  /** Its place in the list. */
  at: number;
  /** What identifies it among the units of its list. */
  sign: string | undefined;
  /** The same number for units that say the same. */
  hash: number;
  /** The same, without what is in its blocks. */
  head: number;
  /** How many words it has. */
  size: number;
  /** How deep it is, in steps of indentation. */
  level: number;
}

/** What a merge has to know about a language. */
export interface Language {
  /** Nothing if that takes time that grows faster than the text. */
  parse(text: string): Syntax | undefined;
  /** The nodes that are lists. */
  lists: Readonly<Record<string, ListKind>>;
  /** The nodes whose inside doesn't matter. */
  atoms: ReadonlySet<string>;
  comments: ReadonlySet<string>;
  /** The node that is a unit also where it isn't in a list. */
  boxed?: string;
  /** Whether each unit keeps its own indentation. */
  isLoose?: boolean;
  /** How many spaces a step of indentation has, if a text doesn't show it. */
  step?: number;
  /** What imports are sorted by, if they are. */
  importRank?(unit: Unit): string;
  /** Whether two files of it that have nothing in common can be one. */
  isOpen?: boolean;
  /** A word without its look. */
  plain(text: string, type: string): string;
  /** What identifies a unit in its list. */
  sign(unit: Unit): string | undefined;
  /**
   * Decides about a unit that both sides have changed or removed: it stays as the user has it, or its only word becomes
   * another text. Without a decision, it's a conflict.
   */
  settle?(versions: { [side in 'user' | 'base' | 'botcli']?: Unit | undefined }): true | string | undefined;
  /** Whether a unit is there as long as something is in it, such as a heading. */
  isFrame?(unit: Unit): boolean;
  /** Why a merge that can't be read is a conflict. */
  broken?: string;
  /** Whether a list may have only one unit with this sign. */
  isUnique?(sign: string): boolean;
  /** Whether a text may have only one unit with this sign. */
  isSingle?(sign: string): boolean;
  /** What a word does with its name. */
  role?(token: Token): 'define' | 'use' | undefined;
  /** Writes another name where a name is; languages without it have no renames. */
  rename?(node: Syntax, from: string, to: string): string;
  /** The names that a token uses in a text of its own, such as a template. */
  usesWithin?(token: Token): string[];
  /** Whether a name is one of a parameter, for the unit that it is in. */
  isInner?(token: Token): boolean;
  /** Whether names belong to the function around them, rather than to the block. */
  hoists?: boolean;
  isScope?(unit: Unit): boolean;
  /** Whether what is in the functions of a unit doesn't see the names that it defines, such as those of a class. */
  hidesNames?(unit: Unit): boolean;
  /** Whether what is in the blocks of a unit always runs, and once. */
  runsOnce?(unit: Unit): boolean;
  /** Whether nothing after a unit in its list would run. */
  ends?(unit: Unit): boolean;
  /** Whether a unit is reached in any case, such as a label. */
  isReached?(unit: Unit): boolean;
  isImport?(unit: Unit): boolean;
  /** Whether a unit means something only at the top of a file. */
  isTop?(unit: Unit): boolean;
  /** Whether an import is of another file of the project. */
  isOwnImport?(unit: Unit): boolean;
}

export function syntax(name: string, from: number, to: number, children: Syntax[] = []): Syntax {
  const node: Syntax = { name, from, to, children, parent: undefined, isError: false };
  for (const child of children) child.parent = node;
  return node;
}

export const names = (text: string): ReadonlySet<string> => new Set(text.split(' '));

export const all: ListKind['range'] = children => [0, children.length];

/** What is between the brackets that a list begins and ends with. */
const inBrackets: ListKind['range'] = (children, text) => {
  const is = (node: Syntax | undefined, signs: string) =>
    node !== undefined && node.to - node.from === 1 && signs.includes(text.charAt(node.from));
  return [is(children[0], '([{<:') ? 1 : 0, is(children.at(-1), ')]}>') ? children.length - 1 : children.length];
};

export const block: ListKind = { isBlock: true, separator: '', isOrdered: true, range: inBrackets };
export const items: ListKind = { isBlock: false, separator: ',', isOrdered: true, range: inBrackets };
export const anyOrder: ListKind = { ...items, isOrdered: false };

/** A text in double quotes instead of single ones, where that makes no difference. */
export const plainQuotes = (text: string): string => {
  const [, body] = /^'([^'"\\\n]*)'$/.exec(text) ?? [];
  return body === undefined ? text : `"${body}"`;
};

/** A text as units. */
export interface Tree {
  text: string;
  root: Unit;
  units: Unit[];
  /** One step of indentation. */
  step: string;
  /** How many errors the parser found; infinite if it gave up. */
  errors: number;
  language: Language;
  syntax: Syntax;
}

export const isList = (part: Part): part is List => 'units' in part;
export const isComment = (unit: Unit): boolean => unit.type === 'comment';
export const isDefinition = ({ sign = '' }: Unit): boolean => sign.startsWith('define ');
export const listsOf = (unit: Unit): List[] => unit.parts.filter(isList);

/** The tokens of a unit except for what is in its blocks: a statement with all of its items. */
export const headOf = (unit: Unit): Token[] =>
  unit.parts.flatMap(part => (!isList(part) ? part : part.kind.isBlock ? [] : part.units.flatMap(headOf)));

/** What the head of a unit says. */
export const wordsOf = (unit: Unit): string[] => headOf(unit).flatMap(({ plain }) => plain || []);

/** The units in the blocks of another one, and in theirs. */
export const statementsIn = (unit: Unit): Unit[] =>
  listsOf(unit).flatMap(list => (list.kind.isBlock ? list.units.flatMap(one => [one, ...statementsIn(one)]) : []));

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
    this.step = language.isLoose ? ' ' : /^\t/m.test(text) ? '\t' : ' '.repeat(stepOf(text, language.step));
  }

  read(): Pick<Tree, 'root' | 'units' | 'step' | 'errors' | 'syntax'> {
    const read = this.language.parse(this.text);
    if (!read) this.errors = Infinity;
    const tree = read ?? syntax('Unread', 0, this.text.length);
    const root = newUnit('root', undefined, []);
    [root.from, root.to] = [0, this.text.length];
    this.flatten(tree, root.parts, root);
    if (this.language.lists[tree.name]) for (const list of listsOf(root)) [list.from, list.to] = [0, this.text.length];
    this.finish(root);
    return { root, units: this.units.reverse(), step: this.step, errors: this.errors, syntax: tree };
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
function stepOf(text: string, usual = 2): number {
  const widths = [...text.matchAll(/^( +)\S/gm)].map(([, space = '']) => space.length);
  const fits = (step: number) => widths.filter(one => one % step === 0).length > 0.9 * widths.length;
  return [2, 4, 3, 8].find(step => widths.includes(step) && fits(step)) ?? (widths.length > 0 ? 4 : usual);
}
