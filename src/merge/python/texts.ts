import { MOST_COLUMNS } from '../../formats/python/render.ts';
import type { Token } from '../../formats/python/tokens.ts';
import { unique } from '../../std.ts';
import { type Lines, mergeItems, once, type Versions } from '../lines.ts';
import { readLines, type Statement } from './draft.ts';

/** A text in a variable of the module, such as a prompt. */
interface Text extends Statement {
  parts: readonly Token[];
  /** What is between the quotes of its parts, as it's written. */
  value: string;
  isInBrackets: boolean;
}

/** Makes the versions agree on the texts, and the lists of texts, that both sides have changed. */
export function settleValues(versions: Versions<Lines>): Versions<Lines> {
  const settled = settle(versions, readText, mergeText);
  return settle(settled, readList, mergeList);
}

/** What may be in a variable of the module: lines `[start, end)`. */
type Value = Pick<Statement, 'start' | 'end'>;

/**
 * Gives all versions of a variable the same lines.
 *
 * @param merge Nothing if the versions stay as they are.
 */
function settle<One extends Value>(
  versions: Versions<Lines>,
  read: (statement: Statement, lines: Lines) => readonly [string, One][],
  merge: (values: Versions<One>, versions: Versions<Lines>) => Lines | undefined,
): Versions<Lines> {
  const find = (lines: Lines): ReadonlyMap<string, One> => {
    const { statements } = readLines(lines);
    // Those that have one value, and share their lines with nothing.
    const isAlone = ({ column, depth, end }: Statement, at: number) =>
      depth === 0 && column === 0 && (statements[at + 1]?.start ?? end) >= end;
    const values = statements.filter(isAlone).flatMap(one => read(one, lines));
    return new Map(once(values, ([name]) => name).values());
  };
  const [user, base, botcli] = [find(versions.user), find(versions.base), find(versions.botcli)];
  const rows = new Map<string, Lines>();
  for (const [name, ours] of botcli) {
    const [mine, old] = [user.get(name), base.get(name)];
    const merged = mine && old && merge({ user: mine, base: old, botcli: ours }, versions);
    if (merged) rows.set(name, merged);
  }
  const replace = (lines: Lines, values: ReadonlyMap<string, Value>) =>
    [...values].reduceRight<Lines>((result, [name, { start, end }]) => {
      const now = rows.get(name);
      return now ? [...result.slice(0, start), ...now, ...result.slice(end)] : result;
    }, lines);
  return {
    user: replace(versions.user, user),
    base: replace(versions.base, base),
    botcli: replace(versions.botcli, botcli),
  };
}

/** Adds what botcli adds to the end of a text to the user's own text, or takes it away: both get a word in. */
function mergeText(texts: Versions<Text>, { user: lines }: Versions<Lines>): Lines | undefined {
  const { user, base, botcli } = texts;
  if (botcli.value === base.value || user.value === base.value) return undefined;
  const [added, gone] = [endOf(botcli.value, base.value), endOf(base.value, botcli.value)];
  if (added) return user.value.includes(added.trim()) ? undefined : append(user, added, lines);
  return gone?.trim() ? remove(user, gone, lines) : undefined;
}

/** What follows a text in a longer one; nothing if that one begins in another way, or the text is empty. */
function endOf(text: string, start: string): string | undefined {
  const begin = start.trimEnd();
  return begin !== '' && text.startsWith(begin) ? text.slice(begin.length) : undefined;
}

function readText(statement: Statement): [string, Text][] {
  const [name, equals, ...rest] = statement.tokens;
  const isInBrackets = rest[0]?.code === '(' && rest[0].kind === 'sign' && rest.at(-1)?.code === ')';
  const parts = isInBrackets ? rest.slice(1, -1) : rest;
  if (name?.kind !== 'name' || equals?.code !== '=' || parts.length === 0) return [];
  if (parts.some(({ kind }) => kind !== 'text') || statement.hasComment) return [];
  return [[name.code, { ...statement, parts, value: parts.map(({ code }) => code).join(''), isInBrackets }]];
}

