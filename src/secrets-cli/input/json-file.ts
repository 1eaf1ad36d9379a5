import { membersOf } from '../../formats/json-members.ts';
import { explainJsonFault } from '../../formats/json-position.ts';
import { parsedJson } from '../../json.ts';
import { isKey, KEY_RULE, nameKey, valueProblem } from '../../platform/secret.ts';
import { decodeText, NOT_UTF8 } from './decoding.ts';

const SHAPE = 'it must be an object of strings, such as {"KEY": "value"}';

/** Whether a file is JSON, by its name or its first character. No env file begins with `{`. */
export const isJson = (bytes: Uint8Array, path: string): boolean =>
  /\.json$/i.test(path) || /^(?:\xef\xbb\xbf)?\s*\{/.test(Buffer.from(bytes).toString('latin1'));

/**
 * Reads secrets from the bytes of a JSON object whose values are strings.
 *
 * Problems include lines and columns, counted from 1.
 */
export function parseJsonFile(bytes: Uint8Array) {
  const { text, problem, broken } = decodeText(bytes);
  if (broken.length > 0) return { secrets: [], problems: broken.map(line => `line ${line}: ${NOT_UTF8}`) };
  const fault = problem ?? syntaxProblem(text);
  if (fault) return { secrets: [], problems: [fault] };
  const { first, members } = membersOf(text);
  if (first.token !== '{') return { secrets: [], problems: [`${nameOf(first)}: ${SHAPE}`] };
  const entries = members
    .filter(({ depth }) => depth === 1)
    .map(member => ({
      key: member.key,
      value: member.value.startsWith('"') ? (JSON.parse(member.value) as string) : undefined,
      place: nameOf(member),
    }));
  if (entries.length === 0) return { secrets: [], problems: ['it contains no secrets'] };
  const places = new Map<string, string>();
  const problems = entries.flatMap(({ key, value, place }) => {
    const problem = entryProblem(key, value, places.get(key));
    if (!places.has(key)) places.set(key, place);
    return problem ? [`${place}: ${problem}`] : [];
  });
  const secrets = entries.flatMap(({ key, value }) => (value === undefined ? [] : [{ key, value }]));
  return { secrets: problems.length > 0 ? [] : secrets, problems };
}

const nameOf = ({ line, column }: { line: number; column: number }) => `line ${line}, column ${column}`;

/** What is wrong with an entry. `value` is its value if that is a string, `before` where its key was before. */
function entryProblem(key: string, value: string | undefined, before: string | undefined): string | undefined {
  if (!isKey(key)) return KEY_RULE;
  if (before !== undefined) return `it repeats the key of ${before}${nameKey(key)}`;
  const problem = value === undefined ? 'the value must be a string, in quotes' : valueProblem({ key, value });
  return problem && `${problem}${nameKey(key)}`;
}

function syntaxProblem(text: string): string | undefined {
  if (text.trim() === '') return 'it contains no secrets';
  return parsedJson(text) === undefined ? explainJsonFault(text) : undefined;
}
