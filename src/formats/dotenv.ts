import type { Environment } from '../shells.ts';
import { replaceReferences } from './references.ts';

// What bots and botcli read from existing env files. `src/secrets-cli/input/env-file.ts` is stricter, on purpose: it reads
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

/** A line that python-dotenv skips because it can't be parsed. */
interface BrokenLine {
  line: number;
  /** What looks like its key. */
  name: string | undefined;
}

interface EnvFile {
  /** By name: the last one counts. */
  entries: ReadonlyMap<string, EnvEntry>;
  broken: readonly BrokenLine[];
}

// To Python, a byte order mark is no white space: it becomes part of a name or a value.
const SPACE = /[^\S\uFEFF]*/y;
const EXPORT = /export[^\S\r\n]+/y;
const KEY = /(?:'([^']+)'|(?!')((?:[^=#\s]|\uFEFF)+))[^\S\r\n]*/y;
const EQUALS = /=[^\S\r\n]*/y;
const QUOTED = /'(?:\\[\s\S]|[^'\\])*'|"(?:\\[\s\S]|[^"\\])*"/y;
const UNQUOTED = /[^\r\n]*/y;
/** A comment, and the end of the line. */
const END = /(?:[^\S\r\n]*#[^\r\n]*)?[^\S\r\n]*(?:\r\n|\n|\r|$)/y;
const REST = /[^\r\n]*(?:\r\n|\n|\r)?/y;

/**
 * Parses an env file as python-dotenv does, which bots use. It takes time that grows with the length of the text.
 *
 * @param env The variables of the shell, for references.
 */
export function parseDotEnv(text: string, env: Environment = {}): EnvFile {
  return new DotEnvReader(text, env).read();
}

/** A value before its references are replaced. */
interface RawValue {
  value?: string;
  isQuoted: boolean;
  gap?: [number, number];
}

class DotEnvReader {
  private at = 0;
  private readonly counted = { at: 0, line: 1 };
  private readonly entries = new Map<string, EnvEntry>();
  private readonly broken: BrokenLine[] = [];
  private room = MOST_REPLACED;
  private readonly text: string;
  private readonly env: Environment;

  constructor(text: string, env: Environment) {
    this.text = text;
    this.env = env;
  }

  read(): EnvFile {
    while (this.at < this.text.length) this.readBinding();
    return { entries: this.entries, broken: this.broken };
  }

  private readBinding(): void {
    this.match(SPACE);
    if (this.at === this.text.length) return;
    this.match(EXPORT);
    const begin = this.at;
    const line = this.lineAt(begin);
    const key = this.match(KEY);
    const name = key?.[1] ?? key?.[2];
    const value = name === undefined ? undefined : this.readValue();
    if (name === undefined && this.text[begin] === '#') this.match(END);
    else if (name !== undefined && value && this.match(END)) this.add(name, value, line);
    else {
      this.broken.push({ line, name: /^'?([A-Za-z_]\w*)/.exec(this.text.slice(begin))?.[1] });
      this.match(REST);
    }
  }

  /** The value; without one if there is no `=`, and undefined if its quotes aren't closed. */
  private readValue(): RawValue | undefined {
    const start = this.at + 1;
    const equals = this.match(EQUALS);
    if (!equals) return { isQuoted: false };
    const sign = this.text[this.at];
    if (sign === '"' || sign === "'") {
      const quoted = this.match(QUOTED);
      if (!quoted) return undefined;
      const value = decodeEscapes(quoted[0].slice(1, -1), sign);
      return { value, isQuoted: true, ...(value === '' && { gap: [start, this.at] }) };
    }
    const hasComment = sign === '#' && this.at > start;
    const part = hasComment ? '' : (this.match(UNQUOTED)?.[0] ?? '');
    const comment = part.search(/\s#/);
    const value = trimEnd(comment === -1 ? part : part.slice(0, comment));
    return { value, isQuoted: false, ...(value === '' && { gap: [start, start] }) };
  }

  private add(name: string, { value, isQuoted, gap }: RawValue, line: number): void {
    let isOpen = false;
    const replaced =
      value &&
      replaceReferences(value, (one, preset) => {
        const known = this.entries.get(one)?.value ?? this.env[one] ?? preset;
        isOpen ||= known === undefined;
        this.room -= known?.length ?? 0;
        return this.room < 0 ? undefined : (known ?? '');
      });
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

/** Trims as Python does, to which a byte order mark is no white space. */
function trimEnd(text: string): string {
  const trimmed = text.trimEnd();
  const mark = text.lastIndexOf('\uFEFF');
  return mark < trimmed.length ? trimmed : text.slice(0, mark + 1);
}

const ESCAPES: Readonly<Record<string, string>> = {
  a: '\x07',
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
};

/** In double quotes, python-dotenv knows the usual escapes; in single quotes, only those of the quote and the backslash. */
const decodeEscapes = (text: string, quote: string): string =>
  text.replace(quote === '"' ? /\\([\\'"abfnrtv])/g : /\\([\\'])/g, (_, sign: string) => ESCAPES[sign] ?? sign);
