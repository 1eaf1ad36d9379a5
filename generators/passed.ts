import type Generator from 'yeoman-generator';
import type { RunOption, ScaffoldOption } from '../src/config/options.ts';

/** `yo` knows no option's type. */
export const WORD_BEHIND = 'The directory comes first: yo takes the word behind an option for its value.';

/**
 * An option as its host passed it, before Yeoman makes of it what its type says: a boolean out of `foo`, for one. Some
 * hosts spell it as it's declared, some `inCamelCase`, some both; `yo` passes a short one as it is.
 */
export function passed(generator: Generator, option: ScaffoldOption | RunOption): unknown {
  const { flag, kind } = option;
  const camel = flag.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const spellings = [camel, flag, ...('short' in option && option.short ? [option.short] : [])];
  // Yeoman parses words, too, for hosts that pass a whole line; those are among its own options alone.
  const [value] = [generator._initOptions, generator.options].flatMap((options: Record<string, unknown>) =>
    spellings.map(name => options[name]).filter(one => one !== undefined),
  );
  if (value === undefined) return undefined;
  // `--name=7` is one word.
  const words = () => process.argv.flatMap(word => [word, word.slice(word.indexOf('=') + 1)]);
  switch (kind) {
    case 'text':
      return asTyped(value, words);
    case 'list':
      return [value].flat().map(one => asTyped(one, words));
    default:
      return asBoolean(value);
  }
}

/** The words that stand for themselves, without a flag. */
export function passedWords({ args, _args: words }: Generator): string[] {
  return args.map(word => String(asTyped(word, () => words)));
}

/** Yeoman's positional words and the options of yo 5 that look like numbers are numbers, 7 for `007`. */
function asTyped(value: unknown, words: () => readonly string[]): unknown {
  if (typeof value !== 'number') return value;
  return words().find(word => word !== '' && Number(word) === value) ?? String(value);
}

/** Of one that's given more than once, the last holds. */
function asBoolean(value: unknown): unknown {
  const last = Array.isArray(value) ? value.at(-1) : value;
  return last === 'true' || last === 'false' ? last === 'true' : last;
}
