import { isName } from '../../formats/python/expressions.ts';
import type { Token } from '../../formats/python/tokens.ts';
import { type Chunk, type Lines, pairLines, type Versions } from '../lines.ts';
import { readLines, type Statement, wordOf } from './draft.ts';

/** Writes base and botcli's version as the user has: without what does nothing, with other comments and with types. */
export function followLooks(versions: Versions<Lines>): Versions<Lines> {
  const formed = followForm(followBreaks(versions));
  return followAnnotations(followComments(followOmissions(formed, idleLines(formed.base))));
}

/**
 * Puts the arguments of a call in the base on lines of their own, if both sides have: then what each adds is a line that
 * the other hasn't changed.
 */
export function followBreaks({ user, base, botcli }: Versions<Lines>): Versions<Lines> {
  const isBroken = [user, botcli].map(countLines);
  const known = countLines(base);
  const broken = base.map(line => {
    const call = readCall(line);
    const isInBoth = call && isBroken.every(count => count.get(call.head) === 1 && !count.has(line));
    return isInBoth && known.get(line) === 1 && !known.has(call.head) ? writeCall(call) : [line];
  });
  return { user, base: broken.flat(), botcli };
}

function countLines(lines: Lines): Map<string, number> {
  const counts = new Map<string, number>();
  for (const line of lines) counts.set(line, (counts.get(line) ?? 0) + 1);
  return counts;
}

/** A call on one line. */
interface Call {
  /** Up to its first bracket. */
  head: string;
  items: string[];
  /** What follows its last bracket: a comma or nothing. */
  tail: string;
}

const CALL = /^([^"'#(]*(?:"[^"\\]*": [^"'#(]*)?\()(.*)\)(,?)$/;

function readCall(line: string): Call | undefined {
  const [, head, text = '', tail = ''] = CALL.exec(line) ?? [];
  const items = splitItems(text);
  return head !== undefined && items ? { head, items, tail } : undefined;
}

/** The arguments in a text; nothing if they aren't simple. */
function splitItems(text: string): string[] | undefined {
  const items = [''];
  let depth = 0;
  for (const [part] of text.matchAll(/"[^"\\]*"|, |[\s\S]/g)) {
    if ('([{'.includes(part)) depth += 1;
    if (')]}'.includes(part)) depth -= 1;
    if (depth < 0 || ['"', "'", '#'].includes(part)) return undefined;
    if (part === ', ' && depth === 0) items.push('');
    else items.push(`${items.pop()}${part}`);
  }
  return depth === 0 && items.every(item => item !== '') ? items : undefined;
}

function writeCall({ head, items, tail }: Call): string[] {
  const indent = head.slice(0, head.search(/\S/));
  return [head, ...items.map(item => `${indent}    ${item},`), `${indent})${tail}`];
}

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

const ANNOTATED = /^(\s*\w+): ([^=]+?) = (?!=)/;
const CREATED = /^(\s*\w+) = ([\w.]+)\(/;

/** A line without the type of the variable that it gives a value. */
const plain = (line: string): string => line.replace(ANNOTATED, '$1 = ');

/** The variable to which a line gives a value. */
const targetOf = (line: string): string | undefined => /^\s*(\w+) = /.exec(plain(line))?.[1];

/**
 * Writes lines of the base with the types that the user has given their variables. If botcli makes the variable an object
 * of another class, and the type was that of its class, so it is then. Any other new value may need another type.
 */
function followAnnotations({ user, base, botcli }: Versions<Lines>): Versions<Lines> {
  const pairs = new Map(pairLines(base.map(plain), user.map(plain)));
  const kept = new Map(pairLines(base, botcli));
  const old = new Set(kept.values());
  const typed = new Map<number, string>();
  const written = new Map<number, string>();
  for (const [at, own] of pairs) {
    const [before = '', line = ''] = [base[at], user[own]];
    if (line === before) continue;
    const now = kept.get(at);
    const isFor = (one: string) => targetOf(one) === targetOf(before);
    const [successor, ...more] = [...botcli.entries()].filter(([place, one]) => !old.has(place) && isFor(one));
    if (now !== undefined) written.set(now, line);
    else if (successor) {
      const [to, code] = successor;
      const type = ANNOTATED.exec(line)?.[2];
      const isClass = type !== undefined && type === CREATED.exec(before)?.[2] && CREATED.test(code);
      const isOne = more.length === 0 && base.filter(isFor).length === 1;
      if (!isClass || !isOne) continue;
      written.set(to, code.replace(CREATED, '$1: $2 = $2('));
    }
    typed.set(at, line);
  }
  return {
    user,
    base: base.map((line, at) => typed.get(at) ?? line),
    botcli: botcli.map((line, at) => written.get(at) ?? line),
  };
}

/**
 * Leaves out lines of the base that do nothing and that the user has removed, also in botcli's version; and adds the blank
 * lines that the user has added. So they are no change of what is around them.
 */
function followOmissions({ user, base, botcli }: Versions<Lines>, isIdle: (line: number) => boolean): Versions<Lines> {
  const pairs = pairLines(base, user) ?? [];
  const still = new Set(pairs.map(([at]) => at));
  const isGone = base.map((_, at) => pairs.length > 0 && isIdle(at) && !still.has(at));
  const blanks = pairs.flatMap(([at, to], index) => (isSpread(pairs[index + 1], at, to, user) ? at : []));
  if (!isGone.includes(true) && blanks.length === 0) return { user, base, botcli };
  // At whatever depth.
  const trimmed = (lines: Lines) => lines.map(line => line.trim());
  const places = new Map(pairLines(trimmed(base), trimmed(botcli))?.map(([at, to]) => [to, at]));
  // Next to a new line of botcli's, a blank line is an addition like any other.
  const touched = new Set(
    botcli.flatMap((_, to) => (places.has(to) ? [] : [places.get(to - 1), (places.get(to + 1) ?? 0) - 1])),
  );
  const spread = new Set(blanks.filter(at => !touched.has(at)));
  const follow = (lines: Lines, placeOf: (line: number) => number | undefined) =>
    lines.flatMap((line, at) => {
      const place = placeOf(at) ?? -1;
      const own = isGone[place] ? [] : [line];
      return spread.has(place) && placeOf(at + 1) === place + 1 ? [...own, ''] : own;
    });
  return { user, base: follow(base, at => at), botcli: follow(botcli, at => places.get(at)) };
}

/** Whether the user has put just a blank line between a line and the next one. */
const isSpread = (next: readonly [number, number] | undefined, at: number, to: number, user: Lines): boolean =>
  next?.[0] === at + 1 && next[1] === to + 2 && user[to + 1] === '';

/** Nobody has to fight over the words of docstrings. */
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
    return chunk.source === 'conflict' && areTexts ? { ...chunk, source: 'user' } : chunk;
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

/** Says which lines do nothing: blank ones, comments, and docstrings. One that is all that a function has is code. */
export function idleLines(lines: Lines): (line: number) => boolean {
  const { statements } = readLines(lines);
  const code = new Set(statements.flatMap(linesOf));
  const next = new Map(statements.map((one, at) => [one, statements[at + 1]]));
  const texts = docstringsIn(lines).filter(one => next.get(one)?.header === one.header);
  for (const line of texts.flatMap(linesOf)) code.delete(line);
  return line => !code.has(line);
}

const linesOf = ({ start, end }: Statement): number[] => Array.from({ length: end - start }, (_, at) => start + at);
