import { cac } from 'cac';
import { didYouMean } from '../../nearest.ts';
import { type Fault, type LineProblem, reportProblems } from './problems.ts';
import { type CommandNode, type Group, isGroup, reach } from './specs.ts';
import { isOption } from './words.ts';

/** The command or group that a line names. */
export interface FoundCommand {
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
export async function findCommand(root: Group, argv: readonly string[]): Promise<FoundCommand> {
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
      if (!child)
        return { node, line, segments: [earlyOptions, words], wantsHelp, unknown: unknownCommand(node, word, line) };
      node = await reach(child);
      line = `${line} ${word}`;
    }
  }
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

function unknownCommand({ children }: Group, word: string, line: string): Fault {
  const names = children.filter(({ hidden }) => !hidden).map(({ name }) => name);
  const message = COMMAND_WORD.test(word)
    ? `Unknown command: ${line} ${word}`
    : `Unknown command after ${line}. It isn't shown, because it may be a secret`;
  const problem: LineProblem = { message, hint: didYouMean(word, names, name => `${line} ${name}`) };
  return reportProblems([problem], line);
}
