import { common, organization } from '../../account/options.ts';
import { usageError } from '../../errors.ts';
import { isUuid } from '../../platform/location.ts';
import type { Invocation, OptionSpec } from '../../shell/command-line.ts';
import { LEVELS } from './log-lines.ts';

/** The most lines to print at the start. */
const MOST = 10_000;

export const logOptions = [
  { flag: 'follow', short: 'f', kind: 'switch', help: 'Keep printing new lines until Ctrl-C' },
  {
    flag: 'since',
    kind: 'text',
    placeholder: 'time',
    help: 'Only lines from this time on: 15m, 2h, or 2026-01-31T12:00:00Z',
  },
  {
    flag: 'level',
    kind: 'text',
    placeholder: 'level',
    values: LEVELS,
    help: 'Only this level and worse, such as warning',
  },
  { flag: 'session', kind: 'text', placeholder: 'id', help: 'Only lines of this session' },
  { flag: 'deployment', kind: 'text', placeholder: 'id', help: 'Only lines of this deployment' },
  { flag: 'limit', kind: 'text', placeholder: 'lines', help: 'How many lines to print at first (default: 100)' },
  {
    flag: 'build',
    kind: 'text',
    placeholder: 'id',
    help: 'Print the log of this build, or of the one that runs now: latest',
  },
  organization,
  ...common,
] as const satisfies readonly OptionSpec[];

/**
 * What is asked for. `since` is in nanoseconds since 1970.
 *
 * @throws {UserError} Exit code 2: everything that is wrong with the options. Nothing was sent.
 */
export function checkOptions({
  follow = false,
  since,
  level,
  session,
  deployment,
  limit,
  build,
}: Invocation<[], typeof logOptions>['options']) {
  const from = since === undefined ? undefined : timeIn(since);
  const named = level?.toLowerCase().replace(/^warn$/, 'warning');
  const known = LEVELS.find(one => one === named);
  const lines = limit === undefined ? (since === undefined ? 100 : MOST) : Number(limit);
  const problems = [
    ...(since !== undefined && from === undefined ? ['--since must be like 15m, 2h, 3d, or 2026-01-31T12:00:00Z'] : []),
    ...(level !== undefined && !known ? [`--level must be one of ${LEVELS.join(', ')}`] : []),
    ...(session !== undefined && !isUuid(session) ? ['--session must be the ID of a session'] : []),
    ...(deployment !== undefined && !isUuid(deployment) ? ['--deployment must be the ID of a deployment'] : []),
    ...(Number.isInteger(lines) && lines >= 1 && lines <= MOST ? [] : [`--limit must be a number from 1 to ${MOST}`]),
    ...(build !== undefined && build !== 'latest' && !isUuid(build)
      ? ['--build must be the ID of a build, or latest']
      : []),
  ];
  const [only] = problems;
  if (problems.length > 1) throw usageError(`${problems.length} problems; nothing was sent:`, { problems });
  if (only !== undefined) throw usageError(only);
  return { follow, limit: lines, since: from, level: known, session, deployment };
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function timeIn(text: string): bigint | undefined {
  const [, number, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const ms = number === undefined ? Date.parse(text) : Date.now() - Number(number) * (UNITS[unit] ?? 0);
  const isDate = number !== undefined || /^\d{4}-\d\d-\d\d/.test(text);
  return Number.isNaN(ms) || !isDate ? undefined : BigInt(ms) * 1_000_000n;
}
