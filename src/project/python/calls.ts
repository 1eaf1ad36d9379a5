/** As `line-length` in the project's pyproject.toml says. */
export const MOST_COLUMNS = 100;

/**
 * A Python call as ruff's formatter leaves it: on one line where that fits, else an argument a line.
 *
 * @param args Keyword arguments; one that is a call of its own holds its lines with the indent they have there.
 * @param indent The columns that the statement begins at.
 * @param width The columns of its first line that are taken before and behind the call.
 */
export function renderCall(callee: string, args: readonly string[], indent: number, width = 0): string {
  const line = `${callee}(${args.join(', ')})`;
  if (!line.includes('\n') && indent + width + line.length <= MOST_COLUMNS) return line;
  const space = ' '.repeat(indent);
  return `${callee}(\n${args.map(arg => `${space}    ${arg},\n`).join('')}${space})`;
}

/** A Python list that is assigned at the top of a module, formatted like a call. */
export function renderList(variable: string, items: readonly string[]): string {
  const line = `${variable} = [${items.join(', ')}]`;
  return line.length <= MOST_COLUMNS ? line : `${variable} = [\n${items.map(item => `    ${item},\n`).join('')}]`;
}
