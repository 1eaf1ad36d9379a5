import { type ImportedName, importsOf, isImport } from '../../formats/python/imports.ts';
import type { Lines } from '../lines.ts';
import { readLines } from './read.ts';

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
  const statements = readLines(lines).statements.filter(({ depth }) => depth === 0);
  const first = statements.findIndex(({ tokens }) => isImport(tokens));
  if (first === -1) return undefined;
  const rest = statements.slice(first);
  const count = rest.findIndex(({ tokens }) => !isImport(tokens));
  const block = rest.slice(0, count === -1 ? rest.length : count);
  const around = statements.slice(Math.max(first - 1, 0), first + block.length + 1);
  const [start, end] = [block[0]?.start ?? 0, block.at(-1)?.end ?? 0];
  // Other statements may share a line with an import.
  if (around.some((one, at) => one.start < (around[at - 1]?.end ?? 0))) return undefined;
  const sections: ImportStatement[][] = [[]];
  let at = start;
  for (const statement of block) {
    const above = lines.slice(at, statement.start);
    const blank = above.lastIndexOf('');
    if (above.some(line => line !== '' && !line.startsWith('#'))) return undefined;
    // Comments that blank lines separate from all imports belong to none, so the block stays as it is.
    if (above.slice(0, Math.max(blank, 0)).some(line => line !== '')) return undefined;
    if (blank !== -1) sections.push([]);
    const own = [...above.slice(blank + 1), ...lines.slice(statement.start, statement.end)];
    sections.at(-1)?.push({ lines: own, names: importsOf(statement.tokens), hasComment: statement.hasComment });
    at = statement.end;
  }
  const [names, others] = [block, rest.slice(block.length)].map(some => some.flatMap(one => importsOf(one.tokens)));
  return { start, end, sections, names: names ?? [], others: others ?? [] };
}

/** What makes an import another one. */
export const keyOf = ({ module, name = '', alias = '' }: ImportedName): string => `${module} ${name} ${alias}`;
