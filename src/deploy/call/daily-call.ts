import { UserError } from '../../errors.ts';
import type { BotSession } from '../../platform/agent-schemas.ts';
import { Agents } from '../../platform/agents.ts';
import type { Connection } from '../../platform/connection.ts';
import { startSession } from '../../platform/starts.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { levelIn, sessionIn } from '../logs/log-lines.ts';
import { isOver, stateOf } from '../session-state.ts';
import { lookEvery } from '../waiting.ts';

/** The pause between looks at a session, in milliseconds. */
const INTERVAL_MS = 2000;
/** How long a bot may take to start, and how long it must stay up then, in looks. */
const LOOKS_TO_START = 30;
const LOOKS_TO_STAY = 8;

/**
 * Starts a session in a new Daily room, and watches whether the bot comes up and stays up. Returns how long it took to
 * start, in seconds, if the platform says so.
 *
 * @param key The organization's public key.
 * @param onStart Called once the session is known, so that it can be ended whatever happens.
 * @throws {UserError} `call-failed`: it doesn't come up, ends, or logs errors.
 */
export async function dailyCall(
  { organization, agent }: { organization: string; agent: string },
  key: string,
  connection: Connection,
  onStart: (session: string, secrets: readonly string[]) => void,
  signal: AbortSignal,
  terminal: Pick<Terminal, 'sleep' | 'progress'>,
): Promise<{ session: string; seconds: number | undefined }> {
  const { session, secrets } = await startSession(connection, key, agent, 'daily');
  if (session === undefined) {
    throw new UserError(`The platform started a session of ${agent}, but doesn't name it`, {
      reason: 'bad-answer',
      hint: `botcli can't end it. Look for it: botcli cloud sessions list ${agent} --active -o ${organization}`,
    });
  }
  onStart(session, secrets);
  const agents = new Agents(connection, organization);
  const found = await watch(agents, agent, session, signal, terminal);
  return { session, seconds: found?.botStartSeconds };
}

/** Looks at a session until it has stayed up for a while, or something is wrong with it. */
async function watch(
  agents: Agents,
  agent: string,
  session: string,
  signal: AbortSignal,
  terminal: Pick<Terminal, 'sleep' | 'progress'>,
): Promise<BotSession | undefined> {
  let [looks, up] = [0, 0];
  let trouble: string | undefined;
  let unreadable: UserError | undefined;
  // A log that can't be read is asked for only once more, in the end: each time may take long.
  const logsErrors = async () => {
    if (unreadable && up <= LOOKS_TO_STAY) return false;
    try {
      const found = await hasErrors(agents, agent, session);
      unreadable = undefined;
      return found;
    } catch (error) {
      if (!(error instanceof UserError) || error.reason === 'interrupted') throw error;
      unreadable = error;
      return false;
    }
  };
  const look = async () => {
    looks += 1;
    const found = await agents.session(agent, session);
    if (found && (up > 0 || hasArrived(found))) up += 1;
    if (found && isOver(found)) trouble = `The session ended by itself (${stateOf(found)})`;
    else if (up === 0 && looks >= LOOKS_TO_START)
      trouble = "The platform doesn't say that the session has reached the bot";
    else if (up > 0 && (await logsErrors())) trouble = 'The bot started, but logged errors';
    terminal.progress.show(up > 0 ? `It's up, ${((up - 1) * INTERVAL_MS) / 1000}s` : 'Starting');
    return found;
  };
  const isDone = () => trouble !== undefined || up > LOOKS_TO_STAY;
  const limits = { signal, deadline: Date.now() + 3 * LOOKS_TO_START * INTERVAL_MS };
  const found = await lookEvery(INTERVAL_MS, look, { isDone, each: () => {} }, limits, terminal).catch(error => {
    if (!(error instanceof UserError) || error.reason !== 'timeout') throw error;
    throw error.withMessage(`It's unknown whether the bot came up. ${error.message}`.trim());
  });
  if (trouble !== undefined) throw new UserError(trouble, { reason: 'call-failed' });
  if (unreadable) {
    throw unreadable.withMessage(
      `The bot started and stayed up, but its log is unknown, and so is whether it works. ${unreadable.message}`,
    );
  }
  return found;
}

/** Whether the bot got the request that starts the session. */
const hasArrived = ({ events, botStartSeconds }: BotSession): boolean =>
  botStartSeconds !== undefined || events.some(({ eventCode }) => eventCode === 'REQUEST_ARRIVED_AT_BOT');

/** Whether a line of the session's log reports an error. The platform may ignore the filter. */
async function hasErrors(agents: Agents, agent: string, session: string): Promise<boolean> {
  const lines = await agents.log(agent, { limit: 100, sessionId: session });
  return lines.some(({ log }) => sessionIn(log) === session && ['error', 'critical'].includes(levelIn(log) ?? ''));
}
