import type { LogLine } from '../../platform/agent-schemas.ts';
import { inOrder, nanoseconds } from './log-lines.ts';
import { FIRST, keyOf, PAGE, type Page, readBack } from './pages.ts';

/** Lines may come late. A look reaches back so far beyond the newest line before it, in nanoseconds. */
const OVERLAP = 10_000_000_000n;
/** Some looks reach back so far beyond the newest line before the last one of them, and at least a page. */
const DEEP = 60_000_000_000n;
/** Which looks: one of so many. */
const DEEP_EVERY = 15;

/** What a look found. */
interface News {
  /** New lines, the oldest first. */
  lines: LogLine[];
  /** Lines may be missing between these times, in nanoseconds. */
  gap: { from: bigint; to: bigint } | undefined;
}

/**
 * Reads a growing log without losing or repeating lines. The platform gives lines no numbers, so each look overlaps the
 * one before, and lines that were seen are dropped: by time, deployment and text, as often as they were seen.
 */
export class LogStream {
  private readonly page: Page;
  private readonly now: () => number;
  /** How often each line was seen, with its time. */
  private readonly seen = new Map<string, { count: number; time: bigint }>();
  private newest = 0n;
  /** What was the newest when the last look began that reached far back. */
  private deep = 0n;
  /** All later lines were read. Others may have been there before, so they don't count as new. */
  private horizon = -1n;
  private looks = 0;

  /** @param now The time, as in `Date.now()`. */
  constructor(page: Page, now: () => number = Date.now) {
    this.page = page;
    this.now = now;
  }

  /**
   * The last lines so far, the oldest first.
   *
   * @param since Lines from this time on, in nanoseconds; or undefined for the last ones.
   * @param isFollowed Whether `next` is called: then older lines are read, too, to know which ones come late.
   */
  async begin(limit: number, since: bigint | undefined, isFollowed = false): Promise<LogLine[]> {
    if (isFollowed) for (const line of await this.page(1, 0)) this.see(line);
    const border = since ?? this.newest - DEEP;
    const { lines, oldest } = await readBack(this.page, isFollowed ? PAGE : Math.min(limit, PAGE), (count, time) =>
      isFollowed
        ? time < border && (since !== undefined || count >= Math.max(limit, PAGE))
        : count >= limit || (since !== undefined && time < since),
    );
    for (const line of lines) this.remember(line);
    this.deep = this.newest;
    this.forget(since !== undefined && since > oldest ? since - 1n : oldest);
    return inOrder(lines)
      .filter(line => since === undefined || nanoseconds(line) >= since)
      .slice(-limit);
  }

  /** The lines that came since the last look. */
  async next(): Promise<News> {
    const isDeep = this.looks % DEEP_EVERY === DEEP_EVERY - 1;
    const before = this.newest;
    const border = isDeep ? this.deep - DEEP : before - OVERLAP;
    const { lines, oldest } = await readBack(
      this.page,
      isDeep ? PAGE : FIRST,
      (count, time) => time < border && (!isDeep || count >= PAGE),
    );
    this.looks += 1;
    const counts = new Map<string, number>();
    const fresh = inOrder(lines).filter(line => {
      const [key, time] = [keyOf(line), nanoseconds(line)];
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count > (this.seen.get(key)?.count ?? 0) && (time === 0n || time > this.horizon);
    });
    for (const line of fresh) this.remember(line);
    if (isDeep) {
      this.forget(oldest);
      this.deep = before;
    }
    return { lines: fresh, gap: before > 0n && oldest > before ? { from: before, to: oldest } : undefined };
  }

  private remember(line: LogLine): void {
    const key = keyOf(line);
    this.seen.set(key, { count: (this.seen.get(key)?.count ?? 0) + 1, time: nanoseconds(line) });
    this.see(line);
  }

  /** A line from the future says nothing about when the next ones come. */
  private see(line: LogLine): void {
    const [time, now] = [nanoseconds(line), BigInt(this.now()) * 1_000_000n];
    const credible = time < now ? time : now;
    if (credible > this.newest) this.newest = credible;
  }

  /** Lines up to this time are no longer remembered, and never new. Those without a time are always remembered. */
  private forget(time: bigint): void {
    if (time > this.horizon) this.horizon = time;
    for (const [key, line] of this.seen) if (line.time > 0n && line.time <= this.horizon) this.seen.delete(key);
  }
}
