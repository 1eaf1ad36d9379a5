import { isName } from '../../formats/python/expressions.ts';
import type { Token } from '../../formats/python/tokens.ts';
import { type Chunk, followLook, type Lines, pairLines, type Versions } from '../lines.ts';
import { readLines, type Statement, wordOf } from './draft.ts';

/** Writes base and botcli's version as the user has: formatted, without idle lines, and with other comments. */
export function followLooks(versions: Versions<Lines>): Versions<Lines> {
  const isCommented = (line: string) => withoutComment(line) !== line;
  return followLook(followOmissions(followForm(versions)), line => withoutComment(line) || line, isCommented);
}

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

/** A line without the comment after its code. Where that is part of a text instead, the user's line counts as well. */
function withoutComment(line: string): string {
  const code = /^(?:[^"'#]|(["'])(?:(?!\1)[^\\]|\\.)*\1)*(?=#)/.exec(line)?.[0];
  return code === undefined || !/\s$/.test(code) ? line : code.trimEnd();
}

/** Leaves out comments and blank lines of the base that the user has removed: so they are no change of what is around them. */
function followOmissions({ user, base, botcli }: Versions<Lines>): Versions<Lines> {
  const code = new Set(readLines(base).statements.flatMap(linesOf));
  const pairs = pairLines(base, user) ?? [];
  const still = new Set(pairs.map(([at]) => at));
  const isGone = base.map((_, at) => pairs.length > 0 && !code.has(at) && !still.has(at));
  if (!isGone.includes(true)) return { user, base, botcli };
  // At whatever depth.
  const trimmed = (lines: Lines) => lines.map(line => line.trim());
  const places = new Map(pairLines(trimmed(base), trimmed(botcli))?.map(([at, to]) => [to, at]));
  return {
    user,
    base: base.filter((_, at) => !isGone[at]),
    botcli: botcli.filter((_, to) => !isGone[places.get(to) ?? -1]),
  };
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
    if (chunk.source !== 'conflict') return chunk;
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
