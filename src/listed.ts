/** More aren't listed. */
const MOST = 20;

/** The first of many lines, and how many more there are. */
export const firstOf = (lines: readonly string[]): string[] =>
  lines.length > MOST ? [...lines.slice(0, MOST), `and ${lines.length - MOST} more`] : [...lines];

/** Alternatives in a sentence: `A`, `A or B`, `A, B or C`. */
export const alternatives = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' or ');

/** Labels, which may have commas, next to each other: `A, B`, or `A, with more; B`. */
export const separated = (labels: readonly string[]): string =>
  labels.join(labels.some(label => label.includes(', ')) ? '; ' : ', ');

/** The names in a sentence, of which there may be any number: `A, B`, or `A, B and 3 more`. */
export function listed(names: readonly string[], most = MOST): string {
  const more = names.length - most;
  return more > 0 ? `${names.slice(0, most).join(', ')} and ${more} more` : names.join(', ');
}

/** Items as lines of a report, in a second column, after a word in the first. */
export const titled = <Item>(word: string, items: readonly Item[], show: (item: Item) => string): string[] =>
  items.map((item, at) => `  ${(at === 0 ? word : '').padEnd(10)}${show(item)}`);
