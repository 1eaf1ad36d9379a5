import { usageError } from '../../../errors.ts';
import type { Terminal } from '../../../shell/terminal.ts';
import { type PairsRead, parsePairs } from '../../input/pairs.ts';
import { nameKey, type Secret, valueProblem } from '../../input/secret.ts';
import { fileProblems, readInputValue, readSecretsFile } from '../../input/sources.ts';

/** The arguments of `set`. */
interface SetLine {
  name: string;
  words: readonly string[];
  file: string | undefined;
  region: string | undefined;
  organization: string | undefined;
}

/** Where the secrets of a valid command line come from: a file, or its pairs. */
export interface CheckedLine {
  file: string | undefined;
  pairs: PairsRead;
}

/**
 * Checks all arguments of `set` before anything is read or asked.
 *
 * @throws {UserError} Exit code 2: every problem of the line. No problem quotes a value.
 */
export async function checkLine(line: SetLine, terminal: Terminal): Promise<CheckedLine> {
  const { name: newName, words, file, organization, region } = line;
  const pairs = parsePairs(words);
  const { checkInputs, inputProblems } = await import('../../input/checks.ts');
  const inputs = { newName, organization, region };
  const problems = [...sourceProblems(words, file), ...pairs.problems, ...promptProblems(pairs, terminal)];
  const isFaulty = inputProblems(inputs).length > 0;
  // stdin isn't read, so that it is still there for the next try.
  if (isFaulty && problems.length === 0 && file && file !== '-') problems.push(...(await fileProblems(file, terminal)));
  checkInputs(inputs, problems);
  return { file, pairs };
}

/**
 * Reads the secrets in order: from pairs, stdin, a file, or prompts.
 *
 * @throws {UserError} Exit code 2: every problem with the file, or with a value from stdin. No problem quotes a value.
 */
export async function readSecrets({ file, pairs }: CheckedLine, terminal: Terminal): Promise<Secret[]> {
  if (file !== undefined) return readSecretsFile(file, terminal);
  const given = new Map(pairs.secrets.map(({ key, value }) => [key, value]));
  if (pairs.fromInput !== undefined) {
    given.set(pairs.fromInput, await checked(pairs.fromInput, await readInputValue(`${pairs.fromInput}=-`, terminal)));
  }
  for (const key of pairs.asked) given.set(key, await ask(key, terminal));
  return [...pairs.keys.keys()].flatMap(key => {
    const value = given.get(key);
    return value === undefined ? [] : [{ key, value }];
  });
}

function sourceProblems(words: readonly string[], file: string | undefined): string[] {
  if (words.length > 0 && file !== undefined) return ['Pass KEY=VALUE pairs or --file, not both'];
  if (words.length === 0 && file === undefined) return ['Nothing to set: pass KEY=VALUE pairs, or a file with --file'];
  return [];
}

/** Problems with bare keys when prompts aren't possible. They aren't quoted: what looks like a key may be a value. */
function promptProblems({ asked, keys }: PairsRead, { interactive }: Terminal): string[] {
  if (interactive) return [];
  const instead = `it has no "=", and botcli can't ask for a value here; write KEY=VALUE, or KEY=- for stdin`;
  return asked.map(key => `argument ${keys.get(key)}: ${instead}`);
}

async function checked(key: string, value: string): Promise<string> {
  const problem = valueProblem({ key, value });
  if (problem) throw usageError(`Nothing was sent: ${problem}${nameKey(key)}`);
  return value;
}

const ask = (key: string, terminal: Terminal): Promise<string> =>
  terminal.askHidden(`Value for ${key}`, {
    instead: `Pass it through stdin with ${key}=-, or use --file.`,
    validate: value => valueProblem({ key, value }),
  });
