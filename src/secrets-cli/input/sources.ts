import { UserError, usageError } from '../../errors.ts';
import { decodeUtf8 } from '../../formats/bytes.ts';
import { decodeEscapes, parseDotEnv } from '../../formats/dotenv.ts';
import { explainJsonFault, membersOf } from '../../formats/json.ts';
import {
  type BlankLine,
  isKey,
  KEY_RULE,
  looksLikeValue,
  nameKey,
  type Secret,
  valueProblem,
} from '../../platform/names.ts';
import { readInput, Unreadable } from '../../shell/input.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { parsedJson } from '../../std.ts';
import { firstOf } from '../../text.ts';

/** The secrets of a file, in order. */
interface SecretsFile {
  secrets: readonly Secret[];
  blank: readonly BlankLine[];
}

/**
 * Reads the secrets of `--file`: a path relative to the working directory, or `-` for stdin. Pipes such as `<(…)` work.
 *
 * @param required The keys that must have a value. Other lines without one are skipped, as those of `.env.example`.
 * @throws {UserError} Exit code 2: every problem with the file, by line.
 */
export async function readSecretsFile(
  path: string,
  terminal: Terminal,
  required: readonly string[],
): Promise<SecretsFile> {
  const { secrets, blank, problems } = await parseFile(path, terminal, required);
  const [only] = problems;
  if (only === undefined) return { secrets, blank };
  const name = nameOf(path);
  if (isForeign({ secrets, problems })) {
    throw usageError(`Nothing was sent: ${name} isn't an env file`, {
      reason: 'file',
      hint: `It should have lines like KEY=value. Its first problem is in ${only}`,
    });
  }
  if (problems.length === 1)
    throw usageError(`Nothing was sent, because of a problem in ${name}: ${only}`, { reason: 'file' });
  throw usageError(`Nothing was sent, because of ${problems.length} problems in ${name}:`, {
    reason: 'file',
    problems: firstOf(problems),
  });
}

/** The problems with a file, for a command line that already has other problems. */
export async function fileProblems(path: string, terminal: Terminal, required?: readonly string[]): Promise<string[]> {
  try {
    const { secrets, problems } = await parseFile(path, terminal, required);
    if (isForeign({ secrets, problems })) return [`${nameOf(path)} isn't an env file`];
    return firstOf(problems).map(problem => `${nameOf(path)}: ${problem}`);
  } catch (error) {
    if (error instanceof UserError) return [error.message];
    throw error;
  }
}

/** The secrets in a file, in order, and every problem. Problems never quote the input: it may be a secret. */
async function parseFile(path: string, terminal: Terminal, required: readonly string[] = []) {
  const bytes = await read(path, '--file -', terminal);
  const blank: BlankLine[] = [];
  const skipsBlank: SkipsBlank = (key, line) => {
    if (required.includes(key)) return false;
    blank.push({ key, line });
    return true;
  };
  if (isJson(bytes, path)) return { ...parseJsonFile(bytes, skipsBlank), blank };
  const { secrets, problems } = parseEnvFile(bytes, skipsBlank);
  const { entries, broken } = parseDotEnv(Buffer.from(bytes).toString());
  const asBots = (secret: Secret): Secret => {
    const { key, value } = secret;
    const entry = entries.get(key);
    if (entry?.value === value) return secret;
    const line = (entry ?? broken.find(({ name }) => name === key))?.line;
    return { ...secret, readOtherwise: line === undefined ? key : `${key} (line ${line})` };
  };
  return { secrets: secrets.map(asBots), blank, problems };
}

/** With so many problems, and fewer secrets, it's a file of another kind. */
const MANY = 10;

const isForeign = ({ secrets, problems }: Record<'secrets' | 'problems', readonly unknown[]>): boolean =>
  problems.length >= MANY && secrets.length < problems.length;

const nameOf = (path: string): string => (path === '-' ? 'stdin' : isShowable(path) ? path : 'the file');

/**
 * Reads a value from stdin, without the line break that `echo` adds, and without the byte order mark that PowerShell
 * adds. `word` is the argument that asked for it.
 */
export async function readInputValue(word: string, terminal: Terminal): Promise<string> {
  const { text, isMarked } = await readText(word, terminal);
  const value = text.replace(/\r?\n$/, '');
  const removed = [
    ...(isMarked ? ['byte order mark at the start'] : []),
    ...(value === text ? [] : ['line break at the end']),
  ];
  if (!terminal.env.CI) for (const what of removed) terminal.note(`Removed the ${what} of stdin.`);
  return value;
}

