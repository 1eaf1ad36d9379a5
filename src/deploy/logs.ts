import { common, organization } from '../account/options.ts';
import { UserError, usageError } from '../errors.ts';
import type { LogLine } from '../platform/agent-answers.ts';
import { isUuid } from '../platform/connection.ts';
import { asLine } from '../printable.ts';
import { defineCommand } from '../shell/command-line.ts';
import { errorFacts } from '../shell/error-facts.ts';
import type { Terminal } from '../shell/terminal.ts';
import { type AgentSession, agentArgument, findAgent, withAgent } from './agent-session.ts';
import { printBuild } from './build-log.ts';
import { redact } from './causes.ts';
import { isoTime, LEVELS, type Level, LevelFilter, sessionIn } from './log-lines.ts';
import { LogStream, type News } from './log-stream.ts';
import { ownValues } from './own-project.ts';

/** The pause between looks, in milliseconds, while lines come and after a while without any. */
const INTERVAL_MS = 2000;
const IDLE_MS = 10_000;
/** Looks without a line until the pause grows. */
const IDLE_LOOKS = 5;

/** The most lines to print at the start. */
const MOST = 10_000;

/** The options, checked. */
interface Wanted {
  follow: boolean;
  limit: number;
  /** In nanoseconds since 1970. */
  since: bigint | undefined;
  level: Level | undefined;
  session: string | undefined;
  deployment: string | undefined;
}

/** The command `botcli cloud logs`. */
export const logs = defineCommand({
  description:
    'Prints the last 100 lines, the oldest first. With --json, each line is one object. Values of server/.env are hidden.',
  arguments: [agentArgument],
  options: [
    { flag: 'follow', short: 'f', kind: 'switch', help: 'Go on with new lines, until Ctrl-C' },
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
  ],
  examples: [
    { line: 'botcli cloud logs --follow', description: 'watch the bot' },
    { line: 'botcli cloud logs my-bot --since 1h --level warning', description: 'what went wrong in the last hour' },
  ],
  async run({ positionals: { agent: typed }, options }, terminal) {
    const wanted = checkOptions(options);
    const { build, json = false } = options;
    try {
      await withAgent(typed, options, terminal, async session => {
        if (build !== undefined) {
          const lines = options.limit === undefined ? undefined : wanted.limit;
          return printBuild(build, lines, session, json, terminal);
        }
        await findAgent(session);
        await print(wanted, session, json, terminal);
      });
    } catch (error) {
      if (!json || !(error instanceof UserError)) throw error;
      // Each object has a line of its own, and Ctrl-C is how to end it.
      if (error.reason !== 'interrupted') terminal.printExact(asLine({ error: errorFacts(error, false, terminal) }));
      return error.exitCode;
    }
  },
});

interface Options {
  readonly follow?: boolean;
  readonly since?: string;
  readonly level?: string;
  readonly session?: string;
  readonly deployment?: string;
  readonly limit?: string;
  readonly build?: string;
}

/** @throws {UserError} Exit code 2: everything that is wrong with the options. Nothing was sent. */
function checkOptions({ follow = false, since, level, session, deployment, limit, build }: Options): Wanted {
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

async function print(
  wanted: Wanted,
  { session, agents, name }: AgentSession,
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const { deployment, session: only, limit, since, level } = wanted;
  const query = { ...(deployment ? { deploymentId: deployment } : {}), ...(only ? { sessionId: only } : {}) };
  const stream = new LogStream((size, offset) =>
    agents.log(name, { limit: size, ...(offset > 0 ? { offset } : {}), ...query }),
  );
  const values = ownValues(terminal);
  const filter = new LevelFilter(level);
  const show = (lines: readonly LogLine[]) => {
    for (const line of lines) {
      const taken = filter.take(line);
      // The platform may ignore a filter.
      const isElsewhere =
        deployment !== undefined && line.deploymentId !== undefined && line.deploymentId !== deployment;
      const inOther = only !== undefined && sessionIn(line.log) !== undefined && sessionIn(line.log) !== only;
      if (taken.isShown && !isElsewhere && !inOther) printLine(line, taken.level, { json, values }, terminal);
    }
  };
  const first = await stream.begin(limit, since, wanted.follow);
  show(first);
  if (!wanted.follow) {
    if (first.length === 0) terminal.note(`The log of ${name} has no such lines.`);
    return;
  }
  await follow(stream, show, session.signal, terminal);
}

/** Prints new lines until Ctrl-C. What fails is tried again. */
async function follow(
  stream: LogStream,
  show: (lines: readonly LogLine[]) => void,
  signal: AbortSignal,
  terminal: Terminal,
): Promise<void> {
  let isBroken = false;
  for (let quiet = 0; ; ) {
    await terminal.sleep(quiet > IDLE_LOOKS ? IDLE_MS : INTERVAL_MS, signal);
    const news = await look(stream);
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

/** A look, or why it failed. What trying again doesn't change is thrown. */
async function look(stream: LogStream): Promise<News | UserError> {
  try {
    return await stream.next();
  } catch (error) {
    const isFinal =
      error instanceof UserError && ['interrupted', 'unauthorized', 'forbidden', 'not-found'].includes(error.reason);
    if (isFinal || !(error instanceof UserError)) throw error;
    return error;
  }
}

const timeOf = (time: bigint): string => isoTime({ timestamp: `${time}` });

function printLine(
  line: LogLine,
  level: Level | undefined,
  { json, values }: { json: boolean; values: readonly string[] },
  terminal: Terminal,
): void {
  const text = redact(line.log, values);
  if (!json) {
    terminal.print(text);
    return;
  }
  const facts = { time: isoTime(line) || null, level: level ?? null, session: sessionIn(line.log) ?? null };
  // Programs read one object a line.
  terminal.printExact(asLine({ ...facts, deployment: line.deploymentId ?? null, text }));
}