/** What may be between double quotes as it is. */
const QUOTABLE = /^(?:[^"\\\n]|\\.)*$/;

/** The lines of a text with one more part at its end; nothing if it isn't clear how to write that. */
function append(
  { start, end, tokens, parts, value, isInBrackets }: Text,
  added: string,
  lines: Lines,
): Lines | undefined {
  if (!QUOTABLE.test(added)) return undefined;
  const part = `"${/\s$/.test(value) ? added.trimStart() : added}"`;
  const rows = lines.slice(start, end);
  const [[first = '', second = ''], [last = '']] = [rows, rows.slice(-1)];
  if (last.trim() === ')') {
    const indent = second.slice(0, second.search(/\S/)) || '    ';
    return rows.toSpliced(-1, 0, `${indent}${part}`);
  }
  if (isInBrackets) return [...rows.slice(0, -1), `${last.slice(0, tokens.at(-1)?.column)} ${part})`];
  const [from] = parts;
  // A backslash may be before it, or a semicolon after it.
  if (from?.line !== start || !/["']$/.test(last)) return undefined;
  return [`${first.slice(0, from.column)}(`, `    ${first.slice(from.column)}`, ...rows.slice(1), `    ${part}`, ')'];
}

/** The lines of a text in brackets without one of its parts, if that has a line of its own. */
function remove({ start, end, parts, isInBrackets }: Text, gone: string, lines: Lines): Lines | undefined {
  const part = parts.findLast(({ code }) => code.trim() === gone.trim());
  if (!part || !isInBrackets || parts.length === 1) return undefined;
  const isAlone = lines[part.line]?.trim().slice(1, -1) === part.code;
  return isAlone ? [...lines.slice(start, part.line), ...lines.slice(part.line + 1, end)] : undefined;
}

/** A list or tuple of texts in a variable of the module, such as `REQUIRED_ENV`: lines `[start, end)`. */
interface TextList extends Value {
  /** What is before the items: the name, its type if it has one, and the bracket. */
  head: string;
  /** The closing bracket, and a comment. */
  tail: string;
  /** As they are written, with their quotes. */
  items: string[];
}

/** Merges lists of texts by item, in the user's order. */
function mergeList(lists: Versions<TextList>, versions: Versions<Lines>): Lines | undefined {
  const { user, base, botcli } = lists;
  if (base.items.join() === botcli.items.join()) return undefined;
  const reads = { user: readsIn(versions.user), base: readsIn(versions.base) };
  const countOf = (names: readonly string[], name: string) => names.filter(one => one === name).length;
  // A variable that lines of the user's read stays.
  const isRead = (name: string) => countOf(reads.user, name) > countOf(reads.base, name);
  const textIn = (lines: Lines, { start, end }: TextList) => lines.slice(start, end).join('\n');
  const isUntouched = textIn(versions.user, user) === textIn(versions.base, base);
  if (isUntouched && !base.items.some(item => isRead(textOf(item)) && !botcli.items.includes(item))) return undefined;
  return writeList(user, mergeTexts(lists, isRead), versions.user);
}

function readList({ tokens, start, end }: Statement, lines: Lines): [string, TextList][] {
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
  const isList = items.every(({ kind }) => kind === 'text') && commas.every(({ code }) => code === ',');
  if (!isList || lines.slice(start, close.line).some(row => row.includes('#'))) return [];
  const cut = (line: number, from: number, to?: number) => (lines[line] ?? '').slice(from, to);
  const codes = items.map(({ line, column, code }) => cut(line, column, column + code.length + 2));
  const isPlain = codes.every((code, at) => /^["']/.test(code) && textOf(code) === items[at]?.code);
  const [head, tail] = [cut(start, 0, open.column + 1), cut(close.line, close.column)];
  return isPlain ? [[name.code, { start, end, head, tail, items: codes }]] : [];
}

/** The variables that a text reads and can't do without, as in `os.environ["X"]` and `os.getenv("X")`. */
const readsIn = (lines: Lines): string[] =>
  readLines(lines).statements.flatMap(({ tokens }) =>
    tokens.flatMap(({ kind, code }, at) => {
      const around = `${tokens[at - 2]?.code}${tokens[at - 1]?.code}${tokens[at + 1]?.code}`;
      return kind === 'text' && ['environ[]', 'getenv()'].includes(around) ? [code] : [];
    }),
  );

const textOf = (item: string): string => item.slice(1, -1);

/** @param isRead Whether lines of the user's read a variable. Then it stays. */
function mergeTexts({ user, base, botcli }: Versions<TextList>, isRead: (name: string) => boolean): string[] {
  const [mine, old, ours] = [user, base, botcli].map(({ items }) => items.map(textOf)) as [
    string[],
    string[],
    string[],
  ];
  const written = new Map([...botcli.items, ...user.items].map(item => [textOf(item), item]));
  const gone = old.filter(text => ours.includes(text) || !isRead(text));
  const merged = mergeItems({ user: mine, base: gone, botcli: ours }, true) ?? mine;
  return unique(merged).map(text => written.get(text) ?? '');
}

/** The list on as many lines as the user has it, or one for each item if that's too long. */
function writeList({ start, end, head, tail }: TextList, items: readonly string[], lines: Lines): Lines {
  const isSingle = tail.startsWith(')') && items.length === 1;
  const line = `${head}${items.join(', ')}${isSingle ? ',' : ''}${tail}`;
  if (end - start === 1 && line.length <= MOST_COLUMNS) return [line];
  const [, first = ''] = lines.slice(start, end);
  const indent = /^\s+/.exec(first)?.[0] ?? '    ';
  return [head, ...items.map(item => `${indent}${item},`), tail];
}
