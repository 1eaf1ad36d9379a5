import { common, organization, skip } from '../account/options.ts';
import { noteAddress } from '../account/session.ts';
import { UserError, usageError } from '../errors.ts';
import type { BotSession } from '../platform/agent-schemas.ts';
import { isUuid } from '../platform/location.ts';
import { lookUntil } from '../secret-sets/second-look.ts';
import { defineCommand } from '../shell/command-line.ts';
import { checkCanAsk, confirm } from '../shell/confirmation.ts';
import { renderTable } from '../text.ts';
import { agentArgument, findAgent, withAgent } from './agent-session.ts';
import { isOver, stateOf } from './session-state.ts';
import { duration } from './steps.ts';

/** How many sessions are listed. */
const MOST = 50;

/** The command `botcli cloud sessions list`. */
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
      if (options.json) return terminal.printJson({ agent: name, organization, sessions: sessions.map(factsOf) });
      if (sessions.length === 0) return terminal.note(`No ${options.active ? 'active ' : ''}sessions of ${name}.`);
      const rows = sessions.map(one => [one.sessionId, stateOf(one), one.createdAt ?? '', lengthOf(one)]);
      terminal.print(renderTable(['SESSION', 'STATE', 'STARTED', 'LENGTH'], rows, terminal));
    }),
});

/** The command `botcli cloud sessions stop`. */
export const stopSession = defineCommand({
  arguments: [{ name: 'session', required: true, help: 'The ID of the session' }, agentArgument],
  options: [skip, organization, ...common],
  examples: [
    { line: 'botcli cloud sessions stop 3f1c09aa-1111-4222-8333-444455556666', description: 'ask, then end this call' },
  ],
  async run({ positionals: { session: id, agent: typed }, options }, terminal) {
    if (!isUuid(id)) throw usageError('<session> must be an ID, as botcli cloud sessions list prints it');
    checkCanAsk(options, terminal);
    await withAgent(typed, options, terminal, async session => {
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
      const what = `the request to stop session ${id}`;
      const isVisible = (one: BotSession | undefined) => !one || isOver(one);
      const after = await lookUntil(() => agents.session(name, id), { what, isVisible }, terminal);
      if (after && !isOver(after)) {
        const hint = `The platform may need more time. To check, run: botcli cloud sessions list ${name} --active -o ${organization}`;
        throw new UserError(`The session goes on after ${what}`, { reason: 'not-verified', hint });
      }
      if (options.json) return terminal.printJson({ ...facts, stopped: true });
      terminal.print(`${terminal.style.green('✓')} Stopped session ${id}`);
    });
  },
});

function lengthOf({ createdAt, endedAt }: BotSession): string {
  const start = Date.parse(createdAt ?? '');
  const end = endedAt === undefined ? Date.now() : Date.parse(endedAt);
  return Number.isNaN(start) || Number.isNaN(end) ? '' : duration((end - start) / 1000);
}

const factsOf = (one: BotSession) => ({
  session: one.sessionId,
  deployment: one.deploymentId ?? null,
  state: stateOf(one),
  started: one.createdAt ?? null,
  ended: one.endedAt ?? null,
  start_seconds: one.botStartSeconds ?? null,
});
