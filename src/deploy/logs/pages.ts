import { hash } from 'node:crypto';
import type { LogLine } from '../../platform/agent-schemas.ts';
import { inOrder, nanoseconds } from './log-lines.ts';

/** Gets lines of a log, the newest first. */
type Page = (limit: number, offset: number) => Promise<LogLine[]>;

/** Lines of a page. */
export const PAGE = 1000;
/** Lines of a look's first page, so many that no platform sends fewer because they are too many for it. */
export const FIRST = 100;
/** The most pages to go back at once. */
const PAGES = 10;

/**
 * Reads pages until they are enough. The newest line first. Lines that come meanwhile shift the pages, so what a page
 * repeats is dropped. Those before the first page are for the next look.
 *
 * @returns The lines, and the time of the oldest; -1 if there are no others.
 */
export async function readBack(
  page: Page,
  first: number,
  isEnough: (count: number, oldest: bigint) => boolean,
): Promise<{ lines: LogLine[]; oldest: bigint }> {
  const lines: LogLine[] = [];
  const keys = new Set<string>();
  let [offset, oldest, start] = [0, 0n, undefined as LogLine | undefined];
  for (let number = 0; number < PAGES; number += 1) {
    const size = Math.min(PAGE, first * 2 ** number);
    const found = newestFirst(await page(size, offset));
    const last = lines.at(-1)?.timestamp;
    // Lines of the same time may be alike, and go on in the next page.
    const fresh = found
      .slice(overlapOf(lines, found))
      .filter(line => line.timestamp === last || !keys.has(keyOf(line)));
    offset += found.length;
    for (const line of fresh) {
      lines.push(line);
      keys.add(keyOf(line));
      // Without a time that we can read, a line says nothing about others.
      const time = nanoseconds(line);
      if (time > 0n && (oldest === 0n || time < oldest)) oldest = time;
    }
    // The platform may send fewer lines than we ask for.
    if (found.length < Math.min(size, FIRST)) return { lines, oldest: -1n };
    // It may have no others, whatever we ask for.
    const isStuck = fresh.length === 0 && found[0] && isSame(found[0], start);
    if (isStuck || isEnough(lines.length, oldest)) break;
    start = found[0];
  }
  return { lines, oldest };
}

const newestFirst = (lines: readonly LogLine[]): LogLine[] => inOrder(lines).reverse();

/** How many lines at the start of a page repeat the end of the lines before. */
function overlapOf(before: readonly LogLine[], page: readonly LogLine[]): number {
  for (let length = Math.min(before.length, page.length); length > 0; length -= 1) {
    const start = before.length - length;
    if (page.slice(0, length).every((line, at) => isSame(line, before[start + at]))) return length;
  }
  return 0;
}

const isSame = (line: LogLine, other: LogLine | undefined): boolean =>
  line.timestamp === other?.timestamp && line.log === other.log && line.deploymentId === other.deploymentId;

/** What tells lines apart. */
export const keyOf = ({ log, timestamp, deploymentId = '' }: LogLine): string =>
  hash('md5', `${timestamp}\0${deploymentId}\0${log}`, 'base64');
