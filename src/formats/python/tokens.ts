/**
 * A name or keyword, a number, a text, or a sign. The code between the braces of an f-string follows its text: tokens
 * between a `{` and a `}` of the kind `hole`.
 */
export interface Token {
  kind: 'name' | 'number' | 'text' | 'sign' | 'hole';
  /** As it is in the source; a text is without its prefix, its quotes and the code in its braces. */
  code: string;
  /** Counted from 0. */
  line: number;
  /** How many UTF-16 units are before it on its line. */
  column: number;
  /** How many brackets and braces are open around it; brackets don't count themselves. */
  depth: number;
  /** The UTF-16 units of the source that it takes, `[from, to)`; of a text, with its quotes and what is between them. */
  from: number;
  to: number;
}

/** A comment, from its `#` to the end of its line: units `[from, to)` of the source. */
interface Comment {
  from: number;
  to: number;
  line: number;
  column: number;
}

/** What Python refuses, at a line counted from 0. */
interface Problem {
  line: number;
  kind: 'bracket' | 'quote' | 'indentation' | 'colon';
}

/** A line in the sense of the language: one or more lines of the text. */
interface LogicalLine {
  tokens: Token[];
  /** The white space before its first token. */
  indent: string;
  /** The lines that it takes, `[start, end)`. */
  start: number;
  end: number;
  hasComment: boolean;
}

