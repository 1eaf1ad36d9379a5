import type { LogLine } from '../../platform/agent-schemas.ts';

/** Lines in the order of their time. Those of the same time keep theirs, which is the newest first. */
export const inOrder = (lines: readonly LogLine[]): LogLine[] =>
  [...lines].reverse().sort((one, other) => Number(nanoseconds(one) - nanoseconds(other)));

/** The time of a line, in nanoseconds since 1970; 0 if it has none that we can read. */
export function nanoseconds({ timestamp }: Pick<LogLine, 'timestamp'>): bigint {
  if (/^\d{1,25}$/.test(timestamp)) return BigInt(timestamp);
  const ms = Date.parse(timestamp);
  return Number.isNaN(ms) ? 0n : BigInt(ms) * 1_000_000n;
}

/** The time of a line in ISO form; empty if it has none that we can read. */
export function isoTime(line: Pick<LogLine, 'timestamp'>): string {
  const ms = Number(nanoseconds(line) / 1_000_000n);
  return ms > 0 && ms < 8.64e15 ? new Date(ms).toISOString() : '';
}

/** The levels of log lines, from the least to the most severe. */
export const LEVELS = ['trace', 'debug', 'info', 'success', 'warning', 'error', 'critical'] as const;

type Level = (typeof LEVELS)[number];

/** `TIME | LEVEL    | module:function:line | SESSION - text`, and `LEVEL:     text` of the web server. */
const LEVEL = new RegExp(`^(?:[^|]{10,40}\\| *)?(${LEVELS.join('|')})(?: *\\||: )`, 'i');
const SESSION = /^[^|]+\|[^|]+\|[^|]+\| *([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) - /i;

/** The level that a line names; undefined if it names none, as the lines of a traceback. */
export const levelIn = (text: string): Level | undefined => LEVEL.exec(text)?.[1]?.toLowerCase() as Level | undefined;

/** The session that a line names. */
export const sessionIn = (text: string): string | undefined => SESSION.exec(text)?.[1];

/**
 * Chooses lines by their level. The function returns the level of the next line, and whether to show it. A line that
 * names no level has that of the line before it in its deployment, so that a traceback stays whole. A line before any
 * level is shown.
 */
export function createLevelFilter(least: Level | undefined) {
  const last = new Map<string, Level>();
  const rank = least === undefined ? 0 : LEVELS.indexOf(least);
  return ({ log, deploymentId = '' }: LogLine) => {
    const level = levelIn(log) ?? last.get(deploymentId);
    if (level !== undefined) last.set(deploymentId, level);
    return { level, isShown: level === undefined || LEVELS.indexOf(level) >= rank };
  };
}
