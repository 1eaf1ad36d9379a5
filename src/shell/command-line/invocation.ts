import { cac } from 'cac';
import { type ArgumentSpec, type Command, type OptionSpec, takesValue } from './specs.ts';
import type { SortedWords } from './words.ts';

/** What a command was called with. Neither record has a prototype. */
export interface Invocation {
  /** By the argument's name; a variadic one is always an array. */
  positionals: Record<string, string | string[] | undefined>;
  /** By flag, those typed only; a list is always an array. */
  options: Record<string, string | string[] | boolean>;
}

/** Goes before every value on its way through cac, which then takes none of them for a number or an option. */
const SHIELD = '\u0001';

/** Has cac call the command, with its words in the only forms that cac reads faithfully. */
export function invoke(command: Command, { values, booleans, positionals }: SortedWords): Invocation {
  const args = command.arguments ?? [];
  // Telling cac of the others would only take time.
  const options = (command.options ?? []).filter(({ flag }) => values.has(flag) || booleans.has(flag));
  const cli = cac();
  const declared = cli.command([command.name, ...args.map(declareArgument)].join(' '), command.summary);
  for (const option of options) declared.option(declareOption(option), option.help);

  const invocation: Invocation = { positionals: Object.create(null), options: Object.create(null) };
  declared.action((...called) => {
    const typed = called.pop();
    for (const [index, { name }] of args.entries()) invocation.positionals[name] = unshield(called[index]);
    for (const { flag, kind } of options) {
      const value = unshield(typed[cacName(flag)]);
      if (value !== undefined) invocation.options[flag] = kind === 'list' ? [value].flat() : value;
    }
  });
  const given = options.flatMap(({ flag }) => [
    ...(values.get(flag) ?? []).map(value => `--${cacName(flag)}=${SHIELD}${value}`),
    ...(booleans.has(flag) ? [`--${cacName(flag)}=${booleans.get(flag)}`] : []),
  ]);
  const words = [command.name, ...given, ...positionals.map(word => SHIELD + word)];
  cli.parse(['node', 'botcli', ...words], { run: false });
  cli.runMatchedCommand();
  return invocation;
}

function declareArgument({ name, required, variadic }: ArgumentSpec): string {
  const inner = variadic ? `...${name}` : name;
  return required ? `<${inner}>` : `[${inner}]`;
}

function declareOption(option: OptionSpec): string {
  const names = option.short ? `-${option.short}, --${option.flag}` : `--${option.flag}`;
  return takesValue(option) ? `${names} <value>` : names;
}

/** What cac calls an option: in camel case, of its own kind. */
const cacName = (flag: string) => flag.replaceAll(/([a-z])-([a-z])/g, (_, a, b) => a + b.toUpperCase());

/** The value without its shield. */
// biome-ignore lint/suspicious/noExplicitAny: cac knows no types.
function unshield(value: any): any {
  if (Array.isArray(value)) return value.map(unshield);
  return typeof value === 'string' ? value.slice(SHIELD.length) : value;
}
