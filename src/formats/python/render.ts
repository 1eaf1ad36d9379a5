import type { PythonImport } from '../../catalog/index.ts';

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

/**
 * Python import statements, merged, sorted and wrapped as ruff's formatter and isort rules require: `import` before
 * `from`, modules in order, and within a module constants, classes, the rest.
 */
export function renderImports(imports: readonly PythonImport[]): string {
  const plain = imports.filter(one => !one.names).map(one => one.module);
  const from = new Map<string, Set<string>>();
  for (const { module, names } of imports) {
    if (!names) continue;
    const known = from.get(module) ?? new Set();
    from.set(module, new Set([...known, ...names]));
  }
  const lines = [...new Set(plain)].sort(compare).map(module => `import ${module}`);
  for (const module of [...from.keys()].sort(compare)) {
    lines.push(renderFrom(module, [...(from.get(module) ?? [])].sort(compareNames)));
  }
  return lines.join('\n');
}

function renderFrom(module: string, names: readonly string[]): string {
  const line = `from ${module} import ${names.join(', ')}`;
  if (line.length <= MOST_COLUMNS) return line;
  return `from ${module} import (\n${names.map(name => `    ${name},\n`).join('')})`;
}

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

/** 0 constant, 1 class, 2 the rest. */
const rank = (name: string) => (/^[A-Z0-9_]+$/.test(name) ? 0 : /^[A-Z]/.test(name) ? 1 : 2);

const compareNames = (a: string, b: string) => rank(a) - rank(b) || compare(a, b);
