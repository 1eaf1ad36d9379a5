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

const HELP: OptionSpec = { flag: 'help', short: 'h', kind: 'switch', help: 'Show this help' };
const VERSION: OptionSpec = { flag: 'version', short: 'v', kind: 'switch', help: 'Show the version' };

/**
 * Parses a command line according to a tree of commands. Values aren't converted and have no defaults: an option that
 * wasn't passed is absent. All problems of a line are returned together. Commands are loaded on demand.
 */
export async function parseCommandLine(
  root: Group,
  argv: readonly string[],
  format: Parameters<typeof renderHelp>[3] = {},
): Promise<Parsed> {
  const { node, line, segments, wantsHelp, unknown } = await findCommand(root, argv);
  if (unknown) return { kind: 'faulty', fault: unknown };
  const options = [...(isGroup(node) ? [] : (node.options ?? [])), ...(node === root ? [VERSION] : []), HELP];
  const sorted = sortWords(segments, options);
  const help = () => renderHelp(node, line, options, format);

  if (wantsHelp || sorted.booleans.get('help')) return { kind: 'help', text: help() };
  if (sorted.booleans.get('version') && node === root) return { kind: 'version' };
  const known = optionNames(options);
  const unread = await Promise.all(sorted.problems.map(problem => withSuggestion(problem, known, root, node)));
  const problems = [...unread, ...(isGroup(node) ? [] : countArguments(node, sorted))];
  if (problems.length > 0) {
    const fault = reportProblems(problems, line);
    return isGroup(node)
      ? { kind: 'faulty', fault }
      : { kind: 'faulty', fault, command: node, invocation: readInvocation(node, sorted) };
  }
  if (isGroup(node)) return { kind: 'missing-command', text: help() };
  return { kind: 'run', command: node, invocation: readInvocation(node, sorted) };
}

/** Collects every argument and option that was passed, by name. A faulty line may lack some. */
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

/** Reads the switches that change how every result is printed, even the error for an invalid line: `--json` and `--debug`. */
export function readOutputSwitches(argv: readonly string[]): { json: boolean; debug: boolean } {
  const { booleans } = sortWords([argv], [DEBUG, { ...DEBUG, flag: 'json' }]);
  return { json: booleans.get('json') ?? false, debug: booleans.get('debug') ?? false };
}

/** Adds a suggestion for an unknown option. Only the program has a version, not its commands. */
async function withSuggestion(
  problem: LineProblem,
  known: readonly string[],
  root: Group,
  node: CommandNode,
): Promise<LineProblem> {
  const { unknown } = problem;
  if (unknown === undefined) return problem;
  const elsewhere = isGroup(node) && node === root ? await suggestOption(root, `--${unknown}`, root.name) : undefined;
  const version = unknown === VERSION.flag ? `Did you mean ${root.name} --${VERSION.flag}?` : undefined;
  return { ...problem, hint: elsewhere ?? didYouMean(unknown, known, flag => `--${flag}`) ?? version ?? problem.hint };
}

const ONE_VALUE = 'To give an option several values, repeat it. A switch takes no value.';

/** The problems with the number of arguments. They aren't quoted: one may be a secret. */
function countArguments({ arguments: specs = [] }: Command, sorted: WordSorter): LineProblem[] {
  const { positionals, problems, values, booleans } = sorted;
  const missing = specs.slice(positionals.length).filter(({ required }) => required);
  if (missing.length > 0) return missing.map(spec => ({ message: `Missing argument ${argumentLabel(spec)}` }));
  // The word after an unknown option may be its value.
  const isUnsure = problems.some(({ unknown }) => unknown !== undefined);
  if (isUnsure || positionals.length <= specs.length || specs.at(-1)?.variadic) return [];
  const taken = specs.map(argumentLabel).join(' ') || 'none';
  const message = `Too many arguments: ${positionals.length} were given, but the command takes ${taken}`;
  return [{ message, hint: values.size + booleans.size > 0 ? ONE_VALUE : undefined }];
}

/** All names of these options that may be suggested. */
function optionNames(options: readonly OptionSpec[]): string[] {
  const shown = options.filter(({ hidden }) => !hidden);
  return shown.flatMap(({ flag, kind }) => (kind === 'boolean' ? [flag, `no-${flag}`] : [flag]));
}

interface FoundCommand {
  node: CommandNode;
  /** The words that call it, starting with the program's name. */
  line: string;
  /** The words for the command: options before its name, and everything after it. */
  segments: string[][];
  wantsHelp: boolean;
  /** The fault if a word below `node` isn't a command. */
  unknown?: Fault;
}

