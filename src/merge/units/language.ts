import type { LRParser } from '@lezer/lr';

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
  /** Whether new units go where the alphabet says, if the others are in its order. */
  isSorted?: boolean;
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
  parse(text: string): Syntax;
  /** Whether the time for a text grows with its length, and not faster. Default: always. */
  isReadable?(text: string): boolean;
  /** The nodes that are lists. */
  lists: Readonly<Record<string, ListKind>>;
  /** The nodes whose inside doesn't matter. */
  atoms: ReadonlySet<string>;
  comments: ReadonlySet<string>;
  /** The node that is a unit also where it isn't in a list. */
  boxed?: string;
  /** Whether each unit keeps its own indentation. */
  isLoose?: boolean;
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
  isScope?(unit: Unit): boolean;
  /** Whether nothing after a unit in its list would run. */
  ends?(unit: Unit): boolean;
  /** Whether a unit is reached in any case, such as a label. */
  isReached?(unit: Unit): boolean;
  isImport?(unit: Unit): boolean;
  /** Whether an import is of another file of the project. */
  isOwnImport?(unit: Unit): boolean;
  /** Whether what is in its blocks may not run, or more than once. */
  isSometimes?(unit: Unit): boolean;
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
export const positional: ListKind = { ...items, isPositional: true };
export const anyOrder: ListKind = { ...items, isOrdered: false };

/** A text in double quotes instead of single ones, where that makes no difference. */
export const plainQuotes = (text: string): string => {
  const [, body] = /^'([^'"\\\n]*)'$/.exec(text) ?? [];
  return body === undefined ? text : `"${body}"`;
};

/** The part of lezer's interface that is needed. */
interface LezerTree {
  topNode: LezerNode;
  iterate(visit: { enter(): void; leave(): void }): void;
}
interface LezerNode {
  name: string;
  from: number;
  to: number;
  type: { isError: boolean };
  firstChild: LezerNode | null;
  nextSibling: LezerNode | null;
}

/** How deep a text may be nested: people's hardly are more than 80 levels. It takes a parser the square of the depth. */
const DEEPEST = 200;

/** So many words may be read while looking for a way around a syntax error. That, too, may take the square of them. */
const MOST_IN_ERRORS = 300;

/** The part of a parse by lezer that shows how much work it has. */
interface Progress {
  advance(): LezerTree | null;
  /** Whether it looks for a way around an error. */
  recovering: number;
  /** What may be read so far, with three numbers for each level. */
  stacks: { stack: number[] }[];
}

/** The tree of a text; nothing if it takes time that grows faster than the text. */
function parseInTime(parser: LRParser, text: string): LezerTree | undefined {
  const parse = parser.startParse(text) as unknown as Progress;
  for (let inErrors = 0; inErrors < MOST_IN_ERRORS; inErrors += parse.recovering > 0 ? 1 : 0) {
    const tree = parse.advance();
    if (tree) return tree;
    if (parse.stacks.some(({ stack }) => stack.length > 3 * DEEPEST)) return undefined;
  }
  return undefined;
}

function depthOf(tree: LezerTree): number {
  let [depth, deepest] = [0, 0];
  const enter = () => {
    depth += 1;
    deepest = Math.max(deepest, depth);
  };
  const leave = () => {
    depth -= 1;
  };
  tree.iterate({ enter, leave });
  return deepest;
}

/** Reads with a parser of lezer. What matches `slow` takes it the square of the time. */
export function readBy(parser: LRParser, { dialect = '', slow }: { dialect?: string; slow?: RegExp } = {}) {
  return {
    parse: (text: string): Syntax => fromLezer(parser.configure({ dialect }).parse(text)),
    isReadable(text: string): boolean {
      const tree = slow?.test(text) ? undefined : parseInTime(parser.configure({ dialect }), text);
      return tree !== undefined && depthOf(tree) <= DEEPEST;
    },
  };
}

function fromLezer({ topNode }: LezerTree): Syntax {
  const convert = ({ name, from, to, type, firstChild }: LezerNode, parent: Syntax | undefined): Syntax => {
    const node: Syntax = { name, from, to, children: [], parent, isError: type.isError };
    for (let child = firstChild; child; child = child.nextSibling) node.children.push(convert(child, node));
    return node;
  };
  return convert(topNode, undefined);
}
