import { unique } from '../std.ts';
import { excerpt, listed } from '../text.ts';

/** A token of JSON: a string, a bracket, a sign, or a number or word. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

/**
 * The members of all objects of valid JSON, in their order. `JSON.parse` alone drops repeated keys, and doesn't say where
 * something is. Lines and columns are counted from 1.
 *
 * @returns The first token and its place; and of each member the key, its place, the first token of its value, a number
 *   that is the same within an object, and how many lists and objects are around it: 1 in the outermost object.
 */
export function membersOf(text: string) {
  const tokens = [...text.matchAll(TOKEN)];
  const placeOf = createPlacer(text);
  const first = { token: tokens[0]?.[0], ...placeOf(tokens[0]?.index ?? 0) };
  const open: number[] = [];
  const members = tokens.flatMap(({ 0: token, index }, at) => {
    if (token === '{' || token === '[') open.push(index);
    if (token === '}' || token === ']') open.pop();
    if (token !== ':') return [];
    const [key, value] = [tokens[at - 1], tokens[at + 1]] as [RegExpExecArray, RegExpExecArray];
    const around = { object: open.at(-1), depth: open.length };
    return { key: JSON.parse(key[0]) as string, value: value[0], ...placeOf(key.index), ...around };
  });
  return { first, members };
}

/** Says which keys valid JSON repeats within an object, and where: `repeats "a" (lines 2, 5), "b" (line 7)`. */
export function explainRepeats(text: string): string | undefined {
  const found = new Map<string, { key: string; lines: number[] }>();
  for (const { key, object, line } of membersOf(text).members) {
    const id = `${object} ${key}`;
    const known = found.get(id);
    if (known) known.lines.push(line);
    else found.set(id, { key, lines: [line] });
  }
  const repeated = [...found.values()].filter(({ lines }) => lines.length > 1);
  const shown = repeated.map(({ key, lines }) => {
    const places = unique(lines).map(String);
    return `${excerpt(JSON.stringify(key))} (${places.length > 1 ? 'lines' : 'line'} ${listed(places)})`;
  });
  return shown.length > 0 ? `repeats ${listed(shown)}` : undefined;
}

/** Finds the places of offsets, which must not decrease from call to call, so that the text is read only once. */
function createPlacer(text: string): (offset: number) => { line: number; column: number } {
  let [line, start, end] = [1, 0, text.indexOf('\n')];
  return offset => {
    while (end !== -1 && end < offset) {
      line += 1;
      start = end + 1;
      end = text.indexOf('\n', start);
    }
    return { line, column: offset - start + 1 };
  };
}

/** A file of ours has four levels at most. Far more of them could overflow the stack. */
export const MOST_LEVELS = 10;

/** Whether a value from JSON has more levels of lists and objects. */
export const isDeeper = (value: unknown, levels: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (levels === 0 || Object.values(value).some(one => isDeeper(one, levels - 1)));

/** Where a text stops being valid JSON: a line and column, counted from 1, or `end` if the text is cut off. */
type JsonFault = { line: number; column: number } | 'end';

/**
 * Finds where a text stops being valid JSON. Node's messages don't always name the position, and they quote the text. So
 * this searches for the shortest prefix that can't begin valid JSON; its last character is the fault.
 */
function findJsonFault(text: string): JsonFault {
  let right = 0;
  let wrong = text.length + 1;
  while (wrong - right > 1) {
    const middle = Math.floor((right + wrong) / 2);
    if (couldBeJson(text.slice(0, middle))) right = middle;
    else wrong = middle;
  }
  if (wrong > text.length) return 'end';
  const before = text.slice(0, wrong - 1).split('\n');
  return { line: before.length, column: (before.at(-1) ?? '').length + 1 };
}

/** Explains why a text isn't valid JSON, without quoting the text. */
export function explainJsonFault(text: string): string {
  const fault = findJsonFault(text);
  return fault === 'end'
    ? "it isn't valid JSON: it ends too soon"
    : `it isn't valid JSON at line ${fault.line}, column ${fault.column}`;
}

/** Whether a text is valid JSON, or could become valid with more text. */
function couldBeJson(beginning: string): boolean {
  try {
    JSON.parse(beginning);
    return true;
  } catch (error) {
    const { message } = error as SyntaxError;
    const [, position] = / in JSON at position (\d+)/.exec(message) ?? [];
    return /^(?:Unexpected end|Unterminated string)/.test(message) || Number(position) >= beginning.length;
  }
}

/** JSON in which every object and list without objects inside takes one line: rows stay rows. */
export function denseJson(value: unknown, indent = ''): string {
  if (!isNested(value)) return JSON.stringify(value);
  const inner = `${indent}  `;
  const lines = Array.isArray(value)
    ? value.map(one => denseJson(one, inner))
    : Object.entries(value).map(([key, one]) => `${JSON.stringify(key)}: ${denseJson(one, inner)}`);
  const [open, close] = Array.isArray(value) ? '[]' : '{}';
  return `${open}\n${lines.map(line => inner + line).join(',\n')}\n${indent}${close}`;
}

/** Whether a value is a list with objects, or an object with more than one level below it. */
function isNested(value: unknown): value is object {
  return depthOf(value) > (Array.isArray(value) ? 1 : 2);
}

function depthOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}
