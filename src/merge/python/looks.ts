import { isName } from '../../formats/python/module.ts';
import type { Token } from '../../formats/python/tokens.ts';
import { type Chunk, findHunks, type Lines, type Pair, pairLines, SAME_LINES, type Versions } from '../lines.ts';
import { readLines, type Statement, wordOf } from './draft.ts';

/**
 * Writes the statements of the base and of botcli's version as the user's formatter has written them, so that those that
 * differ only in line breaks, quotes and trailing commas aren't changed.
 */
export function followForm({ user, base, botcli }: Versions<Lines>): Versions<Lines> {
  const model = findParts(user);
  return { user, base: formLike(base, model), botcli: formLike(botcli, model) };
}

function formLike(lines: Lines, model: readonly Part[]): Lines {
  const own = findParts(lines);
  const codes = [own, model].map(parts => parts.map(({ code }) => code)) as [string[], string[]];
  const result = [...lines];
  for (const [at, to] of pairLines(...codes)?.reverse() ?? []) {
    const [part, wanted] = [own[at], model[to]] as [Part, Part];
    if (part.indent !== wanted.indent && wanted.isText) continue;
    const shift = (row: string) =>
      row.startsWith(wanted.indent) ? part.indent + row.slice(wanted.indent.length) : row;
    result.splice(part.start, part.rows.length, ...wanted.rows.map(shift));
  }
  return result;
}

/** A statement that shares its lines with no other one. */
interface Part {
  /** What it says, with its comments. */
  code: string;
  start: number;
  rows: Lines;
  indent: string;
  /** Whether a text in it goes over several lines, which can't be indented. */
  isText: boolean;
}

function findParts(lines: Lines): Part[] {
  const { statements } = readLines(lines);
  return statements.flatMap((statement, at) => {
    const [before, after] = [statements[at - 1], statements[at + 1]];
    const { start, end, column, tokens } = statement;
    if ((before && before.end > start) || (after && after.start < end)) return [];
    const rows = lines.slice(start, end);
    const isText = tokens.some(({ kind, code }) => kind === 'text' && code.includes('\n'));
    const code = `${codeOf(statement, lines)}\0${commentsOf(statement, lines)}`;
    return [{ code, start, rows, indent: rows[0]?.slice(0, column) ?? '', isText }];
  });
}

/** The tokens of a statement, texts with their prefixes, without commas before closing brackets. */
const codeOf = ({ tokens }: Statement, lines: Lines): string =>
  tokens
    .flatMap(({ kind, code, line, column }, at) => {
      if (kind === 'sign' && code === ',' && isNeedless(tokens, at)) return [];
      return [`${kind}${lettersAt(lines[line] ?? '', column)} ${code}`];
    })
    .join('\0');

/** The letters from a place of a line on. */
function lettersAt(line: string, column: number): string | undefined {
  const letters = /[a-zA-Z]*/y;
  letters.lastIndex = column;
  return letters.exec(line)?.[0];
}

