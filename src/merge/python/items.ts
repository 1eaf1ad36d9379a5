import type { Module } from '../../formats/python/module.ts';
import { MOST_COLUMNS } from '../../formats/python/render.ts';
import type { Token } from '../../formats/python/tokens.ts';
import { remembered } from '../../std.ts';
import type { Lines, Versions } from '../lines.ts';
import { type Draft, type Fault, ownerOf, readLines, SIDES, type Side } from './draft.ts';

/** A list or tuple of texts in a variable of the module, such as `REQUIRED_ENV`: lines `[start, end)`. */
interface TextList {
  start: number;
  end: number;
  /** What is before the items: the name, its type if it has one, and the bracket. */
  head: string;
  /** The closing bracket, and a comment. */
  tail: string;
  /** As they are written, with their quotes. */
  items: string[];
  /** The lines between the brackets, if there are comments: each has one item or none. */
  rows?: readonly { text: string; item: string | undefined }[];
}

/** Merges lists of texts by item, in the user's order. */
export function settleLists(versions: Versions<Lines>): Versions<Lines> {
  const [base, botcli] = [findLists(versions.base), findLists(versions.botcli)];
  const isChanged = (list: TextList, old: TextList | undefined) => old && list.items.join() !== old.items.join();
  const changed = [...botcli].filter(([name, list]) => isChanged(list, base.get(name)));
  if (changed.length === 0) return versions;
  const lists = { user: findLists(versions.user), base, botcli };
  const reads = { user: readsIn(versions.user), base: readsIn(versions.base) };
  const isRead = (name: string) => countOf(reads.user, name) > countOf(reads.base, name);
  const merged = changed.flatMap(([name, ours]) => {
    const [mine, old] = [lists.user.get(name), base.get(name)];
    if (!mine || !old) return [];
    const isUntouched = textIn(versions.user, mine) === textIn(versions.base, old);
    if (isUntouched && !old.items.some(item => isRead(textOf(item)) && !ours.items.includes(item))) return [];
    const items = mergeTexts({ user: mine, base: old, botcli: ours }, isRead);
    return [[name, write(mine, items, versions.user)] as const];
  });
  const replace = (side: keyof typeof lists) => replaceLists(versions[side], lists[side], new Map(merged));
  return { user: replace('user'), base: replace('base'), botcli: replace('botcli') };
}

function findLists(lines: Lines): Map<string, TextList> {
  const { statements } = readLines(lines);
  // What else is on its lines would be lost.
  const isAlone = ({ start, end }: Module['statements'][number], at: number) =>
    (statements[at - 1]?.end ?? start) <= start && (statements[at + 1]?.start ?? end) >= end;
  const lists = statements
    .filter((one, at) => one.depth === 0 && isAlone(one, at))
    .flatMap(one => readList(one, lines));
  const names = lists.map(([name]) => name);
  return new Map(lists.filter(([name]) => names.indexOf(name) === names.lastIndexOf(name)));
}

