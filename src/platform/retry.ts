/** The longest `Retry-After` to wait for, in milliseconds. */
const LONGEST_WAIT_MS = 30_000;
const RETRIED = new Set([408, 409, 429]);

/** Whether a retry may give a different result than this status. */
export const isRetriable = (status: number): boolean => RETRIED.has(status) || status >= 500;

/** What an attempt says about another one. `retryAfterMs` is what the platform asks for. */
interface TrySigns {
  isRetriable: boolean;
  retryAfterMs?: number | undefined;
}

/**
 * How long to wait before the next attempt, in milliseconds: as long as the platform asks, else the result of `jitter`.
 * Undefined means not to retry.
 */
export function retryDelay({ isRetriable, retryAfterMs }: TrySigns, jitter: () => number): number | undefined {
  if (!isRetriable) return undefined;
  if (retryAfterMs === undefined) return jitter();
  return retryAfterMs > LONGEST_WAIT_MS ? undefined : retryAfterMs;
}

/**
 * A pause of random length after an attempt. Its upper limit doubles each time, up to 4 seconds with the default
 * timeout.
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
