import type { Environment } from '../shells.ts';

// What bots and botcli read from existing env files. `src/secrets-cli/input/sources.ts` is stricter, on purpose: it reads
// what is uploaded, and nobody can look at a stored value.

/** References may repeat a value that repeats others, and so on. After this many characters, they stay as they are. */
const MOST_REPLACED = 2 ** 20;

/** A variable in an env file, as python-dotenv reads it. */
export interface EnvEntry {
  name: string;
  /** Undefined without a `=`. References such as `${X}` are replaced. */
  value: string | undefined;
  /** Counted from 1. */
  line: number;
  /** The line that set it before, which doesn't count. */
  lineBefore: number | undefined;
  isQuoted: boolean;
  /** Where a value goes if it's empty: right after the `=`, over its quotes and the blanks before them, `[from, to)`. */
  gap: readonly [from: number, to: number] | undefined;
  /** Whether it refers to a variable that isn't set, as in `${X}`. */
  isOpen: boolean;
}

/** White space in a line, to Python's regular expressions. To JavaScript's, it's another set, with the byte order mark. */
const BLANK = String.raw`\t\v\f\x1C-\x20\x85\xA0\u1680\u2000-\u200A\u2028\u2029\u202F\u205F\u3000`;
const WHITE = `${BLANK}\\r\\n`;

const sticky = (source: string): RegExp => new RegExp(source, 'y');

/** A byte order mark, also if each byte of the file was read as a character. */
const MARK = /\uFEFF|\xEF\xBB\xBF/y;
const SPACE = sticky(`[${WHITE}]*`);
const EXPORT = sticky(`export[${BLANK}]+`);
const KEY = sticky(`(?:'([^']+)'|(?!')([^=#${WHITE}]+))[${BLANK}]*`);
const EQUALS = sticky(`=[${BLANK}]*`);
const QUOTED = /'(?:\\[\s\S]|[^'\\])*'|"(?:\\[\s\S]|[^"\\])*"/y;
const UNQUOTED = /[^\r\n]*/y;
/** A comment, and the end of the line. */
const END = sticky(`(?:[${BLANK}]*#[^\\r\\n]*)?[${BLANK}]*(?:\\r\\n|\\n|\\r|$)`);
const COMMENT = new RegExp(`[${WHITE}]#`);
const REST = /[^\r\n]*(?:\r\n|\n|\r)?/y;

/**
 * Parses an env file as python-dotenv does, which bots use. It takes time that grows with the length of the text.
 *
 * @param env The variables of the shell, for references.
 */
export const parseDotEnv = (text: string, env: Environment = {}): EnvFile => new EnvFile(text, env);

/** A value before its references are replaced. */
type Raw = Pick<EnvEntry, 'value' | 'isQuoted' | 'gap'>;

class EnvFile {
  /** By name: the last one counts. */
  readonly entries = new Map<string, EnvEntry>();
  /** The lines that python-dotenv skips because they can't be parsed, with what looks like their keys. */
  readonly broken: { line: number; name: string | undefined }[] = [];
  /** The names that values refer to, also in forms that only others replace, such as `$X`. */
  readonly references = new Set<string>();
  /** The name right after a byte order mark. Before release 1.2.3, python-dotenv makes the mark part of it. */
  readonly marked: string | undefined;
  private at = 0;
  private readonly counted = { at: 0, line: 1 };
  private room = MOST_REPLACED;
  private readonly text: string;
  private readonly env: Environment;

  constructor(text: string, env: Environment) {
    this.text = text;
    this.env = env;
    const isMarked = this.match(MARK) !== null;
    while (this.at < text.length) this.readBinding();
    this.marked = isMarked ? [...this.entries.values()].find(({ line }) => line === 1)?.name : undefined;
  }

