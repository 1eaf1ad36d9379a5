import { UserError, usageError } from '../../errors.ts';
import { parseDotEnv } from '../../formats/dotenv.ts';
import { membersOf } from '../../formats/json-members.ts';
import { explainJsonFault } from '../../formats/json-position.ts';
import { decodeUtf8 } from '../../formats/utf8.ts';
import { parsedJson } from '../../json.ts';
import { firstOf } from '../../listed.ts';
import { type BlankLine, isKey, KEY_RULE, nameKey, type Secret, valueProblem } from '../../platform/secret.ts';
import { readInput, Unreadable } from '../../shell/input.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { decodeText, NOT_UTF8 } from './decoding.ts';
import { parseEnvFile } from './env-file.ts';

/** The secrets of a file, in order. */
interface SecretsFile {
  secrets: readonly Secret[];
  blank: readonly BlankLine[];
}

/**
 * Reads the secrets of `--file`: a path relative to the working directory, or `-` for stdin. Pipes such as `<(…)` work.
 *
 * @param required The keys that must have a value. Other lines without one are skipped, as those of `.env.example`.
 * @throws {UserError} Exit code 2: every problem with the file, by line.
 */
export async function readSecretsFile(
  path: string,
  terminal: Terminal,
  required: readonly string[],
): Promise<SecretsFile> {
  const { secrets, blank, problems } = await parseFile(path, terminal, required);
  const [only] = problems;
  if (only === undefined) return { secrets, blank };
  const name = nameOf(path);
  if (isForeign({ secrets, problems })) {
    throw usageError(`Nothing was sent: ${name} isn't an env file`, {
      reason: 'file',
      hint: `It should have lines like KEY=value. Its first problem is in ${only}`,
    });
  }
  if (problems.length === 1)
    throw usageError(`Nothing was sent, because of a problem in ${name}: ${only}`, { reason: 'file' });
  throw usageError(`Nothing was sent, because of ${problems.length} problems in ${name}:`, {
    reason: 'file',
    problems: firstOf(problems),
  });
}

/** The problems with a file, for a command line that already has other problems. */
export async function fileProblems(path: string, terminal: Terminal, required?: readonly string[]): Promise<string[]> {
  try {
    const { secrets, problems } = await parseFile(path, terminal, required);
    if (isForeign({ secrets, problems })) return [`${nameOf(path)} isn't an env file`];
    return firstOf(problems).map(problem => `${nameOf(path)}: ${problem}`);
  } catch (error) {
    if (error instanceof UserError) return [error.message];
    throw error;
  }
}

/** The secrets in a file, in order, and every problem. Problems never quote the input: it may be a secret. */
async function parseFile(path: string, terminal: Terminal, required: readonly string[] = []) {
  const bytes = await read(path, '--file -', terminal);
  if (isJson(bytes, path)) return { ...parseJsonFile(bytes), blank: [] };
  const blank: BlankLine[] = [];
  const { secrets, problems } = parseEnvFile(bytes, (key, line) => {
    if (required.includes(key)) return false;
    blank.push({ key, line });
    return true;
  });
  const { entries, broken } = parseDotEnv(Buffer.from(bytes).toString());
  const asBots = (secret: Secret): Secret => {
    const { key, value } = secret;
    const entry = entries.get(key);
    // A dollar sign is escaped so that no reader replaces anything, and who does that knows theirs.
    if (entry?.value?.replaceAll('\\$', '$') === value.replaceAll('\\$', '$')) return secret;
    const line = (entry ?? broken.find(({ name }) => name === key))?.line;
    return { ...secret, readOtherwise: line === undefined ? key : `${key} (line ${line})` };
  };
  return { secrets: secrets.map(asBots), blank, problems };
}

/** With so many problems, and fewer secrets, it's a file of another kind. */
const MANY = 10;

const isForeign = ({ secrets, problems }: Record<'secrets' | 'problems', readonly unknown[]>): boolean =>
  problems.length >= MANY && secrets.length < problems.length;

const nameOf = (path: string): string => (path === '-' ? 'stdin' : isShowable(path) ? path : 'the file');

/**
 * Reads a value from stdin, without the line break that `echo` adds, and without the byte order mark that PowerShell
 * adds. `word` is the argument that asked for it.
 */
export async function readInputValue(word: string, terminal: Terminal): Promise<string> {
  const { text, isMarked } = await readText(word, terminal);
  const value = text.replace(/\r?\n$/, '');
  const removed = [
    ...(isMarked ? ['byte order mark at the start'] : []),
    ...(value === text ? [] : ['line break at the end']),
  ];
  if (!terminal.env.CI) for (const what of removed) terminal.note(`Removed the ${what} of stdin.`);
  return value;
}

/** Reads text from stdin. `word` is the argument that asked for it. */
export async function readInputText(word: string, terminal: Terminal): Promise<string> {
  return (await readText(word, terminal)).text;
}

async function readText(word: string, terminal: Terminal): Promise<{ text: string; isMarked: boolean }> {
  const bytes = await read('-', word, terminal);
  const text = decodeUtf8(bytes);
  if (text === undefined) throw usageError("stdin isn't UTF-8 text");
  // Decoding removes nothing but a byte order mark.
  return { text, isMarked: Buffer.byteLength(text) < bytes.length };
}

/** `word` is the argument that asked for stdin. */
async function read(path: string, word: string, terminal: Terminal): Promise<Uint8Array> {
  try {
    return await readInput(path, terminal);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    if (path === '-') throw usageError(`${word} reads stdin, which ${error.message}`, { reason: 'file' });
    throw usageError(`${isShowable(path) ? path : '--file'} ${error.message}`, {
      reason: 'file',
      hint: isShowable(path)
        ? undefined
        : "The path isn't shown, because it may be a secret. Pass KEY=VALUE pairs without --file.",
    });
  }
}

/** Whether a path can be shown. `-f API_KEY=…` or the text of a key is a mistake that would show a secret. */
const isShowable = (path: string): boolean => !/[=\r\n]/.test(path);

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
  if (first.token !== '{') return { secrets: [], problems: [`${positionOf(first)}: ${SHAPE}`] };
  const entries = members
    .filter(({ depth }) => depth === 1)
    .map(member => ({
      key: member.key,
      value: member.value.startsWith('"') ? (JSON.parse(member.value) as string) : undefined,
      place: positionOf(member),
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

const positionOf = ({ line, column }: { line: number; column: number }) => `line ${line}, column ${column}`;

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
