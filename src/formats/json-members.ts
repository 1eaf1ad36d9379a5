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
