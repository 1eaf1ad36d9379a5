/**
 * Runs `use` with a clock that jumps by each wait of the program, and otherwise stands still. The program's waits
 * therefore take no time, and how fast the machine is makes no difference to it.
 *
 * @param use Gets what to pass as `onWait`.
 */
export async function withClock<Result>(use: (onWait: (ms: number) => void) => Promise<Result>): Promise<Result> {
  const { now } = Date;
  let time = now();
  Date.now = () => time;
  try {
    return await use(ms => {
      time += ms;
    });
  } finally {
    Date.now = now;
  }
}
