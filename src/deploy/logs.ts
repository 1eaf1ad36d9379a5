import { common, organization } from '../account/options.ts';
import { errorFacts, UserError, usageError } from '../errors.ts';
import type { LogLine } from '../platform/agent-schemas.ts';
import { Builds } from '../platform/builds.ts';
import { isUuid } from '../platform/location.ts';
import { defineCommand, type Invocation, type OptionSpec } from '../shell/command-line.ts';
import type { Terminal } from '../shell/terminal.ts';
import { asLine } from '../text.ts';
import { agentArgument, findAgent, withAgent } from './agent-session.ts';
import { createLevelFilter, isoTime, LEVELS, sessionIn } from './logs/log-lines.ts';
import { createLogStream, follow } from './logs/log-stream.ts';

/** The most lines to print at the start. */
const MOST = 10_000;

const logOptions = [
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
function checkOptions({
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

/** The command `botcli cloud logs`. */
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
    const wanted = checkOptions(options);
    const { build, json = false } = options;
    try {
      await withAgent(typed, options, terminal, async session => {
        if (build !== undefined) {
          const lines = options.limit === undefined ? undefined : wanted.limit;
          return printBuild(build, lines, session, json, terminal);
        }
        await printLog(wanted, session, json, terminal);
      });
    } catch (error) {
      if (!json || !(error instanceof UserError)) throw error;
      // Each object has a line of its own, and Ctrl-C is how to end it.
      if (error.reason !== 'interrupted') terminal.printExact(asLine({ error: errorFacts(error, false, terminal) }));
      return error.exitCode;
    }
  },
});

/** Prints the lines of an agent's log that are wanted. With `follow`, new ones too, until Ctrl-C. */
async function printLog(
  wanted: ReturnType<typeof checkOptions>,
  session: Parameters<typeof findAgent>[0],
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const { signal, agents, name } = session;
  const { deployment, session: only, limit, since, level } = wanted;
  const query = { ...(deployment ? { deploymentId: deployment } : {}), ...(only ? { sessionId: only } : {}) };
  const stream = createLogStream((size, offset) =>
    agents.log(name, { limit: size, ...(offset > 0 ? { offset } : {}), ...query }),
  );
  const filter = createLevelFilter(level);
  let shown = 0;
  const show = (lines: readonly LogLine[]) => {
    for (const line of lines) {
      const taken = filter(line);
      // The platform may ignore a filter.
      const isElsewhere =
        deployment !== undefined && line.deploymentId !== undefined && line.deploymentId !== deployment;
      const inOther = only !== undefined && sessionIn(line.log) !== undefined && sessionIn(line.log) !== only;
      if (!taken.isShown || isElsewhere || inOther) continue;
      printLine(line, taken.level, json, terminal);
      shown += 1;
    }
  };
  await findAgent(session);
  const first = await stream.begin(limit, since);
  show(first);
  if (!wanted.follow) {
    if (shown === 0) terminal.note(nothingIn(first.length, name));
    return;
  }
  await follow(stream, show, signal, terminal);
}

const nothingIn = (lines: number, name: string): string =>
  lines === 0
    ? `The log of ${name} has no such lines.`
    : `None of these are in the last lines of the log of ${name} (${lines}). To look further back, add --limit 10000.`;

function printLine(line: LogLine, level: string | undefined, json: boolean, terminal: Terminal): void {
  const { log: text } = line;
  if (!json) {
    terminal.print(text);
    return;
  }
  const facts = { time: isoTime(line) || null, level: level ?? null, session: sessionIn(line.log) ?? null };
  // Programs read one object a line.
  terminal.printExact(asLine({ ...facts, deployment: line.deploymentId ?? null, text }));
}

/**
 * Prints the log of a build.
 *
 * @param id Its ID, or `latest` for the one that the agent runs.
 * @param asked How many lines; undefined for all.
 */
async function printBuild(
  id: string,
  asked: number | undefined,
  session: Parameters<typeof findAgent>[0],
  json: boolean,
  terminal: Terminal,
): Promise<void> {
  const builds = new Builds(session.cloud, session.organization);
  const build = id === 'latest' ? (await findAgent(session)).deployment?.buildId : id;
  if (build === undefined)
    throw new UserError(`${session.name} runs an image that no build made`, { reason: 'not-found' });
  const { lines: all, limit } = await builds.logWithin(build, asked);
  const lines = all.slice(-limit);
  if (asked !== undefined ? limit < asked : lines.length === limit)
    terminal.note(`The log is too long to read whole. Its last ${lines.length} lines:`);
  if (lines.length === 0) terminal.note('The log of this build is empty, or not there yet.');
  for (const text of lines) {
    if (json) terminal.printExact(asLine({ build, text }));
    else terminal.print(text);
  }
}
