import type { Terminal } from '../terminal.ts';

/** An option of a command. The result has it under its `flag`, and only when it was typed. */
export interface OptionSpec {
  /** The long form without dashes, in kebab case: `bot-type`. */
  flag: string;
  /** The short form without its dash: `b`. */
  short?: string;
  /**
   * `text` takes one value, `list` one each time it is given. `boolean` is on or off; so is `switch`, but people only
   * ever turn that on, so its help shows no `--no-` form.
   */
  kind: 'text' | 'list' | 'boolean' | 'switch';
  /** What help calls the value: `type` is shown as `<type>`. Default `value`. */
  placeholder?: string;
  /** The possible values, for shells that complete them. The command itself checks whether one is allowed. */
  values?: readonly string[];
  /** What people call these values. */
  names?: Readonly<Record<string, string>>;
  help: string;
  /** The title that help lists it under. */
  group?: string;
  /** Whether a word `true` or `false` right after a boolean belongs to it: `--encode false`. */
  acceptsWord?: boolean;
}

/** A positional argument. Required ones come first, a variadic one last. */
export interface ArgumentSpec {
  name: string;
  required?: boolean;
  variadic?: boolean;
  /** A path. The word `help` alone then asks for help: a file or directory of that name is `./help`. */
  isPath?: boolean;
  /** The possible values, for shells that complete them. */
  values?: readonly string[];
  help: string;
}

/** The value of an option that was typed. */
type OptionValue<Spec extends Pick<OptionSpec, 'kind'>> = Spec extends { kind: 'list' }
  ? readonly string[]
  : Spec extends { kind: 'text' }
    ? string
    : boolean;

/** The value of an argument. */
type ArgumentValue<Spec extends ArgumentSpec> = Spec extends { variadic: true }
  ? readonly string[]
  : Spec extends { required: true }
    ? string
    : string | undefined;

/**
 * What a command was called with, typed by what it declares. An option that wasn't typed is absent, and so is an
 * argument that wasn't given; a variadic argument is always an array.
 */
export interface Invocation<
  Arguments extends readonly ArgumentSpec[] = readonly ArgumentSpec[],
  Options extends readonly OptionSpec[] = readonly OptionSpec[],
> {
  readonly positionals: { readonly [Spec in Arguments[number] as Spec['name']]: ArgumentValue<Spec> };
  readonly options: { readonly [Spec in Options[number] as Spec['flag']]?: OptionValue<Spec> };
}

/** What could be read of a line with faults: any argument may be missing. */
export type FaultyInvocation<
  Arguments extends readonly ArgumentSpec[] = readonly ArgumentSpec[],
  Options extends readonly OptionSpec[] = readonly OptionSpec[],
> = {
  readonly positionals: Partial<Invocation<Arguments, Options>['positionals']>;
  readonly options: Invocation<Arguments, Options>['options'];
};

/** The invocation that a command's `run` receives. */
export type InvocationOf<Body> =
  Body extends CommandBody<infer Arguments, infer Options> ? Invocation<Arguments, Options> : never;

/** A command line worth copying. */
export interface Example {
  line: string;
  description: string;
}

/** What the parent's help shows. */
interface Listed {
  name: string;
  /** One sentence. */
  summary: string;
  /** Known, but neither shown in help nor suggested: it's for programs. */
  hidden?: boolean;
}

/** What the page of help for a command or group adds. */
interface Described {
  /** A line a paragraph. */
  description?: string;
  examples?: readonly Example[];
}

/** What a command takes, and what it does. */
export interface CommandBody<
  Arguments extends readonly ArgumentSpec[] = readonly ArgumentSpec[],
  Options extends readonly OptionSpec[] = readonly OptionSpec[],
> extends Described {
  arguments?: Arguments;
  options?: Options;
  run(invocation: Invocation<Arguments, Options>, terminal: Terminal): Promise<void>;
  /** Finds further problems in a line that has faults already, so that all of them are reported at once. */
  diagnose?(invocation: FaultyInvocation<Arguments, Options>, terminal: Terminal): Promise<readonly string[]>;
}

/** Something to run. */
export interface Command extends Listed, CommandBody {}

/** A command of which only the name is known until it's reached, so that no other command loads it. */
export interface LateCommand extends Listed {
  load(): Promise<CommandBody>;
}

/** A word that only leads to other words. */
export interface Group extends Listed, Described {
  children: readonly Child[];
}

export type CommandNode = Command | Group;
export type Child = CommandNode | LateCommand;

/**
 * Declares a command. Its `run` receives what its `arguments` and `options` say: a renamed flag that is still read by
 * its old name doesn't compile.
 */
export const defineCommand = <
  const Arguments extends readonly ArgumentSpec[] = [],
  const Options extends readonly OptionSpec[] = [],
>(
  body: CommandBody<Arguments, Options>,
): CommandBody<Arguments, Options> => body;

/** All of a child. */
export async function reach(child: Child): Promise<CommandNode> {
  return 'load' in child ? { ...child, ...(await child.load()) } : child;
}

export const isGroup = (node: Child): node is Group => 'children' in node;

export const takesValue = ({ kind }: Pick<OptionSpec, 'kind'>): boolean => kind === 'text' || kind === 'list';

/** An argument as usage shows it: `<name>`, `[name]`, `[name...]`. */
export function argumentLabel({ name, required, variadic }: ArgumentSpec): string {
  const inner = variadic ? `${name}...` : name;
  return required ? `<${inner}>` : `[${inner}]`;
}
