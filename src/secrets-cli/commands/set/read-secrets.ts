import { usageError } from '../../../errors.ts';
import { nameKey, valueProblem } from '../../../platform/secret.ts';
import type { Terminal } from '../../../shell/terminal.ts';
import { parsePairs } from '../../input/pairs.ts';
import { fileProblems, readInputValue, readSecretsFile } from '../../input/sources.ts';

type Pair = CheckedLine['pairs'][number];

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
