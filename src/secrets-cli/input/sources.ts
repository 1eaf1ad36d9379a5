import { usageError } from '../../errors.ts';
import { decodeUtf8, garbledLine } from '../../formats/bytes.ts';
import { decodeEscapes, parseDotEnv } from '../../formats/dotenv.ts';
import { explainJsonFault, membersOf } from '../../formats/json.ts';
import { isKey, KEY_RULE, looksLikeValue, nameKey, type Secret, valueProblem } from '../../platform/names.ts';
import { readInput, Unreadable } from '../../shell/input.ts';
import type { Terminal } from '../../shell/terminal.ts';
import type { Environment } from '../../shells.ts';
import { parsedJson } from '../../std.ts';
import { DAMAGED, firstOf, isDamaged } from '../../text.ts';

/**
 * Reads the secrets of `--file`, in order: a path relative to the working directory, a pipe such as `<(…)`, or `-` for
 * stdin. `required` keys must have a value; other lines without one are skipped, as those of `.env.example`. Throws a
 * `UserError` with exit code 2 and every problem, by line, and by file if they are for a list with others (`isListed`).
 * None quotes the input: it may be a secret.
 */
export async function readSecretsFile(path: string, terminal: Terminal, required: readonly string[], isListed = false) {
  const bytes = await read(path, '--file -', terminal);
  const blank: { key: string; line: number }[] = [];
  const skipsBlank: SkipsBlank = (key, line) => !required.includes(key) && blank.push({ key, line }) > 0;
  const { secrets, problems } = parseSecrets(bytes, path, skipsBlank);
  const name = path === '-' ? 'stdin' : isShowable(path) ? path : 'the file';
  if (problems.length === 1 && !isListed)
    throw usageError(`Nothing was sent, because of a problem in ${name}: ${problems}`, { reason: 'file' });
  if (problems.length > 0) {
    const message = `Nothing was sent, because of ${problems.length} problems in ${name}:`;
    const lines = firstOf(problems).map(problem => (isListed ? `${name}: ${problem}` : problem));
    throw usageError(message, { reason: 'file', problems: lines });
  }
  return { secrets: isJson(bytes, path) ? secrets : withReadings(secrets, bytes), blank };
}

/** Reads secrets from the bytes of a file. No problem quotes them. */
export const parseSecrets = (bytes: Uint8Array, path: string, skipsBlank: SkipsBlank = () => false) =>
  isJson(bytes, path) ? parseJsonFile(bytes, skipsBlank) : parseEnvFile(bytes, skipsBlank);

