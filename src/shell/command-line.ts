import { didYouMean } from '../nearest.ts';
import { findCommand } from './command-line/commands.ts';
import { renderHelp } from './command-line/help.ts';
import { type Fault, type LineProblem, reportProblems } from './command-line/problems.ts';
import {
  argumentLabel,
  type Command,
  type CommandNode,
  type FaultyInvocation,
  type Group,
  type Invocation,
  isGroup,
  type OptionSpec,
} from './command-line/specs.ts';
import { suggestOption } from './command-line/unknown.ts';
import { sortWords } from './command-line/words.ts';

export { faultError } from './command-line/problems.ts';
export * from './command-line/specs.ts';

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
