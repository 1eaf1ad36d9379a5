import { importsOf, isImport, localName } from './imports.ts';
import { Scope } from './scope.ts';
import { MOST_DEPTH, type Token, tokenize } from './tokens.ts';

type Tokenized = ReturnType<typeof tokenize>;

/** A statement, or the part of one before its block: `if x: y` is two. */
export interface Statement {
  tokens: Token[];
  /** Its tokens in groups, without the colon of a header. */
  items: Item[];
  /** The lines that it takes, `[start, end)`, counted from 0. */
  start: number;
  end: number;
  /** How many UTF-16 units are before it on its line. */
  column: number;
  /** How many blocks it is in. */
  depth: number;
  /** The statement whose block it is in. */
  header: Statement | undefined;
  /** The function, class or module that it is in. */
  scope: Scope;
  hasComment: boolean;
}

/** The first word or sign of a statement, after `async`; empty if it begins with a text. */
export function wordOf(statement: Statement | undefined): string {
  const [first, second] = statement?.tokens ?? [];
  return (codeOf(first) === 'async' ? codeOf(second) : codeOf(first)) ?? '';
}

export interface Module {
  /** In the order of the text. */
  statements: Statement[];
  /** The module's own, and those in it, the outer ones first. */
  scopes: Scope[];
  comments: Tokenized['comments'];
  /** What Python would refuse. Other errors aren't found. */
  problems: Tokenized['problems'];
  /** Whether brackets and quotes match. */
  isBalanced: boolean;
}

/**
 * Reads Python: its tokens, its statements and their blocks, and which names each scope defines and uses. It knows what
 * a name is, but not what it means. It never fails, and takes time that grows with the length of the text.
 */
export function readPython(source: string): Module {
  const { lines, comments, problems } = tokenize(source);
  const isBalanced = problems.length === 0;
  const reader = new Reader();
  for (const line of lines) reader.readLine(line);
  reader.close();
  return {
    statements: reader.statements,
    scopes: reader.scopes,
    comments,
    problems: [...problems, ...reader.problems],
    isBalanced,
  };
}

/** Where statements are. */
type Place = Pick<Statement, 'depth' | 'header' | 'scope'>;

/** A block, and its indentation with tabs of eight columns and of one. Python refuses what depends on that. */
interface Block {
  place: Place;
  widths: [number, number];
}

class Reader {
  readonly statements: Statement[] = [];
  readonly scopes: Scope[] = [];
  readonly problems: Tokenized['problems'] = [];
  private readonly expressions = new Expressions(this.scopes);
  private readonly blocks: [Block, ...Block[]];
  /** The block that the last line began. */
  private next: Place | undefined;

  constructor() {
    this.blocks = [
      { place: { depth: 0, header: undefined, scope: this.expressions.begin('module', '', 0) }, widths: [0, 0] },
    ];
  }

  readLine({ tokens, indent, start, end, hasComment }: Tokenized['lines'][number]): void {
    let place = this.enter(widthsOf(indent), start);
    for (let from = 0; from < tokens.length; ) {
      const isCase = isMatch(place.header);
      const isHeader = from === 0 && beginsBlock(tokens, isCase);
      const to = isHeader ? headerEnd(tokens) : findSign(tokens, ';', from);
      const [own, line] = [tokens.slice(from, to), tokens[from]?.line ?? start];
      const lines = { start: line, end: (tokens[to]?.line ?? end - 1) + 1, column: tokens[from]?.column ?? 0 };
      const grouped = groupTokens(own);
      const hasColon = codeOf(grouped.at(-1)) === ':';
      const items = hasColon ? grouped.slice(0, -1) : grouped;
      const statement = { ...place, ...lines, tokens: own, items, hasComment };
      this.statements.push(statement);
      const scope = readStatement(statement, hasColon, this.expressions, isCase);
      if (isHeader) place = { depth: place.depth + 1, header: statement, scope };
      if (isHeader && to === tokens.length) this.next = place;
      if (isHeader && !isSign(tokens[to - 1], ':')) this.report(end - 1, 'colon');
      from = isHeader ? to : to + 1;
    }
  }

  close(): void {
    if (this.next) this.report(this.next.header?.end ?? 0);
  }

  /** The block of a line. */
  private enter(widths: Block['widths'], line: number): Place {
    const { next } = this;
    this.next = undefined;
    const isDeeper = this.isDeeper(widths);
    if (next && isDeeper) this.blocks.push({ place: next, widths });
    while (this.blocks.length > 1 && widths[0] < this.last.widths[0]) this.blocks.pop();
    const isOdd = widths.some((width, at) => width !== this.last.widths[at]);
    if (isOdd || (next && !isDeeper)) this.report(line);
    return this.last.place;
  }

