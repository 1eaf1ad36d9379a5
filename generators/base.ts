import type { EventEmitter } from 'node:events';
import { basename, relative } from 'node:path';
import Generator, { type BaseFeatures, type BaseOptions } from 'yeoman-generator';
import { PACKAGE, programIn } from '../src/about.ts';
import type { ScaffoldConfig } from '../src/config/config.ts';
import {
  type ConfigValues,
  describeOption,
  type LiteralOption,
  type RawConfig,
  runOptions,
  type ScaffoldOption,
  scaffoldOptions,
} from '../src/config/options.ts';
import { UserError, usageError } from '../src/errors.ts';
import { isOurs } from '../src/package-root.ts';
import { LEADS_OUTSIDE } from '../src/paths/locate.ts';
import { exists, readContents } from '../src/paths/read.ts';
import { type GuideWishes, placeFiles } from '../src/project/files/files.ts';
import { devSteps, nextLines } from '../src/project/handover/next-steps.ts';
import { type OptionSpec, renderPage } from '../src/shell/command.ts';
import { didYouMean } from '../src/text.ts';
import { VERSION } from '../src/version.ts';

/** `yo` doesn't know which options take a value. */
const DIRECTORY_FIRST = 'Put the directory first: yo reads the word after an option as its value.';

/**
 * An option as its host passed it, before Yeoman converts it to its type, such as `foo` to a boolean. Some hosts spell it
 * as declared, some `inCamelCase`, some both; `yo` passes a short option under its short name.
 */
function passed(generator: Generator, option: OptionSpec): unknown {
  const { flag, kind } = option;
  const camel = flag.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase());
  const spellings = [camel, flag, ...('short' in option && option.short ? [option.short] : [])];
  // Yeoman also parses arguments, for hosts that pass a whole command line. Those appear only among its own options.
  const [value] = [generator._initOptions, generator.options].flatMap((options: Record<string, unknown>) =>
    spellings.map(name => options[name]).filter(one => one !== undefined),
  );
  // `--name=7` is a single word.
  const words = process.argv.flatMap(word => [word, word.slice(word.indexOf('=') + 1)]);
  if (kind === 'text') return asTyped(value, words);
  if (kind === 'list') return value === undefined ? undefined : [value].flat().map(one => asTyped(one, words));
  // If a boolean is given more than once, the last value counts.
  const last = Array.isArray(value) ? value.at(-1) : value;
  return last === 'true' || last === 'false' ? last === 'true' : last;
}

/** A value as it was typed. Yeoman's positional arguments, and the options of yo 5, become numbers: 7 for `007`. */
const asTyped = (value: unknown, words: readonly string[]): unknown =>
  typeof value === 'number' ? (words.find(one => one !== '' && Number(one) === value) ?? String(value)) : value;

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
function unknownWords({ _options: declared, _initOptions: given }: Generator): string[] {
  const plain = (name: string) => name.replaceAll('-', '').toLowerCase();
  const known = [...Object.keys(declared), ...HOSTS].map(plain);
  const reached = Object.keys(given as object).map(plain);
  const words = process.argv.filter(word => /^--[a-z]/i.test(word)).map(word => word.replace(/=.*/s, ''));
  return words.filter(word => {
    const names = [plain(word), plain(word.replace(/^--no-/, ''))];
    return names.some(name => reached.includes(name)) && !names.some(name => known.includes(name));
  });
}

const passedWords = ({ args, _args: words }: Generator): string[] => args.map(word => String(asTyped(word, words)));

/** Our options; those of `botcli init` have the same help text. */
const ours: readonly OptionSpec[] = [
  ...scaffoldOptions.map((option: ScaffoldOption) => {
    const { flag, short, kind, placeholder, group } = option;
    return { flag, short, kind, placeholder, group, help: describeOption(option) };
  }),
  ...Object.values(runOptions),
  { flag: 'help', short: 'h', kind: 'switch', help: 'Show this help' },
];

/** An example: the words after the generator's name, and what the command does. */
export type UsageExample = readonly [line: string, description: string];

type PlacedFile = ReturnType<typeof placeFiles>[number];

/** The options of every botcli generator. Yeoman's environment fills in the rest. */
export type BotcliOptions = Partial<BaseOptions> & {
  /** Where to write, absolute or relative to the destination root. Default: the destination root. */
  directory?: string;
  /** Where to note each file of the project. */
  placed?: PlacedFile[];
};

/** A subclass inherits the tasks of our generators, and only methods named after a priority are tasks. */
const FEATURES: BaseFeatures = { inheritTasks: true, tasksMatchingPriority: true };

