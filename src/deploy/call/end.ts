import { ignoring, UserError } from '../../errors.ts';
import type { BotSession } from '../../platform/agent-schemas.ts';
import { Agents } from '../../platform/agents.ts';
import { hasUnknownOutcome } from '../../platform/cloud-error.ts';
import type { Connection } from '../../platform/connection.ts';
import { lookUntil } from '../../secret-sets/second-look.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { isOver } from '../session-state.ts';

/** How long the end of a session may take after Ctrl-C, in milliseconds. */
const LAST_MS = 30_000;

/**
 * Ends a session, and looks whether it has ended. Ctrl-C doesn't stop this: the session would go on, and cost money.
 *
 * @throws {UserError} It may go on.
 */
export async function endSession(
  session: string,
  agent: string,
  organization: string,
  connection: Connection,
  { sleep }: Pick<Terminal, 'sleep'>,
): Promise<undefined> {
  const last = connection.withSignal(AbortSignal.timeout(LAST_MS));
  const agents = new Agents(last, organization);
  try {
    const found = await agents.session(agent, session);
    if (found && isOver(found)) return undefined;
    // Whether it happened is looked up.
    await agents.stopSession(agent, session).catch(ignoring(hasUnknownOutcome));
    const what = `the request to stop session ${session}`;
    const isVisible = (one: BotSession | undefined) => one !== undefined && isOver(one);
    const look = () => agents.session(agent, session);
    const after = await lookUntil(look, { what, isVisible }, { sleep: ms => sleep(ms) });
    if (after === undefined || isOver(after)) return undefined;
    throw new UserError(`It goes on after ${what}`, { reason: 'not-verified' });
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw error.withMessage(`The call worked, but botcli could not see its session end. ${error.message}`, {
      reason: 'not-verified',
      hint: `To end it: botcli cloud sessions stop ${session} ${agent} -o ${organization}`,
    });
  } finally {
    last.close();
  }
}

/** Looks a few times for sessions that weren't there before. Returns those of the last look. */
export async function newSessions(
  before: readonly BotSession[],
  agents: Agents,
  agent: string,
  { looks, pauseMs, isEnough }: { looks: number; pauseMs: number; isEnough(found: readonly BotSession[]): boolean },
  { sleep }: Pick<Terminal, 'sleep'>,
): Promise<BotSession[]> {
  const known = new Set(before.map(({ sessionId }) => sessionId));
  for (let number = 1; ; number += 1) {
    const now = await agents.sessions(agent, { limit: 100 }).catch(() => []);
    const found = now.filter(one => !known.has(one.sessionId));
    if (isEnough(found) || number === looks) return found;
    await sleep(pauseMs);
  }
}

/** How long to look for a session of which nothing is known, in milliseconds. */
const LONGEST_SEARCH_MS = 10_000;

/**
 * Says how to end a session that may have started, although the platform's response to that is lost. New ones are named,
 * but not ended: they might be somebody else's. Ctrl-C doesn't stop this.
 *
 * @param before The sessions that there were; undefined if that isn't known.
 */
export async function describeLost(
  before: readonly BotSession[] | undefined,
  agent: string,
  organization: string,
  connection: Connection,
  terminal: Pick<Terminal, 'sleep'>,
): Promise<string> {
  const last = connection.withSignal(AbortSignal.timeout(LONGEST_SEARCH_MS));
  const goOn = (found: readonly BotSession[]) => found.filter(one => !isOver(one));
  const search = { looks: 3, pauseMs: 1000, isEnough: (found: readonly BotSession[]) => goOn(found).length > 0 };
  const found = before ? await newSessions(before, new Agents(last, organization), agent, search, terminal) : [];
  last.close();
  const stops = goOn(found).map(one => `botcli cloud sessions stop ${one.sessionId} ${agent} -o ${organization}`);
  return [
    ...(stops.length > 0 ? [whyNotEnded(stops.length), ...stops] : []),
    `To list all that go on: botcli cloud sessions list ${agent} --active -o ${organization}`,
  ].join('\n');
}

const whyNotEnded = (count: number): string =>
  count === 1
    ? "A session has started since. It may be somebody else's call, so botcli didn't end it. To end it:"
    : `${count} sessions have started since. botcli can't tell which one is its own, so it ended none. To end them:`;

/**
 * Finds the session of a phone call that botcli has ended, and whether that has ended, too. The gateway doesn't name it,
 * so it's the only new one. Nothing is stopped: it might be somebody else's.
 */
export async function sessionsSince(
  before: readonly BotSession[],
  agents: Agents,
  agent: string,
  terminal: Pick<Terminal, 'sleep'>,
): Promise<{ session: string | undefined; hasEnded: boolean | undefined }> {
  const haveEnded = (found: readonly BotSession[]) => found.length > 0 && found.every(isOver);
  const search = { looks: 5, pauseMs: 2000, isEnough: haveEnded };
  const found = await newSessions(before, agents, agent, search, terminal);
  const [only] = found;
  if (only !== undefined && found.length === 1) return { session: only.sessionId, hasEnded: isOver(only) };
  // If all new ones have ended, so has ours.
  return { session: undefined, hasEnded: haveEnded(found) || undefined };
}