  private isDeeper(widths: Block['widths']): boolean {
    return widths.every((width, at) => width > (this.last.widths[at] ?? 0));
  }

  private get last(): Block {
    return this.blocks.at(-1) ?? this.blocks[0];
  }

  private report(line: number, kind: Module['problems'][number]['kind'] = 'indentation'): void {
    this.problems.push({ line, kind });
  }
}

function widthsOf(indent: string): [number, number] {
  let [wide, narrow] = [0, 0];
  for (const sign of indent) {
    wide = sign === '\f' ? 0 : sign === '\t' ? wide - (wide % 8) + 8 : wide + 1;
    narrow = sign === '\f' ? 0 : narrow + 1;
  }
  return [wide, narrow];
}

const isSign = (token: Token | undefined, code: string): boolean => token?.kind === 'sign' && token.code === code;

const HEADER = /^(?:if|elif|else|for|while|try|except|finally|with|def|class|async)$/;

function beginsBlock(tokens: readonly Token[], isCase: boolean): boolean {
  const { kind, code = '' } = tokens[0] ?? {};
  return kind === 'name' && (HEADER.test(code) || (isCase && code === 'case') || isMatchLine(tokens));
}

/** `match` is a name elsewhere. */
const isMatchLine = (tokens: readonly Token[]): boolean => tokens[0]?.code === 'match' && isSign(tokens.at(-1), ':');

const isMatch = (header: Statement | undefined): boolean => header !== undefined && isMatchLine(header.tokens);

/** Where a sign is outside of brackets; the length if it isn't there. */
function findSign(tokens: readonly Token[], code: string, from: number): number {
  let at = from;
  while (at < tokens.length && !(isSign(tokens[at], code) && tokens[at]?.depth === 0)) at += 1;
  return at;
}

/** The end of a header: after its first colon that belongs to no lambda. */
function headerEnd(tokens: readonly Token[]): number {
  let lambdas = 0;
  for (let at = 0; at < tokens.length; at += 1) {
    const { code, depth, kind } = tokens[at] as Token;
    if (kind === 'name' && code === 'lambda' && depth === 0) lambdas += 1;
    else if (kind === 'sign' && code === ':' && depth === 0 && lambdas === 0) return at + 1;
    else if (kind === 'sign' && code === ':' && depth === 0) lambdas -= 1;
  }
  return tokens.length;
}

/** Reads what follows the first word of a statement. */
type ReadRest = (rest: readonly Item[], scope: Scope, expressions: Expressions) => void;

/** Statements that are more than an expression, by their first word. */
const READERS: Readonly<Record<string, ReadRest>> = {
  global: readDeclaration('global'),
  nonlocal: readDeclaration('nonlocal'),
  del: (rest, scope, expressions) => {
    expressions.readTarget(rest, scope);
    expressions.read(rest, scope);
  },
  for: (rest, scope, expressions) => {
    const at = indexOf(rest, 'in');
    expressions.readTarget(rest.slice(0, at), scope);
    expressions.read(rest.slice(at + 1), scope);
  },
  with: readWith,
  except: readNamed,
  match: (rest, scope, expressions) => expressions.read(rest, scope),
  case: (rest, scope, expressions) => {
    const at = indexOf(rest, 'if');
    expressions.readPattern(rest.slice(0, at), scope);
    expressions.read(rest.slice(at + 1), scope);
  },
  type: ([name, ...rest], scope, expressions) => {
    if (isName(name)) scope.define(name, 'assignment');
    expressions.read(rest, readTypes(rest[0], scope, expressions));
  },
};

/**
 * Finds the names in a statement, or in the part of one before its block.
 *
 * @param isHeader Whether a colon ends it.
 * @param isCase Whether it is in the block of a `match`.
 * @returns The scope of its block.
 */
function readStatement(
  { tokens, items: all, scope }: { tokens: readonly Token[]; items: readonly Item[]; scope: Scope },
  isHeader: boolean,
  expressions: Expressions,
  isCase: boolean,
): Scope {
  for (const name of importsOf(tokens)) scope.define({ code: localName(name), line: name.line }, 'import');
  if (isImport(tokens)) return scope;
  const items = tokens[0]?.code === 'async' ? all.slice(1) : all;
  const [first, second, third] = items;
  const word = codeOf(first) ?? '';
  if ((word === 'def' || word === 'class') && isName(second)) {
    return readDefinition(word, second, items.slice(2), scope, expressions);
  }
  const isType = word === 'type' && isName(second) && (codeOf(third) === '=' || isGroup(third));
  const isSpecial = isKeyword(first) || isType || (isCase && word === 'case') || (isHeader && word === 'match');
  const read = isSpecial && Object.hasOwn(READERS, word) ? READERS[word] : undefined;
  if (read) read(items.slice(1), scope, expressions);
  else readAssignment(items, scope, expressions);
  return scope;
}

