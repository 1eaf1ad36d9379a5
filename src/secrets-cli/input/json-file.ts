import { explainJsonFault } from '../../json-position.ts';
import { decodeText, NOT_UTF8 } from './decoding.ts';
import { isKey, KEY_RULE, nameKey, type Secret, type SecretsRead, valueProblem } from './secret.ts';

/** A token of JSON: a string, a bracket, a sign, or a number or word. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

const SHAPE = 'it must be an object of strings, such as {"KEY": "value"}';

/** Whether a file is JSON, by its name or its first character. No env file begins with `{`. */
export const isJson = (bytes: Uint8Array, path: string): boolean =>
  /\.json$/i.test(path) || /^(?:\xef\xbb\xbf)?\s*\{/.test(Buffer.from(bytes).toString('latin1'));

/**
 * Reads secrets from the bytes of a JSON object whose values are strings. `JSON.parse` alone would drop repeated keys and knows no
 * lines, so it only checks the syntax.
 *
 * Problems include line numbers, counted from 1.
 */
export function parseJsonFile(bytes: Uint8Array): SecretsRead {
  const { text, problem, broken } = decodeText(bytes);
  if (broken.length > 0) return { secrets: [], problems: broken.map(line => `line ${line}: ${NOT_UTF8}`) };
  const fault = problem ?? syntaxProblem(text);
  if (fault) return { secrets: [], problems: [fault] };
  const { entries, rootLine } = readEntries(text);
  if (!entries) return { secrets: [], problems: [`line ${rootLine}: ${SHAPE}`] };
  if (entries.length === 0) return { secrets: [], problems: ['it contains no secrets'] };
  const lines = new Map<string, number>();
  const problems = entries.flatMap(({ line, ...entry }) => {
    const problem = entryProblem(entry, lines.get(entry.key));
    if (!lines.has(entry.key)) lines.set(entry.key, line);
    return problem ? [`line ${line}: ${problem}`] : [];
  });
  const secrets = entries.flatMap(({ key, value }) => (value === undefined ? [] : [{ key, value }]));
  return { secrets: problems.length > 0 ? [] : secrets, problems };
}

/** A key, with its value if that is a string. */
interface Entry extends Omit<Secret, 'value'> {
  value: string | undefined;
  line: number;
}

/** The entries of the outer object of valid JSON; undefined if it isn't one. */
function readEntries(text: string): { entries: Entry[] | undefined; rootLine: number } {
  const tokens = [...text.matchAll(TOKEN)];
  const lineOf = createLineCounter(text);
  const rootLine = lineOf(tokens[0]?.index ?? 0);
  if (tokens[0]?.[0] !== '{') return { entries: undefined, rootLine };
  const entries: Entry[] = [];
  let depth = 0;
  for (const [at, { 0: token, index }] of tokens.entries()) {
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    if (token !== ':' || depth !== 1) continue;
    const [key = '', value = ''] = [tokens[at - 1]?.[0], tokens[at + 1]?.[0]];
    const isString = value.startsWith('"');
    entries.push({ key: JSON.parse(key), value: isString ? JSON.parse(value) : undefined, line: lineOf(index) });
  }
  return { entries, rootLine };
}

function entryProblem({ key, value }: Omit<Entry, 'line'>, before: number | undefined): string | undefined {
  if (!isKey(key)) return KEY_RULE;
  if (before !== undefined) return `it repeats the key of line ${before}${nameKey(key)}`;
  const problem = value === undefined ? 'the value must be a string, in quotes' : valueProblem({ key, value });
  return problem && `${problem}${nameKey(key)}`;
}

function syntaxProblem(text: string): string | undefined {
  if (text.trim() === '') return 'it contains no secrets';
  try {
    JSON.parse(text);
    return undefined;
  } catch {
    return explainJsonFault(text);
  }
}

/** Returns the line of an offset. Offsets must not decrease from call to call, so that the text is read only once. */
function createLineCounter(text: string): (offset: number) => number {
  let [line, seen] = [1, 0];
  return offset => {
    line += text.slice(seen, offset).split('\n').length - 1;
    seen = offset;
    return line;
  };
}