  private readBinding(): void {
    this.match(SPACE);
    if (this.at === this.text.length) return;
    this.match(EXPORT);
    const begin = this.at;
    const line = this.lineAt(begin);
    const key = this.match(KEY);
    const name = key ? asRead(key[1] ?? key[2]) : undefined;
    const value = name === undefined ? undefined : this.readValue();
    if (name === undefined && this.text[begin] === '#') this.match(END);
    else if (name !== undefined && value && this.match(END)) this.add(name, value, line);
    else {
      this.broken.push({ line, name: /^'?([A-Za-z_]\w*)/.exec(this.text.slice(begin))?.[1] });
      this.match(REST);
    }
  }

  /** The value; without one if there is no `=`, and undefined if its quotes aren't closed. */
  private readValue(): Raw | undefined {
    const start = this.at + 1;
    const equals = this.match(EQUALS);
    if (!equals) return { value: undefined, isQuoted: false, gap: undefined };
    const sign = this.text[this.at];
    if (sign === '"' || sign === "'") {
      const quoted = this.match(QUOTED);
      if (!quoted) return undefined;
      const value = decodeEscapes(asRead(quoted[0].slice(1, -1)), sign);
      return { value, isQuoted: true, gap: value === '' ? [start, this.at] : undefined };
    }
    const hasComment = sign === '#' && this.at > start;
    const part = hasComment ? '' : (this.match(UNQUOTED)?.[0] ?? '');
    const comment = part.search(COMMENT);
    const value = trimEnd(comment === -1 ? part : part.slice(0, comment));
    return { value, isQuoted: false, gap: value === '' ? [start, start] : undefined };
  }

  private add(name: string, { value, isQuoted, gap }: Raw, line: number): void {
    let isOpen = false;
    for (const one of namesIn(value)) this.references.add(one);
    // What isn't closed isn't a reference.
    const end = (value?.lastIndexOf('}') ?? -1) + 1;
    const closed = value?.slice(0, end).replace(REFERENCE, (reference, one: string, preset?: string) => {
      this.references.add(one);
      const entry = this.entries.get(one);
      const known = entry ? (entry.value ?? '') : (this.env[one] ?? preset);
      isOpen ||= known === undefined;
      this.room -= known?.length ?? 0;
      return this.room < 0 ? reference : (known ?? '');
    });
    const replaced = value && closed + value.slice(end);
    const lineBefore = this.entries.get(name)?.line;
    this.entries.set(name, { name, value: replaced, line, lineBefore, isQuoted, gap, isOpen });
  }

  /** The number of a line, counted on from the last one. */
  private lineAt(at: number): number {
    this.counted.line += this.text.slice(this.counted.at, at).split(/\r\n|\n|\r/).length - 1;
    this.counted.at = at;
    return this.counted.line;
  }

  private match(expression: RegExp): RegExpExecArray | null {
    expression.lastIndex = this.at;
    const found = expression.exec(this.text);
    if (found) this.at = expression.lastIndex;
    return found;
  }
}

/** A text over several lines as Python reads it from a file: each line ends with `\n`. */
const asRead = (text = ''): string => text.replaceAll(/\r\n?/g, '\n');

/** Trims as Python does. */
function trimEnd(text: string): string {
  let end = text.length;
  while (end > 0 && WHITES.test(text[end - 1] ?? '')) end -= 1;
  return text.slice(0, end);
}

const WHITES = new RegExp(`[${WHITE}]`);

const ESCAPES = new Map(Object.entries({ a: '\x07', b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', v: '\v' }));

/** In double quotes, python-dotenv knows the usual escapes; in single quotes, only those of the quote and the backslash. */
export const decodeEscapes = (text: string, quote: string): string =>
  text.replace(quote === '"' ? /\\([\\'"abfnrtv])/g : /\\([\\'])/g, (_, sign: string) => ESCAPES.get(sign) ?? sign);

/** The names in what looks like a reference, replaced or not: `${X:=y}`, `${X:-${Y}}`, `$X`, `%X%`. */
const namesIn = (value = ''): string[] =>
  [...value.matchAll(/\$\S+|%\w+%/g)].flatMap(([reference]) => reference.match(/[A-Za-z_]\w*/g) ?? []);

/** `${X}` and `${X:-preset}`. No name is so long that looking for its end takes time. */
const REFERENCE = /\$\{([^}:]{0,200})(?::-([^}]*))?\}/g;

/** The names that have no value in a text. A reference is a value, even if it refers to nothing. */
export function emptyIn(text: string, names: readonly string[]): string[] {
  const { entries } = parseDotEnv(text);
  return names.filter(name => entries.get(name)?.value === undefined || entries.get(name)?.gap);
}

/** Fills in values where the text has none; names that it lacks are added at its end. The rest stays, byte for byte. */
export function fillIn(text: string, values: ReadonlyMap<string, string>): string {
  const { entries } = parseDotEnv(text);
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const empty = emptyIn(text, [...values.keys()]);
  const gaps = empty.flatMap(name => {
    const gap = entries.get(name)?.gap;
    return gap ? [{ name, gap }] : [];
  });
  let filled = text;
  // From the end, so that the places before stay where they are.
  for (const { name, gap } of gaps.sort((one, other) => other.gap[0] - one.gap[0])) {
    filled = filled.slice(0, gap[0]) + quote(values.get(name)) + filled.slice(gap[1]);
  }
  const missing = empty.filter(name => !entries.get(name)?.gap);
  const separator = missing.length > 0 && filled !== '' && !filled.endsWith('\n') ? end : '';
  return filled + separator + missing.map(name => `${name}=${quote(values.get(name))}${end}`).join('');
}

/** A value that every reader of .env files takes literally. */
const quote = (value = ''): string => (/^[\w./:+=@,%-]*$/.test(value) ? value : `'${value}'`);

/** Why a value can't be written so that all readers take it literally; undefined if it can. */
export function valueProblem(value: string): string | undefined {
  if (!/^[\x20-\x7e]*$/.test(value)) return 'This has a character that no key has. Copy the key again';
  return /['\\]|\$\{/.test(value)
    ? 'Not all programs read quotes, backslashes and ${ alike. Put this into .env yourself'
    : undefined;
}