function readDeclaration(keyword: string): ReadRest {
  return (rest, scope) => {
    for (const { code } of rest.filter(isName)) scope.declare(code, keyword);
  };
}

const CHANGE = /(?:[-+*/%&|^@]|>>|<<)=/;

/** Reads an assignment, or an expression. */
function readAssignment(items: readonly Item[], scope: Scope, expressions: Expressions): void {
  const end = indexOf(items, 'lambda');
  const equals = items.findLastIndex((item, at) => at < end && codeOf(item) === '=');
  const other = items.findIndex((item, at) => at < end && (codeOf(item) === ':' || CHANGE.test(codeOf(item) ?? '')));
  // `x: T = 1` has its colon first.
  const at = other === -1 ? equals : other;
  const targets = items.slice(0, Math.max(at, 0));
  expressions.read(items.slice(at + 1), scope);
  // `x += 1` uses what it changes. `(x): T` alone gives x no meaning.
  if (other !== -1 && equals === -1 && (codeOf(items[at]) !== ':' || isGroup(targets[0]))) {
    expressions.read(targets, scope);
    if (isName(targets[0])) expressions.readTarget(targets, scope);
  } else for (const target of split(targets, '=')) expressions.readTarget(target, scope, 'assignment');
}

/** Reads the parts of a `with`, which may be in brackets. */
function readWith(rest: readonly Item[], scope: Scope, expressions: Expressions): void {
  const [first, ...more] = rest;
  const items = more.length === 0 && isGroup(first) ? first.items : rest;
  for (const part of split(items, ',')) readNamed(part, scope, expressions);
}

/** Reads `expression as target`. */
function readNamed(items: readonly Item[], scope: Scope, expressions: Expressions): void {
  const at = indexOf(items, 'as');
  expressions.read(items.slice(0, at), scope);
  expressions.readTarget(items.slice(at + 1), scope);
}

/** The scope of type parameters; the one around it if there are none. */
function readTypes(item: Item | undefined, scope: Scope, expressions: Expressions): Scope {
  if (!isGroup(item) || item.open.code !== '[') return scope;
  const types = expressions.begin('types', 'types', item.open.line, scope);
  expressions.readParameters(item, types, types);
  return types;
}

/** Reads what follows the name of a function or class. Returns its scope. */
function readDefinition(
  word: 'def' | 'class',
  name: Token,
  rest: readonly Item[],
  scope: Scope,
  expressions: Expressions,
): Scope {
  const kind = word === 'def' ? 'function' : word;
  scope.define(name, kind);
  const outer = readTypes(rest[0], scope, expressions);
  const [first, ...more] = outer === scope ? rest : rest.slice(1);
  const inner = expressions.begin(kind, name.code, name.line, outer);
  if (isGroup(first) && kind === 'function') expressions.readParameters(first, inner, outer);
  else if (first) expressions.read([first], outer);
  expressions.read(more, outer);
  return inner;
}

/** A token, or what is between two brackets. */
export type Item = Token | Group;

/** What is between two brackets, or between the braces of an f-string. */
export interface Group {
  open: Token;
  items: Item[];
}

const KEYWORDS = new Set(
  (
    'False None True and as assert async await break class continue def del elif else except finally for from global if ' +
    'import in is lambda nonlocal not or pass raise return try while with yield'
  ).split(' '),
);

export const isGroup = (item: Item | undefined): item is Group => item !== undefined && 'items' in item;

/** The code of a token; nothing for a group or a text. */
export const codeOf = (item: Item | undefined): string | undefined =>
  item === undefined || isGroup(item) || item.kind === 'text' ? undefined : item.code;

export const isName = (item: Item | undefined): item is Token =>
  item !== undefined && !isGroup(item) && item.kind === 'name' && !KEYWORDS.has(item.code);

const isKeyword = (item: Item | undefined): boolean => KEYWORDS.has(codeOf(item) ?? '');

/** Where a word or sign is, outside of brackets; the length if it isn't there. */
export function indexOf(items: readonly Item[], code: string, from = 0): number {
  for (let at = from; at < items.length; at += 1) if (codeOf(items[at]) === code) return at;
  return items.length;
}

export function split(items: readonly Item[], sign: string): Item[][] {
  const parts: Item[][] = [[]];
  for (const item of items) {
    if (codeOf(item) === sign) parts.push([]);
    else parts.at(-1)?.push(item);
  }
  return parts;
}

/** Puts what is between brackets into groups. */
function groupTokens(tokens: readonly Token[]): Item[] {
  const top: Item[] = [];
  const open = [top];
  for (const token of tokens) {
    const isBracket = token.kind !== 'text' && token.depth < MOST_DEPTH;
    if (isBracket && '([{'.includes(token.code)) {
      const group: Group = { open: token, items: [] };
      open.at(-1)?.push(group);
      open.push(group.items);
    } else if (isBracket && ')]}'.includes(token.code)) {
      if (open.length > 1) open.pop();
    } else open.at(-1)?.push(token);
  }
  return top;
}

