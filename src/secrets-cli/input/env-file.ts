import { isKey, KEY_RULE, nameKey, type Secret, type SecretsRead, valueProblem } from './secret.ts';

/**
 * Reads secrets from the bytes of a file: `KEY=value` lines, in the syntax that all readers of .env files share. Where
 * other readers guess or skip, this one reports a problem, because stored values can't be read back.
 *
 * - Blank lines and lines that start with `#` are skipped. So is `export ` before a key.
 * - An unquoted value is trimmed; `#` after white space starts a comment. Nothing is expanded or unescaped.
 * - `'…'` is literal. `"…"` supports `\n \r \t \" \\ \$`. Both may contain line breaks.
 *
 * Problems include line numbers, counted from 1.
 */
export function parseEnvFile(bytes: Uint8Array): SecretsRead {
  const { text, problem, broken = [] } = decode(bytes);
  if (problem) return { secrets: [], problems: [problem] };
  return new EnvFileParser(text, broken).read();
}

/** The text, with the numbers of lines that aren't valid UTF-8; or why it can't be decoded. */
function decode(bytes: Uint8Array): { text: string; problem?: string; broken?: number[] } {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    return { text: '', problem: 'it is UTF-16; save it as UTF-8 (in PowerShell: Out-File -Encoding utf8)' };
  }
  const decoder = new TextDecoder('utf-8', { fatal: true });
  try {
    return { text: decoder.decode(bytes) };
  } catch {
    // No multi-byte character contains a line feed byte, so lines can be split before they are decoded.
    const isBroken = (line: string) => !isUtf8(Buffer.from(line, 'latin1'));
    const lines = Buffer.from(bytes).toString('latin1').split('\n');
    const broken = lines.flatMap((line, at) => (isBroken(line) ? [at + 1] : []));
    return { text: new TextDecoder().decode(bytes), broken };
  }
}

function isUtf8(bytes: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes);
    return true;
  } catch {
    return false;
  }
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

  constructor(text: string, broken: readonly number[]) {
    this.problems = new Map(broken.map(line => [line, 'it is not UTF-8 text']));
    // Line ends become one character each. A lone carriage return also ends a line, but is ambiguous in quotes.
    this.text = text.replaceAll('\r\n', '\n');
  }

  read(): SecretsRead {
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
    const key = begin
      .slice(0, -1)
      .trimEnd()
      .replace(/^export[ \t]+(?=.)/, '');
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
    const value = trimBlanks(comment === -1 ? rest : rest.slice(0, comment));
    const problem = controlProblem(value);
    if (problem) this.report(line, problem);
    return problem ? undefined : value;
  }

  private readQuoted(quote: string, line: number): string | undefined {
    const [body] = this.match(quote === '"' ? /"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y : /'[^']*'/y);
    if (body === undefined) {
      // What follows may be the rest of the value, so it isn't read as anything else.
      this.at = this.text.length;
      this.report(line, `the ${quote} that opens the value is never closed`);
      return undefined;
    }
    this.line += body.split('\n').length - 1;
    const [rest = ''] = this.match(/[^\n\r]*/y);
    const inner = body.slice(1, -1);
    const problem = /^[ \t]*$|^[ \t]+#/.test(rest) ? controlProblem(inner) : 'something follows the closing quote';
    if (problem) this.report(line, problem);
    if (problem) return undefined;
    return quote === '"' ? inner.replace(/\\([\s\S])/g, (pair, sign: string) => ESCAPES[sign] ?? pair) : inner;
  }

  private add(secret: Secret, line: number) {
    const { key } = secret;
    const problem = isKey(key) ? valueProblem(secret) : `${KEY_RULE}, followed by "="`;
    if (problem) return this.report(line, `${problem}${isKey(key) ? nameKey(key) : ''}`);
    const before = this.lines.get(key);
    if (before !== undefined) return this.report(line, `it repeats the key of line ${before}${nameKey(key)}`);
    this.lines.set(key, line);
    this.secrets.push(secret);
  }

  private report(line: number, problem: string) {
    if (!this.problems.has(line)) this.problems.set(line, problem);
  }

  /** Reads the end of the line. */
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

/** The text without trailing spaces and tabs. Other white space may be part of a value. */
function trimBlanks(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ' || text[end - 1] === '\t') end -= 1;
  return text.slice(0, end);
}

/** Control characters don't belong in a text file, except for line breaks in quotes. */
function controlProblem(value: string): string | undefined {
  if (value.includes('\r'))
    return 'it contains a lone carriage return in quotes; write \\r in double quotes, or use a line feed';
  return /(?![\t\n])\p{Cc}/u.test(value) ? 'it contains a control character' : undefined;
}
