import { createTail } from './install.ts';
import type { PartName } from './parts.ts';
import type { Reporter } from './reporter.ts';
import type { Stop } from './stop.ts';
import { type Command, type Ending, type Running, startProcess } from './supervise.ts';

/** What to know about a part's process. */
interface Watcher {
  onLines?(lines: readonly string[]): void;
  /** Called when it has ended; `isExpected` if it was asked to. */
  onEnd(ending: Ending, isExpected: boolean, lastLines: readonly string[]): void;
}

/** The processes of the parts that are running, at most one of each. */
export class RunningParts {
  readonly #running = new Map<PartName, Running>();
  /** Those that were asked to end. */
  readonly #asked = new WeakSet<Running>();
  readonly #report: Reporter;
  readonly #stop: Stop;

  constructor(report: Reporter, stop: Stop) {
    this.#report = report;
    this.#stop = stop;
  }

  /** Starts a part, and shows its output. */
  start(name: PartName, command: Command, { onLines, onEnd }: Watcher): Running {
    const tail = createTail();
    const running = startProcess(command, lines => {
      tail.take(lines);
      onLines?.(lines);
      return this.#report.output(name, lines);
    });
    this.#running.set(name, running);
    running.ended.then(ending => {
      if (this.#running.get(name) === running) this.#running.delete(name);
      onEnd(ending, this.#asked.has(running), tail.lines);
    });
    return running;
  }

  get(name: PartName): Running | undefined {
    return this.#running.get(name);
  }

  /** Ends a part, and waits until nothing of it is left. */
  async end(name: PartName): Promise<void> {
    const running = this.#running.get(name);
    if (!running) return;
    this.#asked.add(running);
    await running.stop(this.#stop);
  }

  async endAll(): Promise<void> {
    await Promise.all([...this.#running.keys()].map(name => this.end(name)));
  }
}
