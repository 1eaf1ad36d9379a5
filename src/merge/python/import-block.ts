import { readStatements, type Statement } from '../../formats/python/tokens.ts';
import type { Lines } from '../lines.ts';
import { isImport } from './bindings.ts';

/** A name that is imported: `from module import name as alias`, or without a name, `import module as alias`. */
export interface ImportedName {
  module: string;
  name?: string;
  alias?: string;
}

/** An import statement. */
export interface ImportStatement {
  /** Its lines, with the comments right above it. */
  lines: Lines;
  names: ImportedName[];
  hasComment: boolean;
}

/** The imports at the top of a module: sections, which blank lines separate. */
export interface ImportBlock {
  /** The lines of the block, `[start, end)`. */
  start: number;
  end: number;
  sections: ImportStatement[][];
  /** What they import. */
  names: ImportedName[];
  /** What the module imports further down, outside of functions. */
  others: ImportedName[];
}

/** Finds the imports at the top of a module; nothing if there are none, or if they aren't one to a line. */
export function findImports(lines: Lines): ImportBlock | undefined {
  const { statements } = readStatements(lines);
  const first = statements.findIndex(isImport);
  if (first === -1) return undefined;
  const rest = statements.slice(first);
  const count = rest.findIndex(statement => !isImport(statement) || statement.indent > 0);
  const block = rest.slice(0, count === -1 ? rest.length : count);
  const [start, end] = [block[0]?.start ?? 0, block.at(-1)?.end ?? 0];
  const read = block.map(readImport);
  if (read.some(names => names === undefined)) return undefined;
  const sections: ImportStatement[][] = [[]];
  let at = start;
  for (const [index, statement] of block.entries()) {
    const above = lines.slice(at, statement.start);
    const blank = above.lastIndexOf('');
    if (above.some(line => line !== '' && !line.startsWith('#'))) return undefined;
    // Comments that blank lines separate from all imports belong to none, so the block stays as it is.
    if (above.slice(0, Math.max(blank, 0)).some(line => line !== '')) return undefined;
    if (blank !== -1) sections.push([]);
    const own = [...above.slice(blank + 1), ...lines.slice(statement.start, statement.end)];
    sections.at(-1)?.push({ lines: own, names: read[index] ?? [], hasComment: statement.hasComment });
    at = statement.end;
  }
  const further = rest.slice(block.length).filter(one => isImport(one) && one.indent === 0);
  const others = further.flatMap(one => readImport(one) ?? []);
  return { start, end, sections, names: read.flatMap(names => names ?? []), others };
}

/** The names of a statement; nothing if other statements share its line. */
function readImport({ tokens }: Statement): ImportedName[] | undefined {
  const codes = tokens.map(({ code }) => code);
  if (codes.includes(';')) return undefined;
  const at = codes.indexOf('import');
  const module = codes[0] === 'from' ? codes.slice(1, at).join('') : undefined;
  const list = codes
    .slice(at + 1)
    .filter(code => !'()'.includes(code))
    .join(' ')
    .split(',');
  return list.flatMap(item => {
    const [name = '', alias] = item.split(' as ').map(part => part.replaceAll(' ', ''));
    const more = alias === undefined ? {} : { alias };
    if (name === '') return [];
    return [module === undefined ? { module: name, ...more } : { module, name, ...more }];
  });
}

/** The name under which a module knows what it imports. */
export const localName = ({ module, name, alias }: ImportedName): string =>
  alias ?? name ?? module.split('.')[0] ?? module;

export const keyOf = ({ module, name = '', alias = '' }: ImportedName): string => `${module} ${name} ${alias}`;
