import { createTail } from './install.ts';
import type { StreamName } from './output.ts';
import type { Reporter } from './reporter.ts';
import type { Stop } from './stop.ts';
import { type Command, startProcess } from './supervise.ts';

type PartName = Parameters<Reporter['output']>[0];
type Running = ReturnType<typeof startProcess>;

/** What to know about a part's process. */
interface Watcher {
  /** Returns the lines to show. */
  read?(lines: readonly string[], stream: StreamName): readonly string[];
  /** Called when it has ended; `isExpected` if it was asked to. */
  onEnd(ending: Awaited<Running['ended']>, isExpected: boolean, lastLines: readonly string[]): void;
}

/** The processes of the parts that are running, at most one of each. */
export function createRunningParts(report: Reporter, stop: Stop) {
  const parts = new Map<PartName, Running>();
  /** Those that were asked to end. */
  const asked = new WeakSet<Running>();
  /** Ends a part, and waits until nothing of it is left. */
  const end = async (name: PartName): Promise<void> => {
    const running = parts.get(name);
    if (!running) return;
    asked.add(running);
    await running.stop(stop);
  };
  return {
    end,
    endAll: () => Promise.all([...parts.keys()].map(end)),
    get: (name: PartName): Running | undefined => parts.get(name),
    /** Starts a part, and shows its output. */
    start(name: PartName, command: Command, { read, onEnd }: Watcher): void {
      const tail = createTail();
      const running = startProcess(command, (lines, stream) => {
        tail.take(lines);
        const shown = read ? read(lines, stream) : lines;
        return shown.length > 0 ? report.output(name, shown) : undefined;
      });
      parts.set(name, running);
      running.ended.then(ending => {
        if (parts.get(name) === running) parts.delete(name);
        onEnd(ending, asked.has(running), tail.lines);
      });
    },
  };
}
