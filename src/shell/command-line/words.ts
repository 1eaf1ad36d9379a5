import { type UserError, usageError } from '../../errors.ts';
import { type OptionSpec, takesValue } from './specs.ts';

interface SortedWords {
  /** The values of each option that was passed, in order. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** The last state of each boolean that was passed. */
  readonly booleans: ReadonlyMap<string, boolean>;
  readonly positionals: readonly string[];
  readonly problems: readonly LineProblem[];
}

/**
 * Sorts words into options and arguments. cac doesn't do this exactly: it reads `007` as a number, `--eval dir` as an
 * option with a value, and `-nfoo` as four options. An option's value must be in the same segment as the option.
 *
 * Problems never quote a value: it may be a secret.
 */
export function sortWords(segments: readonly (readonly string[])[], options: readonly OptionSpec[]): SortedWords {
  const sorter = new WordSorter(options);
  for (const words of segments) sorter.read(words);
  for (const { flag, kind } of options) {
    const isRepeated = kind === 'text' && (sorter.values.get(flag) ?? []).length > 1;
    if (isRepeated) sorter.report(`--${flag} was given more than once`);
  }
  return sorter;
}

/** Whether a word is an option. A lone dash isn't: it means stdin. */
export const isOption = (word: string): boolean => word.startsWith('-') && word !== '-';

class WordSorter implements SortedWords {
  readonly values = new Map<string, string[]>();
  readonly booleans = new Map<string, boolean>();
  readonly positionals: string[] = [];
  readonly problems: LineProblem[] = [];
  private queue: string[] = [];
  private readonly byFlag: ReadonlyMap<string, OptionSpec>;
  private readonly byShort: ReadonlyMap<string | undefined, OptionSpec>;

  constructor(options: readonly OptionSpec[]) {
    this.byFlag = new Map(options.map(option => [option.flag, option]));
    this.byShort = new Map(options.map(option => [option.short, option]));
  }

  read(words: readonly string[]) {
    this.queue = [...words];
    for (let word = this.queue.shift(); word !== undefined; word = this.queue.shift()) {
      if (word === '--') this.positionals.push(...this.queue.splice(0));
      else if (!isOption(word)) this.positionals.push(word);
      else if (word.startsWith('--')) this.readLong(word);
      else this.readShorts(word);
    }
  }

  report(message: string, hint?: string) {
    this.problems.push({ message, hint });
  }

  /** `--name`, `--name=value`, `--no-name`. */
  private readLong(word: string) {
    const { name, attached } = splitValue(word.slice(2));
    const option = this.byFlag.get(name);
    if (option) return this.take(option, attached);
    const negated = name.startsWith('no-') ? this.byFlag.get(name.slice(3)) : undefined;
    if (!negated || takesValue(negated) || negated.kind === 'words') return this.reject(word);
    if (attached !== undefined) return this.report(`--${name} doesn't take a value`);
    this.booleans.set(negated.flag, false);
  }

  /** `-n`, `-nvalue`, `-n=value`, and several in one word: `-sn value`. */
  private readShorts(word: string) {
    // `-name x` is probably a mistyped `--name x`, not the value `ame`.
    if (word.length > 2 && this.byFlag.has(splitValue(word.slice(1)).name)) return this.reject(word);
    let rest = word.slice(1);
    while (rest !== '') {
      const [letter = ''] = rest;
      rest = rest.slice(letter.length);
      const option = this.byShort.get(letter);
      if (!option) return this.reject(`-${letter}`);
      if (rest === '') return this.take(option);
      if (rest.startsWith('=')) return this.take(option, rest.slice(1));
      if (takesValue(option)) return this.take(option, rest);
      this.booleans.set(option.flag, true);
    }
  }

  private take(option: OptionSpec, attached?: string) {
    if (option.kind === 'words') this.takeWords(option, attached);
    else if (takesValue(option)) this.takeValue(option, attached);
    else this.takeState(option, attached);
  }

  private takeValue({ flag }: OptionSpec, attached?: string) {
    const [next] = this.queue;
    const value = attached ?? (next === undefined || isOption(next) ? undefined : this.queue.shift());
    if (value !== undefined) return this.values.set(flag, [...(this.values.get(flag) ?? []), value]);
    this.report(
      `--${flag} needs a value`,
      next === undefined ? undefined : `To pass a value that starts with a dash, write --${flag}=VALUE.`,
    );
  }

  private takeWords({ flag, most = Number.POSITIVE_INFINITY }: OptionSpec, attached?: string) {
    const words = attached === undefined ? [] : [attached];
    while (words.length < most && attached === undefined && this.queue[0] !== undefined && !isOption(this.queue[0]))
      words.push(this.queue.shift() ?? '');
    this.values.set(flag, [...(this.values.get(flag) ?? []), ...words]);
  }

  private takeState({ flag, acceptsWord }: OptionSpec, attached?: string) {
    const state = attached ?? (acceptsWord && isState(this.queue[0]) ? this.queue.shift() : 'true');
    if (isState(state)) this.booleans.set(flag, state === 'true');
    else this.report(`--${flag} takes true or false`);
  }

  private reject(word: string) {
    // Stop at the first character that isn't allowed in names, so that values aren't shown: `--token:hunter2` is
    // `--token`.
    const typed = word.match(/^-+[\p{L}\p{N}_.-]*/u)?.[0] ?? word;
    this.problems.push({ message: `Unknown option ${typed}`, unknown: typed.replace(/^-+/, '') });
  }
}

function splitValue(word: string): { name: string; attached?: string } {
  const sign = word.indexOf('=');
  return sign === -1 ? { name: word } : { name: word.slice(0, sign), attached: word.slice(sign + 1) };
}

const isState = (word: string | undefined) => word === 'true' || word === 'false';

export interface LineProblem {
  message: string;
  hint?: string | undefined;
  /** The name of an option that doesn't exist. */
  unknown?: string;
}

export interface Fault {
  lines: string[];
  /** How to fix it, if there is only one problem. */
  hint: string | undefined;
  see: string;
}

export function reportProblems(problems: readonly LineProblem[], line: string): Fault {
  const lines = problems.map(({ message, hint }) => (hint && problems.length > 1 ? `${message}. ${hint}` : message));
  return { lines, hint: problems.length === 1 ? problems[0]?.hint : undefined, see: `See ${line} --help` };
}

/** The error for a line: its own problems, and `more` that the command found. */
export function faultError({ lines, hint, see }: Fault, more: readonly string[] = []): UserError {
  // If an option has a problem of its own, the command's problems with it are redundant.
  const named = new Set(lines.map(line => line.split(' ')[0]));
  const all = [
    ...(hint && more.length > 0 ? [`${lines[0]}. ${hint}`] : lines),
    ...more.filter(line => !named.has(line.split(' ')[0])),
  ];
  if (all.length === 1) return usageError(all[0] as string, { hint: hint ? `${hint} ${see}` : see });
  return usageError(`${all.length} problems in this command line:`, { problems: all, hint: see });
}
