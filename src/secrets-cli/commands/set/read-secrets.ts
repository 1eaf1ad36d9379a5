import { usageError } from '../../../errors.ts';
import { isKey, KEY_RULE, nameKey, valueProblem } from '../../../platform/secret.ts';
import type { Terminal } from '../../../shell/terminal.ts';
import type { Environment } from '../../../shells.ts';
import { DAMAGED, isDamaged } from '../../../text.ts';
import { fileProblems, readInputValue, readSecretsFile, trimBlanks } from '../../input/sources.ts';

/** The arguments and options of `set` that say what to store, and where. */
interface SetLine {
  name: string;
  words: readonly string[];
  file?: string;
  'from-env'?: boolean;
  prune?: boolean;
  region?: string;
  organization?: string;
}

/** Where the secrets of a valid command line come from: a file, or its pairs; and whether any value is typed there. */
type CheckedLine = Awaited<ReturnType<typeof checkLine>>;

/** Combinations of arguments and options that make no sense. */
const MISUSES: readonly [isMisused: (line: SetLine) => boolean, problem: string][] = [
  [({ words, file }) => words.length > 0 && file !== undefined, 'Pass KEY=VALUE pairs or --file, not both'],
  [
    line => line.words.length === 0 && line.file === undefined && !line['from-env'],
    'Nothing to set: pass --file, a bare KEY, KEY=-, or KEY=VALUE',
  ],
  [
    line => line['from-env'] === true && line.words.every(word => word.includes('=')),
    '--from-env needs at least one bare KEY: the name of an environment variable',
  ],
  [
    ({ file, prune }) => prune === true && file === undefined,
    '--prune needs --file: it removes the keys that are not in the file',
  ],
];

/**
 * Checks all arguments of `set` before anything is read or asked.
 *
 * @throws {UserError} Exit code 2: every problem of the line. No problem quotes a value.
 */
export async function checkLine(line: SetLine, terminal: Terminal) {
  const { name: newName, words, file, organization, region } = line;
  const read = parsePairs(words, line['from-env'] ? terminal.env : undefined);
  const { checkInputs, inputProblems } = await import('../../input/checks.ts');
  const inputs = { newName, organization, region };
  const misuses = MISUSES.flatMap(([isMisused, problem]) => (isMisused(line) ? [problem] : []));
  const problems = [...misuses, ...read.problems, ...promptProblems(read.pairs, terminal)];
  const isFaulty = inputProblems(inputs).length > 0;
  // stdin isn't read, so that it is still there for the next try.
  if (isFaulty && problems.length === 0 && file && file !== '-') problems.push(...(await fileProblems(file, terminal)));
  checkInputs(inputs, problems);
  return { file, pairs: read.pairs, hasTypedValues: read.pairs.some(({ from }) => from === 'argument') };
}

/** Problems with bare keys when prompts aren't possible. They aren't quoted: what looks like a key may be a value. */
function promptProblems(pairs: readonly Pair[], { interactive }: Terminal): string[] {
  if (interactive) return [];
  const instead = `it has no "=", and botcli can't ask for a value here; write KEY=- for stdin, or add --from-env`;
  return pairs.filter(isAsked).map(({ number }) => `argument ${number}: ${instead}`);
}

/**
 * Reads the secrets in order: from a file, or from arguments, the environment, stdin and prompts.
 *
 * @param required The keys that must have a value in a file.
 * @throws {UserError} Exit code 2: every problem with the file, or with a value from stdin. No problem quotes a value.
 */
export async function readSecrets(
  { file, pairs }: CheckedLine,
  terminal: Terminal,
  required: readonly string[],
): ReturnType<typeof readSecretsFile> {
  if (file !== undefined) return readSecretsFile(file, terminal, required);
  const values = new Map<string, string>();
  // If stdin can't be read, nothing is asked.
  for (const pair of [...pairs].sort((one, other) => Number(isAsked(one)) - Number(isAsked(other)))) {
    values.set(pair.key, await readValue(pair, terminal));
  }
  return { secrets: pairs.map(({ key }) => ({ key, value: values.get(key) ?? '' })), blank: [] };
}

const isAsked = ({ from }: Pair): boolean => from === 'prompt';

