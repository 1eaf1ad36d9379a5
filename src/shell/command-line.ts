import { cac } from 'cac';
import { type UserError, usageError } from '../errors.ts';
import { alternatives, didYouMean, nearest } from '../text.ts';
import {
  argumentLabel,
  type Child,
  type Command,
  type CommandNode,
  DEBUG,
  type FaultyInvocation,
  type Group,
  type Invocation,
  isGroup,
  type OptionSpec,
  reach,
  renderHelp,
  takesValue,
} from './command.ts';

export * from './command.ts';

type Parsed =
  | { kind: 'help'; text: string }
  | { kind: 'version' }
  /** A group was called without a command. The text is the group's help. */
  | { kind: 'missing-command'; text: string }
  | { kind: 'run'; command: Command; invocation: Invocation }
  /** The line is wrong. If it names a command, the invocation has the parts that could be read. */
  | { kind: 'faulty'; fault: Fault; command?: Command; invocation?: FaultyInvocation };

interface LineProblem {
  message: string;
  hint?: string | undefined;
  unknown?: string;
}

/** What is wrong with a line, which calls a command or group with these words. */
interface Fault {
  problems: readonly LineProblem[];
  line: string;
}

const HELP: OptionSpec = { flag: 'help', short: 'h', kind: 'switch', help: 'Show this help' };
const VERSION: OptionSpec = { flag: 'version', short: 'v', kind: 'switch', help: 'Show the version' };

/** Parses a command line by a tree of commands, and finds all its problems. Values stay text; there are no defaults. */
export async function parseCommandLine(
  root: Group,
  argv: readonly string[],
  format: Parameters<typeof renderHelp>[3] = {},
): Promise<Parsed> {
  const { node, line, segments, wantsHelp, unknown } = await findCommand(root, argv);
  if (unknown) return { kind: 'faulty', fault: { problems: [unknown], line } };
  const options = [...(isGroup(node) ? [] : (node.options ?? [])), ...(node === root ? [VERSION] : []), HELP];
  const sorter = new WordSorter(options, segments);
  const help = () => renderHelp(node, line, options, format);

  if (wantsHelp || sorter.booleans.get('help')) return { kind: 'help', text: help() };
  if (sorter.booleans.get('version') && node === root) return { kind: 'version' };
  if (isGroup(node)) {
    const withOwner = async (one: LineProblem) => ({ ...one, hint: (await ownerOf(one.unknown, root)) ?? one.hint });
    const problems = await Promise.all(node === root ? sorter.problems.map(withOwner) : sorter.problems);
    return problems.length > 0
      ? { kind: 'faulty', fault: { problems, line } }
      : { kind: 'missing-command', text: help() };
  }
  const problems = [...sorter.problems, ...countArguments(node, sorter)];
  const invocation = readInvocation(node, sorter);
  return problems.length > 0
    ? { kind: 'faulty', fault: { problems, line }, command: node, invocation }
    : { kind: 'run', command: node, invocation };
}

/** The error for a line: its own problems, and `more` that the command found. */
export function faultError({ problems, line }: Fault, more: readonly string[] = []): UserError {
  // If an option has a problem of its own, the command's problems with it are redundant.
  const named = new Set(problems.map(({ message }) => message.split(' ')[0]));
  const others = more.filter(message => !named.has(message.split(' ')[0]));
  const see = `See ${line} --help`;
  const [only] = problems;
  if (only && problems.length + others.length === 1) {
    return usageError(only.message, { hint: only.hint ? `${only.hint} ${see}` : see });
  }
  const all = [...problems.map(({ message, hint }) => (hint ? `${message}. ${hint}` : message)), ...others];
  return usageError(`${all.length} problems in this command line:`, { problems: all, hint: see });
}

