/**
 * Replaces control characters and bidirectional marks, so that the text is safe to show in a terminal. Keeps line
 * breaks.
 */
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
