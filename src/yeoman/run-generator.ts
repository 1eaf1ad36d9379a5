import { join } from 'node:path';
import { createEnv, type EnvironmentOptions } from 'yeoman-environment';
import type Generator from 'yeoman-generator';
import * as app from '../../generators/app/index.ts';
import * as guide from '../../generators/guide/index.ts';
import * as quickstart from '../../generators/quickstart/index.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import { generatorModule } from '../package-root.ts';
import { findTarget } from '../paths/locate.ts';
import type { GuideWishes } from '../project/files/files.ts';

const GENERATORS = { app, guide, quickstart };

interface GeneratorRun {
  generator: keyof typeof GENERATORS;
  /** The target, absolute. It may not exist yet. */
  directory: string;
  options: GuideWishes & { scaffold?: ScaffoldConfig };
}

/** The fields of Yeoman's pending files that matter here. */
interface PendingFile {
  path: string;
  contents: Buffer | null;
  state?: string;
  conflicter?: string;
}

type Adapter = NonNullable<EnvironmentOptions['adapter']>;
type Logger = Adapter['log'];
type Progress = { step: () => void };

/**
 * A Yeoman adapter that prints nothing and asks nothing. It remembers what a generator passes to `log.skip`, because the
 * report lists it.
 */
class QuietAdapter implements Adapter {
  /** The paths that generators kept, as they reported them. */
  readonly skipped: string[] = [];
  /** A logger with any method. */
  readonly log: Logger = new Proxy((() => this.log) as Logger, {
    get: (_, method) => (path: unknown) => {
      if (method === 'skip') this.skipped.push(String(path));
      return this.log;
    },
  });
  readonly #controller = new AbortController();

  /** The environment settles its run only through this signal. */
  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  abort(reason?: unknown): void {
    this.#controller.abort(reason);
  }

  close(): void {
    this.abort();
  }

  async prompt(): Promise<never> {
    throw new Error('A generator asked a question. Pass every answer as an option.');
  }

  async queue<Result>(task: (adapter: this) => Result | PromiseLike<Result>): Promise<Result> {
    return task(this);
  }

  async progress<Result>(task: (progress: Progress) => Result | PromiseLike<Result>): Promise<Result> {
    return task({ step() {} });
  }
}

/** Runs a generator, and those that it composes, in memory. It asks, prints, installs and writes nothing. */
export async function runGenerator(run: GeneratorRun, signal: AbortSignal) {
  const { generator: name, directory, options } = run;
  // A generator's constructor creates the environment's directory, so pass one that exists.
  const { base: cwd } = findTarget(directory);
  const adapter = new QuietAdapter();
  const quiet = { skipInstall: true, skipCache: true, skipLocalCache: true, localConfigOnly: true };
  // Generators get values, never words, and Yeoman would look for words with each option that they declare.
  const env = createEnv({ cwd, adapter, ...quiet, skipParseOptions: true, sharedOptions: { directory } as object });
  // Every generator reads Yeoman's settings in its constructor, and fails if the user's aren't valid JSON. Ours don't use
  // them, so they get empty ones in memory.
  for (const name of ['.yo-rc.json', '.yo-rc-global.json'])
    env.sharedFs.add({ path: join(cwd, name), contents: Buffer.from('{}') } as never);

  const namespace = `botcli:${name}` as const;
  // Given only a path, the environment would `require` it, which fails for TypeScript and on some versions of Node 20.
  env.register({ createGenerator: async () => GENERATORS[name] }, { namespace, resolved: generatorModule(name) });
  const stop = () => adapter.abort(signal.reason);
  signal.addEventListener('abort', stop, { once: true });
  try {
    signal.throwIfAborted();
    const generator = await env.create<Generator>(namespace, {
      generatorArgs: [],
      generatorOptions: options as object,
    });
    // The first generator sets these two for the whole environment. `true` means "done elsewhere": our commit writes the
    // files after the run, and nothing installs.
    generator.setFeatures({ customCommitTask: true, customInstallTask: true });
    await env.runGenerator(generator);
  } finally {
    signal.removeEventListener('abort', stop);
  }
  const pending: PendingFile[] = [];
  env.sharedFs.each((file: PendingFile) => pending.push(file));
  const files = pending.flatMap(({ path, contents, state, conflicter }) =>
    state === 'modified' && contents ? { path, contents, replaces: conflicter === 'force' } : [],
  );
  return { files, kept: adapter.skipped };
}