function readInvocation(
  { arguments: args = [], options = [] }: Command,
  { positionals, values, booleans }: WordSorter,
): Invocation {
  const given = args.map(({ name, variadic }, at) => [name, variadic ? positionals.slice(at) : positionals[at]]);
  const typed = options.flatMap(({ flag, kind }) => {
    const isSeveral = kind === 'list' || kind === 'words';
    const value = kind === 'text' ? values.get(flag)?.[0] : isSeveral ? values.get(flag) : booleans.get(flag);
    return value === undefined ? [] : [[flag, value]];
  });
  return { positionals: Object.fromEntries(given), options: Object.fromEntries(typed) };
}

/** Reads the switches that change how every result is printed, also of an invalid line: `--json` and `--debug`. */
export function readOutputSwitches(argv: readonly string[]): { json: boolean; debug: boolean } {
  const { booleans } = new WordSorter([DEBUG, { ...DEBUG, flag: 'json' }], [argv]);
  return { json: booleans.get('json') ?? false, debug: booleans.get('debug') ?? false };
}

const ONE_VALUE = 'To give an option several values, repeat it. A switch takes no value.';

/** The problems with the number of arguments. They aren't quoted: one may be a secret. */
function countArguments({ arguments: specs = [] }: Command, sorter: WordSorter): LineProblem[] {
  const { positionals, problems, values, booleans } = sorter;
  const missing = specs.slice(positionals.length).filter(({ required }) => required);
  if (missing.length > 0) return missing.map(spec => ({ message: `Missing argument ${argumentLabel(spec)}` }));
  // The word after an unknown option may be its value.
  const isUnsure = problems.some(({ unknown }) => unknown !== undefined);
  if (isUnsure || positionals.length <= specs.length || specs.at(-1)?.variadic) return [];
  const taken = specs.map(argumentLabel).join(' ') || 'none';
  const message = `Too many arguments: ${positionals.length} were given, but the command takes ${taken}`;
  return [{ message, hint: values.size + booleans.size > 0 ? ONE_VALUE : undefined }];
}

interface FoundCommand {
  node: CommandNode;
  /** The words that call it, starting with the program's name. */
  line: string;
  /** The words for the command: options before its name, and everything after it. */
  segments: string[][];
  wantsHelp: boolean;
  /** The problem if a word below `node` isn't a command. */
  unknown?: LineProblem;
}

/** Finds a command in the tree. Options before its name, as in `botcli --json init`, belong to the command. */
async function findCommand(root: Group, argv: readonly string[]): Promise<FoundCommand> {
  let node: CommandNode = root;
  let line = root.name;
  let wantsHelp = false;
  const early: string[] = [];
  const words = [...argv];
  const segments = [early, words];
  for (const word of argv) {
    if (!isGroup(node) || word === '--') break;
    words.shift();
    if (isOption(word)) early.push(word);
    else if (word === 'help') wantsHelp = true;
    else {
      const child = matchChild(node, word);
      if (!child) {
        const next = words.find(one => !isOption(one));
        return { node, line, segments, wantsHelp, unknown: await unknownCommand(node, word, next, line, early) };
      }
      node = await reach(child);
      line = `${line} ${word}`;
    }
  }
  const asksHelp = wantsHelp || early.some(word => word === '--help' || word === '-h');
  const { otherwise } = isGroup(node) ? node : {};
  const usual = isGroup(node) && !asksHelp ? node.children.find(({ name }) => name === otherwise) : undefined;
  if (usual) node = await reach(usual);
  if (!isGroup(node) && node.arguments?.[0]?.isPath && words.join(' ') === 'help') wantsHelp = true;
  return { node, line, segments, wantsHelp };
}

/** The child with this name, as matched by cac. For cac, each group of the tree is a separate program. */
function matchChild({ name, children }: Group, word: string) {
  const cli = cac(name);
  for (const child of children) cli.command(child.name, child.summary);
  cli.parse(['node', name, word], { run: false });
  return children.find(child => child.name === cli.matchedCommandName);
}

/** A word that may be a mistyped command. Any other word, such as `API_KEY=…` without a command, may be a secret. */
const COMMAND_WORD = /^[A-Za-z-]{1,20}$/;

