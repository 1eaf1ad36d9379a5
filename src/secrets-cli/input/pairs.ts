import { DAMAGED, isDamaged } from '../../damaged.ts';
import { isKey, KEY_RULE, nameKey, valueProblem } from '../../platform/secret.ts';
import type { Environment } from '../../shells.ts';
import { trimBlanks } from './decoding.ts';

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
