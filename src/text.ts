import { distance } from 'fastest-levenshtein';

/** Replaces control characters but line breaks, and bidirectional marks, so that a terminal shows the text safely. */
export function printable(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\p{Bidi_Control}]/gu, character => (character === '\n' ? '\n' : '\uFFFD'));
}

/** What colors text, moves the cursor, or sets a title. No alternative reads what another one begins with. */
const SEQUENCE = new RegExp(
  [
    String.raw`(?:\x1b\[|\x9b)[0-?]*[ -/]*[@-~]`,
    String.raw`(?:\x1b[\]PX^_]|[\x90\x98\x9d-\x9f])[^\x07\x1b\x80-\x9f]*(?:\x07|\x1b\\|\x9c)`,
    String.raw`\x1b[ -/]*[0-Z\\-~]`,
  ].join('|'),
  'g',
);

/** A program's output as plain text. Node's own function takes the square of a line's length. */
export const withoutSequences = (text: string): string => text.replace(SEQUENCE, '');

/** Replaces code points that Unicode reserves for use within a program, as `style.ts` uses them for colors. */
export const withoutMarks = (text: string): string => text.replace(/[\ufdd0-\ufdef]/g, '\uFFFD');

/** A name from elsewhere in a message: as `printable`, and on one line whatever it contains. */
export const onOneLine = (text: string): string =>
  withoutMarks(printable(text)).replace(/[\n\p{Zl}\p{Zp}]/gu, '\uFFFD');

/** Words with a space for each gap, such as the end of a line. */
export const spaced = (words: string): string => words.replaceAll(/\s+/g, ' ').trim();

/** Whether a command is for copying: what people see is what they get, and nothing in it ends the line. */
export const isCopyable = (command: string): boolean => onOneLine(command) === command;

/** A value from elsewhere as text. `String` would use a `toString` that an object from a file may have. */
export const textOf = (value: unknown): string =>
  typeof value === 'object' ? (JSON.stringify(value) ?? '') : String(value);

/** A value as JSON in which no character does anything to a terminal. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(/[^\P{Cc}\n]|[\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, escaped);

/** An object on one line, for programs that read one a line. No character does anything to a terminal. */
export const asLine = (facts: object): string =>
  JSON.stringify(facts).replace(/[\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]/gu, escaped);

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** The start of a text of any length, with an ellipsis if that isn't all of it. */
export function shortened(text: string, most: number): string {
  if (text.length <= most) return text;
  const beginning = Array.from(text.slice(0, 2 * most + 1))
    .slice(0, most)
    .join('');
  return beginning.length < text.length ? `${beginning}…` : text;
}

/** The start of a text that a message quotes, on one line. */
export const excerpt = (text: string): string => onOneLine(shortened(text, 100));

/** Whether Node may have replaced bytes that aren't UTF-8 in an argument, a variable, a path, or an answer. */
export const isDamaged = (text: string): boolean => text.includes('\uFFFD');

/** What is wrong with a damaged text, after its name. */
export const DAMAGED = "contains bytes that aren't UTF-8 (or U+FFFD)";

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

/** Wraps words in lines of at most `width`. The first line starts with `first`, the others with `others`. */
export function breakLines(words: readonly string[], width: number, first = '', others = first): string[] {
  const lines: string[] = [];
  let start = first;
  let line: string | undefined;
  for (const word of words) {
    if (line !== undefined && line.length + 1 + word.length > width) {
      lines.push(line);
      start = others;
      line = undefined;
    }
    line = line === undefined ? start + word : `${line} ${word}`;
  }
  return [...lines, line ?? first];
}

/** A text after a label, in lines of at most `columns`, and `after` it, on a line of its own if that doesn't fit. */
export function labelledText(label: string, text: string, after: string, columns = Infinity): string {
  const indent = ' '.repeat(label.length);
  const lines = breakLines(onOneLine(text).split(' '), columns, label, indent);
  const isLong = (lines.at(-1) ?? '').length + 2 + after.length > columns;
  return [lines.join('\n'), after].filter(Boolean).join(isLong ? `\n${indent}` : '  ');
}

/** What a command to copy begins with. */
const COMMAND =
  '(?:botcli|npx|npm|pnpm|yarn|bunx?|uvx?|cd|cp|copy|docker|corepack|ollama|curl|brew|winget|pipx?|git|export|\\$env:\\S+) ';
/** A line that is a command, perhaps in color, or that has columns. */
const NOT_PROSE = new RegExp(`^[\\ufdd0-\\ufddd]?\\s*${COMMAND}|\\S {2,}\\S`);
const BEFORE_COMMAND = new RegExp(`^(.*?:) (${COMMAND}.*)$`);

/**
 * Wraps lines that are wider than a terminal at words, each with its indentation; without `columns`, none. A command at
 * the end of a sentence gets a line of its own, and isn't broken: people copy it.
 */
