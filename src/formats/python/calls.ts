/** The same as `line-length` in the project's pyproject.toml. */
export const MOST_COLUMNS = 100;

/**
 * A Python call as formatted by ruff: on one line if that fits, otherwise one argument per line.
 *
 * @param args Keyword arguments; one that is itself a call has its lines indented already.
 * @param indent The column at which the statement begins.
 * @param width The columns of its first line that are taken before and after the call.
 */
export function renderCall(callee: string, args: readonly string[], indent: number, width = 0): string {
  const line = `${callee}(${args.join(', ')})`;
  if (!line.includes('\n') && indent + width + line.length <= MOST_COLUMNS) return line;
  const space = ' '.repeat(indent);
  return `${callee}(\n${args.map(arg => `${space}    ${arg},\n`).join('')}${space})`;
}

/** A Python dictionary of lists assigned at the top of a module, formatted like a call. */
export function renderTable(
  variable: string,
  rows: readonly (readonly [key: string, items: readonly string[]])[],
): string {
  const head = `${variable}: dict[str, list[str]] = {`;
  const entries = rows.map(([key, items]) => `${key}: [${items.join(', ')}]`);
  const line = `${head}${entries.join(', ')}}`;
  return line.length <= MOST_COLUMNS ? line : `${head}\n${entries.map(entry => `    ${entry},\n`).join('')}}`;
}

/** A Python list assigned at the top of a module, formatted like a call. */
export function renderList(variable: string, items: readonly string[]): string {
  const line = `${variable} = [${items.join(', ')}]`;
  return line.length <= MOST_COLUMNS ? line : `${variable} = [\n${items.map(item => `    ${item},\n`).join('')}]`;
}
