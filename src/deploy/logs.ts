import { common, organization } from '../account/session.ts';
import { allOf, errorFacts, UserError } from '../errors.ts';
import type { Agents } from '../platform/agents.ts';
import type { LogLine } from '../platform/answers.ts';
import { NOTHING_SENT } from '../platform/names.ts';
import { defineCommand, type Invocation, type OptionSpec, textOption } from '../shell/command-line.ts';
import type { Terminal } from '../shell/terminal.ts';
import { asLine, isUuid } from '../text.ts';
import { type AgentSession, agentArgument, findAgent, withAgent } from './agent-session.ts';

/** Lines in the order of their time. Those of the same time keep theirs, which is the newest first. */
const inOrder = (lines: readonly LogLine[]): LogLine[] =>
  [...lines].reverse().sort((one, other) => Number(nanoseconds(one) - nanoseconds(other)));

/** The time of a line, in nanoseconds since 1970; 0 if it has none that we can read. */
function nanoseconds({ timestamp }: Pick<LogLine, 'timestamp'>): bigint {
  if (/^\d{1,25}$/.test(timestamp)) return BigInt(timestamp);
  const ms = Date.parse(timestamp);
  return Number.isNaN(ms) ? 0n : BigInt(ms) * 1_000_000n;
}

/** The time of a line in ISO form; empty if it has none that we can read. */
function isoTime(line: Pick<LogLine, 'timestamp'>): string {
  const ms = Number(nanoseconds(line) / 1_000_000n);
  return ms > 0 && ms < 8.64e15 ? new Date(ms).toISOString() : '';
}

/** From the least to the most severe. */
const LEVELS = ['trace', 'debug', 'info', 'success', 'warning', 'error', 'critical'] as const;

type Level = (typeof LEVELS)[number];

/** `TIME | LEVEL    | module:function:line | SESSION - text`, and `LEVEL:     text` of the web server. */
const LEVEL = new RegExp(`^(?:[^|]{10,40}\\| *)?(${LEVELS.join('|')})(?: *\\||: )`, 'i');
const SESSION = /^[^|]+\|[^|]+\|[^|]+\| *([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}) - /i;

/** The last lines of an agent's log, the oldest first, since a time as in `Date.now()`; none if it can't be read. */
export async function lastLines(name: string, query: Parameters<Agents['log']>[1], agents: Agents, since = 0) {
  const lines = inOrder(await agents.log(name, query).catch(() => []));
  return lines.flatMap(line => (nanoseconds(line) >= BigInt(since) * 1_000_000n ? line.log.split('\n') : []));
}

/** The fewest lines of a look, so many that no platform sends fewer because they are too many for it; and the most. */
const FEWEST = 100;
const MOST_LINES = 10_000;

/**
 * Reads a growing log. The platform gives lines no numbers, so each look overlaps the one before, and lines that the
 * one before had, as often, aren't new. Neither is what is older than all of them.
 *
 * @param newest Gets the newest lines of the log, in any order.
 * @returns A look: the new lines, the oldest first; others may be missing before `gap`. It asks for more than `first`
 * lines until they reach back to the look before, or to `since`, in nanoseconds.
 */
export function createLogStream(newest: (limit: number) => Promise<LogLine[]>) {
  /** How often the last look had each line, and the time of its oldest; undefined before the first look. */
  let seen = new Map<string, number>();
  let horizon: bigint | undefined;
  return async (first = FEWEST, since?: bigint) => {
    const isReached = (line: LogLine) =>
      since === undefined
        ? horizon === undefined || seen.has(keyOf(line)) || nanoseconds(line) <= horizon
        : nanoseconds(line) < since;
    let [lines, oldest]: [LogLine[], LogLine | undefined] = [[], undefined];
    let isWhole = false;
    for (let size = Math.max(first, FEWEST), before = -1; ; size = Math.min(4 * size, MOST_LINES)) {
      lines = inOrder(await newest(size));
      // Without a time that we can read, a line says nothing about others.
      oldest = lines.find(line => nanoseconds(line) > 0n);
      isWhole = lines.length < FEWEST || !oldest || isReached(oldest);
      // The platform may have no others, whatever we ask for.
      if (isWhole || size >= MOST_LINES || lines.length <= before) break;
      before = lines.length;
    }
    const least = horizon ?? -1n;
    const counts = new Map<string, number>();
    const fresh = lines.filter(line => {
      const [key, time] = [keyOf(line), nanoseconds(line)];
      const count = (counts.get(key) ?? 0) + 1;
      counts.set(key, count);
      return count > (seen.get(key) ?? 0) && (time === 0n || time > least);
    });
    seen = counts;
    horizon = lines.length >= FEWEST && oldest && nanoseconds(oldest) > least ? nanoseconds(oldest) : least;
    return { lines: fresh, gap: isWhole ? undefined : oldest };
  };
}

