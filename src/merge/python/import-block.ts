import { type ImportedName, importsOf, isImport } from '../../formats/python/imports.ts';
import type { Lines } from '../lines.ts';
import { type Statement, wordOf } from './draft.ts';
import { readLines } from './read.ts';

/** An import statement. */
export interface ImportStatement {
  /** Its lines, with the comments right above it. */
  lines: Lines;
  names: ImportedName[];
  hasComment?: boolean;
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

/**
 * Finds the imports at the top of a module, with what is between them, such as `try: import`; nothing if there are none,
 * or if they aren't one to a line.
 */
export function findImports(lines: Lines): ImportBlock | undefined {
  const all = readLines(lines).statements;
  const statements = joinBlocks(all);
  const first = statements.findIndex(({ tokens }) => isImport(tokens));
  const start = statements[first]?.start;
  if (start === undefined) return undefined;
  const rest = statements.slice(first);
  const count = rest.findIndex(one => DEFINITIONS.includes(wordOf(one)));
  const block = rest.slice(
    0,
    rest.slice(0, count === -1 ? undefined : count).findLastIndex(({ tokens }) => isImport(tokens)) + 1,
  );
  // Other statements may share a line with an import.
  const isAround = (at: number) => at >= first && at <= first + block.length;
  if (statements.some((one, at) => isAround(at) && one.start < (statements[at - 1]?.end ?? 0))) return undefined;
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
    sections.at(-1)?.push({
      lines: own,
      names: importsOf(statement.tokens),
      hasComment: statement.hasComment || !isImport(statement.tokens),
    });
    at = statement.end;
  }
  const inBlock = all.filter(one => one.depth > 0 && one.start >= start && one.start < at);
  const namesIn = (some: readonly Statement[]) => some.flatMap(({ tokens }) => importsOf(tokens));
  const others = namesIn([...inBlock, ...rest.slice(block.length)]);
  return { start, end: at, sections, names: namesIn(block), others };
}

const DEFINITIONS = ['def', 'class'];

/** The statements at the top of a module, each with the block that it begins. */
function joinBlocks(all: readonly Statement[]): Statement[] {
  const joined: Statement[] = [];
  for (const one of all) {
    const last = joined.at(-1);
    if (last && one.depth > 0) last.end = one.end;
    else joined.push({ ...one });
  }
  return joined;
}

/** What makes an import another one. */
export const keyOf = ({ module, name = '', alias = '' }: ImportedName): string => `${module} ${name} ${alias}`;
