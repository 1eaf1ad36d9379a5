import { isName } from '../../formats/python/expressions.ts';
import type { Token } from '../../formats/python/tokens.ts';
import { pairLines } from '../hunks.ts';
import type { Lines, Versions } from '../lines.ts';
import { withoutComment } from './comments.ts';
import type { Statement } from './draft.ts';
import { readLines } from './read.ts';

/**
 * Writes the statements of the base and of botcli's version as the user's formatter has written them, so that those that
 * differ only in line breaks, quotes and trailing commas aren't changed.
 */
export function followForm({ user, base, botcli }: Versions<Lines>): Versions<Lines> {
  const parts = { user: findParts(user), base: findParts(base), botcli: findParts(botcli) };
  return {
    user,
    base: formLike(base, parts.base, parts.user),
    botcli: withoutComments(formLike(botcli, parts.botcli, parts.user), bareHeads(parts.base, parts.user)),
  };
}

/** Pairs statements that say the same; those of the user may have lost their comments, but for those around long texts. */
function pairParts(own: readonly Part[], model: readonly Part[]): (readonly [Part, Part])[] {
  const keys = [own, model].map(parts => parts.map(({ code }) => code)) as [string[], string[]];
  return (pairLines(...keys) ?? []).flatMap(([at, to]) => {
    const [part, wanted] = [own[at], model[to]];
    const isSame = part && wanted && (wanted.comments === part.comments || (wanted.comments === '' && !wanted.isText));
    return isSame ? [[part, wanted] as const] : [];
  });
}

function formLike(lines: Lines, own: readonly Part[], model: readonly Part[]): Lines {
  const result = [...lines];
  for (const [part, wanted] of pairParts(own, model).reverse()) {
    if (part.indent !== wanted.indent && wanted.isText) continue;
    const shift = (row: string) =>
      row.startsWith(wanted.indent) ? part.indent + row.slice(wanted.indent.length) : row;
    result.splice(part.start, part.rows.length, ...wanted.rows.map(shift));
  }
  return result;
}

/** The first lines of statements from which the user has only removed the comments, if no other one begins like them. */
function bareHeads(own: readonly Part[], model: readonly Part[]): Set<string> {
  const bare = pairParts(own, model).flatMap(([part, wanted]) => (part.comments === wanted.comments ? [] : part.head));
  const isOnce = (head: string) => own.filter(part => part.head === head).length === 1;
  return new Set(bare.filter(isOnce));
}

/** Lines without the comments in statements that begin with one of these lines. */
function withoutComments(lines: Lines, heads: ReadonlySet<string>): Lines {
  if (heads.size === 0) return lines;
  const result = [...lines];
  for (const { start, rows, head, isText } of findParts(lines).reverse()) {
    if (isText || !heads.has(head)) continue;
    const bare = rows.filter(row => !row.trim().startsWith('#')).map(withoutComment);
    result.splice(start, rows.length, ...bare);
  }
  return result;
}

/** A statement that shares its lines with no other one. */
interface Part {
  /** What it says, and its comments. */
  code: string;
  comments: string;
  start: number;
  rows: Lines;
  /** The first of them. */
  head: string;
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
    const [head = ''] = rows;
    const isText = tokens.some(({ kind, code }) => kind === 'text' && code.includes('\n'));
    return [
      {
        code: codeOf(statement, lines),
        comments: commentsOf(statement, lines),
        start,
        rows,
        head,
        indent: head.slice(0, column),
        isText,
      },
    ];
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
