import type { ExitCode } from '../errors.ts';
import { breakLines } from '../text.ts';
import type { Terminal } from './terminal.ts';

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

/** A row of a table: a label, and the text next to it. */
type HelpRow = readonly [label: string, text: string];

/** The column of texts that don't fit next to their labels and go on separate lines. */
const STACKED = 6;

interface HelpFormat {
  /** The width of the terminal. Default 80, clamped to 40 through 100. */
  columns?: number;
  /** Colors. Default: none. */
  style?: { bold(text: string): string; dim(text: string): string };
}

interface Section {
  title: string;
  rows: readonly HelpRow[];
}

const PLAIN = { bold: (text: string) => text, dim: (text: string) => text };

/** The content of a help page, from top to bottom. */
interface HelpPage extends Pick<CommandNode, 'examples'> {
  /** The usage line: `botcli init [directory] [options]`. */
  usage: string;
  paragraphs: readonly string[];
  /** Commands or arguments, which come before the examples and options. */
  sections?: readonly Section[];
  options: readonly OptionSpec[];
  footer?: string;
}

/** Renders the help of a command or group. `line` is how it is called. */
export function renderHelp(
  node: CommandNode,
  line: string,
  options: readonly OptionSpec[],
  format: HelpFormat,
): string {
  const usage = isGroup(node) ? ['<command>'] : (node.arguments ?? []).map(argumentLabel);
  const page: HelpPage = {
    usage: [line, ...usage, '[options]'].join(' '),
    paragraphs: [node.summary, ...(node.description?.split('\n') ?? [])],
    sections: [firstSection(node)],
    options,
    ...(node.examples ? { examples: node.examples } : {}),
    ...(isGroup(node) ? { footer: `For details about a command, run: ${line} <command> --help` } : {}),
  };
  return renderPage(page, format);
}

export function renderPage(page: HelpPage, { columns = 80, style = PLAIN }: HelpFormat): string {
  const width = Math.min(100, Math.max(40, columns));
  const [sections, options] = [page.sections ?? [], optionSections(page.options)].map(all =>
    all.filter(({ rows }) => rows.length > 0),
  ) as [Section[], Section[]];
  const column = findColumn(
    [...sections, ...options].flatMap(({ rows }) => rows),
    width,
  );
  const renderSection = ({ title, rows }: Section) =>
    [style.bold(`${title}:`), ...rows.map(row => renderRow(row, column, width))].join('\n');
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

function firstSection(node: CommandNode): Section {
  if (!isGroup(node)) {
    const row = (argument: ArgumentSpec): HelpRow => [argumentLabel(argument), argument.help];
    return { title: 'Arguments', rows: (node.arguments ?? []).map(row) };
  }
  return {
    title: 'Commands',
    rows: node.children.filter(({ hidden }) => !hidden).map(({ name, summary }) => [name, summary]),
  };
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
  const start = short ? `-${short}, ` : '    ';
  switch (kind) {
    case 'boolean':
      return [`${start}--[no-]${flag}`, help];
    case 'switch':
      return [`${start}--${flag}`, help];
    case 'text':
      return [`${start}--${flag} <${placeholder}>`, help];
    case 'words':
      return [`${start}--${flag} [${placeholder}${most === 1 ? '' : '...'}]`, help];
    case 'list':
      return [`${start}--${flag} <${placeholder}>`, `${help} (repeatable)`];
  }
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

/** The column where the texts of these rows start: after the longest label that leaves at least half the line. */
function findColumn(rows: readonly HelpRow[], width: number): number {
  const columns = rows.map(([label]) => label.length + 4);
  const roomy = columns.filter(column => column <= width / 2);
  // Mixing both layouts looks bad on a narrow terminal: if one text goes below its label, all do.
  return width < 64 && roomy.length < columns.length ? STACKED : Math.max(STACKED, ...roomy);
}

/** Renders a row whose text starts in `column`, or on the next line if the label is too long. */
function renderRow([label, text]: HelpRow, column: number, width: number): string {
  const indent = ' '.repeat(column);
  const head = `  ${label}`;
  if (head.length + 2 <= column) return fill(text, width, head.padEnd(column), indent);
  const alone = column === STACKED ? fill(label.trim(), width, '  ', indent) : head;
  return `${alone}\n${fill(text, width, indent)}`;
}
