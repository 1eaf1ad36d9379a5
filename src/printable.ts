/**
 * Replaces control characters and bidirectional marks, so that the text is safe to show in a terminal. Keeps line
 * breaks.
 */
export function printable(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\p{Bidi_Control}]/gu, character => (character === '\n' ? '\n' : '\uFFFD'));
}

/** A name from elsewhere in a message: as `printable`, and on one line whatever it contains. */
export const onOneLine = (text: string): string => printable(text).replace(/[\n\p{Zl}\p{Zp}]/gu, '\uFFFD');

/** A value as JSON in which no character does anything to a terminal. */
export const printableJson = (value: unknown): string =>
  JSON.stringify(value, null, 2).replace(
    /[^\P{Cc}\n]|\p{Bidi_Control}/gu,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

const MOST_CHARACTERS = 100;

/** The start of a text of any length, short enough for a message, and on one line. */
export function excerpt(text: string): string {
  const beginning = Array.from(text.slice(0, 2 * MOST_CHARACTERS + 1))
    .slice(0, MOST_CHARACTERS)
    .join('');
  return onOneLine(beginning.length < text.length ? `${beginning}…` : text);
}
