import { breakLines } from '../../lines.ts';

/** A line of a table: what it is about, and the text beside it. */
export type Row = readonly [label: string, text: string];

/** Where the texts of a table start when its labels leave no room beside them: on lines of their own. */
const STACKED = 6;

/** Sets a text in lines of at most `width`. A word and its name stay together: `tel_a (Twilio)`. */
export function fill(text: string, width: number, first = '', others = first): string {
  return breakLines(text.split(/ (?!\([A-Z])/), width, first, others).join('\n');
}

/** The column in which the texts of all these rows start: behind the longest label that leaves them half the line. */
export function findColumn(rows: readonly Row[], width: number): number {
  const columns = rows.map(([label]) => label.length + 4);
  const roomy = columns.filter(column => column <= width / 2);
  // On a narrow terminal the two ways don't mix well: the text of a long label stands below it, as do then all.
  return width < 64 && roomy.length < columns.length ? STACKED : Math.max(STACKED, ...roomy);
}

/** A row whose text starts in `column`, below its label where that is too long. */
export function renderRow([label, text]: Row, column: number, width: number): string {
  const indent = ' '.repeat(column);
  const head = `  ${label}`;
  if (head.length + 2 <= column) return fill(text, width, head.padEnd(column), indent);
  const alone = column === STACKED ? fill(label.trim(), width, '  ', indent) : head;
  return `${alone}\n${fill(text, width, indent)}`;
}
