import { explainJsonFault } from '../../formats/json-position.ts';
import { parsedJson } from '../../json.ts';
import { isKey, KEY_RULE, nameKey, type Secret, type SecretsRead, valueProblem } from '../../platform/secret.ts';
import { decodeText, NOT_UTF8 } from './decoding.ts';

/** A token of JSON: a string, a bracket, a sign, or a number or word. */
const TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\]:,]|[^\s{}[\]:,"]+/g;

const SHAPE = 'it must be an object of strings, such as {"KEY": "value"}';

/** Whether a file is JSON, by its name or its first character. No env file begins with `{`. */
export const isJson = (bytes: Uint8Array, path: string): boolean =>
  /\.json$/i.test(path) || /^(?:\xef\xbb\xbf)?\s*\{/.test(Buffer.from(bytes).toString('latin1'));

/**
 * Reads secrets from the bytes of a JSON object whose values are strings. `JSON.parse` alone would drop repeated keys and
 * doesn't report where a value is, so it only checks the syntax.
 *
 * Problems include lines and columns, counted from 1.
 */
export function parseJsonFile(bytes: Uint8Array): SecretsRead {
  const { text, problem, broken } = decodeText(bytes);
  if (broken.length > 0) return { secrets: [], problems: broken.map(line => `line ${line}: ${NOT_UTF8}`) };
  const fault = problem ?? syntaxProblem(text);
  if (fault) return { secrets: [], problems: [fault] };
  const { entries, root } = readEntries(text);
  if (!entries) return { secrets: [], problems: [`${root}: ${SHAPE}`] };
  if (entries.length === 0) return { secrets: [], problems: ['it contains no secrets'] };
  const places = new Map<string, string>();
  const problems = entries.flatMap(({ place, ...entry }) => {
    const problem = entryProblem(entry, places.get(entry.key));
    if (!places.has(entry.key)) places.set(entry.key, place);
    return problem ? [`${place}: ${problem}`] : [];
  });
  const secrets = entries.flatMap(({ key, value }) => (value === undefined ? [] : [{ key, value }]));
  return { secrets: problems.length > 0 ? [] : secrets, problems };
}

/** A key, with its value if that is a string. */
interface Entry extends Omit<Secret, 'value'> {
  value: string | undefined;
  place: string;
}

/** The entries of the outer object of valid JSON, or none if it isn't an object; and where it begins. */
function readEntries(text: string): { entries: Entry[] | undefined; root: string } {
  const tokens = [...text.matchAll(TOKEN)];
  const placeOf = createPlacer(text);
  const root = placeOf(tokens[0]?.index ?? 0);
  if (tokens[0]?.[0] !== '{') return { entries: undefined, root };
  const entries: Entry[] = [];
  let depth = 0;
  for (const [at, [token]] of tokens.entries()) {
    if (token === '{' || token === '[') depth += 1;
    if (token === '}' || token === ']') depth -= 1;
    if (token !== ':' || depth !== 1) continue;
    const [key, value] = [tokens[at - 1], tokens[at + 1]] as [RegExpExecArray, RegExpExecArray];
    const isString = value[0].startsWith('"');
    entries.push({
      key: JSON.parse(key[0]),
      value: isString ? JSON.parse(value[0]) : undefined,
      place: placeOf(key.index),
    });
  }
  return { entries, root };
}

function entryProblem({ key, value }: Omit<Entry, 'place'>, before: string | undefined): string | undefined {
  if (!isKey(key)) return KEY_RULE;
  if (before !== undefined) return `it repeats the key of ${before}${nameKey(key)}`;
  const problem = value === undefined ? 'the value must be a string, in quotes' : valueProblem({ key, value });
  return problem && `${problem}${nameKey(key)}`;
}

function syntaxProblem(text: string): string | undefined {
  if (text.trim() === '') return 'it contains no secrets';
  return parsedJson(text) === undefined ? explainJsonFault(text) : undefined;
}

/** Returns the place of an offset. Offsets must not decrease from call to call, so that the text is read only once. */
function createPlacer(text: string): (offset: number) => string {
  let [line, start] = [1, 0];
  return offset => {
    for (let end = text.indexOf('\n', start); end !== -1 && end < offset; end = text.indexOf('\n', start)) {
      line += 1;
      start = end + 1;
    }
    return `line ${line}, column ${offset - start + 1}`;
  };
}
