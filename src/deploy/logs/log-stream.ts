import type { LogLine } from '../../platform/agent-schemas.ts';
import { inOrder, nanoseconds } from './log-lines.ts';
import { FIRST, keyOf, PAGE, readBack } from './pages.ts';

/** Lines may come late. A look reaches back so far beyond the newest line before it, in nanoseconds. */
const OVERLAP = 10_000_000_000n;
/** Some looks reach back so far beyond the newest line before the last one of them, and at least a page. */
const DEEP = 60_000_000_000n;
/** Which looks: one of so many. */
const DEEP_EVERY = 15;

/**
 * Reads a growing log without losing or repeating lines. The platform gives lines no numbers, so each look overlaps the
 * one before, and lines that were seen are dropped: by time, deployment and text, as often as they were seen.
 *
 * @param page Gets lines of the log, the newest first.
 * @param now The time, as in `Date.now()`.
 */
export function createLogStream(page: Parameters<typeof readBack>[0], now: () => number = Date.now) {
  /** How often each line was seen, with its time. */
  const seen = new Map<string, { count: number; time: bigint }>();
  let newest = 0n;
  /** What was the newest when the last look began that reached far back. */
  let deep = 0n;
  /** All later lines were read. Others may have been there before, so they don't count as new. */
  let horizon = -1n;
  let looks = 0;
  /** A line from the future says nothing about when the next ones come. */
  const see = (line: LogLine): void => {
    const [time, latest] = [nanoseconds(line), BigInt(now()) * 1_000_000n];
    const credible = time < latest ? time : latest;
    if (credible > newest) newest = credible;
  };
  const remember = (line: LogLine): void => {
    const key = keyOf(line);
    seen.set(key, { count: (seen.get(key)?.count ?? 0) + 1, time: nanoseconds(line) });
    see(line);
  };
  /** Lines up to this time are no longer remembered, and never new. Those without a time are always remembered. */
  const forget = (time: bigint): void => {
    if (time > horizon) horizon = time;
    for (const [key, line] of seen) if (line.time > 0n && line.time <= horizon) seen.delete(key);
  };
  return {
    /**
     * The last lines so far, the oldest first.
     *
     * @param since Lines from this time on, in nanoseconds; or undefined for the last ones.
     * @param isFollowed Whether `next` is called: then older lines are read, too, to know which ones come late.
     */
    async begin(limit: number, since: bigint | undefined, isFollowed = false): Promise<LogLine[]> {
      if (isFollowed) for (const line of await page(1, 0)) see(line);
      const border = since ?? newest - DEEP;
      const { lines, oldest } = await readBack(page, isFollowed ? PAGE : Math.min(limit, PAGE), (count, time) =>
        isFollowed
          ? time < border && (since !== undefined || count >= Math.max(limit, PAGE))
          : count >= limit || (since !== undefined && time < since),
      );
      for (const line of lines) remember(line);
      deep = newest;
      forget(since !== undefined && since > oldest ? since - 1n : oldest);
      return inOrder(lines)
        .filter(line => since === undefined || nanoseconds(line) >= since)
        .slice(-limit);
    },

    /**
     * The lines that came since the last look, the oldest first. Lines may be missing between the times of `gap`, in
     * nanoseconds.
     */
    async next() {
      const isDeep = looks % DEEP_EVERY === DEEP_EVERY - 1;
      const before = newest;
      const border = isDeep ? deep - DEEP : before - OVERLAP;
      const { lines, oldest } = await readBack(
        page,
        isDeep ? PAGE : FIRST,
        (count, time) => time < border && (!isDeep || count >= PAGE),
      );
      looks += 1;
      const counts = new Map<string, number>();
      const fresh = inOrder(lines).filter(line => {
        const [key, time] = [keyOf(line), nanoseconds(line)];
        const count = (counts.get(key) ?? 0) + 1;
        counts.set(key, count);
        return count > (seen.get(key)?.count ?? 0) && (time === 0n || time > horizon);
      });
      for (const line of fresh) remember(line);
      if (isDeep) {
        forget(oldest);
        deep = before;
      }
      return { lines: fresh, gap: before > 0n && oldest > before ? { from: before, to: oldest } : undefined };
    },
  };
}