export function wrapProse(text: string, columns: number | undefined): string {
  if (columns === undefined) return text;
  return text
    .split('\n')
    .flatMap(line => {
      if (line.length <= columns || NOT_PROSE.test(line)) return line;
      const indent = /^\s*/.exec(line)?.[0] ?? '';
      const [, prose = line, command] = BEFORE_COMMAND.exec(line) ?? [];
      const lines = breakLines(prose.trim().split(' '), columns, indent);
      return command === undefined ? lines : [...lines, `${indent}  ${command}`];
    })
    .join('\n');
}

/** The files right in the directory, then each folder with the number of its files, or its files if it has `most`. */
export function foldFolders(paths: readonly string[], most = 1): string[] {
  const folders = new Map<string, string[]>();
  for (const path of paths.filter(one => one.includes('/'))) {
    const folder = path.slice(0, path.indexOf('/') + 1);
    folders.set(folder, [...(folders.get(folder) ?? []), path]);
  }
  const folded = [...folders].flatMap(([folder, files]) =>
    files.length <= most ? files : [`${folder} (${files.length} files)`],
  );
  return [...paths.filter(path => !path.includes('/')), ...folded];
}

/** Renders a table: aligned columns with titles in a terminal, otherwise tab-separated values without titles. */
export function renderTable(
  titles: readonly string[],
  rows: readonly (readonly string[])[],
  { columns, style }: { columns?: number; style: { bold(text: string): string } },
): string {
  if (columns === undefined) return rows.map(row => row.join('\t')).join('\n');
  // Spreading the rows into `Math.max` would overflow the stack for a long table.
  const widths = titles.map((title, at) =>
    rows.reduce((longest, row) => Math.max(longest, row[at]?.length ?? 0), title.length),
  );
  const line = (row: readonly string[]) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd();
  return [style.bold(line(titles)), ...rows.map(line)].join('\n');
}

/** Nobody means one of more names, and each comparison takes time. Longer words aren't typos, either. */
const MOST_CANDIDATES = 1000;
const LONGEST = 200;

/**
 * The candidate that a mistyped word most likely means, ignoring case: the shortest one that starts with the word, else
 * the closest one within `limit` edits: two by default, or a third of the word's length. Undefined if none is close.
 */
export function nearest(
  word: string,
  candidates: readonly string[],
  limit = Math.max(2, Math.floor(word.length / 3)),
): string | undefined {
  const typed = word.toLowerCase();
  if (typed === '' || typed.length > LONGEST || candidates.length > MOST_CANDIDATES) return undefined;
  let best: { candidate: string; cost: number } | undefined;
  for (const candidate of candidates) {
    if (candidate.length > LONGEST) continue;
    const meant = candidate.toLowerCase();
    // Hardly anybody mistypes the first letter.
    const edits = editsBetween(typed, meant) + (typed[0] === meant[0] ? 0 : 1);
    // A prefix costs less than one edit. The shorter the rest, the lower the cost.
    const cost = meant.startsWith(typed) ? 1 - 1 / (edits + 1) : edits;
    // As many edits as letters means that the two words have nothing in common.
    if (cost > limit || cost >= Math.max(typed.length, meant.length)) continue;
    if (best === undefined || cost < best.cost) best = { candidate, cost };
  }
  return best?.candidate;
}

/** How many edits lead from a word to another. Two swapped letters, where they first differ, count as one. */
function editsBetween(typed: string, meant: string): number {
  let at = 0;
  while (at < typed.length && typed[at] === meant[at]) at += 1;
  const isSwapped = at + 1 < typed.length && typed[at] === meant[at + 1] && typed[at + 1] === meant[at];
  const edits = distance(typed, meant);
  return isSwapped ? Math.min(edits, 1 + distance(typed.slice(at + 2), meant.slice(at + 2))) : edits;
}

/** Asks "Did you mean …?" with the closest name; undefined if none is close. `show` formats the name. */
export function didYouMean(
  word: string,
  names: readonly string[],
  show = (name: string): string => name,
): string | undefined {
  const meant = nearest(word, names);
  return meant === undefined ? undefined : `Did you mean ${show(meant)}?`;
}

export const capitalize = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** Whether a text is a UUID, as builds, deployments and sessions have one. */
export const isUuid = (text: string): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text);

/** The shortest run of letters and digits that is a key rather than a name, and how much it changes between them. */
const SHORTEST_RANDOM = 16;
const LEAST_CHANGES = 5;
const LEAST_CHANGES_PER_CHARACTER = 0.25;

/** Whether letters and digits change more than in names: with digits in several places, and capitals. */
export function isRandom(run: string): boolean {
  if (run.length < SHORTEST_RANDOM || !/\d.*[A-Za-z].*\d/.test(run)) return false;
  const changes = run.match(/[A-Za-z](?=\d)|\d(?=[A-Za-z])|[a-z](?=[A-Z])/g)?.length ?? 0;
  return changes >= LEAST_CHANGES && changes >= LEAST_CHANGES_PER_CHARACTER * run.length;
}
