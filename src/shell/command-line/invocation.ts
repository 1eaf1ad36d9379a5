import type { Command, Invocation } from './specs.ts';
import type { SortedWords } from './words.ts';

/**
 * Collects every argument and option that was passed, by name. A faulty line may lack some.
 *
 * Values aren't converted and have no defaults.
 */
export function readInvocation(
  { arguments: args = [], options = [] }: Command,
  { positionals, values, booleans }: SortedWords,
): Invocation {
  const given = args.map(({ name, variadic }, at) => [name, variadic ? positionals.slice(at) : positionals[at]]);
  const typed = options.flatMap(({ flag, kind }) => {
    const value = kind === 'text' ? values.get(flag)?.[0] : kind === 'list' ? values.get(flag) : booleans.get(flag);
    return value === undefined ? [] : [[flag, value]];
  });
  return { positionals: Object.fromEntries(given), options: Object.fromEntries(typed) };
}
