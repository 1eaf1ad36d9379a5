import type Generator from 'yeoman-generator';
import type { OptionSpec } from '../src/shell/command.ts';

/** `yo` doesn't know which options take a value. */
export const DIRECTORY_FIRST = 'Put the directory first: yo reads the word after an option as its value.';

/**
 * An option as its host passed it, before Yeoman converts it to its type, such as `foo` to a boolean. Some hosts spell it
 * as declared, some `inCamelCase`, some both; `yo` passes a short option under its short name.
 */
export function passed(generator: Generator, option: OptionSpec): unknown {
  const { flag, kind } = option;
  const camel = flag.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const spellings = [camel, flag, ...('short' in option && option.short ? [option.short] : [])];
  // Yeoman also parses arguments, for hosts that pass a whole command line. Those appear only among its own options.
  const [value] = [generator._initOptions, generator.options].flatMap((options: Record<string, unknown>) =>
    spellings.map(name => options[name]).filter(one => one !== undefined),
  );
  if (value === undefined) return undefined;
  // `--name=7` is a single word.
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

/** Options of yo itself, and of what runs it. */
const HOSTS = [
  'help',
  'version',
  'generators',
  'insight',
  'color',
  'debug',
  'install',
  'local-only',
  'update-notifier',
];

/** The options on the command line that reached a generator, and that it doesn't declare. */
export function unknownWords({ _options: declared, _initOptions: given }: Generator): string[] {
  const plain = (name: string) => name.replaceAll('-', '').toLowerCase();
  const known = [...Object.keys(declared), ...HOSTS].map(plain);
  const reached = Object.keys(given as object).map(plain);
  const words = process.argv.filter(word => /^--[a-z]/i.test(word)).map(word => word.replace(/=.*/s, ''));
  return words.filter(word => {
    const names = [plain(word), plain(word.replace(/^--no-/, ''))];
    return names.some(name => reached.includes(name)) && !names.some(name => known.includes(name));
  });
}

export function passedWords({ args, _args: words }: Generator): string[] {
  return args.map(word => String(asTyped(word, () => words)));
}

/** Yeoman's positional arguments and the options of yo 5 become numbers if they look like one: 7 for `007`. */
function asTyped(value: unknown, words: () => readonly string[]): unknown {
  if (typeof value !== 'number') return value;
  return words().find(word => word !== '' && Number(word) === value) ?? String(value);
}

/** If a boolean is given more than once, the last value counts. */
function asBoolean(value: unknown): unknown {
  const last = Array.isArray(value) ? value.at(-1) : value;
  return last === 'true' || last === 'false' ? last === 'true' : last;
}
