import { basename } from 'node:path';
import type { BaseFeatures } from 'yeoman-generator';
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
import { UserError } from '../src/errors.ts';
import { BotcliGenerator, type BotcliOptions, DIRECTORY_FIRST, passed } from './base.ts';

export type ScaffoldOptions = BotcliOptions &
  ScaffoldFlags & {
    /** A resolved configuration. Default: resolved from the options above. */
    scaffold?: ScaffoldConfig;
  };

type CamelCase<Flag extends string> = Flag extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<CamelCase<Rest>>}`
  : Flag;

/** The scaffold options as a program passes them: each named by its flag in camel case. */
export type ScaffoldFlags = {
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
