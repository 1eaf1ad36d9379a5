import { cac } from 'cac';
import type { Fault } from './problems.ts';
import { type CommandNode, type Group, isGroup, reach } from './specs.ts';
import { unknownCommand } from './unknown.ts';
import { isOption } from './words.ts';

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