/** A lambda that is open, or the parameters of a function. */
interface Signature {
  outer: Scope;
  inner: Scope;
  /** Whether the next name is a parameter. */
  isNext: boolean;
  /** Whether a colon begins the body; otherwise, a type. */
  isLambda: boolean;
  isBody: boolean;
}

/** Finds the names of expressions, and the scopes in them. */
class Expressions {
  private readonly scopes: Scope[];

  /** @param scopes Gets the scopes that it finds. */
  constructor(scopes: Scope[]) {
    this.scopes = scopes;
  }

  begin(kind: Scope['kind'], name: string, line: number, parent?: Scope): Scope {
    const scope = new Scope(kind, name, line, parent);
    this.scopes.push(scope);
    return scope;
  }

  /** Reads the parameters of a function: their names are in it, their types and defaults around it. */
  readParameters({ items }: Group, inner: Scope, outer: Scope): void {
    this.read(items, outer, false, [{ outer, inner, isNext: true, isLambda: false, isBody: false }]);
  }

  /** @param isCall Whether `name=` is the name of an argument. */
  read(items: readonly Item[], scope: Scope, isCall = false, open: Signature[] = []): void {
    let current = scope;
    for (const [at, item] of items.entries()) {
      const code = codeOf(item);
      if (isGroup(item)) this.readGroup(item, current);
      else if (code === 'lambda') {
        const inner = this.begin('lambda', 'lambda', item.line, current);
        open.push({ outer: current, inner, isNext: true, isLambda: true, isBody: false });
      } else if (code === ',' || code === ':') {
        for (; open.at(-1)?.isBody; open.pop()) current = open.at(-1)?.outer ?? current;
        const signature = open.at(-1);
        if (!signature) continue;
        signature.isNext = code === ',';
        signature.isBody = code === ':' && signature.isLambda;
        if (signature.isBody) current = signature.inner;
      } else if (isName(item) && codeOf(items[at - 1]) !== '.') {
        const signature = open.at(-1);
        if (signature?.isNext && !signature.isBody) {
          signature.inner.define(item, 'parameter');
          signature.isNext = false;
        } else this.readName(item, items[at - 1], items[at + 1], current, isCall);
      }
    }
  }

  private readName(
    name: Token,
    before: Item | undefined,
    after: Item | undefined,
    scope: Scope,
    isCall: boolean,
  ): void {
    const sign = codeOf(after);
    if (sign === ':=') scope.defineOutside(name);
    else if (!(sign === '=' && isCall && (before === undefined || codeOf(before) === ','))) scope.use(name);
  }

  private readGroup({ open, items }: Group, scope: Scope): void {
    const first = indexOf(items, 'for');
    if (first === items.length) this.read(items, scope, open.code === '(');
    else this.readComprehension(items, first, scope, this.begin('comprehension', 'comprehension', open.line, scope));
  }

  /** @param first Where its first `for` is. */
  private readComprehension(items: readonly Item[], first: number, scope: Scope, inner: Scope): void {
    this.read(items.slice(0, first), inner);
    for (let at = first; at < items.length; ) {
      const source = indexOf(items, 'in', at);
      const end = indexOf(items, 'for', source);
      // What the first loop goes over is read outside.
      const condition = at === first ? Math.min(indexOf(items, 'if', source), end) : source;
      this.readTarget(items.slice(at + 1, source), inner);
      this.read(items.slice(source + 1, condition), scope);
      this.read(items.slice(condition + 1, end), inner);
      at = end;
    }
  }

  /** Reads what a value is assigned to. */
  readTarget(items: readonly Item[], scope: Scope, by: 'assignment' | 'target' = 'target'): void {
    const parts = split(items, ',');
    for (const part of parts) {
      const [first, ...more] = codeOf(part[0]) === '*' ? part.slice(1) : part;
      if (more.length > 0) this.read(part, scope);
      else if (isName(first)) scope.define(first, parts.length > 1 ? 'target' : by);
      else if (isGroup(first)) this.readTarget(first.items, scope);
    }
  }

  /** Reads the pattern of a `case`. */
  readPattern(items: readonly Item[], scope: Scope): void {
    for (const [at, item] of items.entries()) {
      const next = items[at + 1];
      if (isGroup(item)) this.readPattern(item.items, scope);
      else if (!isName(item) || codeOf(items[at - 1]) === '.' || codeOf(next) === '=') continue;
      else if (codeOf(next) === '.' || (isGroup(next) && next.open.code === '(')) scope.use(item);
      else if (item.code !== '_') scope.define(item, 'target');
    }
  }
}
