import { readFileSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import ejs from 'ejs';
import Generator, { type BaseFeatures, type BaseOptions } from 'yeoman-generator';
import { UserError } from '../src/errors.ts';
import { isOurs, PACKAGE } from '../src/package-root.ts';
import type { ScaffoldConfig } from '../src/scaffold/config.ts';
import { type RawConfig, scaffoldOptions } from '../src/scaffold/options.ts';
import { html, js, json, md, py, pydoc, toml } from '../src/scaffold/quote.ts';
import { VERSION } from '../src/version.ts';

/** What every generator of ours takes. */
export type BotcliOptions = BaseOptions & {
  /** Where to write, absolute or relative to the destination root. Default: the destination root. */
  directory?: string;
};

/** A class that extends one of ours inherits its tasks, and only methods named after a priority are tasks. */
const FEATURES: BaseFeatures = { inheritTasks: true, tasksMatchingPriority: true };

/** A generator that renders into Yeoman's memory, below one directory, and has no other effect. */
export class BotcliGenerator<Options extends BotcliOptions = BotcliOptions> extends Generator<object, Options> {
  constructor(args: string[], options: Options, features: BaseFeatures = {}) {
    super(args, options, { ...features, ...FEATURES });
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
    const generatorOptions = { directory: this.options.directory, ...options };
    // Yeoman's types know neither options nor constructors other than its own.
    await this.composeWith({ Generator, path: Generator.resolved } as never, { generatorOptions } as never);
  }

  /** An option of several words. Some hosts of Yeoman spell it as it is declared, some `inCamelCase`, some both. */
  protected given(flag: string): unknown {
    const options = this.options as Record<string, unknown>;
    return options[flag] ?? options[flag.replaceAll(/-(.)/g, (_, letter: string) => letter.toUpperCase())];
  }

  /** Where a file of the project goes. */
  protected target(...path: string[]): string {
    return this.destinationPath(this.options.directory ?? '.', ...path);
  }

  /** A template of this generator, rendered. Every value goes in through a quoting function of the target language. */
  protected render(template: string, data: object): string {
    const filename = this.templatePath(template);
    return ejs.render(readFileSync(filename, 'utf8'), { ...data, html, js, json, md, py, pydoc, toml }, { filename });
  }

  /** Writes into memory. `replaces` marks a file that may take the place of what is there. */
  protected put(path: string, contents: string, { replaces = false } = {}): void {
    const target = this.target(path);
    this.fs.write(target, contents);
    if (replaces) Object.assign(this.env.sharedFs.get(target), { conflicter: 'force' });
  }

  /** What a file holds on disk; nothing when it isn't there or can't be read as a file. */
  protected existing(path: string): string | undefined {
    const target = this.target(path);
    try {
      // Reading something else, such as a pipe, could wait for ever.
      return statSync(target).isFile() ? readFileSync(target, 'utf8') : undefined;
    } catch {
      return undefined;
    }
  }
}

export type ScaffoldOptions = BotcliOptions & {
  /** A resolved configuration. Left out, it's resolved from the scaffold options that were passed. */
  scaffold?: ScaffoldConfig;
};

/** How Yeoman reads a value. `String` would join a list with commas. */
const OPTION_TYPES = { text: String, list: (value: string | string[]) => [value].flat(), boolean: Boolean };

/** A generator that works from a scaffold configuration, and takes each scaffold option as an option of its own. */
export class ScaffoldGenerator<Options extends ScaffoldOptions = ScaffoldOptions> extends BotcliGenerator<Options> {
  constructor(args: string[], options: Options, features: BaseFeatures = {}) {
    super(args, options, features);
    for (const { flag, short, kind, help } of scaffoldOptions) {
      this.option(flag, { type: OPTION_TYPES[kind], alias: short, description: help });
    }
  }

  /**
   * The configuration to generate from.
   *
   * @throws {UserError} Every problem of the options at once.
   */
  protected async scaffold(): Promise<ScaffoldConfig> {
    const { scaffold } = this.options;
    if (scaffold) return scaffold;
    const { resolveConfig } = await import('../src/scaffold/config.ts');
    return tellingAll(() => resolveConfig({ flags: this.typed(), directoryName: basename(this.target()) }));
  }

  /** The scaffold options that were passed, each by its key. */
  protected typed(): RawConfig {
    return Object.fromEntries(scaffoldOptions.map(({ key, flag }) => [key, this.given(flag)]));
  }
}

/** `yo` shows the message of an error and nothing else, so all that is wrong has to be in it. */
function tellingAll<Result>(work: () => Result): Result {
  try {
    return work();
  } catch (error) {
    if (error instanceof UserError) {
      error.message = [error.message, ...error.problems.map(line => `  ${line}`), error.hint]
        .filter(Boolean)
        .join('\n');
    }
    throw error;
  }
}