/** The problem of a line that has a word where it needs a command, before `next`. `options` come before the word. */
async function unknownCommand(
  group: Group,
  word: string,
  next: string | undefined,
  line: string,
  options: readonly string[],
): Promise<LineProblem> {
  const message = COMMAND_WORD.test(word)
    ? `Unknown command: ${line} ${word}`
    : `Unknown command after ${line}. It isn't shown, because it may be a secret`;
  const owner = line === group.name ? await ownerOf(options.at(-1), group) : undefined;
  return { message, hint: owner ?? suggestCommand(group, word.toLowerCase(), next, line) };
}

/** The first command of the program that has an option. */
async function ownerOf(option: string | undefined, program: Group): Promise<string | undefined> {
  const [, dashes, name] = /^(--?)([\w-]+)/.exec(option ?? '') ?? [];
  if (!name) return undefined;
  const isMeant = ({ flag, short, hidden }: OptionSpec) =>
    !hidden && (dashes === '--' ? flag === name.replace(/^no-/, '') || flag === name : short === name);
  for (const child of visible(program)) {
    const node = await reach(child);
    if (!isGroup(node) && node.options?.some(isMeant))
      return `Did you mean ${program.name} ${node.name} ${dashes}${name}?`;
  }
  return undefined;
}

const MOST_SUGGESTED = 3;

/** What a word means: what the group says about it, a command of that name further down, or a similar one. */
function suggestCommand(group: Group, word: string, next: string | undefined, line: string): string | undefined {
  if (group.instead && Object.hasOwn(group.instead, word)) return group.instead[word];
  const below = commandsBelow(group, line);
  const here = visible(group).map(({ name }) => name);
  const all = below.map(({ name }) => name);
  // `orgs` abbreviates `organizations`.
  const near = (names: readonly string[]) => nearest(word, names) ?? nearest(word.replace(/s$/, ''), names);
  const meant = all.includes(word) ? word : (near(here) ?? near(all));
  const found = below
    .filter(({ name }) => name === meant)
    .map(({ line: start }) => below.find(one => one.line === `${start} ${next}`)?.line ?? start);
  return found.length > 0 && found.length <= MOST_SUGGESTED ? `Did you mean ${alternatives(found)}?` : undefined;
}

/** Every command and group below a group, with its line; the group's own children come first. */
function commandsBelow(group: Group, line: string): { name: string; line: string }[] {
  const here = visible(group).map(child => ({ name: child.name, line: `${line} ${child.name}` }));
  const deeper = group.children.flatMap(child => (isGroup(child) ? commandsBelow(child, `${line} ${child.name}`) : []));
  return [...here, ...deeper];
}

const visible = ({ children }: Group): Child[] => children.filter(({ hidden }) => !hidden);

/** Whether a word is an option. A lone dash isn't: it means stdin. */
const isOption = (word: string): boolean => word.startsWith('-') && word !== '-';

/**
 * Sorts words into options and arguments. cac reads `007` as a number, `--eval dir` as an option with a value, and
 * `-nfoo` as four options. A value is in the same segment as its option. Problems never quote one: it may be a secret.
 */
class WordSorter {
  readonly values = new Map<string, string[]>();
  /** The last state of each boolean that was passed. */
  readonly booleans = new Map<string, boolean>();
  readonly positionals: string[] = [];
  readonly problems: LineProblem[] = [];
  private queue: string[] = [];
  private readonly options: readonly OptionSpec[];

  constructor(options: readonly OptionSpec[], segments: readonly (readonly string[])[]) {
    this.options = options;
    for (const words of segments) this.read(words);
    for (const { flag, kind } of options) {
      const isRepeated = kind === 'text' && (this.values.get(flag) ?? []).length > 1;
      if (isRepeated) this.report(`--${flag} was given more than once`);
    }
  }

