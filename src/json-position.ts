/** Where a text stops being JSON: a line and a column, from 1; `end` where it would go on. */
export type JsonFault = { line: number; column: number } | 'end';

/**
 * Finds where a text that isn't JSON stops being JSON. Not all of Node's messages name the position, and they quote the
 * text. So this searches for the last character of the shortest beginning that no JSON text has.
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

/** Why a text can't be read as JSON, without a word of it. */
export function explainJsonFault(text: string): string {
  const fault = findJsonFault(text);
  return fault === 'end'
    ? 'it is not JSON: it ends too soon'
    : `it is not JSON from line ${fault.line}, column ${fault.column} on`;
}

/** Whether a text is JSON, or would be with more after it. */
function couldBeJson(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return true;
  } catch (error) {
    const { message } = error as SyntaxError;
    const [, position] = /^(?!Unexpected token).* in JSON at position (\d+)/.exec(message) ?? [];
    return /^(?:Unexpected end|Unterminated string)/.test(message) || Number(position) >= beginning.length;
  }
}