/** A generator that renders into Yeoman's memory, below one directory, and has no other effect. */
export class BotcliGenerator<Options extends BotcliOptions = BotcliOptions> extends Generator<
  object,
  Options & BaseOptions
> {
  protected examples: readonly UsageExample[] = [];

  protected defaultDirectory = '.';

  constructor(args: string[], options: Options, features: BaseFeatures = {}) {
    // yeoman-generator 5 doesn't unwrap what newer ones call the options of a composed generator.
    const { generatorOptions, ...flat } = options as Options & { generatorOptions?: Partial<Options> };
    const all = { ...flat, ...generatorOptions } as Options & BaseOptions;
    super(args, all, { ...features, ...FEATURES, skipParseOptions: all.skipParseOptions ?? false });
    const environment = this.env as unknown as EventEmitter;
    environment.off('error', numberCode).on('error', numberCode);
  }

  /** Yeoman's own table is wider than a terminal, and shows neither which options take a value nor which belong together. */
  override help(): string {
    // A generator of others that extends one has its own arguments and options.
    if (!isOurs(this.resolved)) return super.help();
    const line = `yo ${this._namespace.replace(/:app$/, '')}`;
    return renderPage(
      {
        usage: `${line} [directory] [options]`,
        paragraphs: this.description.split('\n'),
        sections: [{ title: 'Arguments', rows: [['[directory]', runOptions.directory.help]] }],
        options: ours.filter(({ flag }) => flag in this._options),
        footer: DIRECTORY_FIRST,
        examples: this.examples.map(([words, description]) => ({ line: `${line} ${words}`.trim(), description })),
      },
      { columns: process.stdout.columns },
    );
  }

  /** Yeoman would read the name from a package.json in the user's directory, and fail if that is broken. */
  override determineAppname(): string {
    return basename(this.destinationRoot());
  }

  // Yeoman would look up our package's name and version, which takes as long as everything else.

  override rootGeneratorName(): string {
    return isOurs(this.resolved) ? PACKAGE : super.rootGeneratorName();
  }

  override rootGeneratorVersion(): string {
    return isOurs(this.resolved) ? VERSION : super.rootGeneratorVersion();
  }

  /** Whether this generator was started by itself, not by another one of the run. */
  private isRoot(): boolean {
    const environment = this.env as unknown as { rootGenerator(): unknown };
    return environment.rootGenerator() === this;
  }

  /** Prepares a run that this generator started: names the options on the command line that Yeoman ignores. */
  protected beginRun(): void {
    if (!this.isRoot()) return;
    // Nothing of ours is installed where yo runs. Without this, yo 5 and 6 report that. A class of others may install.
    if (isOurs(this.resolved)) this.setFeatures({ customInstallTask: true });
    for (const word of unknownWords(this)) {
      const meant = didYouMean(
        word,
        Object.keys(this._options).map(name => `--${name}`),
      );
      this.log([`${word} is not an option, and is ignored.`, ...(meant ? [meant] : [])].join(' '));
    }
  }

  /** Prints what to do next, as `botcli init` does, unless another generator does more in the same run. */
  protected printNext(config: ScaffoldConfig, more: readonly string[] = []): void {
    if (!this.isRoot()) return;
    const { env } = process;
    const next = nextLines(devSteps(config, this.directory(), programIn(env)), { env });
    this.log(['', ...next, ...more].join('\n'));
  }

  /** Runs another botcli generator in the same directory, with these options. */
  protected async compose(Generator: { resolved: string }, options: object): Promise<void> {
    const generatorOptions = { directory: this.directory(), ...options };
    // Yeoman's types allow only its own options and constructors.
    await this.composeWith({ Generator, path: Generator.resolved } as never, { generatorOptions } as never);
  }

  /** Declares an option. Help finds its description by its name. */
  protected take({ flag, kind, help }: OptionSpec): void {
    this.option(flag, { type: kind === 'text' ? String : Boolean, description: help });
  }

  /** A boolean option, if it was passed. */
  protected given(option: OptionSpec): boolean | undefined {
    const value = passed(this, option);
    if (value === undefined || typeof value === 'boolean') return value;
    throw usageError(`--${option.flag} must be true or false, not ${JSON.stringify(value)}.\n${DIRECTORY_FIRST}`);
  }

  /** Where to write: the `directory` option, else the positional argument, unless a subclass declares its own arguments. */
  protected directory(): string {
    const typed = passed(this, runOptions.directory);
    if (typed !== undefined) return String(typed);
    const words = this._arguments.length === 0 ? passedWords(this) : [];
    if (words.length > 1) throw usageError(`Pass one directory, not ${words.join(' and ')}.`);
    return words[0] ?? this.defaultDirectory;
  }

  protected target(...path: string[]): string {
    return this.destinationPath(this.directory(), ...path);
  }

  /** Puts rendered files in their places, and keeps the existing files that should stay. */
  protected putAll(rendered: Parameters<typeof placeFiles>[0], wishes: GuideWishes = {}): void {
    for (const file of placeFiles(rendered, { read: path => this.existing(path) }, wishes)) {
      this.options.placed?.push(file);
      this.putPlaced(file);
    }
  }

  /** Puts one file, or reports that it stays unchanged. */
  protected putPlaced({ path, contents, replaces = false }: PlacedFile): void {
    if (contents) this.put(path, contents, { replaces });
    else this.log.skip(relative(this.env.cwd, this.target(path)));
  }

  /** Writes to memory. `replaces` marks a file that may replace an existing one. */
  protected put(path: string, contents: string | Buffer, { replaces = false } = {}): void {
    const target = this.target(path);
    this.fs.write(target, contents);
    const existing = replaces ? this.existing(path) : undefined;
    if (existing && !existing.equals(Buffer.from(contents)))
      Object.assign(this.env.sharedFs.get(target), { conflicter: 'force' });
  }

  /** The contents of a file on disk; undefined if there is none, or it can't be read as a file. */
  protected existing(path: string): Buffer | undefined {
    const contents = readContents(this.target(), path);
    // A file elsewhere isn't ours, whatever is in it. Where there is none, the plan says where the link leads.
    if (contents === LEADS_OUTSIDE && exists(this.target(), path)) return Buffer.alloc(0);
    return typeof contents === 'string' ? undefined : contents;
  }
}

