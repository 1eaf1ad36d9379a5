/** The longest `Retry-After` that is waited for, in milliseconds. */
const LONGEST_WAIT_MS = 30_000;
const RETRIED = new Set([408, 409, 429]);

/** What a try says about another one. */
export interface TrySigns {
  isRetriable: boolean;
  /** How long the platform asks to wait, in milliseconds. */
  retryAfterMs?: number | undefined;
}

/** Whether an answer of this status may be another one the next time. */
export const isRetriable = (status: number): boolean => RETRIED.has(status) || status >= 500;

/**
 * How long to wait before the next try, in milliseconds: what the platform asks for, else what `jitter` gives. Nothing
 * when there is to be none.
 */
export function retryDelay({ isRetriable, retryAfterMs }: TrySigns, jitter: () => number): number | undefined {
  if (!isRetriable) return undefined;
  if (retryAfterMs === undefined) return jitter();
  return retryAfterMs > LONGEST_WAIT_MS ? undefined : retryAfterMs;
}

/**
 * A pause of random length behind a try, twice as long each time. At most 4 seconds, with the usual timeout.
 *
 * @param random From 0 up to 1.
 */
export const jitter = (number: number, timeoutMs: number, random: number): number =>
  random * Math.min(timeoutMs / 5, (timeoutMs / 80) * 2 ** number);

/** `Retry-After`: seconds, or a date. In milliseconds from `now`. */
export function readRetryAfter(header: string, now: number): number | undefined {
  const asked = header.trim();
  if (/^\d+$/.test(asked)) return Number(asked) * 1000;
  // JavaScript takes `1.5` for a day in January.
  const date = /^[A-Z][a-z]+,? /.test(asked) ? Date.parse(asked) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