async function readValue(pair: Pair, terminal: Terminal): Promise<string> {
  const { key } = pair;
  if ('value' in pair) return pair.value;
  if (pair.from === 'prompt') {
    return terminal.askHidden(`Value for ${key}`, {
      instead: `Pass it through stdin with ${key}=-, or use --file.`,
      validate: value => valueProblem({ key, value }),
    });
  }
  const value = await readInputValue(`${key}=-`, terminal);
  const problem = valueProblem({ key, value });
  if (problem) throw usageError(`Nothing was sent: ${problem}${nameKey(key)}`);
  return value;
}

/** A key from the command line, the number of its argument from 1, and where its value comes from. */
type Pair = { key: string; number: number } & ValueSource;

/** The value from the argument or the environment, or where to read it. */
type ValueSource = { from: 'argument' | 'environment'; value: string } | { from: 'stdin' | 'prompt' };

/** How to pass a value that looks like something else. */
const ALTERNATIVE = 'pass the value with --file, or with KEY=- from stdin';
const NO_EQUALS = 'it has no "="; write KEY=VALUE as one argument';

/**
 * Reads `KEY=VALUE`, `KEY=-` and `KEY` arguments. Values are used unchanged, because the shell has already unquoted
 * them. Problems count arguments from 1, and never quote one.
 *
 * @param env The environment to take the values of bare keys from. Without it, they are asked for.
 */
export function parsePairs(words: readonly string[], env?: Environment): { pairs: Pair[]; problems: string[] } {
  const pairs: Pair[] = [];
  const problems: string[] = [];
  const bare = words.filter(word => !word.includes('='));
  // `set prod API_KEY sk-123` was meant to be one pair.
  const isSpaced = !env && bare.length > 1 && bare.some(word => !/^[A-Z][A-Z0-9_]*$/.test(word));
  for (const [at, word] of words.entries()) {
    const number = at + 1;
    const pair = isSpaced && !word.includes('=') ? NO_EQUALS : readPair(word, number, env);
    const problem = typeof pair === 'string' ? pair : conflictWith(pairs, pair);
    if (problem) problems.push(`argument ${number}: ${problem}`);
    if (typeof pair !== 'string') pairs.push(pair);
  }
  return { pairs, problems };
}

/** Reads one argument, or returns its problem. */
function readPair(word: string, number: number, env: Environment | undefined): Pair | string {
  const sign = word.indexOf('=');
  const key = trimBlanks(sign === -1 ? word : word.slice(0, sign));
  if (!isKey(key)) return sign === -1 && !env ? NO_EQUALS : `${KEY_RULE}${sign === -1 ? '' : ', followed by "="'}`;
  const source = sign === -1 ? bareSource(key, env) : typedSource(word.slice(sign + 1));
  if (typeof source === 'string') return source;
  const problem = 'value' in source ? valueProblem({ key, value: source.value }) : undefined;
  return problem ? `${problem}${nameKey(key)}` : { key, number, ...source };
}

function bareSource(key: string, env: Environment | undefined): ValueSource | string {
  if (!env) return { from: 'prompt' };
  const value = Object.hasOwn(env, key) ? env[key] : undefined;
  if (value === undefined) return `no environment variable has this name${nameKey(key)}`;
  return isDamaged(value) ? `the variable ${DAMAGED}; ${ALTERNATIVE}` : { from: 'environment', value };
}

function typedSource(value: string): ValueSource | string {
  if (value === '-') return { from: 'stdin' };
  if (isDamaged(value)) return `the value ${DAMAGED}; ${ALTERNATIVE}`;
  if (containsPairs(value)) {
    return `it seems to contain several pairs; pass each as a separate argument, or ${ALTERNATIVE}`;
  }
  return { from: 'argument', value };
}

/** Why a pair can't follow these pairs. */
function conflictWith(before: readonly Pair[], { key, from }: Pair): string | undefined {
  const same = before.find(pair => pair.key === key);
  if (same) return `it repeats the key of argument ${same.number}${nameKey(key)}`;
  const isSecond = from === 'stdin' && before.some(pair => pair.from === 'stdin');
  return isSecond ? 'only one value can come from stdin' : undefined;
}

/**
 * Whether one argument was meant to be several: `'A=1 B=2'`. On separate lines, a pair must have a value, because the
 * last line of a key file may end with `=`.
 */
const containsPairs = (value: string) => /[ \t][A-Za-z_][\w-]*=|\n[ \t]*[A-Za-z_][\w-]*=[^=\s]/.test(value);
