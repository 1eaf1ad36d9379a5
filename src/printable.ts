/** The text without control characters and invisible direction marks, safe to show on a terminal. Line breaks stay. */
export function printable(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\p{Bidi_Control}]/gu, character => (character === '\n' ? '\n' : '\uFFFD'));
}

const MOST_CHARACTERS = 100;

/** The beginning of a text that may be of any length, for a message. */
export function excerpt(text: string): string {
  const beginning = Array.from(text.slice(0, 2 * MOST_CHARACTERS + 1))
    .slice(0, MOST_CHARACTERS)
    .join('');
  return beginning.length < text.length ? `${beginning}…` : text;
}
