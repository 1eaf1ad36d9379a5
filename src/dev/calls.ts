/** Counts the conversations that are going on, from what the bot prints about each. */
export function createCallCount() {
  let count = 0;
  return {
    get count() {
      return count;
    },
    take(lines: readonly string[]): void {
      for (const line of lines) {
        const [, what] = /WorkerRunner '[^']*': (started|finished) running/.exec(line) ?? [];
        if (what) count = Math.max(0, count + (what === 'started' ? 1 : -1));
      }
    },
    reset(): void {
      count = 0;
    },
  };
}

/** A number of calls: `1 call`, `3 calls`. */
export const callsIn = (count: number): string => `${count} call${count === 1 ? '' : 's'}`;
