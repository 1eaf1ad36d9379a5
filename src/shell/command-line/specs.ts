import type { ExitCode } from '../../errors.ts';
import type { Terminal } from '../terminal.ts';

/** An option of a command. The result contains it under its `flag`, if it was passed. */
export interface OptionSpec {
  /** The long form without dashes, in kebab case: `bot-type`. */
  flag: string;
  /** The short form without its dash: `b`. */
  short?: string;
  /**
   * `text` takes one value, `list` takes one each time it is passed. `boolean` and `switch` are on or off; people only
   * turn a `switch` on, so its help omits the `--no-` form. `words` is a switch that takes the words after it, too, if
   * there are any.
   */
  kind: 'text' | 'list' | 'boolean' | 'switch' | 'words';
  /** The most words that `words` takes. Default: all up to the next option. */
  most?: number;
  /** The name of the value in help: `type` is shown as `<type>`. Default `value`. */
  placeholder?: string;
  /** The possible values, for shell completion. The command itself checks the value. */
  values?: readonly string[];
  names?: Readonly<Record<string, string>>;
  help: string;
  /** The title of its section in help. */
  group?: string;
  /** Whether `true` or `false` after a boolean is its value: `--encode false`. */
  acceptsWord?: boolean;
  /** An old name that still works: neither shown in help nor suggested. */
  hidden?: boolean;
}

/** The option of most commands. The command line reads it itself. */
export const DEBUG = {
  flag: 'debug',
  kind: 'switch',
  help: 'Show the stack trace of an unexpected error',
} as const satisfies OptionSpec;

/** A positional argument. Required ones come first, a variadic one last. */
export interface ArgumentSpec {
  name: string;
  required?: boolean;
  variadic?: boolean;
  /** The argument is a path. The single word `help` then shows help; use `./help` for a file of that name. */
  isPath?: boolean;
  /** The possible values, for shell completion. */
  values?: readonly string[];
  help: string;
}

type OptionValue<Spec extends Pick<OptionSpec, 'kind'>> = Spec extends { kind: 'list' | 'words' }
  ? readonly string[]
  : Spec extends { kind: 'text' }
    ? string
    : boolean;

type ArgumentValue<Spec extends ArgumentSpec> = Spec extends { variadic: true }
  ? readonly string[]
  : Spec extends { required: true }
    ? string
    : string | undefined;

/**
 * The arguments and options of a call, typed by the command's declaration. Those that weren't passed are absent, except
 * that a variadic argument is always an array.
 */
export interface Invocation<
  Arguments extends readonly ArgumentSpec[] = readonly ArgumentSpec[],
  Options extends readonly OptionSpec[] = readonly OptionSpec[],
> {
  readonly positionals: { readonly [Spec in Arguments[number] as Spec['name']]: ArgumentValue<Spec> };
  readonly options: { readonly [Spec in Options[number] as Spec['flag']]?: OptionValue<Spec> };
}

/** The readable parts of a faulty line. Any argument may be missing. */
export type FaultyInvocation<
  Arguments extends readonly ArgumentSpec[] = readonly ArgumentSpec[],
  Options extends readonly OptionSpec[] = readonly OptionSpec[],
> = {
  readonly positionals: Partial<Invocation<Arguments, Options>['positionals']>;
  readonly options: Invocation<Arguments, Options>['options'];
};

/** An example in help, ready to copy. */
interface Example {
  line: string;
  description: string;
}

/** The parts that the parent's help shows. */
interface Listed {
  name: string;
  /** One sentence. */
  summary: string;
  /** For programs only: neither shown in help nor suggested. */
  hidden?: boolean;
}

/** The parts that only its own help shows. */
interface Described {
  /** One line per paragraph. */
  description?: string;
  examples?: readonly Example[];
}

export interface CommandBody<
  Arguments extends readonly ArgumentSpec[] = readonly ArgumentSpec[],
  Options extends readonly OptionSpec[] = readonly OptionSpec[],
> extends Described {
  arguments?: Arguments;
  options?: Options;
  /** Returns the exit code, if that isn't 0 although nothing is thrown. */
  run(invocation: Invocation<Arguments, Options>, terminal: Terminal): Promise<void> | Promise<ExitCode | undefined>;
  /** Finds more problems in a faulty line, so that all of them are reported at once. */
  diagnose?(invocation: FaultyInvocation<Arguments, Options>, terminal: Terminal): Promise<readonly string[]>;
}

export interface Command extends Listed, CommandBody {}

interface LateCommand extends Listed {
  load(): Promise<CommandBody>;
}

/** A word that only groups other commands. */
export interface Group extends Listed, Described {
  children: readonly Child[];
  /** The child that runs if none is named. By default, that is a mistake. */
  otherwise?: string;
  /** What to do instead, for words that people try which aren't commands. */
  instead?: Readonly<Record<string, string>>;
}

export type CommandNode = Command | Group;
export type Child = CommandNode | LateCommand;

/**
 * Declares a command. The parameters of `run` are typed by `arguments` and `options`: code that reads a renamed flag by
 * its old name doesn't compile.
 */
export const defineCommand = <
  const Arguments extends readonly ArgumentSpec[] = [],
  const Options extends readonly OptionSpec[] = [],
>(
  body: CommandBody<Arguments, Options>,
): CommandBody<Arguments, Options> => body;

/** Loads a child if needed. */
export async function reach(child: Child): Promise<CommandNode> {
  return 'load' in child ? { ...child, ...(await child.load()) } : child;
}

export const isGroup = (node: Child): node is Group => 'children' in node;

export const takesValue = ({ kind }: Pick<OptionSpec, 'kind'>): boolean => kind === 'text' || kind === 'list';

/** An argument as shown in usage: `<name>`, `[name]`, `[name...]`. */
export function argumentLabel({ name, required, variadic }: ArgumentSpec): string {
  const inner = variadic ? `${name}...` : name;
  return required ? `<${inner}>` : `[${inner}]`;
}