/** Whether a file is JSON, by its name or its first character. No env file begins with `{`. */
const isJson = (bytes: Uint8Array, path: string): boolean =>
  /\.json$/i.test(path) || /^(?:\xef\xbb\xbf)?\s*\{/.test(Buffer.from(bytes).toString('latin1'));

/** The same secrets, with a note on those that a bot which reads the same env file itself reads otherwise. */
function withReadings(secrets: readonly Secret[], bytes: Uint8Array): Secret[] {
  const { entries, broken } = parseDotEnv(Buffer.from(bytes).toString());
  return secrets.map(secret => {
    const { key, value } = secret;
    const entry = entries.get(key);
    if (entry?.value === value) return secret;
    const line = (entry ?? broken.find(({ name }) => name === key))?.line;
    return { ...secret, readOtherwise: line === undefined ? key : `${key} (line ${line})` };
  });
}

/** Reads a value from stdin, without the line break that `echo` adds. `word` is the argument that asked for it. */
export async function readInputValue(word: string, terminal: Terminal): Promise<string> {
  const text = await readInputText(word, terminal);
  const value = text.replace(/\r?\n$/, '');
  if (value !== text && !terminal.env.CI) terminal.note('Removed the line break at the end of stdin.');
  return value;
}

/** Reads text from stdin, without the byte order mark that PowerShell adds. */
export async function readInputText(word: string, terminal: Terminal): Promise<string> {
  const text = decodeUtf8(await read('-', word, terminal));
  if (text === undefined) throw usageError("stdin isn't UTF-8 text");
  return text;
}

/** `word` is the argument that asked for stdin. */
async function read(path: string, word: string, terminal: Terminal): Promise<Uint8Array> {
  try {
    return await readInput(path, terminal);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    if (path === '-') throw usageError(`${word} reads stdin, which ${error.message}`, { reason: 'file' });
    if (isShowable(path)) throw usageError(`${path} ${error.message}`, { reason: 'file' });
    throw usageError(`--file ${error.message}`, {
      reason: 'file',
      hint: "The path isn't shown, because it may be a secret. Pass KEY=VALUE pairs without --file.",
    });
  }
}

/** Whether a path can be shown. `-f API_KEY=…` or the text of a key is a mistake that would show a secret. */
const isShowable = (path: string): boolean => !/[=\r\n]/.test(path);

/** Whether a key without a value is skipped. By default, that's a problem: the bot needs it. */
type SkipsBlank = (key: string, line: number) => boolean;

const EMPTY = 'it contains no secrets';
const NEEDED = 'the value is empty, and the bot needs it; fill it in';
const VALUE_AS_KEY = 'the key looks like a value';
const SHAPE = 'it must be an object of strings, such as {"KEY": "value"}';

/** The text of a file without a byte order mark, or why there is none. */
function decodeText(bytes: Uint8Array): { text: string; problem?: string } {
  const text = decodeUtf8(bytes);
  if (text !== undefined) return { text };
  const isUtf16 = /^(?:\xff\xfe|\xfe\xff)/.test(Buffer.from(bytes.subarray(0, 2)).toString('latin1'));
  if (isUtf16) return { text: '', problem: 'it is UTF-16; save it as UTF-8 (in PowerShell: Out-File -Encoding utf8)' };
  return { text: '', problem: `line ${(garbledLine(Buffer.from(bytes)) ?? 0) + 1}: it is not UTF-8 text` };
}

/** Reads secrets from the bytes of a JSON object whose values are strings. Problems have lines and columns, from 1. */
function parseJsonFile(bytes: Uint8Array, skipsBlank: SkipsBlank) {
  const { text, problem } = decodeText(bytes);
  const secrets: Secret[] = [];
  const isBroken = parsedJson(text) === undefined;
  const fault = problem ?? (text.trim() === '' ? EMPTY : isBroken ? explainJsonFault(text) : undefined);
  if (fault) return { secrets, problems: [fault] };
  const { first, members } = membersOf(text);
  if (first.token !== '{') return { secrets, problems: [`${positionOf(first)}: ${SHAPE}`] };
  const places = new Map<string, string>();
  const problems: string[] = [];
  for (const member of members.filter(({ depth }) => depth === 1)) {
    const { key, line } = member;
    const value = member.value.startsWith('"') ? (JSON.parse(member.value) as string) : undefined;
    const wrong = entryProblem(key, value, places.get(key));
    if (!places.has(key)) places.set(key, positionOf(member));
    if (!wrong && value) secrets.push({ key, value });
    const why = wrong ?? (value || skipsBlank(key, line) ? undefined : NEEDED);
    if (why) problems.push(`${positionOf(member)}: ${why}${isKey(key) ? nameKey(key) : ''}`);
  }
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

/**
 * Reads secrets from the bytes of a file: `KEY=value` lines, in the syntax that all readers of .env files share. Where
 * other readers guess or skip, this one reports a problem, because stored values can't be read back.
 *
 * - Blank lines and lines that start with `#` are skipped. So is `export ` before a key.
 * - An unquoted value is trimmed; `#` after white space starts a comment, unless it may be in quotes. Nothing is
 *   expanded or unescaped.
 * - Quotes have the escapes of python-dotenv, with which the bot reads the same file. Both kinds may contain line
 *   breaks, but no line that looks like `KEY=value`: a quote above it may be missing.
 * - A key that looks like a value is a problem: the value above it may go on there.
 *
 * Problems include line numbers, counted from 1.
 */
function parseEnvFile(bytes: Uint8Array, skipsBlank: SkipsBlank) {
  const { text, problem } = decodeText(bytes);
  if (problem) return { secrets: [], problems: [problem] };
  const secrets: Secret[] = [];
  const problems: string[] = [];
  /** The line of each key. */
  const lines = new Map<string, number>();
  let [next, above] = [1, 0];
  // Line ends become one character each. A lone carriage return also ends a line, but is ambiguous in quotes.
  for (const [entry, begin = '', blanks, quoted, open, rest = ''] of text.replaceAll('\r\n', '\n').matchAll(ENTRY)) {
    const line = next;
    next += entry.split('\n').length - (entry.endsWith('\r') ? 0 : 1);
    const report = (why: string, at = line) => problems.push(`line ${at}: ${why}`);
    if (blanks === undefined) {
      if (begin !== '') report('it has no "="');
      continue;
    }
    if (open) {
      report(`the ${open} that opens the value is never closed`);
      // What follows may be the rest of the value, so it isn't read as anything else.
      break;
    }
    const { value, why, below } = quoted ? readQuoted(quoted, rest, line) : readPlain(rest, blanks);
    const key = trimBlanks(begin).replace(/^export[ \t]+(?=.)/, '');
    if (why) report(why, line + (below ?? 0));
    else if (!isKey(key)) report(`${KEY_RULE}, followed by "="`);
    // Base64 ends so.
    else if (looksLikeValue(key) || (value === '=' && nameKey(key) === ''))
      report(above ? `it looks like the rest of the value in line ${above}; put that on one line` : VALUE_AS_KEY);
    else {
      above = line;
      const before = lines.get(key);
      lines.set(key, before ?? line);
      if (before === undefined && value === '' && skipsBlank(key, line)) continue;
      const repeats = before && `it repeats the key of line ${before}`;
      const problem = repeats || (value === '' ? NEEDED : valueProblem({ key, value }));
      if (problem) report(`${problem}${nameKey(key)}`);
      else secrets.push({ key, value });
    }
  }
  return { secrets, problems: secrets.length + problems.length === 0 ? [EMPTY] : problems };
}

/**
 * A line, or several if quotes span them: what is before the `=`, the blanks after it, the value with its quotes or a
 * quote that is never closed, and the rest of the line. Comments and lines without a `=` have less.
 */
const ENTRY =
  /[ \t]*(?:#[^\n\r]*|([^\n\r=]*)(?:=([ \t]*)(?:("[^"\\]*(?:\\[\s\S][^"\\]*)*"|'[^'\\]*(?:\\[\s\S][^'\\]*)*')|(?=(["'])?))([^\n\r]*))?)(?:[\n\r]|$)/g;

/** A value, or why it can't be used, and how many lines below its first one that is. */
type Read = { value: string; why?: string | undefined; below?: number };

function readPlain(rest: string, blanks: string): Read {
  const comment = blanks && rest.startsWith('#') ? 0 : rest.search(/[ \t]#/);
  const value = comment === -1 ? rest : rest.slice(0, comment);
  return { value: trimBlanks(value), why: controlProblem(value) ?? commentProblem(value, rest.slice(value.length)) };
}

function readQuoted(quoted: string, rest: string, line: number): Read {
  const inner = quoted.slice(1, -1);
  const value = decodeEscapes(inner, quoted.charAt(0));
  const at = inner.search(KEY_LINE);
  // A closing quote may be missing above it.
  if (at !== -1) {
    const why = `it looks like a key, but is inside the quotes that open on line ${line}; ${HOW_TO_QUOTE}`;
    return { value, why, below: inner.slice(0, at + 1).split('\n').length - 1 };
  }
  const isAlone = /^[ \t]*$|^[ \t]+#/.test(rest);
  return { value, why: isAlone ? controlProblem(inner) : 'something follows the closing quote' };
}

/** A line like `KEY=value`. The last lines of a key file may end with `=`, but not right before the closing quote. */
const KEY_LINE = /\n[ \t]*(?:export[ \t]+)?[A-Za-z_][\w-]*[ \t]*=[ \t]*(?:[^=\s]|$)/;
const HOW_TO_QUOTE = 'close them there, or write \\n for line breaks in double quotes';

/** Why a comment may not be one: others cut `Say "hi # there"` at the `#`. A single `'` is an apostrophe. */
function commentProblem(before: string, comment: string): string | undefined {
  const isInQuotes = before.split('"').length % 2 === 0 || (before.includes("'") && comment.includes("'"));
  return comment && isInQuotes ? 'the # may be in quotes; put the whole value in quotes' : undefined;
}

/** Control characters don't belong in a text file, except for line breaks in quotes. */
function controlProblem(value: string): string | undefined {
  if (value.includes('\r'))
    return 'it contains a lone carriage return in quotes; write \\r in double quotes, or use a line feed';
  return /(?![\t\n])\p{Cc}/u.test(value) ? 'it contains a control character' : undefined;
}

/** The text without spaces and tabs around it. Other white space may be part of a value. */
function trimBlanks(text: string): string {
  const isBlank = (at: number) => text[at] === ' ' || text[at] === '\t';
  let [start, end] = [0, text.length];
  while (end > 0 && isBlank(end - 1)) end -= 1;
  while (start < end && isBlank(start)) start += 1;
  return text.slice(start, end);
}

/** A key from the command line, and its value, or where to read it. */
interface Pair {
  key: string;
  /** The number of its argument, from 1. */
  number: number;
  from: 'argument' | 'environment' | 'stdin' | 'prompt';
  value?: string;
}

/** How to pass a value that looks like something else. */
const ALTERNATIVE = 'pass the value with --file, or with KEY=- from stdin';
const NO_EQUALS = 'it has no "="; write KEY=VALUE as one argument';

/**
 * Reads `KEY=VALUE`, `KEY=-` and `KEY` arguments. The shell has already unquoted them. With `env`, it has the values of
 * bare keys; without it, they are asked for. Problems count arguments from 1, and never quote one.
 */
export function parsePairs(words: readonly string[], env?: Environment): { pairs: Pair[]; problems: string[] } {
  const pairs: Pair[] = [];
  const problems: string[] = [];
  const bare = words.filter(word => !word.includes('='));
  // `set prod API_KEY sk-123` was meant to be one pair.
  const isSpaced = !env && bare.length > 1 && bare.some(word => !/^[A-Z][A-Z0-9_]*$/.test(word));
  for (const [at, word] of words.entries()) {
    const number = at + 1;
    const pair = isSpaced && !word.includes('=') ? NO_EQUALS : readPair(word, number, env);
    const problem = typeof pair === 'string' ? pair : conflictWith(pairs, pair);
    if (problem) problems.push(`argument ${number}: ${problem}`);
    if (typeof pair !== 'string') pairs.push(pair);
  }
  return { pairs, problems };
}

function readPair(word: string, number: number, env: Environment | undefined): Pair | string {
  const sign = word.indexOf('=');
  const isBare = sign === -1;
  const key = trimBlanks(isBare ? word : word.slice(0, sign));
  if (!isKey(key)) return isBare && !env ? NO_EQUALS : `${KEY_RULE}${isBare ? '' : ', followed by "="'}`;
  if (looksLikeValue(key)) return 'it looks like a value without its key; write KEY=VALUE as one argument';
  if (isBare && !env) return { key, number, from: 'prompt' };
  const own = env && Object.hasOwn(env, key) ? env[key] : undefined;
  const value = isBare ? own : word.slice(sign + 1);
  if (value === undefined) return `no environment variable has this name${nameKey(key)}`;
  if (value === '-' && !isBare) return { key, number, from: 'stdin' };
  if (isDamaged(value)) return `the ${isBare ? 'variable' : 'value'} ${DAMAGED}; ${ALTERNATIVE}`;
  if (!isBare && containsPairs(value)) {
    return `it seems to contain several pairs; pass each as a separate argument, or ${ALTERNATIVE}`;
  }
  const problem = valueProblem({ key, value });
  return problem ? `${problem}${nameKey(key)}` : { key, number, from: isBare ? 'environment' : 'argument', value };
}

function conflictWith(before: readonly Pair[], { key, from }: Pair): string | undefined {
  const same = before.find(pair => pair.key === key);
  if (same) return `it repeats the key of argument ${same.number}${nameKey(key)}`;
  const isSecond = from === 'stdin' && before.some(pair => pair.from === 'stdin');
  return isSecond ? 'only one value can come from stdin' : undefined;
}

/** Whether one argument was meant to be several: `'A=1 B=2'`. A line of a key file may end with `=`, and is none. */
const containsPairs = (value: string) => /[ \t][A-Za-z_][\w-]*=|\n[ \t]*[A-Za-z_][\w-]*=[^=\s]/.test(value);