/** Reads text from stdin. `word` is the argument that asked for it. */
export async function readInputText(word: string, terminal: Terminal): Promise<string> {
  return (await readText(word, terminal)).text;
}

async function readText(word: string, terminal: Terminal): Promise<{ text: string; isMarked: boolean }> {
  const bytes = await read('-', word, terminal);
  const text = decodeUtf8(bytes);
  if (text === undefined) throw usageError("stdin isn't UTF-8 text");
  // Decoding removes nothing but a byte order mark.
  return { text, isMarked: Buffer.byteLength(text) < bytes.length };
}

/** `word` is the argument that asked for stdin. */
async function read(path: string, word: string, terminal: Terminal): Promise<Uint8Array> {
  try {
    return await readInput(path, terminal);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    if (path === '-') throw usageError(`${word} reads stdin, which ${error.message}`, { reason: 'file' });
    throw usageError(`${isShowable(path) ? path : '--file'} ${error.message}`, {
      reason: 'file',
      hint: isShowable(path)
        ? undefined
        : "The path isn't shown, because it may be a secret. Pass KEY=VALUE pairs without --file.",
    });
  }
}

/** Whether a path can be shown. `-f API_KEY=…` or the text of a key is a mistake that would show a secret. */
const isShowable = (path: string): boolean => !/[=\r\n]/.test(path);

const SHAPE = 'it must be an object of strings, such as {"KEY": "value"}';

