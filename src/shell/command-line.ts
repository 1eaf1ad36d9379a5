import { cac } from 'cac';
import { alternatives, didYouMean, nearest } from '../text.ts';
import { renderHelp } from './command-line/help.ts';
import {
  argumentLabel,
  type Child,
  type Command,
  type CommandNode,
  type FaultyInvocation,
  type Group,
  type Invocation,
  isGroup,
  type OptionSpec,
  reach,
} from './command-line/specs.ts';
import { type Fault, isOption, type LineProblem, reportProblems, sortWords } from './command-line/words.ts';

export * from './command-line/specs.ts';
export { faultError } from './command-line/words.ts';

type SortedWords = ReturnType<typeof sortWords>;

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
  { positionals, values, booleans }: SortedWords,
): Invocation {
  const given = args.map(({ name, variadic }, at) => [name, variadic ? positionals.slice(at) : positionals[at]]);
  const typed = options.flatMap(({ flag, kind }) => {
    const isSeveral = kind === 'list' || kind === 'words';
    const value = kind === 'text' ? values.get(flag)?.[0] : isSeveral ? values.get(flag) : booleans.get(flag);
    return value === undefined ? [] : [[flag, value]];
  });
  return { positionals: Object.fromEntries(given), options: Object.fromEntries(typed) };
}

/** The switches that change how every result is printed, even the error for an invalid line. */
interface OutputSwitches {
  json: boolean;
  /** Print the stack of an unexpected error. */
  debug: boolean;
}

const SWITCHES = ['json', 'debug'] as const;
const switchSpecs = SWITCHES.map((flag): OptionSpec => ({ flag, kind: 'switch', help: '' }));

/** Reads `--json` and `--debug` from a command line, ignoring everything else. */
export function readOutputSwitches(argv: readonly string[]): OutputSwitches {
  const { booleans } = sortWords([argv], switchSpecs);
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
function countArguments({ arguments: specs = [] }: Command, sorted: SortedWords): LineProblem[] {
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
        const unknown = await unknownCommand(node, word, line, earlyOptions);
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

/** The fault of a line that has a word where it needs a command. `options` are the options before the word. */
async function unknownCommand(group: Group, word: string, line: string, options: readonly string[]): Promise<Fault> {
  const message = COMMAND_WORD.test(word)
    ? `Unknown command: ${line} ${word}`
    : `Unknown command after ${line}. It isn't shown, because it may be a secret`;
  const hint = (await suggestOption(group, options.at(-1), line)) ?? suggestCommand(group, word.toLowerCase(), line);
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

/** What a word means: what the group says about it, a command of that name further down, or a similar one. */
function suggestCommand(group: Group, word: string, line: string): string | undefined {
  if (group.instead && Object.hasOwn(group.instead, word)) return group.instead[word];
  const below = commandsBelow(group, line);
  const named = (name: string | undefined) => below.filter(command => command.name === name).map(one => one.line);
  const here = visible(group).map(({ name }) => name);
  const all = below.map(({ name }) => name);
  const lines = [word, nearest(word, here), nearest(word, all)].map(named);
  const found = lines.find(({ length }) => length > 0) ?? [];
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
