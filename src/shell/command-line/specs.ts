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
  /** The values that there are, for shells that complete them. Whether one is allowed, the command says. */
  values?: readonly string[];
  /** What people call these values. */
  names?: Readonly<Record<string, string>>;
  help: string;
  /** The title that help lists it under. */
  group?: string;
  /** Whether a word `true` or `false` right behind a boolean belongs to it: `--encode false`. */
  acceptsWord?: boolean;
}

/** A positional argument. Required ones come first, a variadic one last. */
export interface ArgumentSpec {
  name: string;
  required?: boolean;
  variadic?: boolean;
  /** A path. Behind the command, the word `help` alone asks for help then: that file or directory is `./help`. */
  isPath?: boolean;
  /** The values that there are, for shells that complete them. */
  values?: readonly string[];
  help: string;
}

/** A command line worth copying. */
export interface Example {
  line: string;
  meaning: string;
}

/** What the help of the word before shows. */
interface Listed {
  name: string;
  /** One sentence. */
  summary: string;
  /** Known, but neither shown in help nor suggested: it's for programs. */
  hidden?: boolean;
}

/** What the help of its own shows besides. */
interface Described {
  /** A line a paragraph. */
  description?: string;
  examples?: readonly Example[];
}

/** What a command takes, and what it does. What `run` is, the caller knows. */
export interface CommandBody<Run = unknown> extends Described {
  arguments?: readonly ArgumentSpec[];
  options?: readonly OptionSpec[];
  run: Run;
}

/** Something to run. */
export interface Command<Run = unknown> extends Listed, CommandBody<Run> {}

/** A command of which only the name is known until it's reached, so that no other command loads it. */
export interface LateCommand<Run = unknown> extends Listed {
  load(): Promise<CommandBody<Run>>;
}

/** A word that only leads to other words. */
export interface Group<Run = unknown> extends Listed, Described {
  children: readonly Child<Run>[];
}

export type CommandNode<Run = unknown> = Command<Run> | Group<Run>;
export type Child<Run = unknown> = CommandNode<Run> | LateCommand<Run>;

/** All of a child. */
export async function reach<Run>(child: Child<Run>): Promise<CommandNode<Run>> {
  return 'load' in child ? { ...child, ...(await child.load()) } : child;
}

export const isGroup = <Run>(node: Child<Run>): node is Group<Run> => 'children' in node;

export const takesValue = ({ kind }: OptionSpec): boolean => kind === 'text' || kind === 'list';

/** An argument as usage shows it: `<name>`, `[name]`, `[name...]`. */
export function argumentLabel({ name, required, variadic }: ArgumentSpec): string {
  const inner = variadic ? `${name}...` : name;
  return required ? `<${inner}>` : `[${inner}]`;
}
