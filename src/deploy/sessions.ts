import { common, noteAddress, organization, skip } from '../account/session.ts';
import { ignoring, UserError, usageError } from '../errors.ts';
import type { Agents } from '../platform/agents.ts';
import type { BotSession } from '../platform/answers.ts';
import { hasUnknownOutcome } from '../platform/errors.ts';
import { type Sleeper, until } from '../platform/until.ts';
import { lookUntil } from '../secret-sets/change.ts';
import { defineCommand } from '../shell/command-line.ts';
import { checkCanAsk, confirm } from '../shell/confirmation.ts';
import { isUuid, renderTable } from '../text.ts';
import { type AgentSession, agentArgument, findAgent, withAgent } from './agent-session.ts';
import { duration } from './steps.ts';

const MOST = 50;

export const listSessions = defineCommand({
  arguments: [agentArgument],
  options: [
    { flag: 'active', kind: 'switch', help: 'List only sessions that are in progress' },
    organization,
    ...common,
  ],
  examples: [{ line: 'botcli cloud sessions list --active', description: 'the calls in progress' }],
  run: ({ positionals: { agent: typed }, options }, terminal) =>
    withAgent(typed, options, terminal, async session => {
      const { agents, name, organization } = session;
      await findAgent(session);
      const status = options.active ? { status: 'active' } : {};
      const found = await agents.sessions(name, { limit: MOST, ...status });
      // Whether the platform takes the filter isn't documented for this route.
      const sessions = options.active ? found.filter(one => !isOver(one)) : found;
      if (options.json) {
        const facts = sessions.map(one => ({
          session: one.sessionId,
          deployment: one.deploymentId ?? null,
          state: stateOf(one),
          started: one.createdAt ?? null,
          ended: one.endedAt ?? null,
          start_seconds: one.botStartSeconds ?? null,
        }));
        return terminal.printJson({ agent: name, organization, sessions: facts });
      }
      if (sessions.length === 0) return terminal.note(`No ${options.active ? 'active ' : ''}sessions of ${name}.`);
      const rows = sessions.map(one => [one.sessionId, stateOf(one), one.createdAt ?? '', lengthOf(one)]);
      terminal.print(renderTable(['SESSION', 'STATE', 'STARTED', 'LENGTH'], rows, terminal));
    }),
});

export const stopSession = defineCommand({
  arguments: [{ name: 'session', required: true, help: 'The ID of the session' }, agentArgument],
  options: [skip, organization, ...common],
  examples: [
    { line: 'botcli cloud sessions stop 3f1c09aa-1111-4222-8333-444455556666', description: 'ask, then end this call' },
  ],
  async run({ positionals: { session: id, agent: typed }, options }, terminal) {
    const check = (_: unknown, errors: UserError[]) => {
      if (!isUuid(id)) errors.push(usageError('<session> must be an ID, as botcli cloud sessions list prints it'));
      checkCanAsk(options, terminal);
    };
    const stop = async (session: AgentSession) => {
      const { agents, name, organization } = session;
      const found = await agents.session(name, id);
      if (!found) {
        const hint = `To list all, run: botcli cloud sessions list ${name} -o ${organization}`;
        throw new UserError(`${name} has no session ${id}`, { reason: 'not-found', hint });
      }
      const facts = { agent: name, organization, session: id };
      if (isOver(found)) {
        if (options.json) return terminal.printJson({ ...facts, stopped: false });
        return terminal.print(`Session ${id} is over already (${stateOf(found)})`);
      }
      noteAddress(session, terminal);
      terminal.note(
        `Session ${id} of ${name} in organization ${organization}: ${stateOf(found)}, for ${lengthOf(found)}`,
      );
      await confirm('End this call?', options, terminal);
      await agents.stopSession(name, id);
      await checkStopped(name, id, agents, terminal);
      if (options.json) return terminal.printJson({ ...facts, stopped: true });
      terminal.print(`${terminal.style.green('✓')} Stopped session ${id}`);
    };
    await withAgent(typed, options, terminal, stop, check);
  },
});

const isOver = (session: BotSession): boolean => stateOf(session) !== 'active';

/** `active`, or how it ended. */
export const stateOf = ({ endState = 'active', endedAt }: BotSession): string =>
  endState === 'active' && endedAt ? 'ended' : endState;

function lengthOf({ createdAt, endedAt }: BotSession): string {
  const start = Date.parse(createdAt ?? '');
  const end = endedAt === undefined ? Date.now() : Date.parse(endedAt);
  return Number.isNaN(start) || Number.isNaN(end) ? '' : duration((end - start) / 1000);
}

/** @throws {UserError} A session that was stopped goes on. */
async function checkStopped(name: string, id: string, agents: Agents, terminal: Sleeper): Promise<void> {
  const what = `the request to stop session ${id}`;
  const isVisible = (one: BotSession | undefined) => !one || isOver(one);
  const after = await lookUntil(() => agents.session(name, id), { what, isVisible }, terminal);
  if (isVisible(after)) return;
  const hint = `The platform may need more time. To check, run: ${agents.command(`sessions list ${name} --active`)}`;
  throw new UserError(`The session goes on after ${what}`, { reason: 'not-verified', hint });
}

/** Ends the session of a call, and looks whether it has ended. Ctrl-C doesn't stop this: a session costs money. */
export async function endSession(name: string, id: string, agents: Agents, terminal: Sleeper): Promise<undefined> {
  const last = agents.within(AbortSignal.timeout(30_000));
  try {
    const found = await last.session(name, id);
    if (found && isOver(found)) return;
    // Whether it happened is looked up.
    await last.stopSession(name, id).catch(ignoring(hasUnknownOutcome));
    await checkStopped(name, id, last, terminal);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    throw error.withMessage(`The call worked, but botcli could not see its session end. ${error.message}`, {
      reason: 'not-verified',
      hint: `To end it: ${agents.command(`sessions stop ${id} ${name}`)}`,
    });
  } finally {
    last.close();
  }
}

/** Looks a few times for sessions that weren't there before. Returns those of the last look. */
export async function newSessions(
  before: readonly BotSession[],
  name: string,
  agents: Agents,
  isDone: (found: readonly BotSession[]) => boolean,
  terminal: Sleeper,
): Promise<readonly BotSession[]> {
  const known = new Set(before.map(({ sessionId }) => sessionId));
  const look = async () => {
    const now = await agents.sessions(name).catch(() => []);
    return now.filter(one => !known.has(one.sessionId));
  };
  return (await until<readonly BotSession[]>(look, { isDone, looks: 5, everyMs: 2000 }, terminal)).state ?? [];
}
