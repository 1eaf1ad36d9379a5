import { isName } from '../../formats/python/expressions.ts';
import type { Token } from '../../formats/python/tokens.ts';
import { pairLines } from '../hunks.ts';
import type { Lines, Versions } from '../lines.ts';
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

/** A line without the comment after its code. Where that is part of a text instead, the user's line counts as well. */
function withoutComment(line: string): string {
  const code = /^(?:[^"'#]|(["'])(?:(?!\1)[^\\]|\\.)*\1)*(?=#)/.exec(line)?.[0];
  return code === undefined || !/\s$/.test(code) ? line : code.trimEnd();
}

const hasComment = (line: string): boolean => withoutComment(line) !== line;

/** Whether a comment after a line would be one: no text is open, and nothing goes on below. */
const takesComment = (line: string): boolean => withoutComment(`${line}  #`) === line && !line.endsWith('\\');

/**
 * Writes lines of the base with the comments that the user has after them, or without. So a comment that the user has
 * changed or removed doesn't keep botcli from changing the lines around it. If botcli changes the line itself, a new
 * comment goes with it if the line still begins in the same way, such as `tts = `; otherwise, it's a conflict.
 */
export function followComments({ user, base, botcli }: Versions<Lines>): Versions<Lines> {
  const pairs = pairLines(base.map(withoutComment), user.map(withoutComment)) ?? [];
  const commented = new Map<number, string>();
  for (const [at, to] of pairs) {
    const line = user[to];
    if (line !== undefined && line !== base[at]) commented.set(at, line);
  }
  if (commented.size === 0) return { user, base, botcli };
  // Nobody has to fight over the words of a comment, either.
  const sayings = (lines: Lines) => lines.map(line => withoutComment(line) || line);
  const same = pairLines(sayings(base), sayings(botcli)) ?? [];
  const written = new Map(same.map(([at, to]) => [to, commented.get(at)]));
  const kept = new Set(same.map(([at]) => at));
  for (const [at, old] of base.entries()) {
    const line = commented.get(at);
    if (line === undefined || kept.has(at) || !hasComment(line)) continue;
    const successor = findSuccessor(base, botcli, at, startOf(old), same);
    const comment = line.slice(withoutComment(line).length);
    if (!successor || hasComment(old)) commented.delete(at);
    else written.set(successor[0], `${successor[1]}${comment}`);
  }
  return {
    user,
    base: base.map((line, at) => commented.get(at) ?? line),
    botcli: botcli.map((line, at) => written.get(at) ?? line),
  };
}

/** The line with which botcli replaces another one: it's between the same lines, and begins in the same way. */
function findSuccessor(
  base: Lines,
  botcli: Lines,
  line: number,
  start: string | undefined,
  same: readonly (readonly [number, number])[],
): [at: number, line: string] | undefined {
  if (start === undefined) return undefined;
  const before = same.findLast(([at]) => at < line) ?? [-1, -1];
  const after = same.find(([at]) => at > line) ?? [base.length, botcli.length];
  const findAlike = (lines: Lines, side: 0 | 1) =>
    [...lines.entries()].filter(([at, other]) => at > before[side] && at < after[side] && startOf(other) === start);
  const [old, now] = [findAlike(base, 0), findAlike(botcli, 1)];
  return old.length === 1 && now.length === 1 ? now.find(([, other]) => takesComment(other)) : undefined;
}

/** What a line gives a value, such as `    tts =`. */
const startOf = (line: string): string | undefined => /^\s*[\w.]+ ?=(?!=)/.exec(line)?.[0];