function readList({ tokens, start, end }: Module['statements'][number], lines: Lines): [string, TextList][] {
  const [name, sign] = tokens;
  const equals = tokens.findIndex(({ code, kind, depth }) => kind === 'sign' && code === '=' && depth === 0);
  const [open, close] = [tokens[equals + 1], tokens.at(-1)];
  const isVariable = equals === 1 || sign?.code === ':';
  if (name?.kind !== 'name' || !isVariable || !open || !close || !['[]', '()'].includes(open.code + close.code))
    return [];
  const inner = tokens.slice(equals + 2, -1);
  const items = inner.filter((_, at) => at % 2 === 0);
  const commas = inner.filter((_, at) => at % 2 === 1);
  // A text in parentheses is no tuple.
  if (open.line !== start || (open.code === '(' && commas.length === 0)) return [];
  if (items.some(({ kind }) => kind !== 'text') || commas.some(({ kind, code }) => kind !== 'sign' || code !== ',')) {
    return [];
  }
  const cut = (line: number, from: number, to?: number) => (lines[line] ?? '').slice(from, to);
  const codes = items.map(({ line, column, code }) => cut(line, column, column + code.length + 2));
  const isPlain = codes.every((code, at) => /^["']/.test(code) && textOf(code) === items[at]?.code);
  const head = cut(start, 0, open.column + 1);
  const tail = cut(close.line, close.column);
  if (!isPlain) return [];
  const list = { start, end, head, tail, items: codes };
  if (!lines.slice(start, close.line).some(row => row.includes('#'))) return [[name.code, list]];
  const itemAt = (place: number) => codes[items.findIndex(({ line }) => line === place)];
  const rows = lines.slice(start + 1, close.line).map((text, at) => ({ text, item: itemAt(start + 1 + at) }));
  // A comment belongs to the item of its line.
  const isClear = items.every(({ line }, at) => line < close.line && items[at - 1]?.line !== line);
  return isClear && lines[start] === head ? [[name.code, { ...list, rows }]] : [];
}

/** The variables that a text reads and can't do without, as in `os.environ["X"]` and `os.getenv("X")`. */
const readsIn = (lines: Lines): string[] =>
  readLines(lines).statements.flatMap(({ tokens }) =>
    tokens.flatMap(({ kind, code }, at) => {
      const around = `${tokens[at - 2]?.code}${tokens[at - 1]?.code}${tokens[at + 1]?.code}`;
      return kind === 'text' && ['environ[]', 'getenv()'].includes(around) ? [code] : [];
    }),
  );

const textIn = (lines: Lines, { start, end }: TextList): string => lines.slice(start, end).join('\n');

const countOf = (names: readonly string[], name: string): number => names.filter(one => one === name).length;

const textOf = (item: string): string => item.slice(1, -1);

/** @param isRead Whether lines of the user's read a variable. Then it stays. */
function mergeTexts({ user, base, botcli }: Versions<TextList>, isRead: (name: string) => boolean): string[] {
  const [mine, old, ours] = [user, base, botcli].map(({ items }) => items.map(textOf)) as [
    string[],
    string[],
    string[],
  ];
  const stays = (text: string) => !old.includes(text) || ours.includes(text) || isRead(text);
  const kept = user.items.filter(item => stays(textOf(item)));
  const added = botcli.items.filter(item => !old.includes(textOf(item)) && !mine.includes(textOf(item)));
  return insertInOrder(kept, added, botcli.items);
}

/** The list on as many lines as the user has it, or one for each item if that's too long. */
function write({ start, end, head, tail, rows }: TextList, items: readonly string[], lines: Lines): Lines {
  if (rows) return [head, ...writeRows(rows, items), tail];
  const isSingle = tail.startsWith(')') && items.length === 1;
  const line = `${head}${items.join(', ')}${isSingle ? ',' : ''}${tail}`;
  if (end - start === 1 && line.length <= MOST_COLUMNS) return [line];
  const [, first = ''] = lines.slice(start, end);
  const indent = /^\s+/.exec(first)?.[0] ?? '    ';
  return [head, ...items.map(item => `${indent}${item},`), tail];
}

/** The user's lines with their comments, and each new item after the one that it follows. */
function writeRows(rows: NonNullable<TextList['rows']>, items: readonly string[]): string[] {
  const known = rows.map(({ item }) => item);
  const stays = (item: string | undefined) => item !== undefined && items.includes(item);
  const [indent] = /^\s*/.exec(rows.find(({ item }) => item)?.text ?? '    ') ?? [];
  const added = (from: number) => {
    const next = items.findIndex((item, at) => at >= from && known.includes(item));
    return items.slice(from, next === -1 ? undefined : next).map(item => `${indent}${item},`);
  };
  const first = Math.max(known.findIndex(stays), 0);
  return rows.flatMap(({ text, item }, at) => [
    ...(at === first ? added(0) : []),
    ...(item === undefined ? [text] : stays(item) ? [withComma(text, item), ...added(items.indexOf(item) + 1)] : []),
  ]);
}

/** An item that may have been the last one. */
function withComma(text: string, item: string): string {
  const end = text.indexOf(item) + item.length;
  return text.slice(end).trimStart().startsWith(',') ? text : `${text.slice(0, end)},${text.slice(end)}`;
}

function replaceLists(
  lines: Lines,
  lists: ReadonlyMap<string, TextList>,
  merged: ReadonlyMap<string, Lines>,
): string[] {
  const result = [...lines];
  for (const [name, { start, end }] of [...lists].reverse()) {
    const rows = merged.get(name);
    if (rows) result.splice(start, end - start, ...rows);
  }
  return result;
}

/**
 * Inserts items into a list: after the item that they follow in a model, or in alphabetical order if the list is in that
 * order.
 */
function insertInOrder(list: readonly string[], added: readonly string[], model: readonly string[]): string[] {
  const isSorted = list.length > 1 && list.slice(1).every((item, at) => item > (list[at] ?? ''));
  const result = [...list];
  for (const item of added) {
    if (result.includes(item)) continue;
    const before = model.slice(0, model.indexOf(item)).findLast(one => result.includes(one));
    const after = model.find(one => result.includes(one));
    const next = result.findIndex(one => one > item);
    if (isSorted) result.splice(next === -1 ? result.length : next, 0, item);
    else if (before !== undefined) result.splice(result.indexOf(before) + 1, 0, item);
    else if (after !== undefined) result.splice(result.indexOf(after), 0, item);
    else result.push(item);
  }
  return result;
}

const SPLIT = "With botcli's change, the items in these brackets would no longer be separate.";

/** Finds what is wrong between brackets: arguments and keys that are there twice, and arguments of another call. */
export function checkItems(draft: Draft): Fault[] {
  const before = new Set(SIDES.flatMap(side => repeatedIn(draft.sides[side].statements).map(({ name }) => name)));
  return [
    ...repeatedIn(draft.statements).filter(({ name }) => !before.has(name)),
    ...findJoints(draft).filter(({ comma }) => comma === undefined),
    ...findStrangers(draft),
  ];
}

const isOpening = ({ kind, code }: Token): boolean => kind === 'sign' && '([{'.includes(code);
const isComma = ({ kind, code }: Token): boolean => kind === 'sign' && code === ',';
const isClosing = ({ kind, code }: Token): boolean => kind === 'sign' && ')]}'.includes(code);

/** Arguments that a call has twice, and keys that a dictionary has twice. */
const repeatedIn = remembered((statements: Module['statements']): (Fault & { name: string })[] =>
  statements.flatMap(({ tokens }) => {
    const open: Set<string>[] = [];
    return tokens.flatMap((token, at) => {
      if (isOpening(token)) open.push(new Set());
      if (isClosing(token)) open.pop();
      const [before, after] = [tokens[at - 1], tokens[at + 1]];
      const isFirst = before !== undefined && (isComma(before) || isOpening(before));
      if (!isFirst || after?.kind !== 'sign') return [];
      const { kind, code: name, line } = token;
      const isArgument = kind === 'name' && after.code === '=';
      const isKey = kind === 'text' && after.code === ':';
      const known = open.at(-1);
      if (!known || !(isArgument || isKey)) return [];
      if (!known.has(name)) {
        known.add(name);
        return [];
      }
      const what = isKey ? `have "${name}" in the same dictionary` : `pass "${name}" to the same call`;
      return [{ line, name, reason: `Your file and botcli's change ${what}.` }];
    });
  }),
);

/** A place where two items aren't separated, and the line to which a comma can be added. */
interface Joint extends Fault {
  comma?: number;
}

const CONTINUES = ['for', 'if', 'else', 'in', 'is', 'and', 'or', 'not'];

/** Finds the places between brackets where lines meet that didn't before, and that need a comma. */
export function findJoints(draft: Draft): Joint[] {
  const known = SIDES.map(
    side => new Set(neighborsIn(draft.sides[side].statements).map(([{ line }, next]) => `${line} ${next.line}`)),
  );
  return neighborsIn(draft.statements).flatMap(([token, next, hasComma]): Joint[] => {
    const isOld = SIDES.some((side, at) => {
      const [one, other] = [draft.origins[token.line]?.[side], draft.origins[next.line]?.[side]];
      return known[at]?.has(`${one} ${other}`);
    });
    const isSeparate = isComma(token) || isOpening(token) || isComma(next) || isClosing(next);
    const areTexts = token.kind === 'text' && next.kind === 'text';
    // Texts in a row are one text.
    if (isOld || isSeparate || (areTexts && !hasComma)) return [];
    const isItem = token.kind !== 'sign' || isClosing(token);
    const isNext =
      next.kind !== 'sign' ? !CONTINUES.includes(next.code) : isOpening(next) || ['*', '**'].includes(next.code);
    const comma = lastLineOf(token);
    // After a comment or a backslash, it would be none.
    const isLast = draft.lines[comma]?.search(/#|\\\s*$/) === -1;
    const canSeparate = isItem && isNext && isLast && hasComma && !areTexts;
    return [{ line: next.line, reason: SPLIT, ...(canSeparate && { comma }) }];
  });
}

const lastLineOf = ({ code, line }: Token): number => line + code.split('\n').length - 1;

/** The tokens between brackets that end a line, and those that begin the next one; and whether the brackets have a comma. */
const neighborsIn = remembered((statements: Module['statements']): [Token, Token, boolean][] =>
  statements.flatMap(({ tokens }) => {
    const commas = commasIn(tokens);
    return tokens.flatMap((_, at): [Token, Token, boolean][] => {
      const [token, next] = [itemAt(tokens, at), tokens[at + 1]];
      const isInside = next && next.line > lastLineOf(token) && next.depth > 0;
      return isInside ? [[token, next, commas[at] === true]] : [];
    });
  }),
);

/** A token; of code in a text, that text. */
function itemAt(tokens: readonly Token[], at: number): Token {
  const token = tokens[at] as Token;
  const isText = ({ kind, depth }: Token) => kind === 'text' && depth === token.depth;
  return token.kind === 'hole' ? (tokens.slice(0, at).findLast(isText) ?? token) : token;
}

/** Whether the brackets around each token have a comma. */
function commasIn(tokens: readonly Token[]): boolean[] {
  const open = [{ has: false }];
  const around = tokens.map(token => {
    if (isClosing(token) && open.length > 1) open.pop();
    const group = open.at(-1) as { has: boolean };
    if (isComma(token)) group.has = true;
    if (isOpening(token)) open.push({ has: false });
    return group;
  });
  return around.map(({ has }) => has);
}

/** Finds lines within a call that the other side has made a call of something else. */
function findStrangers(draft: Draft): Fault[] {
  const merged = calleesIn(draft.statements);
  const original = { user: calleesIn(draft.sides.user.statements), botcli: calleesIn(draft.sides.botcli.statements) };
  return [...merged].flatMap(([line, now]) => {
    const side = ownerOf(draft, line);
    if (!side || isReplaced(draft, line)) return [];
    const before = original[side].get(draft.origins[line]?.[side] ?? -1) ?? [];
    const at = before.findIndex((callee, index) => index < now.length && callee !== now[index]);
    if (at === -1) return [];
    // The name leads to the change of the call.
    const name = now[at]?.split('.')[0];
    return [{ line, ...(name && { name }), ...strange(side, before[at]) }];
  });
}

export const givenTo = (callee: string): string => `You gave these settings to ${callee}.`;

/** Whether a line gives another value to an argument that both calls of botcli's have. */
function isReplaced({ lines, origins }: Draft, line: number): boolean {
  const argument = /^\s*(\w+)=/.exec(lines[line] ?? '')?.[1];
  const chunk = origins[line]?.chunk;
  const isSame = (one: string) => one.trim().startsWith(`${argument}=`);
  return argument !== undefined && chunk?.source === 'user' && chunk.base.some(isSame);
}

const strange = (side: Side, callee: string | undefined): Omit<Fault, 'line'> =>
  side === 'user'
    ? { reason: givenTo(callee || 'something else'), about: 'settings' }
    : { reason: `botcli's change gives settings to ${callee || 'something else'}, which your file has replaced.` };

/** More brackets around a line than code has. */
const MOST_BRACKETS = 20;

/** What is called around the first token of each line, the inner calls first. A list or dictionary has no name. */
export const calleesIn = remembered((statements: Module['statements']): ReadonlyMap<number, readonly string[]> => {
  const found = new Map<number, string[]>();
  for (const { tokens } of statements) {
    const open: string[] = [];
    tokens.forEach((token, at) => {
      if (isClosing(token)) open.pop();
      const before = tokens[at - 1];
      if (before && before.line < token.line && !isClosing(token)) {
        found.set(token.line, open.slice(-MOST_BRACKETS).reverse());
      }
      if (isOpening(token)) open.push(calleeBefore(tokens, at));
    });
  }
  return found;
});

function calleeBefore(tokens: readonly Token[], end: number): string {
  let at = end;
  while (at > 0 && (tokens[at - 1]?.kind === 'name' || tokens[at - 1]?.code === '.')) at -= 1;
  return tokens
    .slice(at, end)
    .map(({ code }) => code)
    .join('');
}