/** Finds a command in the tree. Options before its name, as in `botcli --json init`, belong to the command. */
async function findCommand(root: Group, argv: readonly string[]): Promise<FoundCommand> {
  let node: CommandNode = root;
  let line = root.name;
  let wantsHelp = false;
  const earlyOptions: string[] = [];
  const words = [...argv];
  for (const word of argv) {
    if (!isGroup(node) || word === '--') break;
    words.shift();
    if (isOption(word)) earlyOptions.push(word);
    else if (word === 'help') wantsHelp = true;
    else {
      const child = matchChild(node, word);
      if (!child) {
        const next = words.find(one => !isOption(one));
        const unknown = await unknownCommand(node, [word, next], line, earlyOptions);
        return { node, line, segments: [earlyOptions, words], wantsHelp, unknown };
      }
      node = await reach(child);
      line = `${line} ${word}`;
    }
  }
  const asksHelp = wantsHelp || earlyOptions.some(word => word === '--help' || word === '-h');
  const { otherwise } = isGroup(node) ? node : {};
  const usual = isGroup(node) && !asksHelp ? node.children.find(({ name }) => name === otherwise) : undefined;
  if (usual) node = await reach(usual);
  if (!isGroup(node) && node.arguments?.[0]?.isPath && words.join(' ') === 'help') wantsHelp = true;
  return { node, line, segments: [earlyOptions, words], wantsHelp };
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

/** More commands than this aren't suggested. */
const MOST_SUGGESTED = 3;

/** A word where a line needs a command, and the argument after it. */
type Words = readonly [word: string, next: string | undefined];

/** The fault of a line that has a word where it needs a command. `options` are the options before the word. */
async function unknownCommand(group: Group, words: Words, line: string, options: readonly string[]): Promise<Fault> {
  const [word, next] = words;
  const message = COMMAND_WORD.test(word)
    ? `Unknown command: ${line} ${word}`
    : `Unknown command after ${line}. It isn't shown, because it may be a secret`;
  const hint =
    (await suggestOption(group, options.at(-1), line)) ?? suggestCommand(group, [word.toLowerCase(), next], line);
  return reportProblems([{ message, hint }], line);
}

/** Where an option belongs that was passed right after the program's name: to the first command that has it. */
async function suggestOption(program: Group, option: string | undefined, line: string): Promise<string | undefined> {
  const [, dashes, name] = /^(--?)([\w-]+)/.exec(option ?? '') ?? [];
  if (!name || line !== program.name) return undefined;
  const isMeant = ({ flag, short, hidden }: OptionSpec) =>
    !hidden && (dashes === '--' ? flag === name.replace(/^no-/, '') || flag === name : short === name);
  for (const child of visible(program)) {
    const node = await reach(child);
    if (!isGroup(node) && node.options?.some(isMeant)) return `Did you mean ${line} ${node.name} ${dashes}${name}?`;
  }
  return undefined;
}

/** How far a word may be from a group that has a command with the name of the next word. */
const EDITS_BEFORE_COMMAND = 3;

/** What a word means: what the group says about it, a command of that name further down, or a similar one. */
function suggestCommand(group: Group, [word, next]: Words, line: string): string | undefined {
  if (group.instead && Object.hasOwn(group.instead, word)) return group.instead[word];
  const below = commandsBelow(group, line);
  const named = (name: string | undefined) => below.filter(command => command.name === name).map(one => one.line);
  const here = visible(group).map(({ name }) => name);
  const all = below.map(({ name }) => name);
  const goingOn = (start: string) => below.find(one => one.line === `${start} ${next}`)?.line;
  const groups = here.filter(name => goingOn(`${line} ${name}`) !== undefined);
  // `orgs` abbreviates `organizations`.
  const one = word.replace(/s$/, '');
  const near = (names: readonly string[], edits?: number) => nearest(word, names, edits) ?? nearest(one, names, edits);
  const lines = [word, near(groups, EDITS_BEFORE_COMMAND), near(here), near(all)].map(named);
  const found = (lines.find(({ length }) => length > 0) ?? []).map(start => goingOn(start) ?? start);
  if (found.length === 0 || found.length > MOST_SUGGESTED) return undefined;
  return `Did you mean ${alternatives(found)}?`;
}

/** Every command and group below a group, with its line; the group's own children come first. */
function commandsBelow(group: Group, line: string): { name: string; line: string }[] {
  const here = visible(group).map(child => ({ name: child.name, line: `${line} ${child.name}` }));
  const deeper = group.children.flatMap(child => (isGroup(child) ? commandsBelow(child, `${line} ${child.name}`) : []));
  return [...here, ...deeper];
}

const visible = ({ children }: Group): Child[] => children.filter(({ hidden }) => !hidden);

/**
 * Sorts words into options and arguments. cac doesn't do this exactly: it reads `007` as a number, `--eval dir` as an
 * option with a value, and `-nfoo` as four options. An option's value must be in the same segment as the option.
 *
 * Problems never quote a value: it may be a secret.
 */
function sortWords(segments: readonly (readonly string[])[], options: readonly OptionSpec[]): WordSorter {
  const sorter = new WordSorter(options);
  for (const words of segments) sorter.read(words);
  for (const { flag, kind } of options) {
    const isRepeated = kind === 'text' && (sorter.values.get(flag) ?? []).length > 1;
    if (isRepeated) sorter.report(`--${flag} was given more than once`);
  }
  return sorter;
}

/** Whether a word is an option. A lone dash isn't: it means stdin. */
const isOption = (word: string): boolean => word.startsWith('-') && word !== '-';

class WordSorter {
  /** The values of each option that was passed, in order. */
  readonly values = new Map<string, string[]>();
  /** The last state of each boolean that was passed. */
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

interface LineProblem {
  message: string;
  hint?: string | undefined;
  /** The name of an option that doesn't exist. */
  unknown?: string;
}

interface Fault {
  lines: string[];
  /** How to fix it, if there is only one problem. */
  hint: string | undefined;
  see: string;
}

function reportProblems(problems: readonly LineProblem[], line: string): Fault {
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
