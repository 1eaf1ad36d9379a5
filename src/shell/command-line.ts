import { type HelpFormat, renderHelp } from './command-line/help.ts';
import { type Invocation, invoke } from './command-line/invocation.ts';
import { type Fault, faultError, type Problem, tellProblems } from './command-line/problems.ts';
import {
  argumentLabel,
  type Command,
  type CommandNode,
  type Group,
  isGroup,
  type OptionSpec,
  reach,
} from './command-line/specs.ts';
import { isOption, type SortedWords, sortWords } from './command-line/words.ts';

export type { HelpFormat } from './command-line/help.ts';
export type { Invocation } from './command-line/invocation.ts';
export { type Fault, faultError } from './command-line/problems.ts';
export {
  type ArgumentSpec,
  type Child,
  type Command,
  type CommandBody,
  type CommandNode,
  type Example,
  type Group,
  isGroup,
  type LateCommand,
  type OptionSpec,
  reach,
  takesValue,
} from './command-line/specs.ts';

/** What a command line asks for. */
export type Parsed<Run = unknown> =
  | { kind: 'help'; text: string }
  | { kind: 'version' }
  /** A group was called without one of its commands; the text is the group's help. */
  | { kind: 'missing-command'; text: string }
  /** `path` is the words of the command, without the program's name. */
  | ({ kind: 'run'; command: Command<Run>; path: string[] } & Invocation)
  /** The line is wrong; the rest of the invocation is what could be read of it. */
  | ({ kind: 'faulty'; command: Command<Run>; fault: Fault } & Invocation);

const HELP: OptionSpec = { flag: 'help', short: 'h', kind: 'switch', help: 'Show this help' };
const VERSION: OptionSpec = { flag: 'version', short: 'v', kind: 'switch', help: 'Show the version' };

/**
 * Reads a command line by a tree of commands. Nothing is converted and nothing has a default: an option that wasn't
 * typed is absent. What is wrong with a command's line comes back, all of it; an unknown command throws.
 *
 * What only some command lines need is loaded when they do.
 */
export async function parseCommandLine<Run>(
  root: Group<Run>,
  argv: readonly string[],
  format: HelpFormat = {},
): Promise<Parsed<Run>> {
  const { node, path, stretches, asksHelp } = await findCommand(root, argv);
  const line = [root.name, ...path].join(' ');
  const options = [...(isGroup(node) ? [] : (node.options ?? [])), ...(node === root ? [VERSION] : []), HELP];
  const sorted = sortWords(stretches, options);
  const help = () => renderHelp(node, line, options, format);

  if (asksHelp || sorted.booleans.get('help')) return { kind: 'help', text: help() };
  if (sorted.booleans.get('version') && node === root) return { kind: 'version' };
  const unknown = sorted.problems.map(problem => pointToVersion(problem, root));
  const problems = [...unknown, ...(isGroup(node) ? [] : countArguments(node, sorted))];
  if (problems.length > 0) {
    const fault = await tellProblems(problems, line, optionNames(options), '--');
    if (isGroup(node)) throw faultError(fault);
    return { kind: 'faulty', command: node, fault, ...readable(node, sorted) };
  }
  if (isGroup(node)) return { kind: 'missing-command', text: help() };
  return { kind: 'run', command: node, path, ...invoke(node, sorted) };
}

/** Commands have no version of their own. */
const pointToVersion = (problem: Problem, { name }: Group): Problem =>
  problem.unknown === VERSION.flag ? { ...problem, hint: `Did you mean ${name} --${VERSION.flag}?` } : problem;

/** Walks down the tree. Options on the way, as in `botcli --json init`, are left to the command. */
async function findCommand<Run>(root: Group<Run>, argv: readonly string[]) {
  let node: CommandNode<Run> = root;
  let asksHelp = false;
  const path: string[] = [];
  const early: string[] = [];
  const words = [...argv];
  for (const word of argv) {
    if (!isGroup(node) || word === '--') break;
    words.shift();
    if (isOption(word)) early.push(word);
    else if (word === 'help') asksHelp = true;
    else {
      node = await findChild(node, word, [root.name, ...path].join(' '));
      path.push(word);
    }
  }
  if (!isGroup(node) && node.arguments?.[0]?.isPath && words.join(' ') === 'help') asksHelp = true;
  return { node, path, stretches: [early, words], asksHelp };
}

/** What may be a mistyped command. Anything else, such as `API_KEY=…` behind a forgotten one, may be a secret. */
const COMMAND_WORD = /^[A-Za-z-]{1,20}$/;

async function findChild<Run>(group: Group<Run>, word: string, line: string): Promise<CommandNode<Run>> {
  const child = group.children.find(({ name }) => name === word);
  if (child) return reach(child);
  const names = group.children.filter(({ hidden }) => !hidden).map(({ name }) => name);
  const message = COMMAND_WORD.test(word)
    ? `Unknown command: ${line} ${word}`
    : `Unknown command behind ${line}. It isn't shown, since it may be a secret`;
  const problem = { message, unknown: word };
  throw faultError(await tellProblems([problem], line, names, `${line} `));
}

/** What can be read of a line with faults. */
function readable({ arguments: args = [], options = [] }: Command, sorted: SortedWords): Invocation {
  const positionals = args.map(({ name }, at) => [name, sorted.positionals[at]]);
  const texts = options.flatMap(({ flag, kind }) => {
    const values = sorted.values.get(flag);
    return values ? [[flag, kind === 'list' ? values : values[0]]] : [];
  });
  return { positionals: Object.fromEntries(positionals), options: Object.fromEntries([...texts, ...sorted.booleans]) };
}

/** Whether there are as many arguments as the command takes. They aren't quoted: one may be a secret. */
function countArguments({ arguments: specs = [] }: Command, { positionals, problems }: SortedWords): Problem[] {
  const missing = specs.slice(positionals.length).filter(({ required }) => required);
  if (missing.length > 0) return missing.map(spec => ({ message: `Missing argument ${argumentLabel(spec)}` }));
  // What follows an unknown option may well be its value.
  const isUnsure = problems.some(({ unknown }) => unknown !== undefined);
  if (isUnsure || positionals.length <= specs.length || specs.at(-1)?.variadic) return [];
  const taken = specs.map(argumentLabel).join(' ') || 'none';
  return [{ message: `Too many arguments: ${positionals.length} were given, the command takes ${taken}` }];
}

/** The names that options can be called by. */
function optionNames(options: readonly OptionSpec[]): string[] {
  return options.flatMap(({ flag, kind }) => (kind === 'boolean' ? [flag, `no-${flag}`] : [flag]));
}
