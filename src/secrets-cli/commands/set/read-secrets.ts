import { usageError } from '../../../errors.ts';
import type { Terminal } from '../../../shell/terminal.ts';
import { type PairsRead, parsePairs } from '../../input/pairs.ts';
import { nameKey, type Secret, valueProblem } from '../../input/secret.ts';
import { fileProblems, readInputValue, readSecretsFile } from '../../input/sources.ts';

/** What a line of `set` says. */
interface SetLine {
  name: string;
  words: readonly string[];
  file: string | undefined;
  region: string | undefined;
  organization: string | undefined;
}

/** Where the secrets of a line come from, once nothing is wrong with it: a file, or its pairs. */
export interface CheckedLine {
  file: string | undefined;
  pairs: PairsRead;
}

/**
 * Checks all that a line of `set` says, before anything is read or asked.
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
  // What comes from stdin is left there, for the next try.
  if (isFaulty && problems.length === 0 && file && file !== '-') problems.push(...(await fileProblems(file, terminal)));
  checkInputs(inputs, problems);
  return { file, pairs };
}

/**
 * The secrets that a line gives, in order: from its pairs, from stdin, from a file, from a person.
 *
 * @throws {UserError} Exit code 2: every problem of the file, or of a value from stdin. No problem quotes a value.
 */
export async function readSecrets({ file, pairs }: CheckedLine, terminal: Terminal): Promise<Secret[]> {
  if (file !== undefined) return readSecretsFile(file, terminal);
  const given = new Map(pairs.secrets.map(({ key, value }) => [key, value]));
  if (pairs.fromInput !== undefined) {
    given.set(pairs.fromInput, await checked(pairs.fromInput, await readInputValue(`${pairs.fromInput}=-`, terminal)));
  }
  for (const key of pairs.asked) given.set(key, await ask(key, terminal));
  return [...pairs.keys.keys()].map(key => ({ key, value: given.get(key) as string }));
}

function sourceProblems(words: readonly string[], file: string | undefined): string[] {
  if (words.length > 0 && file !== undefined) return ['Pass KEY=VALUE pairs or --file, not both'];
  if (words.length === 0 && file === undefined) return ['Nothing to set: pass KEY=VALUE pairs, or a file with --file'];
  return [];
}

/** Bare keys where nobody can be asked. They aren't quoted: what looks like a key may be a value. */
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