export type ScaffoldOptions = BotcliOptions &
  ScaffoldFlags & {
    /** A resolved configuration. Default: resolved from the options above. */
    scaffold?: ScaffoldConfig;
  };

type CamelCase<Flag extends string> = Flag extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Flag;

/** The scaffold options as a program passes them: each named by its flag in camel case. */
type ScaffoldFlags = {
  [Option in LiteralOption as CamelCase<Option['flag']>]?:
    | ConfigValues[Option['key']]
    // A single value may be passed without a list.
    | (Option['kind'] extends 'list' ? string : never);
};

/** How Yeoman reads a value. `String` would join a list with commas. */
const OPTION_TYPES = { text: String, list: (value: string | string[]) => [value].flat(), boolean: Boolean };

/** A generator that works from a scaffold configuration, and takes each scaffold option. */
export class ScaffoldGenerator<Options extends ScaffoldOptions = ScaffoldOptions> extends BotcliGenerator<Options> {
  constructor(args: string[], options: Options, features: BaseFeatures = {}) {
    super(args, options, features);
    this.take(runOptions.force);
    for (const option of scaffoldOptions as readonly ScaffoldOption[]) {
      const { flag, short, kind } = option;
      this.option(flag, { type: OPTION_TYPES[kind], alias: short, description: describeOption(option) });
    }
  }

  /** Yeoman runs this before any generator asks or writes, so wrong options end the run here. */
  async initializing(): Promise<void> {
    this.beginRun();
    await this.scaffold();
  }

  /** The configuration to generate from. Throws one `UserError` with every problem of the options. */
  protected async scaffold(): Promise<ScaffoldConfig> {
    if (this.options.scaffold) return this.options.scaffold;
    const { resolveConfig } = await import('../src/config/config.ts');
    const flags = this.typed();
    try {
      return resolveConfig({ flags, directoryName: basename(this.target()) });
    } catch (error) {
      throw error instanceof UserError ? withAllProblems(error, flags) : error;
    }
  }

  /** The scaffold options that were passed, each by its key. */
  protected typed(): RawConfig {
    return Object.fromEntries(scaffoldOptions.map(option => [option.key, passed(this, option)]));
  }
}

/** `yo` shows only the message of an error, so the message must list every problem. */
function withAllProblems(error: UserError, flags: RawConfig): UserError {
  const swallows = scaffoldOptions.some(({ key, kind }) => kind === 'boolean' && typeof flags[key] === 'string');
  const problems = error.problems.map(line => `  ${line}`);
  const lines = [error.message, ...problems, ...(swallows ? [DIRECTORY_FIRST] : []), error.hint];
  error.message = lines.filter(Boolean).join('\n');
  return error;
}

/** `yo` passes an error's `code` to `process.exit`, which takes only numbers. File system errors have strings. */
function numberCode(error: unknown): void {
  if (error instanceof UserError) Object.assign(error, { code: error.exitCode });
  else if (error instanceof Error && 'code' in error && typeof error.code !== 'number') error.code = 1;
}
