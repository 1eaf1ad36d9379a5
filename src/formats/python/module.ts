import { codeOf, Expressions, groupTokens, type Item } from './expressions.ts';
import type { Scope } from './scope.ts';
import { readStatement } from './statements.ts';
import { type Token, tokenize } from './tokens.ts';

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

export interface Module {
  /** In the order of the text. */
  statements: Statement[];
  /** The module's own, and those in it, the outer ones first. */
  scopes: Scope[];
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
  const { lines, problems } = tokenize(source);
  const isBalanced = problems.length === 0;
  const reader = new Reader();
  for (const line of lines) reader.readLine(line);
  reader.close();
  return {
    statements: reader.statements,
    scopes: reader.scopes,
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