  private read(words: readonly string[]) {
    this.queue = [...words];
    for (let word = this.queue.shift(); word !== undefined; word = this.queue.shift()) {
      if (word === '--') this.positionals.push(...this.queue.splice(0));
      else if (!isOption(word)) this.positionals.push(word);
      else if (word.startsWith('--')) this.readLong(word);
      else this.readShorts(word);
    }
  }

  private report(message: string, hint?: string) {
    this.problems.push({ message, hint });
  }

  private named(name: string) {
    return this.options.find(({ flag }) => flag === name);
  }

  /** `--name`, `--name=value`, `--no-name`. */
  private readLong(word: string) {
    const { name, attached } = splitValue(word.slice(2));
    const option = this.named(name);
    if (option) return this.take(option, attached);
    const negated = name.startsWith('no-') ? this.named(name.slice(3)) : undefined;
    if (!negated || takesValue(negated) || negated.kind === 'words') return this.reject(word);
    if (attached !== undefined) return this.report(`--${name} doesn't take a value`);
    this.booleans.set(negated.flag, false);
  }

  /** `-n`, `-nvalue`, `-n=value`, and several in one word: `-sn value`. */
  private readShorts(word: string) {
    // `-name x` is probably a mistyped `--name x`, not the value `ame`.
    if (word.length > 2 && this.named(splitValue(word.slice(1)).name)) return this.reject(word);
    let rest = word.slice(1);
    while (rest !== '') {
      const [letter = ''] = rest;
      rest = rest.slice(letter.length);
      const option = this.options.find(({ short }) => short === letter);
      if (!option) return this.reject(`-${letter}`);
      if (rest === '') return this.take(option);
      if (rest.startsWith('=')) return this.take(option, rest.slice(1));
      if (takesValue(option)) return this.take(option, rest);
      this.booleans.set(option.flag, true);
    }
  }

  private take(option: OptionSpec, attached?: string) {
    const { flag, most = Number.POSITIVE_INFINITY, acceptsWord } = option;
    const [next] = this.queue;
    if (option.kind === 'words') {
      const words = attached === undefined ? [] : [attached];
      while (words.length < most && attached === undefined && this.queue[0] !== undefined && !isOption(this.queue[0]))
        words.push(this.queue.shift() ?? '');
      return this.add(flag, words);
    }
    if (takesValue(option)) {
      const value = attached ?? (next === undefined || isOption(next) ? undefined : this.queue.shift());
      if (value !== undefined) return this.add(flag, [value]);
      const hint = `To pass a value that starts with a dash, write --${flag}=VALUE.`;
      return this.report(`--${flag} needs a value`, next === undefined ? undefined : hint);
    }
    const state = attached ?? (acceptsWord && isState(next) ? this.queue.shift() : 'true');
    if (isState(state)) this.booleans.set(flag, state === 'true');
    else this.report(`--${flag} takes true or false`);
  }

  private add(flag: string, values: readonly string[]) {
    this.values.set(flag, [...(this.values.get(flag) ?? []), ...values]);
  }

  private reject(word: string) {
    // Stop at the first character that isn't allowed in names, so that values aren't shown: `--token:hunter2` is
    // `--token`.
    const typed = word.match(/^-+[\p{L}\p{N}_.-]*/u)?.[0] ?? word;
    const name = typed.replace(/^-+/, '');
    const shown = this.options.filter(({ hidden }) => !hidden);
    const names = shown.flatMap(({ flag, kind }) => (kind === 'boolean' ? [flag, `no-${flag}`] : [flag]));
    // Only the program has a version, not its commands.
    const version = name === VERSION.flag ? 'Did you mean botcli --version?' : undefined;
    const hint = didYouMean(name, names, flag => `--${flag}`) ?? version;
    this.problems.push({ message: `Unknown option ${typed}`, hint, unknown: typed });
  }
}

function splitValue(word: string): { name: string; attached?: string } {
  const sign = word.indexOf('=');
  return sign === -1 ? { name: word } : { name: word.slice(0, sign), attached: word.slice(sign + 1) };
}

const isState = (word: string | undefined) => word === 'true' || word === 'false';
