/**
 * Runs `use` with a clock that jumps by each wait of the program, which therefore takes no time.
 *
 * @param use Gets what to pass as `onWait`.
 */
export async function withClock(use: (onWait: (ms: number) => void) => Promise<void>): Promise<void> {
  const { now } = Date;
  let passed = 0;
  Date.now = () => now() + passed;
  try {
    await use(ms => {
      passed += ms;
    });
  } finally {
    Date.now = now;
  }
}
