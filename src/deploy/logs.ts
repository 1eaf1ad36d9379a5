import { UserError } from '../errors.ts';
import type { LogLine } from '../platform/agent-schemas.ts';
import { Builds } from '../platform/builds.ts';
import { asLine } from '../printable.ts';
import { defineCommand } from '../shell/command-line.ts';
import { errorFacts } from '../shell/error-facts.ts';
import type { Terminal } from '../shell/terminal.ts';
import { agentArgument, findAgent, withAgent } from './agent-session.ts';
import { createLevelFilter, isoTime, sessionIn } from './logs/log-lines.ts';
import { createLogStream, follow } from './logs/log-stream.ts';
import { checkOptions, logOptions } from './logs/options.ts';

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
