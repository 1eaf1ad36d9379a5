import { UserError } from '../../errors.ts';
import type { LogLine } from '../../platform/agent-schemas.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { inOrder, isoTime, nanoseconds } from './log-lines.ts';

/** Gets lines of a log, the newest first. */
type Page = (limit: number, offset: number) => Promise<LogLine[]>;

/** The most lines of a page. */
const PAGE = 1000;
/** The fewest lines of a look, so many that no platform sends fewer because they are too many for it. */
const FEWEST = 100;
/** The most pages to go back at once. */
const PAGES = 10;
/** Lines may come late. A look reaches back so far beyond the newest line before it, in nanoseconds. */
const OVERLAP = 10_000_000_000n;

/**
 * Reads a growing log. The platform gives lines no numbers, so each look overlaps the one before, and lines that the one
 * before had, as often, aren't new. In a burst, a line may come twice.
 *
 * @param page Gets lines of the log, the newest first.
 * @param now The time, as in `Date.now()`.
 */
export function createLogStream(page: Page, now: () => number = Date.now) {
  /** How often the last look had each line. */
  let seen = new Map<string, number>();
  let newest = 0n;
  /** The time of the oldest line of the last look: what is older may have been there before, so it isn't new. */
  let horizon = -1n;
  const look = async (first: number, isEnough: (count: number, oldest: bigint) => boolean) => {
    const { lines, oldest } = await readBack(page, first, isEnough);
    const counts = new Map<string, number>();
    const fresh = inOrder(lines).filter(line => {
      const [key, time] = [keyOf(line), nanoseconds(line)];
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      // A line from the future says nothing about when the next ones come.
      const latest = BigInt(now()) * 1_000_000n;
      const credible = time < latest ? time : latest;
      if (credible > newest) newest = credible;
      return count > (seen.get(key) ?? 0) && (time === 0n || time > horizon);
    });
    seen = counts;
    if (oldest > horizon) horizon = oldest;
    return { fresh, oldest };
  };
  return {
    /**
     * The last lines so far, the oldest first.
     *
     * @param since Lines from this time on, in nanoseconds; or undefined for the last ones.
     */
    async begin(limit: number, since: bigint | undefined): Promise<LogLine[]> {
      const least = Math.max(limit, FEWEST);
      const isEnough = (count: number, time: bigint) => count >= least || (since !== undefined && time < since);
      const { fresh } = await look(Math.min(least, PAGE), isEnough);
      return fresh.filter(line => since === undefined || nanoseconds(line) >= since).slice(-limit);
    },

    /**
     * The lines that came since the last look, the oldest first. Lines may be missing between the times of `gap`, in
     * nanoseconds.
     */
    async next() {
      const before = newest;
      const { fresh, oldest } = await look(FEWEST, (_, time) => time < before - OVERLAP);
      return { lines: fresh, gap: before > 0n && oldest > before ? { from: before, to: oldest } : undefined };
    },
  };
}

/**
 * Reads pages until they are enough. The newest line first. Lines that come meanwhile shift the pages, so what a page
 * repeats is dropped. Those before the first page are for the next look.
 *
 * @returns The lines, and the time of the oldest; -1 if there are no others.
 */
async function readBack(
  page: Page,
  first: number,
  isEnough: (count: number, oldest: bigint) => boolean,
): Promise<{ lines: LogLine[]; oldest: bigint }> {
  const lines: LogLine[] = [];
  const keys = new Set<string>();
  let [offset, oldest, start] = [0, 0n, ''];
  for (let number = 0; number < PAGES; number += 1) {
    const size = Math.min(PAGE, first * 2 ** number);
    const found = inOrder(await page(size, offset)).reverse();
    const last = lines.at(-1)?.timestamp;
    // Lines of the same time may be alike, and go on in the next page.
    const isRepeated = found.every(line => keys.has(keyOf(line)));
    const fresh = isRepeated ? [] : found.filter(line => line.timestamp === last || !keys.has(keyOf(line)));
    offset += found.length;
    for (const line of fresh) {
      lines.push(line);
      keys.add(keyOf(line));
      // Without a time that we can read, a line says nothing about others.
      const time = nanoseconds(line);
      if (time > 0n && (oldest === 0n || time < oldest)) oldest = time;
    }
    // The platform may send fewer lines than we ask for.
    if (found.length < Math.min(size, FEWEST)) return { lines, oldest: -1n };
    // It may have no others, whatever we ask for.
    const begins = found[0] ? keyOf(found[0]) : '';
    if ((fresh.length === 0 && begins === start) || isEnough(lines.length, oldest)) break;
    start = begins;
  }
  return { lines, oldest };
}

/** What tells lines apart. */
const keyOf = ({ log, timestamp, deploymentId = '' }: LogLine): string => `${timestamp}\0${deploymentId}\0${log}`;

/** The pause between looks, in milliseconds, while lines come and after a while without any. */
const INTERVAL_MS = 2000;
const IDLE_MS = 10_000;
/** Looks without a line until the pause grows. */
const IDLE_LOOKS = 5;

/** Reasons that trying again doesn't change. */
const FINAL: ReadonlySet<string> = new Set(['interrupted', 'unauthorized', 'forbidden', 'not-found']);

/** Prints new lines until Ctrl-C. What fails is tried again. */
export async function follow(
  stream: ReturnType<typeof createLogStream>,
  show: (lines: readonly LogLine[]) => void,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<void> {
  let isBroken = false;
  for (let quiet = 0; ; ) {
    await terminal.sleep(quiet > IDLE_LOOKS ? IDLE_MS : INTERVAL_MS, signal);
    const news = await stream.next().catch((error: unknown) => {
      if (!(error instanceof UserError) || FINAL.has(error.reason)) throw error;
      return error;
    });
    if (news instanceof UserError) {
      if (!isBroken) terminal.note(`${news.message}. botcli goes on trying.`);
      isBroken = true;
      continue;
    }
    if (isBroken) terminal.note('Connected again.');
    isBroken = false;
    const { lines, gap } = news;
    if (gap) terminal.note(`… lines may be missing between ${timeOf(gap.from)} and ${timeOf(gap.to)}`);
    show(lines);
    quiet = lines.length > 0 ? 0 : quiet + 1;
  }
}

const timeOf = (time: bigint): string => isoTime({ timestamp: `${time}` });