const keyOf = ({ log, timestamp, deploymentId = '' }: LogLine): string => `${timestamp}\0${deploymentId}\0${log}`;

const logOptions = [
  { flag: 'follow', short: 'f', kind: 'switch', help: 'Keep printing new lines until Ctrl-C' },
  textOption('since', 'time', 'Only lines from this time on: 15m, 2h, or 2026-01-31T12:00:00Z'),
  { ...textOption('level', 'level', 'Only this level and worse, such as warning'), values: LEVELS },
  textOption('session', 'id', 'Only lines of this session'),
  textOption('deployment', 'id', 'Only lines of this deployment'),
  textOption('limit', 'lines', 'How many lines to print at first (default: 100)'),
  textOption('build', 'id', 'Print the log of this build, or of the one that runs now: latest'),
  organization,
  ...common,
] as const satisfies readonly OptionSpec[];

/** @throws {UserError} Exit code 2: everything that is wrong with the options. Nothing was sent. */
function checkOptions(options: Invocation<[], typeof logOptions>['options']) {
  const { follow = false, since, level, session, deployment, limit, build = 'latest' } = options;
  const from = since === undefined ? undefined : timeIn(since);
  const named = level?.toLowerCase().replace(/^warn$/, 'warning');
  const known = LEVELS.find(one => one === named);
  const lines = limit === undefined ? (since === undefined ? 100 : MOST_LINES) : Number(limit);
  const rows: [isWrong: boolean, problem: string][] = [
    [since !== undefined && from === undefined, '--since must be like 15m, 2h, 3d, or 2026-01-31T12:00:00Z'],
    [level !== undefined && !known, `--level must be one of ${LEVELS.join(', ')}`],
    [session !== undefined && !isUuid(session), '--session must be the ID of a session'],
    [deployment !== undefined && !isUuid(deployment), '--deployment must be the ID of a deployment'],
    [
      !(Number.isInteger(lines) && lines >= 1 && lines <= MOST_LINES),
      `--limit must be a number from 1 to ${MOST_LINES}`,
    ],
    [build !== 'latest' && !isUuid(build), '--build must be the ID of a build, or latest'],
  ];
  const problems = rows.flatMap(([isWrong, problem]) => (isWrong ? problem : []));
  if (problems.length > 0) throw allOf(problems, NOTHING_SENT);
  return { follow, limit: lines, since: from, level: known, session, deployment };
}

const UNITS: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 };

function timeIn(text: string): bigint | undefined {
  const [, number, unit = ''] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const ms = number === undefined ? Date.parse(text) : Date.now() - Number(number) * (UNITS[unit] ?? 0);
  const isDate = number !== undefined || /^\d{4}-\d\d-\d\d/.test(text);
  return Number.isNaN(ms) || !isDate ? undefined : BigInt(ms) * 1_000_000n;
}

export const logs = defineCommand({
  description:
    'Prints the last 100 lines, the oldest first. With --json, each line is one object. Values of server/.env are hidden.',
  arguments: [agentArgument],
  options: logOptions,
  examples: [
    { line: 'botcli cloud logs --follow', description: 'watch the bot' },
    { line: 'botcli cloud logs my-bot --since 1h --level warning', description: 'what went wrong in the last hour' },
  ],
  async run({ positionals: { agent: typed }, options }, terminal) {
    const { build, json = false } = options;
    const print = async (session: AgentSession, wanted: ReturnType<typeof checkOptions>) => {
      if (build === undefined) return printLog(wanted, session, json, terminal);
      const lines = options.limit === undefined ? undefined : wanted.limit;
      return printBuild(build, lines, session, json, terminal);
    };
    try {
      await withAgent(typed, options, terminal, print, () => checkOptions(options));
    } catch (error) {
      if (!json || !(error instanceof UserError)) throw error;
      // Each object has a line of its own, and Ctrl-C is how to end it.
      if (error.reason !== 'interrupted') terminal.printExact(asLine({ error: errorFacts(error, false, terminal) }));
      return error.exitCode;
    }
  },
});