/** Whether a file is JSON, by its name or its first character. No env file begins with `{`. */
export const isJson = (bytes: Uint8Array, path: string): boolean =>
  /\.json$/i.test(path) || /^(?:\xef\xbb\xbf)?\s*\{/.test(Buffer.from(bytes).toString('latin1'));

/** Whether a key without a value is skipped. By default, that's a problem: the bot needs it. */
type SkipsBlank = (key: string, line: number) => boolean;

const NEEDED = 'the value is empty, and the bot needs it; fill it in';

/**
 * Reads secrets from the bytes of a JSON object whose values are strings.
 *
 * Problems include lines and columns, counted from 1.
 */
export function parseJsonFile(bytes: Uint8Array, skipsBlank: SkipsBlank = () => false) {
  const { text, problem, broken } = decodeText(bytes);
  if (broken.length > 0) return { secrets: [], problems: broken.map(line => `line ${line}: ${NOT_UTF8}`) };
  const fault = problem ?? syntaxProblem(text);
  if (fault) return { secrets: [], problems: [fault] };
  const { first, members } = membersOf(text);
  if (first.token !== '{') return { secrets: [], problems: [`${positionOf(first)}: ${SHAPE}`] };
  const entries = members
    .filter(({ depth }) => depth === 1)
    .map(member => ({
      key: member.key,
      value: member.value.startsWith('"') ? (JSON.parse(member.value) as string) : undefined,
      line: member.line,
      place: positionOf(member),
    }));
  if (entries.length === 0) return { secrets: [], problems: [EMPTY] };
  const places = new Map<string, string>();
  const problems = entries.flatMap(({ key, value, line, place }) => {
    const problem = entryProblem(key, value, places.get(key)) ?? (value || skipsBlank(key, line) ? undefined : NEEDED);
    if (!places.has(key)) places.set(key, place);
    return problem ? [`${place}: ${problem}${isKey(key) ? nameKey(key) : ''}`] : [];
  });
  const secrets = entries.flatMap(({ key, value }) => (value ? [{ key, value }] : []));
  if (secrets.length + problems.length === 0) return { secrets, problems: [EMPTY] };
  return { secrets: problems.length > 0 ? [] : secrets, problems };
}

const positionOf = ({ line, column }: { line: number; column: number }) => `line ${line}, column ${column}`;

/** What is wrong with an entry. `value` is its value if that is a string, `before` where its key was before. */
function entryProblem(key: string, value: string | undefined, before: string | undefined): string | undefined {
  if (!isKey(key)) return KEY_RULE;
  if (looksLikeValue(key)) return VALUE_AS_KEY;
  if (before !== undefined) return `it repeats the key of ${before}`;
  if (value === undefined) return 'the value must be a string, in quotes';
  return value === '' ? undefined : valueProblem({ key, value });
}

const EMPTY = 'it contains no secrets';
const VALUE_AS_KEY = 'the key looks like a value';

function syntaxProblem(text: string): string | undefined {
  if (text.trim() === '') return EMPTY;
  return parsedJson(text) === undefined ? explainJsonFault(text) : undefined;
}

/**
 * Reads secrets from the bytes of a file: `KEY=value` lines, in the syntax that all readers of .env files share. Where
 * other readers guess or skip, this one reports a problem, because stored values can't be read back.
 *
 * - Blank lines and lines that start with `#` are skipped. So is `export ` before a key.
 * - An unquoted value is trimmed; `#` after white space starts a comment, unless it may be in quotes. Nothing is expanded
 *   or unescaped.
 * - Quotes have the escapes of python-dotenv, with which the bot reads the same file. Both kinds may contain line breaks,
 *   but no line that looks like `KEY=value`: a quote above it may be missing.
 * - A key that looks like a value is a problem: the value above it may go on there.
 *
 * Problems include line numbers, counted from 1.
 */
export function parseEnvFile(bytes: Uint8Array, skipsBlank: SkipsBlank = () => false) {
  const { text, problem, broken } = decodeText(bytes);
  if (problem) return { secrets: [], problems: [problem] };
  return new EnvFileParser(text, broken, skipsBlank).read();
}

class EnvFileParser {
  private readonly text: string;
  private at = 0;
  private line = 1;
  private readonly secrets: Secret[] = [];
  /** Problems by line number. */
  private readonly problems: Map<number, string>;
  private readonly lines = new Map<string, number>();
  /** The line of the last key. */
  private above: number | undefined;

  private readonly skipsBlank: SkipsBlank;

  constructor(text: string, broken: readonly number[], skipsBlank: SkipsBlank) {
    this.skipsBlank = skipsBlank;
    this.problems = new Map(broken.map(line => [line, NOT_UTF8]));
    // Line ends become one character each. A lone carriage return also ends a line, but is ambiguous in quotes.
    this.text = text.replaceAll('\r\n', '\n');
  }

  read() {
    while (this.at < this.text.length) this.readEntry();
    if (this.secrets.length === 0 && this.problems.size === 0) return { secrets: [], problems: [EMPTY] };
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
    const [body] = this.match(quote === '"' ? /"[^"\\]*(?:\\[\s\S][^"\\]*)*"/y : /'[^'\\]*(?:\\[\s\S][^'\\]*)*'/y);
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
    return decodeEscapes(inner, quote);
  }

  private add(secret: Secret, line: number) {
    const { key, value } = secret;
    if (!isKey(key)) return this.report(line, `${KEY_RULE}, followed by "="`);
    // Base64 ends so.
    if (looksLikeValue(key) || (value === '=' && nameKey(key) === '')) {
      const rest = `it looks like the rest of the value in line ${this.above}; put that on one line`;
      return this.report(line, this.above === undefined ? VALUE_AS_KEY : rest);
    }
    this.above = line;
    const before = this.lines.get(key);
    const repeats = before !== undefined && `it repeats the key of line ${before}`;
    this.lines.set(key, before ?? line);
    if (!repeats && value === '' && this.skipsBlank(key, line)) return;
    const problem = repeats || (value === '' ? NEEDED : valueProblem(secret));
    if (problem) this.report(line, `${problem}${nameKey(key)}`);
    else this.secrets.push(secret);
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

/** A decoded text, and where it couldn't be decoded. */
interface Decoded {
  /** The text without a byte order mark. Bytes that aren't UTF-8 are replaced. */
  text: string;
  /** Why nothing can be read from it. */
  problem?: string;
  /** The numbers of the lines that aren't UTF-8, counted from 1. */
  broken: number[];
}

function decodeText(bytes: Uint8Array): Decoded {
  const [first, second] = bytes;
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    const problem = 'it is UTF-16; save it as UTF-8 (in PowerShell: Out-File -Encoding utf8)';
    return { text: '', problem, broken: [] };
  }
  const text = decodeUtf8(bytes);
  if (text !== undefined) return { text, broken: [] };
  // No multi-byte character contains a line feed byte, so lines can be split before they are decoded.
  const lines = Buffer.from(bytes).toString('latin1').split('\n');
  const isBroken = (line: string) => decodeUtf8(Buffer.from(line, 'latin1')) === undefined;
  const broken = lines.flatMap((line, at) => (isBroken(line) ? [at + 1] : []));
  return { text: new TextDecoder().decode(bytes), broken };
}

const NOT_UTF8 = 'it is not UTF-8 text';

/** The text without spaces and tabs around it. Other white space may be part of a value. */
export function trimBlanks(text: string): string {
  const isBlank = (at: number) => text[at] === ' ' || text[at] === '\t';
  let [start, end] = [0, text.length];
  while (end > 0 && isBlank(end - 1)) end -= 1;
  while (start < end && isBlank(start)) start += 1;
  return text.slice(start, end);
}
