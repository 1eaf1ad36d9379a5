import { breakLines } from '../../text.ts';
import { type ArgumentSpec, argumentLabel, type CommandNode, isGroup, type OptionSpec } from './specs.ts';

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
