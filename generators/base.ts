import { isUtf8 } from 'node:buffer';
import type { EventEmitter } from 'node:events';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, relative } from 'node:path';
import ejs from 'ejs';
import Generator, { type BaseFeatures, type BaseOptions } from 'yeoman-generator';
import { type RunOption, runOptions } from '../src/config/options.ts';
import { UserError, usageError } from '../src/errors.ts';
import { isOurs, PACKAGE } from '../src/package-root.ts';
import { html, js, json, md, py, pydoc, toml } from '../src/project/quote.ts';
import { VERSION } from '../src/version.ts';
import { helpOf, type UsageExample } from './help.ts';
import { passed, passedWords, WORD_BEHIND } from './passed.ts';

/** What every generator of ours takes. What Yeoman adds to it, its environment fills in. */
export type BotcliOptions = Partial<BaseOptions> & {
  /** Where to write, absolute or relative to the destination root. Default: the destination root. */
  directory?: string;
};

/** A class that extends one of ours inherits its tasks, and only methods named after a priority are tasks. */
const FEATURES: BaseFeatures = { inheritTasks: true, tasksMatchingPriority: true };

/** A generator that renders into Yeoman's memory, below one directory, and has no other effect. */
export class BotcliGenerator<Options extends BotcliOptions = BotcliOptions> extends Generator<
  object,
  Options & BaseOptions
> {
  /** What help shows at its end. */
  protected examples: readonly UsageExample[] = [];

  /** Where to write when nothing says so. */
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

  /** Yeoman would read the name from a package.json in the user's directory, and fail where that is broken. */
  override determineAppname(): string {
    return basename(this.destinationRoot());
  }

  // What our package is called, Yeoman would look up, by means that take as long as all the rest.

  override rootGeneratorName(): string {
    return isOurs(this.resolved) ? PACKAGE : super.rootGeneratorName();
  }

  override rootGeneratorVersion(): string {
    return isOurs(this.resolved) ? VERSION : super.rootGeneratorVersion();
  }

  /** Runs another generator of ours in the same directory, with these options. */
  protected async compose(Generator: { resolved: string }, options: object): Promise<void> {
    const generatorOptions = { directory: this.directory(), ...options };
    // Yeoman's types know neither options nor constructors other than its own.
    await this.composeWith({ Generator, path: Generator.resolved } as never, { generatorOptions } as never);
  }

  /** Declares an option of ours. What it means, help knows by its name. */
  protected take({ flag, kind, help }: RunOption): void {
    this.option(flag, { type: kind === 'text' ? String : Boolean, description: help });
  }

  /** A boolean option, if it was passed. */
  protected given(option: RunOption): boolean | undefined {
    const value = passed(this, option);
    if (value === undefined || typeof value === 'boolean') return value;
    throw usageError(`--${option.flag} must be true or false, not ${JSON.stringify(value)}.\n${WORD_BEHIND}`);
  }

  /** Where to write: as the options say, else the one word without a flag, unless that has another meaning. */
  protected directory(): string {
    const typed = passed(this, runOptions.directory);
    if (typed !== undefined) return String(typed);
    const words = this._arguments.length === 0 ? passedWords(this) : [];
    if (words.length > 1) throw usageError(`There is one directory to write to, not ${words.join(' and ')}.`);
    return words[0] ?? this.defaultDirectory;
  }

  /** Where a file of the project goes. */
  protected target(...path: string[]): string {
    return this.destinationPath(this.directory(), ...path);
  }

  /** A template of this generator, rendered. Every value goes in through a quoting function of the target language. */
  protected render(template: string, data: object): string {
    const filename = this.templatePath(template);
    return ejs.render(readFileSync(filename, 'utf8'), { ...data, html, js, json, md, py, pydoc, toml }, { filename });
  }

  /** Writes into memory. `replaces` marks a file that may take the place of what is there. */
  protected put(path: string, contents: string, { replaces = false } = {}): void {
    const target = this.target(path);
    const existing = this.existing(path);
    const isAddedTo = existing !== undefined && contents.startsWith(existing);
    this.fs.write(target, Buffer.from(contents, isAddedTo ? encodingOf(target) : 'utf8'));
    const isInTheWay = existsSync(target) && existing !== contents;
    if (replaces && isInTheWay) Object.assign(this.env.sharedFs.get(target), { conflicter: 'force' });
  }

  /** Leaves a file as it is, and says so. */
  protected keep(path: string): void {
    this.log.skip(relative(this.env.cwd, this.target(path)));
  }

  /** What a file holds on disk; nothing when it isn't there or can't be read as a file. */
  protected existing(path: string): string | undefined {
    const target = this.target(path);
    try {
      // Reading something else, such as a pipe, could wait for ever.
      return statSync(target).isFile() ? readFileSync(target, encodingOf(target)) : undefined;
    } catch {
      return undefined;
    }
  }
}

/** How a file is read and added to: byte by byte where it isn't UTF-8, so that what is there stays what it is. */
const encodingOf = (path: string) => (isUtf8(readFileSync(path)) ? 'utf8' : 'latin1');

/** `yo` passes an error's `code` to `process.exit`, which takes numbers only. The file system's are words. */
function numberCode(error: unknown): void {
  if (error instanceof UserError) Object.assign(error, { code: error.exitCode });
  else if (error instanceof Error && 'code' in error && typeof error.code !== 'number') error.code = 1;
}
