import { parse } from 'smol-toml';
import { orElse } from '../or-else.ts';

/** An item of an array, as it is written, such as `"aiohttp>=3"`. */
export interface TomlItem {
  /** The string; absent if the item isn't one. */
  value?: string;
  code: string;
  /** The lines that it has for itself, with its comments; empty if it shares a line. */
  lines: readonly string[];
}

/** An array that is written in a text: lines `[start, end)`. */
export interface TomlArray {
  start: number;
  end: number;
  /** These lines. */
  rows: readonly string[];
  /** What is before the first item, such as `dependencies = [`. */
  head: string;
  items: TomlItem[];
  /** The lines after the last item, such as `]`. */
  tail: readonly string[];
}

const HEADER = /^\s*\[([\w."' \t-]+)\]\s*(?:#.*)?$/;
const OPENING = /^\s*([\w-]+|"[^"]+")\s*=\s*\[/;
/** What may be in an array of requirements: strings, tables on one line, commas, comments, and the end. */
const PART = /[ \t]+|\n|#[^\n]*|"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|\{[^{}\n]*\}|,|\]/y;

/** Finds the arrays in some tables of a text, by their names such as `project.dependencies`. Others are left alone. */
export function findArrays(
  lines: readonly string[],
  isWanted: (table: string, key: string) => boolean,
): Map<string, TomlArray> {
  const found = new Map<string, TomlArray>();
  const document = readToml(lines);
  if (!document) return found;
  const text = lines.join('\n');
  let [table, offset] = ['', 0];
  for (let at = 0; at < lines.length; at += 1) {
    const line = lines[at] ?? '';
    table = HEADER.exec(line)?.[1]?.trim() ?? table;
    const begin = offset;
    offset += line.length + 1;
    const [opening, key = ''] = OPENING.exec(line) ?? [];
    if (opening === undefined || !isWanted(table, key)) continue;
    const array = readArray(text, begin, { lines, start: at, head: opening });
    // A line in a string may look like an array. Only the parser knows.
    if (array && isDeepSame(valueAt(document, `${table}.${key}`), array.items)) found.set(`${table}.${key}`, array);
  }
  return found;
}

export const readToml = (lines: readonly string[]): Record<string, unknown> | undefined =>
  orElse(() => parse(lines.join('\n')), undefined);

const valueAt = (document: unknown, path: string): unknown =>
  path.split('.').reduce<unknown>((value, key) => (value as Record<string, unknown> | undefined)?.[key], document);

const isDeepSame = (value: unknown, items: readonly TomlItem[]): boolean =>
  Array.isArray(value) &&
  value.length === items.length &&
  value.every((one, at) => (typeof one === 'string' ? one : undefined) === items[at]?.value);

/** Reads the array whose first line begins at an offset of the text. */
function readArray(
  text: string,
  offset: number,
  { lines, start, head }: { lines: readonly string[]; start: number; head: string },
): TomlArray | undefined {
  const items: Place[] = [];
  let [row, hasComment] = [0, false];
  PART.lastIndex = offset + head.length;
  for (let part = PART.exec(text); part; part = PART.exec(text)) {
    const [code] = part;
    if (code === '\n') row += 1;
    if (/^["'{]/.test(code)) items.push({ code, row });
    hasComment ||= code.startsWith('#');
    if (code !== ']') continue;
    const rows = lines.slice(start, start + row + 1);
    const lineEnd = text.indexOf('\n', PART.lastIndex);
    const rest = text.slice(PART.lastIndex, lineEnd === -1 ? text.length : lineEnd);
    const [indent] = /^\s*/.exec(rows.length > 1 ? (rows.at(-1) ?? '') : head) ?? [];
    const place = { start, end: start + rows.length, rows };
    if (isSpread(rows, items)) return { ...place, head: rows[0] ?? '', ...spreadItems(rows, items) };
    // Comments between items on one line have no place on lines of their own.
    if (hasComment || rest.trim() !== '') return undefined;
    return {
      ...place,
      head,
      items: items.map(item => toItem(item.code, [])),
      tail: [`${indent}]`],
    };
  }
  return undefined;
}

interface Place {
  code: string;
  row: number;
}

/** Whether each item has a line of its own, and so have the brackets. */
const isSpread = (rows: readonly string[], items: readonly Place[]): boolean =>
  rows.length > 1 &&
  /\[\s*$/.test(rows[0] ?? '') &&
  /^\s*\]\s*(#.*)?$/.test(rows.at(-1) ?? '') &&
  items.every(({ row }, at) => row > (items[at - 1]?.row ?? 0) && row < rows.length - 1);

/** Gives each item its line, with the comments above it. */
function spreadItems(rows: readonly string[], items: readonly Place[]): Pick<TomlArray, 'items' | 'tail'> {
  return {
    items: items.map(({ code, row }, at) => toItem(code, rows.slice((items[at - 1]?.row ?? 0) + 1, row + 1))),
    tail: rows.slice((items.at(-1)?.row ?? 0) + 1),
  };
}

const toItem = (code: string, lines: readonly string[]): TomlItem => ({
  code,
  lines,
  ...(!code.startsWith('{') && { value: (parse(`x = ${code}`) as { x: string }).x }),
});
