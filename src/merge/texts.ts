import { readPython, type Statement } from '../formats/python/module.ts';
import { MOST_COLUMNS } from '../formats/python/render.ts';
import type { Token } from '../formats/python/tokens.ts';
import { unique } from '../std.ts';
import { type Lines, mergeItems, once, type Versions } from './lines.ts';

const readLines = (lines: Lines) => readPython(lines.join('\n'));

/** A text in a variable of the module, such as a prompt. */
interface Text extends Statement {
  parts: readonly Token[];
  /** What is between the quotes of its parts, as it's written. */
  value: string;
  isInBrackets: boolean;
}

/** Makes the versions agree on the texts, and the lists of texts, that both sides have changed. */
export const settleValues = (versions: Versions<Lines>): Versions<Lines> => settleLists(settleTexts(versions));

/** Adds what botcli adds to the end of a text to the user's own text, or takes it away: both get a word in. */
function settleTexts(versions: Versions<Lines>): Versions<Lines> {
  const [base, botcli] = [readValues(versions.base, readText), readValues(versions.botcli, readText)];
  const changed = [...botcli].flatMap(([name, { value }]) => {
    const old = base.get(name)?.value;
    return old === undefined || value === old ? [] : [{ name, old, value }];
  });
  if (changed.length === 0) return versions;
  const user = readValues(versions.user, readText);
  const rows = new Map(
    changed.flatMap(({ name, old, value }): [string, Lines][] => {
      const mine = user.get(name);
      if (!mine || mine.value === old) return [];
      const [added, gone] = [endOf(value, old), endOf(old, value)];
      const now = added
        ? !mine.value.includes(added.trim()) && append(mine, added, versions.user)
        : gone?.trim() && remove(mine, gone, versions.user);
      return now ? [[name, now]] : [];
    }),
  );
  return {
    user: replaceValues(versions.user, user, rows),
    base: replaceValues(versions.base, base, rows),
    botcli: replaceValues(versions.botcli, botcli, rows),
  };
}

/** What follows a text in a longer one; nothing if that one begins in another way, or the text is empty. */
function endOf(text: string, start: string): string | undefined {
  const begin = start.trimEnd();
  return begin !== '' && text.startsWith(begin) ? text.slice(begin.length) : undefined;
}

/** Reads what is in variables of the module, if they have one value each, and share their lines with nothing. */
function readValues<Value>(
  lines: Lines,
  read: (statement: Statement) => readonly [string, Value][],
): Map<string, Value> {
  const { statements } = readLines(lines);
  const isAlone = ({ column, depth, end }: Statement, at: number) =>
    depth === 0 && column === 0 && (statements[at + 1]?.start ?? end) >= end;
  const values = once(statements.filter(isAlone).flatMap(read), ([name]) => name);
  return new Map(values.values());
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

function replaceValues(
  lines: Lines,
  values: ReadonlyMap<string, Pick<Statement, 'start' | 'end'>>,
  rows: ReadonlyMap<string, Lines>,
): Lines {
  const result = [...lines];
  for (const [name, { start, end }] of [...values].reverse())
    result.splice(start, end - start, ...(rows.get(name) ?? lines.slice(start, end)));
  return result;
}

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
}

/** Merges lists of texts by item, in the user's order. */
function settleLists(versions: Versions<Lines>): Versions<Lines> {
  const find = (side: keyof typeof versions) => readValues(versions[side], one => readList(one, versions[side]));
  const [base, botcli] = [find('base'), find('botcli')];
  const changed = [...botcli].flatMap(([name, ours]) => {
    const old = base.get(name);
    return old && old.items.join() !== ours.items.join() ? [{ name, old, ours }] : [];
  });
  if (changed.length === 0) return versions;
  const user = find('user');
  const reads = { user: readsIn(versions.user), base: readsIn(versions.base) };
  const countOf = (names: readonly string[], name: string) => names.filter(one => one === name).length;
  const isRead = (name: string) => countOf(reads.user, name) > countOf(reads.base, name);
  const textIn = (lines: Lines, { start, end }: TextList) => lines.slice(start, end).join('\n');
  const rows = new Map(
    changed.flatMap(({ name, old, ours }) => {
      const mine = user.get(name);
      if (!mine) return [];
      const isUntouched = textIn(versions.user, mine) === textIn(versions.base, old);
      if (isUntouched && !old.items.some(item => isRead(textOf(item)) && !ours.items.includes(item))) return [];
      return [[name, writeList(mine, mergeTexts({ user: mine, base: old, botcli: ours }, isRead), versions.user)]];
    }),
  );
  return {
    user: replaceValues(versions.user, user, rows),
    base: replaceValues(versions.base, base, rows),
    botcli: replaceValues(versions.botcli, botcli, rows),
  };
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
  const merged = mergeItems({ user: mine, base: gone, botcli: ours }, () => true) ?? mine;
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
