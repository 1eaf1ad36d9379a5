import type { Command, Invocation } from './specs.ts';
import type { SortedWords } from './words.ts';

/**
 * What a command was called with, as far as it could be read: every argument and option that was given, by its name.
 *
 * Nothing is converted and nothing has a default: a text stays the text that was typed.
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
