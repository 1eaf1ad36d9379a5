import { isUtf8 } from 'node:buffer';
import type { EventEmitter } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, relative } from 'node:path';
import ejs from 'ejs';
import Generator, { type BaseFeatures, type BaseOptions } from 'yeoman-generator';
import { type RunOption, runOptions } from '../src/config/options.ts';
import { UserError, usageError } from '../src/errors.ts';
import { PACKAGE } from '../src/package-name.ts';
import { isOurs } from '../src/package-root.ts';
import { hashOf } from '../src/project/files/state.ts';
import { html, js, json, md, py, pydoc, toml } from '../src/project/quote.ts';
import { VERSION } from '../src/version.ts';
import { helpOf, type UsageExample } from './help.ts';
import { DIRECTORY_FIRST, passed, passedWords } from './passed.ts';

/** The options of every botcli generator. Yeoman's environment fills in the rest. */
export type BotcliOptions = Partial<BaseOptions> & {
  /** Where to write, absolute or relative to the destination root. Default: the destination root. */
  directory?: string;
  /** Where to note the hash of each file that is written, by its path in the project. */
  record?: Map<string, string>;
};

/** A subclass inherits the tasks of our generators, and only methods named after a priority are tasks. */
const FEATURES: BaseFeatures = { inheritTasks: true, tasksMatchingPriority: true };

/** A generator that renders into Yeoman's memory, below one directory, and has no other effect. */
export class BotcliGenerator<Options extends BotcliOptions = BotcliOptions> extends Generator<
  object,
  Options & BaseOptions
> {
  /** The examples in help. */
  protected examples: readonly UsageExample[] = [];

  /** Where to write by default. */
  protected defaultDirectory = '.';

  constructor(args: string[], options: Options, features: BaseFeatures = {}) {
    const { skipParseOptions = false } = options;
    super(args, options as Options & BaseOptions, { ...features, ...FEATURES, skipParseOptions });
    const environment = this.env as unknown as EventEmitter;
    environment.off('error', numberCode).on('error', numberCode);
  }

  override help(): string {
    return helpOf(this, this.examples);
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

  /** Runs another botcli generator in the same directory, with these options. */
  protected async compose(Generator: { resolved: string }, options: object): Promise<void> {
    const generatorOptions = { directory: this.directory(), ...options };
    // Yeoman's types allow only its own options and constructors.
    await this.composeWith({ Generator, path: Generator.resolved } as never, { generatorOptions } as never);
  }

  /** Declares an option. Help finds its description by its name. */
  protected take({ flag, kind, help }: RunOption): void {
    this.option(flag, { type: kind === 'text' ? String : Boolean, description: help });
  }

  /** A boolean option, if it was passed. */
  protected given(option: RunOption): boolean | undefined {
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

  /** The path of a file of the project. */
  protected target(...path: string[]): string {
    return this.destinationPath(this.directory(), ...path);
  }

  /** Renders a template of this generator. Every value passes through a quoting function of the target language. */
  protected render(template: string, data: object): string {
    const filename = this.templatePath(template);
    const source = readFileSync(filename, 'utf8');
    // Only these have tags. For the others, compiling would take longer than all the rest.
    if (!template.endsWith('.ejs')) return source;
    return ejs.render(source, { ...data, html, js, json, md, py, pydoc, toml }, { filename, cache: true });
  }

  /**
   * Writes to memory. `replaces` marks a file that may replace an existing one. `ours` is what it would be in an empty
   * directory, if that differs.
   */
  protected put(path: string, contents: string, { replaces = false, ours = contents } = {}): void {
    this.options.record?.set(path, hashOf(ours));
    const target = this.target(path);
    const existing = this.existing(path);
    const isAddedTo = existing !== undefined && contents.startsWith(existing);
    this.fs.write(target, Buffer.from(contents, isAddedTo ? encodingOf(target) : 'utf8'));
    if (replaces && existing !== contents && existsSync(target))
      Object.assign(this.env.sharedFs.get(target), { conflicter: 'force' });
  }

  /** Leaves a file unchanged, and reports it. */
  protected keep(path: string): void {
    this.log.skip(relative(this.env.cwd, this.target(path)));
  }

  /** The contents of a file on disk; undefined if it doesn't exist or can't be read as a file. */
  protected existing(path: string): string | undefined {
    const target = this.target(path);
    try {
      // Reading anything else, such as a pipe, could wait forever.
      const isFile = statSync(target, { throwIfNoEntry: false })?.isFile();
      return isFile ? readFileSync(target, encodingOf(target)) : undefined;
    } catch {
      return undefined;
    }
  }
}

/** The encoding to read and extend a file with: byte by byte if it isn't UTF-8, so that existing bytes don't change. */
const encodingOf = (path: string) => (isUtf8(readFileSync(path)) ? 'utf8' : 'latin1');

/** `yo` passes an error's `code` to `process.exit`, which takes only numbers. File system errors have strings. */
function numberCode(error: unknown): void {
  if (error instanceof UserError) Object.assign(error, { code: error.exitCode });
  else if (error instanceof Error && 'code' in error && typeof error.code !== 'number') error.code = 1;
}
