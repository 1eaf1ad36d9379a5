import type { RootCommand } from '@bomb.sh/tab';
import { usageError } from '../errors.ts';
import { didYouMean } from '../text.ts';
import {
  type Child,
  type CommandNode,
  defineCommand,
  type Group,
  isGroup,
  type OptionSpec,
  reach,
  takesValue,
} from './command-line.ts';

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'];

const PATHS = ['path', 'file'];

/**
 * Wraps the library's script for bash. Without it, loading `.bashrc` twice would fail on the script's constants, and
 * bash would not complete paths. The library doesn't complete the value in `--option=value`: bash replaces only what
 * follows the `=`, so the value is completed by itself.
 */
const bashWrapper = (program: string) => [
  `if ! declare -F __${program}_complete >/dev/null; then`,
  `__${program}_value() {
    local typed=\${COMP_LINE:0:COMP_POINT}
    [[ \${typed##* } == --*=* ]] || { __${program}_complete; return; }
    local IFS=$'\n'
    COMPREPLY=( $(compgen -W "$(eval "${program} complete -- \${typed#* }" 2>/dev/null | grep -v '^:' | cut -f1)" -- "\${typed##*=}") )
}
complete -o default -F __${program}_value ${program}\nfi`,
];

/** The command that prints the script for a shell, for a program of this name. */
export const completionScript = (program: string) =>
  defineCommand({
    description: `The examples show how to load the script. Run it again after you update ${program}.`,
    arguments: [{ name: 'shell', required: true, values: SHELLS, help: SHELLS.join(', ') }],
    examples: [
      { line: `eval "$(${program} completion bash)"`, description: 'bash 4 or newer: add to ~/.bashrc' },
      { line: `source <(${program} completion zsh)`, description: 'zsh: add to ~/.zshrc, after compinit' },
      { line: `${program} completion fish | source`, description: 'fish: add to ~/.config/fish/config.fish' },
      {
        line: `${program} completion powershell | Out-String | Invoke-Expression`,
        description: 'PowerShell: add to $PROFILE',
      },
    ],
    async run({ positionals: { shell } }, terminal) {
      if (!SHELLS.includes(shell)) {
        const hint = didYouMean(shell, SHELLS);
        throw usageError(`Unknown shell "${shell}". Supported: ${SHELLS.join(', ')}`, { hint });
      }
      const { script } = await import('@bomb.sh/tab');
      const [before, after] = shell === 'bash' ? bashWrapper(program) : [];
      if (before) terminal.printExact(before);
      script(shell, program, program);
      if (after) terminal.printExact(after);
    },
  });

/** The command that the script calls each time Tab is pressed. It sends no network requests. */
export const completionAnswers = (root: Group) =>
  defineCommand({
    arguments: [{ name: 'words', variadic: true, help: 'The line so far, after --' }],
    async run({ positionals: { words } }, terminal) {
      const { RootCommand } = await import('@bomb.sh/tab');
      const completer = new RootCommand();
      await addChildren(completer, root, []);
      // Without results, the shell completes paths itself.
      if (await completesPath(root, words)) return terminal.printExact(':0');
      const { log } = console;
      // The library prints a tab after each value. If nothing follows it, zsh shows a dash in front of nothing.
      console.log = (line: string) => terminal.printExact(line.replace(/\t$/, ''));
      try {
        completer.parse([...words]);
      } finally {
        console.log = log;
      }
    },
  });

async function addChildren(completer: RootCommand, group: Group, path: readonly string[]): Promise<void> {
  for (const listed of group.children) {
    if (listed.hidden) continue;
    const child = await reach(listed);
    const line = [...path, child.name];
    add(completer, child, line);
    if (isGroup(child)) await addChildren(completer, child, line);
  }
}

function add(completer: RootCommand, node: CommandNode, line: readonly string[]): void {
  const command = completer.command(line.join(' '), node.summary);
  if (isGroup(node)) return;
  const offer =
    (values: readonly string[] = [], choices: OptionSpec['choices'] = values.map(value => ({ value }))) =>
    (complete: (value: string, description: string) => void) => {
      for (const { value, name = '' } of choices) complete(value, name);
    };
  for (const option of node.options ?? []) {
    const { flag, short = '', help, kind, values, choices, hidden } = option;
    if (hidden) continue;
    if (takesValue(option)) command.option(flag, help, offer(values, choices), short);
    else command.option(flag, help, short);
    if (kind === 'boolean') command.option(`no-${flag}`, `Turn off: ${help}`, '');
  }
  for (const { name, values, variadic } of node.arguments ?? []) command.argument(name, offer(values), variadic);
}

/** Whether the last word of a line is the value of an option that takes a path. */
async function completesPath(root: Group, words: readonly string[]): Promise<boolean> {
  const flag = words.at(-2) ?? '';
  if (!flag.startsWith('-')) return false;
  let node: CommandNode = root;
  for (const word of words) {
    if (!isGroup(node)) break;
    const child: Child | undefined = node.children.find(({ name }) => name === word);
    if (child) node = await reach(child);
  }
  if (isGroup(node)) return false;
  const option = node.options?.find(one => [`--${one.flag}`, `-${one.short}`].includes(flag));
  return option !== undefined && takesValue(option) && PATHS.includes(option.placeholder ?? '');
}