/** The pause between looks, in milliseconds, while lines come and after a while without any. */
const INTERVAL_MS = 2000;
const IDLE_MS = 10_000;
const IDLE_LOOKS = 5;

/** Reasons that trying again doesn't change. */
const FINAL: readonly string[] = ['interrupted', 'unauthorized', 'forbidden', 'not-found'];

/** Prints the lines of an agent's log that are wanted. With `follow`, new ones too, until Ctrl-C. */
async function printLog(
  { deployment, session: only, limit, since, level: least, follow }: ReturnType<typeof checkOptions>,
  session: AgentSession,
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const { signal, agents, name } = session;
  const query = { deploymentId: deployment, sessionId: only };
  const look = createLogStream(size => agents.log(name, { limit: size, ...query }));
  const levels = new Map<string, Level>();
  const rank = least === undefined ? 0 : LEVELS.indexOf(least);
  let shown = 0;
  const show = (lines: readonly LogLine[]) => {
    for (const line of lines) {
      const { log: text, deploymentId } = line;
      // A line that names no level has that of the line before it in its deployment: a traceback stays whole.
      const named = LEVEL.exec(text)?.[1]?.toLowerCase() as Level | undefined;
      const level = named ?? levels.get(deploymentId ?? '');
      if (level !== undefined) levels.set(deploymentId ?? '', level);
      const isLess = level !== undefined && LEVELS.indexOf(level) < rank;
      const inSession = SESSION.exec(text)?.[1];
      // The platform may ignore a filter.
      const isElsewhere = deployment !== undefined && deploymentId !== undefined && deploymentId !== deployment;
      const isInOther = only !== undefined && inSession !== undefined && inSession !== only;
      if (isLess || isElsewhere || isInOther) continue;
      shown += 1;
      const facts = { time: isoTime(line) || null, level: level ?? null, session: inSession ?? null };
      // Programs read one object a line.
      if (json) terminal.printExact(asLine({ ...facts, deployment: deploymentId ?? null, text }));
      else terminal.print(text);
    }
  };
  await findAgent(session);
  const { lines: read } = await look(since === undefined ? limit : FEWEST, since);
  const first = read.filter(line => since === undefined || nanoseconds(line) >= since).slice(-limit);
  show(first);
  if (!follow && shown === 0) {
    terminal.note(
      first.length === 0
        ? `The log of ${name} has no such lines.`
        : `None of these are in the last lines of the log of ${name} (${first.length}). To look further back, add --limit 10000.`,
    );
  }
  // What fails is tried again.
  for (let [quiet, isBroken] = [0, false]; follow; ) {
    await terminal.sleep(quiet > IDLE_LOOKS ? IDLE_MS : INTERVAL_MS, signal);
    try {
      const { lines, gap } = await look();
      if (isBroken) terminal.note('Connected again.');
      isBroken = false;
      if (gap) terminal.note(`… lines may be missing before ${isoTime(gap)}`);
      show(lines);
      quiet = lines.length > 0 ? 0 : quiet + 1;
    } catch (error) {
      if (!(error instanceof UserError) || FINAL.includes(error.reason)) throw error;
      if (!isBroken) terminal.note(`${error.message}. botcli goes on trying.`);
      isBroken = true;
    }
  }
}

/** Prints the log of a build, or of the `latest`, which the agent runs. `asked`: how many lines; undefined for all. */
async function printBuild(
  id: string,
  asked: number | undefined,
  session: AgentSession,
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const build = id === 'latest' ? (await findAgent(session)).deployment?.buildId : id;
  if (build === undefined)
    throw new UserError(`${session.name} runs an image that no build made`, { reason: 'not-found' });
  const { lines: all, limit } = await session.agents.buildLog(build, asked);
  const lines = all.slice(-limit);
  if (asked !== undefined ? limit < asked : lines.length === limit)
    terminal.note(`The log is too long to read whole. Its last ${lines.length} lines:`);
  if (lines.length === 0) terminal.note('The log of this build is empty, or not there yet.');
  for (const text of lines) {
    if (json) terminal.printExact(asLine({ build, text }));
    else terminal.print(text);
  }
}
