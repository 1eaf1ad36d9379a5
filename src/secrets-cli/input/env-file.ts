import { isKey, KEY_RULE, nameKey, type Secret, valueProblem } from '../../platform/secret.ts';
import { decodeText, NOT_UTF8, trimBlanks } from './decoding.ts';

/**
 * Reads secrets from the bytes of a file: `KEY=value` lines, in the syntax that all readers of .env files share. Where
 * other readers guess or skip, this one reports a problem, because stored values can't be read back.
 *
 * - Blank lines and lines that start with `#` are skipped. So is `export ` before a key.
 * - An unquoted value is trimmed; `#` after white space starts a comment, unless it may be in quotes. Nothing is expanded
 *   or unescaped.
 * - `'…'` is literal. `"…"` supports `\n \r \t \" \\ \$`. Both may contain line breaks, but no line that looks like
 *   `KEY=value`: a quote above it may be missing.
 *
 * Problems include line numbers, counted from 1.
 *
 * @param skipsBlank Whether a line without a value is skipped. By default, it's a problem.
 */
export function parseEnvFile(bytes: Uint8Array, skipsBlank: (key: string, line: number) => boolean = () => false) {
  const { text, problem, broken } = decodeText(bytes);
  if (problem) return { secrets: [], problems: [problem] };
  return new EnvFileParser(text, broken, skipsBlank).read();
}

const ESCAPES: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t', '"': '"', '\\': '\\', $: '$' };

class EnvFileParser {
  private readonly text: string;
  private at = 0;
  private line = 1;
  private readonly secrets: Secret[] = [];
  /** Problems by line number. */
  private readonly problems: Map<number, string>;
  private readonly lines = new Map<string, number>();

  private readonly skipsBlank: (key: string, line: number) => boolean;

  constructor(text: string, broken: readonly number[], skipsBlank: (key: string, line: number) => boolean) {
    this.skipsBlank = skipsBlank;
    this.problems = new Map(broken.map(line => [line, NOT_UTF8]));
    // Line ends become one character each. A lone carriage return also ends a line, but is ambiguous in quotes.
    this.text = text.replaceAll('\r\n', '\n');
  }

  read() {
    while (this.at < this.text.length) this.readEntry();
    if (this.secrets.length === 0 && this.problems.size === 0)
      return { secrets: [], problems: ['it contains no secrets'] };
    const problems = [...this.problems].sort(([one], [other]) => one - other);
    return { secrets: this.secrets, problems: problems.map(([line, problem]) => `line ${line}: ${problem}`) };
  }

  /** Reads one line, or several if a quoted value spans them. */
  private readEntry() {
    const line = this.line;
    const [head = '', indent = '', equals] = this.match(/([ \t]*)(?:#[^\n\r]*|[^\n\r=]*(=)?)/y);
    const begin = head.slice(indent.length);
    if (begin === '' || begin.startsWith('#')) return this.endLine();
    if (!equals) {
      this.report(line, 'it has no "="');
      return this.endLine();
    }
    const key = trimBlanks(begin.slice(0, -1)).replace(/^export[ \t]+(?=.)/, '');
    const value = this.readValue(line);
    this.endLine();
    if (value !== undefined) this.add({ key, value }, line);
  }

  private readValue(line: number): string | undefined {
    const [blanks] = this.match(/[ \t]*/y);
    const quote = this.text[this.at];
    if (quote === '"' || quote === "'") return this.readQuoted(quote, line);
    const [rest = ''] = this.match(/[^\n\r]*/y);
    const comment = blanks && rest.startsWith('#') ? 0 : rest.search(/[ \t]#/);
    const value = comment === -1 ? rest : rest.slice(0, comment);
    const problem = controlProblem(value) ?? commentProblem(value, rest.slice(value.length));
    return problem ? this.report(line, problem) : trimBlanks(value);
  }

  private readQuoted(quote: string, line: number): string | undefined {
    const [body] = this.match(quote === '"' ? /"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y : /'[^']*'/y);
    if (body === undefined) {
      // What follows may be the rest of the value, so it isn't read as anything else.
      this.at = this.text.length;
      return this.report(line, `the ${quote} that opens the value is never closed`);
    }
    this.line += body.split('\n').length - 1;
    const [rest = ''] = this.match(/[^\n\r]*/y);
    const inner = body.slice(1, -1);
    const below = findKeyLine(inner);
    if (below !== undefined) return this.report(line + below, `${KEY_IN_QUOTES} ${line}${HOW_TO_QUOTE}`);
    const problem = /^[ \t]*$|^[ \t]+#/.test(rest) ? controlProblem(inner) : 'something follows the closing quote';
    if (problem) return this.report(line, problem);
    return quote === '"' ? inner.replace(/\\([\s\S])/g, (pair, sign: string) => ESCAPES[sign] ?? pair) : inner;
  }

  private add(secret: Secret, line: number) {
    const { key, value } = secret;
    const isBlank = value === '' && isKey(key) && !this.lines.has(key) && this.skipsBlank(key, line);
    if (isBlank) return void this.lines.set(key, line);
    const problem = isKey(key) ? valueProblem(secret) : `${KEY_RULE}, followed by "="`;
    if (problem) return this.report(line, `${problem}${isKey(key) ? nameKey(key) : ''}`);
    const before = this.lines.get(key);
    if (before !== undefined) return this.report(line, `it repeats the key of line ${before}${nameKey(key)}`);
    this.lines.set(key, line);
    this.secrets.push(secret);
  }

  private report(line: number, problem: string): undefined {
    if (!this.problems.has(line)) this.problems.set(line, problem);
  }

  private endLine() {
    if (this.match(/[\n\r]/y).length > 0) this.line += 1;
  }

  /** Matches a sticky expression at the current position and moves past the match. Empty if there is no match. */
  private match(expression: RegExp): (string | undefined)[] {
    expression.lastIndex = this.at;
    const found = expression.exec(this.text);
    if (found) this.at = expression.lastIndex;
    return found ?? [];
  }
}

/**
 * Why a comment may not be one. Most readers cut `Say "hi # there"` at the `#`, which isn't what it looks like. A single
 * `'` is an apostrophe.
 */
function commentProblem(before: string, comment: string): string | undefined {
  const isInQuotes = before.split('"').length % 2 === 0 || (before.includes("'") && comment.includes("'"));
  return comment && isInQuotes ? 'the # may be in quotes; put the whole value in quotes' : undefined;
}

/** A line like `KEY=value`. The last lines of a key file may end with `=`, but not right before the closing quote. */
const KEY_LINE = /\n[ \t]*(?:export[ \t]+)?[A-Za-z_][\w-]*[ \t]*=[ \t]*(?:[^=\s]|$)/;
const KEY_IN_QUOTES = 'it looks like a key, but is inside the quotes that open on line';
const HOW_TO_QUOTE = '; close them there, or write \\n for line breaks in double quotes';

/** How many lines below the opening quote there is a line like `KEY=value`: a closing quote may be missing above it. */
function findKeyLine(inner: string): number | undefined {
  const at = inner.search(KEY_LINE);
  return at === -1 ? undefined : inner.slice(0, at + 1).split('\n').length - 1;
}

/** Control characters don't belong in a text file, except for line breaks in quotes. */
function controlProblem(value: string): string | undefined {
  if (value.includes('\r'))
    return 'it contains a lone carriage return in quotes; write \\r in double quotes, or use a line feed';
  return /(?![\t\n])\p{Cc}/u.test(value) ? 'it contains a control character' : undefined;
}
