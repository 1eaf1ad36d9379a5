import { breakLines } from '../text.ts';
import type { ArgumentSpec, CommandNode, OptionSpec } from './command-line.ts';

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
  const isGroup = 'children' in node;
  const args = isGroup ? [] : (node.arguments ?? []);
  const commands = isGroup ? node.children.filter(({ hidden }) => !hidden) : [];
  const page: HelpPage = {
    usage: [line, ...(isGroup ? ['<command>'] : args.map(argumentLabel)), '[options]'].join(' '),
    paragraphs: [node.summary, ...(node.description?.split('\n') ?? [])],
    sections: [
      { title: 'Commands', rows: commands.map(({ name, summary }) => [name, summary]) },
      { title: 'Arguments', rows: args.map(argument => [argumentLabel(argument), argument.help]) },
    ],
    options,
    ...(node.examples ? { examples: node.examples } : {}),
    ...(isGroup ? { footer: `For details about a command, run: ${line} <command> --help` } : {}),
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
