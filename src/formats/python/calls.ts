/** The same as `line-length` in the project's pyproject.toml. */
export const MOST_COLUMNS = 100;

/**
 * Items in brackets as formatted by ruff: on one line if that fits, otherwise one item per line.
 *
 * @param items Keyword arguments, for example; one that is itself in brackets has its lines indented already.
 * @param indent The column at which the statement begins.
 * @param width The columns of its first line that are taken before and after.
 */
function renderItems(open: string, items: readonly string[], close: string, indent = 0, width = 0): string {
  const line = `${open}${items.join(', ')}${close}`;
  if (!line.includes('\n') && indent + width + line.length <= MOST_COLUMNS) return line;
  const space = ' '.repeat(indent);
  return `${open}\n${items.map(item => `${space}    ${item},\n`).join('')}${space}${close}`;
}

export const renderCall = (callee: string, args: readonly string[], indent: number, width = 0): string =>
  renderItems(`${callee}(`, args, ')', indent, width);

/** A Python list assigned at the top of a module. */
export const renderList = (variable: string, items: readonly string[]): string =>
  renderItems(`${variable} = [`, items, ']');

/** A Python dictionary of lists assigned at the top of a module. */
export const renderTable = (
  variable: string,
  rows: readonly (readonly [key: string, items: readonly string[]])[],
): string => {
  const entries = rows.map(([key, items]) => `${key}: [${items.join(', ')}]`);
  return renderItems(`${variable}: dict[str, list[str]] = {`, entries, '}');
};
