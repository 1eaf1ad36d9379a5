import type { EnvironmentOptions } from 'yeoman-environment';

type Adapter = NonNullable<EnvironmentOptions['adapter']>;
type Logger = Adapter['log'];
type Progress = { step: () => void };

/**
 * A Yeoman adapter that prints nothing and asks nothing. It remembers what a generator passes to `log.skip`, because the
 * report lists it.
 */
export class QuietAdapter implements Adapter {
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
