/** The text without control characters and invisible direction marks, safe to show on a terminal. Line breaks stay. */
export function printable(text: string): string {
  return text.toWellFormed().replace(/[\p{Cc}\p{Bidi_Control}]/gu, character => (character === '\n' ? '\n' : '\uFFFD'));
}
