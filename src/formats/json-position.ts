/** Where a text stops being valid JSON: a line and column, counted from 1, or `end` if the text is cut off. */
type JsonFault = { line: number; column: number } | 'end';

/**
 * Finds where a text stops being valid JSON. Node's messages don't always name the position, and they quote the text. So
 * this searches for the shortest prefix that can't begin valid JSON; its last character is the fault.
 */
export function findJsonFault(text: string): JsonFault {
  let right = 0;
  let wrong = text.length + 1;
  while (wrong - right > 1) {
    const middle = Math.floor((right + wrong) / 2);
    if (couldBeJson(text.slice(0, middle))) right = middle;
    else wrong = middle;
  }
  if (wrong > text.length) return 'end';
  const before = text.slice(0, wrong - 1).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/** Explains why a text isn't valid JSON, without quoting the text. */
export function explainJsonFault(text: string): string {
  const fault = findJsonFault(text);
  return fault === 'end'
    ? "it isn't valid JSON: it ends too soon"
    : `it isn't valid JSON at line ${fault.line}, column ${fault.column}`;
}

/** Whether a text is valid JSON, or could become valid with more text. */
function couldBeJson(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return true;
  } catch (error) {
    const { message } = error as SyntaxError;
    const [, position] = / in JSON at position (\d+)/.exec(message) ?? [];
    return /^(?:Unexpected end|Unterminated string)/.test(message) || Number(position) >= beginning.length;
  }
}