const commentsOf = ({ hasComment, start, end }: Statement, lines: Lines): string =>
  hasComment
    ? lines
        .slice(start, end)
        .flatMap(line => /#.*$/.exec(line)?.[0] ?? [])
        .join('\0')
    : '';

/** Whether a comma right before a closing bracket means nothing. In `(1,)` and `x[1,]`, it makes a tuple. */
function isNeedless(tokens: readonly Token[], comma: number): boolean {
  const closing = tokens[comma + 1];
  if (closing?.kind !== 'sign' || !')]}'.includes(closing.code)) return false;
  const open = tokens.findLastIndex(({ kind, depth }, at) => at < comma && kind === 'sign' && depth === closing.depth);
  const before = tokens[open - 1];
  const isCall = ['import', ')', ']'].some(code => code === before?.code) || isName(before);
  return isCall === (closing.code === ')');
}

/** Nobody has to fight over the words of docstrings, or over blank lines. */
export function keepDocstrings(chunks: readonly Chunk[], { user, botcli }: Versions<Lines>): readonly Chunk[] {
  if (chunks.every(({ source }) => source !== 'conflict')) return chunks;
  const isText = { user: docstringLines(user), botcli: docstringLines(botcli) };
  const at = { user: 0, botcli: 0 };
  const takes = (side: keyof typeof at, lines: Lines) => {
    const from = at[side];
    at[side] += lines.length;
    return lines.every((line, index) => line.trim() === '' || isText[side].has(from + index));
  };
  return chunks.map(chunk => {
    const areTexts = [takes('user', chunk.user), takes('botcli', chunk.botcli)].every(Boolean);
    if (chunk.reason !== SAME_LINES) return chunk;
    if (areTexts) return { ...chunk, source: 'user' };
    const textOf = (lines: Lines) => lines.filter(line => line.trim() !== '').join('\n');
    return textOf(chunk.user) === textOf(chunk.base) ? { ...chunk, source: 'botcli' } : chunk;
  });
}

/** The lines of the texts at the beginning of a module, a class or a function. */
const docstringLines = (lines: Lines): Set<number> => new Set(docstringsIn(lines).flatMap(linesOf));

/** The texts at the beginning of a module, a class or a function. */
function docstringsIn(lines: Lines): Statement[] {
  const { statements } = readLines(lines);
  return statements.filter(({ tokens: [first, ...more], header }, at) => {
    const isFirst =
      at === 0 || (statements[at - 1] === header && ['def', 'class'].includes(wordOf(header as Statement)));
    return isFirst && first?.kind === 'text' && more.length === 0;
  });
}

const linesOf = ({ start, end }: Statement): number[] => Array.from({ length: end - start }, (_, at) => start + at);

/**
 * Writes the base and botcli's version as the user has indented them: in a block of their own, or with tabs. So lines that
 * the user only moved to another depth aren't changed, and botcli's new lines are as deep as those around them.
 */
export function followIndents({ user, base, botcli }: Versions<Lines>): Versions<Lines> {
  const moved = indentsOf(base, user);
  const isMoved = moved.some((indent, at) => indent !== undefined && indent !== indentOf(base[at]));
  if (!isMoved) return { user, base, botcli };
  const unit = unitOf(user);
  // The lines that botcli keeps, at whatever depth.
  const kept = pairLines(trimmed(base), trimmed(botcli)) ?? [];
  const indented = indentLike(base, moved, unit);
  const common = new Map(pairLines(base, botcli)?.map(([one, other]) => [other, indentOf(indented[one])]));
  const shifted = shiftedIndents({ user: indented, base, botcli }, kept, unit);
  const replaced = replacedIndents({ user: indented, base, botcli });
  const model = botcli.map((_, at) => common.get(at) ?? shifted.get(at) ?? replaced.get(at));
  return { user, base: indented, botcli: indentLike(botcli, model, unit) };
}

/** The indentation of lines that botcli only moved, as it does with a new block around them: that far from the user's. */
function shiftedIndents(
  { user: indented, base, botcli }: Versions<Lines>,
  kept: readonly Pair[],
  unit: string,
): Map<number, string> {
  return new Map(
    kept.flatMap(([one, other]) => {
      const shift = (indentOf(botcli[other]).length - indentOf(base[one]).length) / UNIT.length;
      const own = indentOf(indented[one]);
      const indent = shift < 0 ? own.slice(0, shift * unit.length) : own + unit.repeat(shift);
      return /\w/.test(base[one] ?? '') && Number.isInteger(shift) ? [[other, indent] as const] : [];
    }),
  );
}

const trimmed = (lines: Lines): string[] => lines.map(line => line.trim());

/** The indentation of lines of botcli's that replace others which were as deep: if the user has all of those at one depth. */
function replacedIndents({ user: indented, base, botcli }: Versions<Lines>): Map<number, string> {
  const found = new Map<number, string>();
  let shift = 0;
  for (const hunk of findHunks(base, botcli, 'botcli') ?? []) {
    const { start, end, lines } = hunk;
    for (const [index, line] of lines.entries()) {
      const [indent, ...more] = new Set(replacedBy(line, hunk, base).map(at => indentOf(indented[at])));
      if (indent !== undefined && more.length === 0) found.set(start + shift + index, indent);
    }
    shift += lines.length - (end - start);
  }
  return found;
}

/** The lines of the base that a line of a change may replace: those that are as deep. */
function replacedBy(line: string, { start, end }: { start: number; end: number }, base: Lines): number[] {
  const isAsDeep = (other: string) => other.trim() !== '' && indentOf(other) === indentOf(line);
  return base.slice(start, end).flatMap((other, at) => (isAsDeep(other) ? [start + at] : []));
}

const UNIT = '    ';

/** What a file indents by. */
export const unitOf = (lines: Lines): string => (lines.some(line => line.startsWith('\t')) ? '\t' : UNIT);

const indentOf = (line = ''): string => line.slice(0, line.search(/[^ \t]|$/));

type Indents = readonly (string | undefined)[];

/** How the user indented each line of the base, if it's still there. */
function indentsOf(base: Lines, user: Lines): Indents {
  const known: (string | undefined)[] = base.map(() => undefined);
  for (const [at, to] of pairLines(trimmed(base), trimmed(user)) ?? []) {
    const [line = '', indent] = [base[at], indentOf(user[to])];
    // A bracket alone may be any other one.
    const isSure = indentOf(line) === indent || /\w/.test(line) || known[at - 1] !== undefined;
    if (isSure && line.trim() !== '') known[at] = indent;
  }
  return known;
}

/** Indents each line as is known, and the others like the lines next to them in the same block. */
function indentLike(lines: Lines, known: Indents, unit: string): string[] {
  const indents = [...known];
  return lines.map((line, at) => {
    if (line.trim() === '') return line;
    indents[at] ??= findIndent(lines, at, indents, unit);
    return indents[at] + line.slice(indentOf(line).length);
  });
}

function findIndent(lines: Lines, at: number, indents: Indents, unit: string): string {
  const own = indentOf(lines[at]);
  const [before, after] = [findSibling(lines, at, -1, indents), findSibling(lines, at, 1, indents)];
  const [one, other] = [before.indent, after.indent];
  // Where a block of the user's begins or ends, a line is outside of it.
  if (one !== undefined) return other !== undefined && other.length < one.length ? other : one;
  if (other !== undefined) return other;
  const { header } = before;
  if (header === undefined) return own;
  const depth = own.length - indentOf(lines[header]).length;
  return indents[header] + unit.repeat(depth / UNIT.length) + ' '.repeat(depth % UNIT.length);
}

/** How the next line of the same block is indented, if that is known of one; if not, the line that ends the search. */
function findSibling(lines: Lines, at: number, step: 1 | -1, indents: Indents): { indent?: string; header?: number } {
  const width = indentOf(lines[at]).length;
  for (let next = at + step; ; next += step) {
    const [line, indent] = [lines[next], indents[next]];
    if (line === undefined) return {};
    if (line.trim() === '') continue;
    if (indentOf(line).length < width) return { header: next };
    if (indentOf(line).length === width && indent !== undefined) return { indent };
  }
}
