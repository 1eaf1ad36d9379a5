import type { ExitCode } from '../errors.ts';
import { breakLines } from '../text.ts';
import type { Terminal } from './terminal.ts';

/** An option of a command. The result contains it under its `flag`, if it was passed. */
export interface OptionSpec {
  /** The long form without dashes, in kebab case: `bot-type`. */
  flag: string;
  short?: string;
  /**
   * `text` takes one value, `list` one each time it is passed. `boolean` and `switch` are on or off; people only turn a
   * `switch` on, so its help omits the `--no-` form. `words` is a switch that takes the words after it, too.
   */
  kind: 'text' | 'list' | 'boolean' | 'switch' | 'words';
  /** The most words that `words` takes. Default: all up to the next option. */
  most?: number;
  /** The name of the value in help: `type` is shown as `<type>`. Default `value`. */
  placeholder?: string;
  /** The possible values, for shell completion. The command itself checks the value. */
  values?: readonly string[];
  /** The same values, with what people call them. */
  choices?: readonly { value: string; name?: string }[];
  help: string;
  group?: string;
  /** Whether `true` or `false` after a boolean is its value: `--encode false`. */
  acceptsWord?: boolean;
  /** An old name that still works: neither shown in help nor suggested. */
  hidden?: boolean;
}

/** An option with one value, which its help calls `placeholder`. */
export const textOption = <const Flag extends string>(flag: Flag, placeholder: string, help: string) =>
  ({ flag, kind: 'text', placeholder, help }) as const;

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

/** The arguments and options of a call, as declared. Others are absent; a variadic argument is always an array. */
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
  /** Lines that are ready to copy. */
  examples?: readonly { line: string; description: string }[];
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

/** Declares a command. Its `arguments` and `options` type what `run` gets: a renamed flag doesn't compile. */
export const defineCommand = <
  const Arguments extends readonly ArgumentSpec[] = [],
  const Options extends readonly OptionSpec[] = [],
>(
  body: CommandBody<Arguments, Options>,
): CommandBody<Arguments, Options> => body;

/** A command that is loaded once it's needed. */
export const command = (name: string, summary: string, load: LateCommand['load']): Child => ({ name, summary, load });

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

type HelpRow = readonly [label: string, text: string];

interface Section {
  title: string;
  rows: readonly HelpRow[];
}

interface HelpFormat {
  /** The width of the terminal. Default 80, clamped to 60 through 100. */
  columns?: number;
  style?: { bold(text: string): string; dim(text: string): string };
}

const PLAIN = { bold: (text: string) => text, dim: (text: string) => text };

/** Renders the help of a command or group. `line` is how it is called. */
export function renderHelp(
  node: CommandNode,
  line: string,
  options: readonly OptionSpec[],
  format: HelpFormat,
): string {
  const args = isGroup(node) ? [] : (node.arguments ?? []);
  const commands = isGroup(node) ? node.children.filter(({ hidden }) => !hidden) : [];
  const page: HelpPage = {
    usage: [line, ...(isGroup(node) ? ['<command>'] : args.map(argumentLabel)), '[options]'].join(' '),
    paragraphs: [node.summary, ...(node.description?.split('\n') ?? [])],
    sections: [
      { title: 'Commands', rows: commands.map(({ name, summary }) => [name, summary]) },
      { title: 'Arguments', rows: args.map(argument => [argumentLabel(argument), argument.help]) },
    ],
    options,
    ...(node.examples ? { examples: node.examples } : {}),
    ...(isGroup(node) ? { footer: `For details about a command, run: ${line} <command> --help` } : {}),
  };
  return renderPage(page, format);
}

interface HelpPage extends Pick<CommandNode, 'examples'> {
  /** The usage line: `botcli init [directory] [options]`. */
  usage: string;
  paragraphs: readonly string[];
  /** Commands or arguments, which come before the examples and options. */
  sections: readonly Section[];
  options: readonly OptionSpec[];
  footer?: string;
}

export function renderPage(page: HelpPage, { columns = 80, style = PLAIN }: HelpFormat): string {
  const width = Math.min(100, Math.max(60, columns));
  const isShown = ({ rows }: Section) => rows.length > 0;
  const [sections, options] = [page.sections.filter(isShown), optionSections(page.options).filter(isShown)];
  const widths = [...sections, ...options].flatMap(({ rows }) => rows.map(([label]) => label.length + 4));
  // After the longest label that leaves at least half the line.
  const column = Math.max(6, ...widths.filter(one => one <= width / 2));
  const renderRow = ([label, text]: HelpRow) => {
    const indent = ' '.repeat(column);
    if (label.length + 4 <= column) return fill(text, width, `  ${label}`.padEnd(column), indent);
    return `  ${label}\n${fill(text, width, indent)}`;
  };
  const renderSection = ({ title, rows }: Section) => [style.bold(`${title}:`), ...rows.map(renderRow)].join('\n');
  const examples = (page.examples ?? [])
    .map(({ line, description }) => {
      const comment = breakLines(description.split(' '), width, '  # ').map(style.dim);
      return [...comment, breakCommand(line, width)].join('\n');
    })
    .join('\n\n');
  return [
    fill(`Usage: ${page.usage}`, width, '', ' '.repeat('Usage: '.length)),
    ...page.paragraphs.map(paragraph => fill(paragraph, width)),
    ...sections.map(renderSection),
    ...(examples ? [`${style.bold('Examples:')}\n${examples}`] : []),
    ...options.map(renderSection),
    ...(page.footer ? [fill(page.footer, width)] : []),
  ].join('\n\n');
}

/** One section for each group of options, in order of appearance, then one for the ungrouped options. */
function optionSections(options: readonly OptionSpec[]): Section[] {
  const groups = [...new Set(options.flatMap(({ group }) => group ?? []))];
  const section = (title: string, group?: string): Section => ({
    title,
    rows: options.filter(option => option.group === group && !option.hidden).map(optionRow),
  });
  return [...groups.map(group => section(group, group)), section(groups.length > 0 ? 'Other options' : 'Options')];
}

function optionRow({ short, flag, kind, placeholder = 'value', most, help }: OptionSpec): HelpRow {
  const values = {
    text: ` <${placeholder}>`,
    list: ` <${placeholder}>`,
    boolean: '',
    switch: '',
    words: ` [${placeholder}${most === 1 ? '' : '...'}]`,
  };
  const name = kind === 'boolean' ? `--[no-]${flag}` : `--${flag}`;
  return [`${short ? `-${short}, ` : '    '}${name}${values[kind]}`, kind === 'list' ? `${help} (repeatable)` : help];
}

/** Breaks a command line into lines that can be pasted into a shell. An option stays next to its value. */
function breakCommand(line: string, width: number): string {
  const words = line.match(/(?:-[^\s=]+ (?!-))?(?:"[^"]*"|'[^']*'|[^\s"'])+/g) ?? [];
  return breakLines(words, width - ' \\'.length, '  ', '      ').join(' \\\n');
}

/** Wraps a text in lines of at most `width`. A word and its name stay together: `tel_a (Twilio)`. */
function fill(text: string, width: number, first = '', others = first): string {
  return breakLines(text.split(/ (?!\([A-Z])/), width, first, others).join('\n');
}
