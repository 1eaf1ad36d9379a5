import { breakLines } from '../../lines.ts';

/** A row of a table: a label, and the text next to it. */
export type HelpRow = readonly [label: string, text: string];

/** The column of texts that don't fit next to their labels and go on separate lines. */
const STACKED = 6;

/** Wraps a text in lines of at most `width`. A word and its name stay together: `tel_a (Twilio)`. */
export function fill(text: string, width: number, first = '', others = first): string {
  return breakLines(text.split(/ (?!\([A-Z])/), width, first, others).join('\n');
}

/** The column where the texts of these rows start: after the longest label that leaves at least half the line. */
export function findColumn(rows: readonly HelpRow[], width: number): number {
  const columns = rows.map(([label]) => label.length + 4);
  const roomy = columns.filter(column => column <= width / 2);
  // Mixing both layouts looks bad on a narrow terminal: if one text goes below its label, all do.
  return width < 64 && roomy.length < columns.length ? STACKED : Math.max(STACKED, ...roomy);
}

/** Renders a row whose text starts in `column`, or on the next line if the label is too long. */
export function renderRow([label, text]: HelpRow, column: number, width: number): string {
  const indent = ' '.repeat(column);
  const head = `  ${label}`;
  if (head.length + 2 <= column) return fill(text, width, head.padEnd(column), indent);
  const alone = column === STACKED ? fill(label.trim(), width, '  ', indent) : head;
  return `${alone}\n${fill(text, width, indent)}`;
}
