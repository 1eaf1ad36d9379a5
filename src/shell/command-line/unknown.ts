import { alternatives } from '../../listed.ts';
import { nearest } from '../../nearest.ts';
import { type Fault, reportProblems } from './problems.ts';
import { type Child, type Group, isGroup, type OptionSpec, reach } from './specs.ts';

/** A word that may be a mistyped command. Any other word, such as `API_KEY=…` without a command, may be a secret. */
const COMMAND_WORD = /^[A-Za-z-]{1,20}$/;

/** More commands than this aren't suggested. */
const MOST_SUGGESTED = 3;

/** The fault of a line that has a word where it needs a command. `options` are the options before the word. */
export async function unknownCommand(
  group: Group,
  word: string,
  line: string,
  options: readonly string[],
): Promise<Fault> {
  const message = COMMAND_WORD.test(word)
    ? `Unknown command: ${line} ${word}`
    : `Unknown command after ${line}. It isn't shown, because it may be a secret`;
  const hint = (await suggestOption(group, options.at(-1), line)) ?? suggestCommand(group, word.toLowerCase(), line);
  return reportProblems([{ message, hint }], line);
}

/** Where an option belongs that was passed right after the program's name: to the first command that has it. */
export async function suggestOption(
  program: Group,
  option: string | undefined,
  line: string,
): Promise<string | undefined> {
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
