import type { PythonImport } from '../../catalog/index.ts';
import { MOST_COLUMNS } from './calls.ts';

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
