import type { LogLine } from '../../platform/agent-schemas.ts';
import { asLine } from '../../printable.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { findAgent } from '../agent-session.ts';
import { createLevelFilter, isoTime, sessionIn } from './log-lines.ts';
import { createLogStream, follow } from './log-stream.ts';
import type { checkOptions } from './options.ts';

/** Prints the lines of an agent's log that are wanted. With `follow`, new ones too, until Ctrl-C. */
export async function printLog(
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
