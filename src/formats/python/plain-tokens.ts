/** A token of Python: a name, a text without its quotes, a sign such as `[` or `==`, or the end of a statement. */
export interface Token {
  kind: 'name' | 'text' | 'sign' | 'end';
  text: string;
}

/** Space, a continued line, or a comment. */
const SPACE = /(?:[^\S\n]|\\\r?\n)+|#[^\n]*/y;
const QUOTE = /([A-Za-z]{0,2})("""|'''|"|')/y;
const WORD = /[\p{L}\p{N}_]+/uy;
const SIGN = /[=!<>]=|:=|[-+*/%&|^@]=|[\s\S]/uy;

/** Code within texts within code, deeper than Python allows, is taken for text. */
const MOST_DEPTH = 200;

/** Splits Python into tokens. Text that isn't Python gives some tokens, too: it never fails. */
export function tokensOf(source: string): Token[] {
  return new Tokenizer(source).read();
}

class Tokenizer {
  private at = 0;
  /** How many brackets are open. */
  private depth = 0;
  private readonly tokens: Token[] = [];
  private readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  read(): Token[] {
    while (this.at < this.source.length) this.readToken();
    return this.tokens;
  }

  private readToken(): void {
    if (this.match(SPACE)) return;
    const [, prefix, quote] = this.match(QUOTE) ?? [];
    const [word] = quote === undefined ? (this.match(WORD) ?? []) : [];
    if (quote !== undefined) this.readText(prefix ?? '', quote);
    else if (word !== undefined) this.tokens.push({ kind: 'name', text: word });
    else this.readSign(this.match(SIGN)?.[0] ?? '');
  }

  private readSign(text: string): void {
    if ('([{'.includes(text)) this.depth += 1;
    if (')]}'.includes(text)) this.depth = Math.max(0, this.depth - 1);
    if (text !== '\n') this.tokens.push({ kind: text === ';' ? 'end' : 'sign', text });
    else if (this.depth === 0) this.tokens.push({ kind: 'end', text });
  }

  /** Reads up to the closing quote. What is in the braces of an f-string is code. */
  private readText(prefix: string, quote: string): void {
    const isFormatted = /[ft]/i.test(prefix) && this.depth < MOST_DEPTH;
    let text = '';
    while (this.at < this.source.length && !this.source.startsWith(quote, this.at)) {
      const sign = this.source[this.at];
      // A text in single quotes ends with its line, at the latest.
      if (sign === '\n' && quote.length === 1) break;
      if (isFormatted && sign === '{' && this.source[this.at + 1] !== '{') {
        this.at += 1;
        this.readHole(quote);
        continue;
      }
      const length = sign === '\\' || (isFormatted && sign === '{') ? 2 : 1;
      text += this.source.slice(this.at, this.at + length);
      this.at += length;
    }
    this.at += quote.length;
    this.tokens.push({ kind: 'text', text });
  }

  /** Reads the code between braces. If they or the text around them are never closed, it ends with the line. */
  private readHole(quote: string): void {
    this.depth += 1;
    const outside = this.depth;
    while (this.at < this.source.length && this.depth >= outside) {
      if (this.source[this.at] === '\n' && quote.length === 1) this.depth = outside - 1;
      else this.readToken();
    }
  }

  private match(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.at;
    const found = expression.exec(this.source);
    if (found) this.at = expression.lastIndex;
    return found ?? undefined;
  }
}
