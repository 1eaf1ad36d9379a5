import { isKey, KEY_RULE, nameKey, type SecretsRead, valueProblem } from './secret.ts';

/** Pairs from the command line. A bare `KEY` is in `asked`, and `KEY=-` in `fromInput`. */
export interface PairsRead extends SecretsRead {
  /** Keys without a value, which are asked for. */
  asked: string[];
  /** The key whose value comes from stdin: `KEY=-`. */
  fromInput: string | undefined;
  /** All keys in the order typed, each with the number of its argument. */
  keys: Map<string, number>;
}

/** How to pass a value that looks like something else. */
const ALTERNATIVE = 'pass the value with --file, or with KEY=- from stdin';

/**
 * Reads `KEY=VALUE` arguments. Values are used unchanged, because the shell has already unquoted them. Problems count
 * arguments from 1 and quote none of them.
 */
export function parsePairs(words: readonly string[]): PairsRead {
  const read: PairsRead = { secrets: [], asked: [], fromInput: undefined, keys: new Map(), problems: [] };
  const bare = words.filter(word => !word.includes('='));
  // `set prod API_KEY sk-123` was meant to be one pair.
  const isSpaced = bare.length > 1 && bare.some(word => !/^[A-Z][A-Z0-9_]*$/.test(word));
  for (const [at, word] of words.entries()) {
    const problem = isSpaced && !word.includes('=') ? NO_EQUALS : readPair(word, at + 1, read);
    if (problem) read.problems.push(`argument ${at + 1}: ${problem}`);
  }
  return read;
}

const NO_EQUALS = 'it has no "="; write KEY=VALUE as one argument';

/** Adds a pair to the result, or returns the problem. */
function readPair(word: string, number: number, read: PairsRead): string | undefined {
  const sign = word.indexOf('=');
  const key = (sign === -1 ? word : word.slice(0, sign)).trim();
  if (sign === -1 && !isKey(key)) return NO_EQUALS;
  if (!isKey(key)) return `${KEY_RULE}, followed by "="`;
  if (read.keys.has(key)) return `it repeats the key of argument ${read.keys.get(key)}${nameKey(key)}`;
  read.keys.set(key, number);
  if (sign === -1) {
    read.asked.push(key);
    return undefined;
  }
  const value = word.slice(sign + 1);
  if (value !== '-') return addSecret(key, value, read);
  if (read.fromInput !== undefined) return 'only one value can come from stdin';
  read.fromInput = key;
  return undefined;
}

function addSecret(key: string, value: string, { secrets }: PairsRead): string | undefined {
  const problem = valueProblem({ key, value });
  if (problem) return `${problem}${nameKey(key)}`;
  if (containsPairs(value))
    return `it seems to contain several pairs; pass each as a separate argument, or ${ALTERNATIVE}`;
  secrets.push({ key, value });
  return undefined;
}

/**
 * Whether one argument was meant to be several: `'A=1 B=2'`. On separate lines, a pair must have a value, because the
 * last line of a key file may end with `=`.
 */
const containsPairs = (value: string) => /[ \t][A-Za-z_][\w-]*=|\n[ \t]*[A-Za-z_][\w-]*=[^=\s]/.test(value);