const BLANK = /(?:[^\S\n]|\\\r?\n)+/y;
const COMMENT = /#[^\n]*/y;
const QUOTE = /([bB][rR]?|[rR][bBfFtT]?|[uU]|[fFtT][rR]?|)("""|'''|"|')/y;
/** Most names have no other letters, and finding those takes much longer. */
const PLAIN_NAME = /[A-Za-z_]\w*/y;
const NAME = /[\p{L}\p{Nl}_][\p{L}\p{N}\p{M}\p{Pc}]*/uy;
const NUMBER =
  /0[xX][\da-fA-F_]+|0[bB][01_]+|0[oO][0-7_]+|(?:\d[\d_]*(?:\.[\d_]*)?|\.\d[\d_]*)(?:[eE][-+]?\d[\d_]*)?[jJ]?/y;
const SIGN = /\*\*=?|\/\/=?|<<=?|>>=?|->|\.\.\.|:=|[-+*/%&|^@=!<>]=|[\s\S]/uy;
/** The part of a text in which nothing can happen. */
const PLAIN = /[^"'\\{}\n]+/y;
const CONVERSION = /![A-Za-z]/y;
const NAMED_CHARACTER = /\\N\{[^{}"'\n]*\}/y;

/** What a token of a kind begins with, in ASCII. */
const BEGINS = {
  blank: ' \t\v\f\r\\',
  quote: '"\'bBfFrRtTuU',
  name: '_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ',
  number: '.0123456789',
};

const isAscii = (sign: string): boolean => sign <= '\x7F';

const mayBegin = (kind: keyof typeof BEGINS, sign: string): boolean => !isAscii(sign) || BEGINS[kind].includes(sign);

/** Python allows as many brackets in brackets. What is deeper has no structure. */
export const MOST_DEPTH = 200;

/** Splits Python into lines of tokens, in one pass. Text that isn't Python gives some tokens and problems: it never fails. */
export function tokenize(source: string): { lines: LogicalLine[]; comments: Comment[]; problems: Problem[] } {
  const tokenizer = new Tokenizer(source);
  tokenizer.read();
  return tokenizer;
}

/** How a text ends, and what is in it. */
interface Quotes {
  end: string;
  isRaw: boolean;
  isFormatted: boolean;
}

class Tokenizer {
  readonly lines: LogicalLine[] = [];
  readonly comments: Comment[] = [];
  readonly problems: Problem[] = [];
  private open: LogicalLine | undefined;
  private at = 0;
  private line = 0;
  private lineStart = 0;
  private readonly brackets: string[] = [];
  private readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  read(): void {
    // A byte order mark is no indentation.
    if (this.source.startsWith('\uFEFF')) this.at = this.lineStart = 1;
    while (this.at < this.source.length) this.readToken();
    if (this.brackets.length > 0) this.report('bracket', this.innermost()?.line);
  }

  private readToken(): void {
    const sign = this.source[this.at] ?? '';
    if (sign === '\n') this.readLineEnd();
    else if (sign === '#') this.readComment();
    else if (!(mayBegin('blank', sign) && this.match(BLANK))) this.readCode(sign);
  }

  private readComment(): void {
    const from = this.at;
    this.match(COMMENT);
    this.comments.push({ from, to: this.at, line: this.line, column: from - this.lineStart });
    if (this.open) this.open.hasComment = true;
  }

  private readCode(sign: string): void {
    const [, prefix = '', quote] = (mayBegin('quote', sign) && this.match(QUOTE)) || [];
    const name = quote === undefined && mayBegin('name', sign) && this.matchName();
    const number = quote === undefined && !name && mayBegin('number', sign) && this.match(NUMBER);
    if (quote !== undefined) this.readText(prefix.toLowerCase(), quote);
    else if (name) this.add('name', name[0]);
    else if (number) this.add('number', number[0]);
    else this.readSign(this.match(SIGN)?.[0] ?? '');
  }

  private matchName(): RegExpExecArray | undefined {
    const from = this.at;
    const plain = this.match(PLAIN_NAME);
    if (plain && isAscii(this.source[this.at] ?? '')) return plain;
    this.at = from;
    return this.match(NAME);
  }

  /** Reads the end of a line, which ends a statement outside of brackets. */
  private readLineEnd(): void {
    this.at += 1;
    this.newLine();
    if (this.brackets.length === 0) this.open = undefined;
  }

  private newLine(): void {
    this.line += 1;
    this.lineStart = this.at;
  }

  private readSign(code: string): void {
    const closing = CLOSING[code];
    if (')]}'.includes(code)) this.close(code);
    this.add('sign', code);
    if (closing) this.brackets.push(closing);
  }

  private close(code: string): void {
    if (this.brackets.at(-1) === code) this.brackets.pop();
    else this.report('bracket');
  }

  /** The token that opens the innermost of the brackets that are open. */
  private innermost(): Token | undefined {
    const depth = this.brackets.length - 1;
    return this.open?.tokens.findLast(token => token.depth === depth && token.kind === 'sign' && CLOSING[token.code]);
  }

  /** Reads up to the closing quote. */
  private readText(prefix: string, end: string): void {
    this.add('text', '', prefix.length + end.length);
    const token = this.open?.tokens.at(-1);
    const text = this.readUntil({ end, isRaw: prefix.includes('r'), isFormatted: /[ft]/.test(prefix) });
    if (token) token.code = text;
    if (this.source.startsWith(end, this.at)) this.at += end.length;
    else this.report('quote', token?.line);
    if (token) token.to = this.at;
    if (this.open) this.open.end = this.line + 1;
  }

  /** Reads text, and the code in its braces, up to the quote; in the format after a colon, up to the brace. */
  private readUntil(quotes: Quotes, isFormat = false): string {
    const { end, isRaw } = quotes;
    const isFormatted = quotes.isFormatted && this.brackets.length < MOST_DEPTH;
    let text = '';
    while (this.at < this.source.length && !this.source.startsWith(end, this.at)) {
      const sign = this.source[this.at] ?? '';
      if (sign === '\n' && end.length === 1) break;
      if (isFormat && sign === '}') break;
      if (isFormatted && sign === '{' && (isFormat || this.source[this.at + 1] !== '{')) this.readHole(quotes);
      else text += this.readPart(sign, isFormatted, isRaw);
    }
    return text;
  }

  private readPart(sign: string, isFormatted: boolean, isRaw: boolean): string {
    const from = this.at;
    const plain = this.match(PLAIN) ?? (isFormatted && !isRaw && this.match(NAMED_CHARACTER));
    if (!plain) {
      const next = this.source[this.at + 1] ?? '';
      // A backslash doesn't keep a brace from opening code, but a quote from ending the text.
      const isPair =
        sign === '\\' ? !(isFormatted && '{}'.includes(next)) : isFormatted && sign === next && sign === '{';
      this.at += isPair && !(next === '\r' && this.source[this.at + 2] === '\n') ? 2 : isPair ? 3 : 1;
      if (this.source.slice(from, this.at).endsWith('\n')) this.newLine();
    }
    return this.source.slice(from, this.at);
  }

  /** Reads the code between braces. If they aren't closed in a text of one line, they end with it. */
  private readHole(quotes: Quotes): void {
    const outside = this.brackets.length;
    const { line } = this;
    this.at += 1;
    this.add('hole', '{', 1);
    this.brackets.push('}');
    while (this.at < this.source.length && !(this.source[this.at] === '\n' && quotes.end.length === 1)) {
      const isDirect = this.brackets.length === outside + 1;
      if (this.brackets.length === outside || (isDirect && '}:'.includes(this.source[this.at] ?? ''))) break;
      if (!(isDirect && this.match(CONVERSION))) this.readToken();
    }
    const isDirect = this.brackets.length === outside + 1;
    if (isDirect && this.source[this.at] === ':') this.readUntil(quotes, true);
    this.brackets.length = outside;
    if (isDirect && this.source[this.at] === '}') {
      this.at += 1;
      this.add('hole', '}', 1);
    } else this.report('bracket', line);
  }

  /** Adds the token that ends here, or that began `length` units ago. */
  private add(kind: Token['kind'], code: string, length = code.length): void {
    const column = this.at - length - this.lineStart;
    this.open ??= this.begin(column);
    const range = { from: this.at - length, to: this.at };
    this.open.tokens.push({ kind, code, line: this.line, column, depth: this.brackets.length, ...range });
    this.open.end = this.line + 1;
  }

  private begin(column: number): LogicalLine {
    const indent = this.source.slice(this.lineStart, this.lineStart + column);
    const line = { tokens: [], indent, start: this.line, end: this.line + 1, hasComment: false };
    this.lines.push(line);
    return line;
  }

  private report(kind: Problem['kind'], line = this.line): void {
    this.problems.push({ line, kind });
  }

  private match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.at;
    const found = expression.exec(this.source);
    if (!found) return undefined;
    this.at = expression.lastIndex;
    if (expression === BLANK) this.countLines(found[0]);
    return found;
  }

  /** Counts the lines that backslashes continue. */
  private countLines(blank: string): void {
    for (let at = blank.indexOf('\n'); at !== -1; at = blank.indexOf('\n', at + 1)) {
      this.line += 1;
      this.lineStart = this.at - blank.length + at + 1;
    }
  }
}

const CLOSING: Readonly<Record<string, string>> = { '(': ')', '[': ']', '{': '}' };
