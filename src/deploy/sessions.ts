import { type CloudSession, common, noteAddress, organization, skip } from '../account/session.ts';
import type { TransportRow } from '../catalog/index.ts';
import { explaining, hintOf, ignoring, UserError, usageError } from '../errors.ts';
import type { Agents } from '../platform/agents.ts';
import type { BotSession } from '../platform/answers.ts';
import { hasUnknownOutcome } from '../platform/errors.ts';
import { gatewayUrl } from '../platform/gateway.ts';
import { type Sleeper, until } from '../platform/until.ts';
import { lookUntil } from '../secret-sets/change.ts';
import { defineCommand } from '../shell/command-line.ts';
import { checkCanAsk, confirm } from '../shell/confirmation.ts';
import type { Terminal } from '../shell/terminal.ts';
import { isUuid, renderTable } from '../text.ts';
import { type AgentSession, agentArgument, findAgent, ownTransports, withAgent } from './agent-session.ts';
import { lastLines } from './logs.ts';
import { phoneCall } from './phone-call.ts';
import { duration, lookEvery } from './steps.ts';
import { callOption, chooseCallable } from './transports.ts';

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
const stateOf = ({ endState = 'active', endedAt }: BotSession): string =>
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
async function endSession(name: string, id: string, agents: Agents, terminal: Sleeper): Promise<undefined> {
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

export const call = defineCommand({
  description:
    'Starts one session, ends it, and looks whether it ended. Over a phone provider, botcli sends silence and listens ' +
    "until the bot speaks. In a Daily room it can't hear the bot, so it watches the session and the log.\n" +
    'A session in a Daily room needs a public API key. If there is none, botcli offers to create one.',
  arguments: [agentArgument],
  options: [callOption, skip, organization, ...common],
  examples: [
    { line: 'botcli cloud call', description: "the project's agent, as its users reach it" },
    { line: 'botcli cloud call my-bot -t rtc_hosted', description: 'any agent, in a Daily room' },
  ],
  async run({ positionals: { agent: typed }, options }, terminal) {
    const choose = (agent: string | undefined) =>
      chooseCallable(options.transport, ownTransports(agent, terminal.cwd), agent, options.organization);
    const callIt = async (session: AgentSession, transport: TransportRow) => {
      const { name, organization } = session;
      const { region } = await findAgent(session);
      noteAddress(session, terminal);
      terminal.note(`Calling ${name} in organization ${organization}, ${region}, over ${transport.label}`);
      const result = await testCall({ ...session, region, transport, options, terminal });
      if (options.json) {
        return terminal.printJson({
          agent: name,
          organization,
          region,
          transport: transport.id,
          session: result.session ?? null,
          outcome: result.outcome,
          seconds: result.seconds ?? null,
          ended: result.hasEnded ?? null,
        });
      }
      terminal.print(`${terminal.style.green('✓')} ${result.text}`);
      terminal.note(result.end);
    };
    await withAgent(typed, options, terminal, callIt, choose);
  },
});

/** A bot to call, and with what. */
interface Callee extends CloudSession {
  agents: Agents;
  name: string;
  region: string;
  transport: TransportRow;
  options: { readonly skip?: boolean };
  terminal: Terminal;
}

/** What a test call showed. What the platform doesn't say is undefined. */
interface CallResult {
  outcome: 'spoke' | 'started';
  /** Seconds until it spoke or started. */
  seconds: number | undefined;
  session: string | undefined;
  hasEnded: boolean | undefined;
}

const LINES = 20;
/** How much the clocks here and there may differ, in milliseconds. */
const CLOCKS_MS = 5000;

/** Calls a bot once, and ends the call whatever happens. An error has the end of its log. */
export async function testCall(callee: Callee): Promise<CallResult & { text: string; end: string }> {
  const start = Date.now();
  try {
    const result = await (callee.transport.family === 'stream' ? callByPhone(callee) : callInRoom(callee));
    const { outcome, seconds } = result;
    const after = seconds === undefined ? '' : ` after ${seconds.toFixed(1)} s`;
    const text = outcome === 'spoke' ? `It spoke${after}` : `It started${after} and stayed up; botcli can't hear it`;
    return { ...result, text, end: describeEnd(result, callee) };
  } catch (error) {
    if (!(error instanceof UserError) || error.reason === 'interrupted') throw error;
    const { agents, name } = callee;
    const hint = error.hint ?? `To look at the bot, run: ${agents.command(`status ${name}`)}`;
    if (error.reason !== 'call-failed') throw error.withMessage(error.message, { hint });
    // What the bot has logged since the call began.
    const log = await lastLines(name, { limit: 100 }, agents, start - CLOCKS_MS);
    throw error.withMessage(error.message, {
      problems: log.slice(-LINES),
      hint: hintOf(
        log.length === 0 ? 'Its log has no lines since the call began.' : undefined,
        error.hint,
        `The log: ${agents.command(`logs ${name}`)}`,
      ),
      facts: { ...error.facts, phase: 'call', log: log.slice(-LINES) },
    });
  }
}

function describeEnd({ hasEnded, session }: CallResult, { agents, name }: Callee): string {
  if (hasEnded) return 'The session has ended.';
  if (session === undefined) return "botcli hung up. The platform doesn't show which session it was.";
  return `botcli hung up, but session ${session} goes on, as far as the platform says. To end it: ${agents.command(`sessions stop ${session} ${name}`)}`;
}

/** Calls a bot over a phone provider's stream. The gateway doesn't name the session, so it's the only new one. */
async function callByPhone(callee: Callee): Promise<CallResult> {
  const { agents, name, region, cloud, account, signal, terminal } = callee;
  const { runnerKey } = callee.transport;
  const { source, url: api } = account.address;
  const url = gatewayUrl(runnerKey, region, source === undefined ? undefined : api);
  const serviceHost = `${name}.${agents.organization}`;
  const before = await agents.sessions(name);
  const seconds = await phoneCall({ url, provider: runnerKey, serviceHost }, cloud, terminal, signal);
  const haveEnded = (found: readonly BotSession[]) => found.length > 0 && found.every(isOver);
  const found = await newSessions(before, name, agents, haveEnded, terminal);
  const [only, other] = found;
  // If all new ones have ended, so has ours.
  const session = other ? undefined : only?.sessionId;
  const hasEnded = only && !other ? isOver(only) : haveEnded(found) || undefined;
  return { outcome: 'spoke', seconds, session, hasEnded };
}

/** Starts a session in a new Daily room, watches whether the bot comes up and stays up, and ends it. */
async function callInRoom(callee: Callee): Promise<CallResult> {
  const { agents, name, options, terminal } = callee;
  const { organization } = agents;
  const key = await publicKey(agents, options, terminal);
  terminal.hidden.hide([key]);
  const list = `botcli cloud sessions list ${name} --active -o ${organization}`;
  const unclear = (error: UserError) => {
    if (!hasUnknownOutcome(error))
      return error.withMessage(error.message, { facts: { ...error.facts, session: null } });
    const text = 'A session may have started, and may go on.';
    const message = error.reason === 'interrupted' ? `Interrupted. ${text}` : `${text} ${error.message}`;
    return error.withMessage(message, { hint: `To list all that go on: ${list}` });
  };
  const { session, secrets } = await agents.startSession(key, name, 'daily').catch(explaining(unclear));
  if (session === undefined) {
    const hint = `botcli can't end it. Look for it: ${list}`;
    const details = { reason: 'bad-answer', hint, facts: { session: null } } as const;
    throw new UserError(`The platform started a session of ${name}, but doesn't name it`, details);
  }
  terminal.hidden.hide(secrets);
  const end = () => endSession(name, session, agents, terminal);
  try {
    const { botStartSeconds: seconds } = await watchSession(session, callee);
    await end();
    return { outcome: 'started', session, seconds, hasEnded: true };
  } catch (error) {
    if (!(error instanceof UserError) || error.reason === 'not-verified') throw error;
    const left = await end().catch(
      () => `The session may go on: botcli cloud sessions stop ${session} ${name} -o ${organization}`,
    );
    const isStopped = error.reason === 'interrupted' && !left;
    throw error.withMessage(isStopped ? 'Interrupted. The session has ended.' : error.message, {
      hint: hintOf(error.hint, left) || undefined,
      facts: { ...error.facts, session },
    });
  }
}

/** A public key that exists, or a new one if the user agrees. It stays in memory. */
export async function publicKey(agents: Agents, options: { readonly skip?: boolean }, terminal: Terminal) {
  const found = await agents.publicKey();
  if (found !== undefined) return found;
  terminal.note(
    `Organization ${agents.organization} has no public API key, which starts sessions. botcli doesn't store it.`,
  );
  checkCanAsk(options, terminal);
  await confirm('Create one, called botcli?', options, terminal);
  return agents.createPublicKey('botcli');
}

const INTERVAL_MS = 2000;
/** How long a bot may take to start, and how long it must stay up then, in looks. */
const LOOKS_TO_START = 30;
const LOOKS_TO_STAY = 8;

/** Looks at a session until it has stayed up. `call-failed`: it doesn't come up, ends, or has logged errors. */
async function watchSession(id: string, { name, agents, signal, terminal }: Callee): Promise<BotSession> {
  let up = 0;
  let trouble: string | undefined;
  const look = async (number: number) => {
    const found = await agents.session(name, id);
    if (found && (up > 0 || hasArrived(found))) up += 1;
    if (found && isOver(found)) trouble = `The session ended by itself (${stateOf(found)})`;
    else if (up === 0 && number >= LOOKS_TO_START)
      trouble = "The platform doesn't say that the session has reached the bot";
    terminal.progress.show(up > 0 ? `It's up, ${((up - 1) * INTERVAL_MS) / 1000}s` : 'Starting');
    return found;
  };
  const isDone = () => trouble !== undefined || up > LOOKS_TO_STAY;
  const deadline = Date.now() + 3 * LOOKS_TO_START * INTERVAL_MS;
  const unknown = explaining(error =>
    error.reason === 'timeout'
      ? error.withMessage(`It's unknown whether the bot came up. ${error.message}`.trim())
      : error,
  );
  const found = await lookEvery(look, { isDone, everyMs: INTERVAL_MS, signal, deadline }, terminal).catch(unknown);
  if (trouble !== undefined || !found) throw new UserError(trouble ?? '', { reason: 'call-failed' });
  const text = 'The bot started and stayed up, but its log is unknown, and so is whether it works.';
  const unread = explaining(error =>
    error.reason === 'interrupted' ? error : error.withMessage(`${text} ${error.message}`),
  );
  const log = await agents.log(name, { limit: 100, sessionId: id }).catch(unread);
  // The platform may ignore the filter.
  const broken = new RegExp(`^[^|]{10,40}\\| *(?:error|critical) *\\|[^|]+\\| *${id} - `, 'i');
  if (log.some(line => broken.test(line.log)))
    throw new UserError('The bot started, but logged errors', { reason: 'call-failed' });
  return found;
}

/** Whether the bot got the request that starts the session. */
const hasArrived = ({ events, botStartSeconds }: BotSession): boolean =>
  botStartSeconds !== undefined || events.some(({ eventCode }) => eventCode === 'REQUEST_ARRIVED_AT_BOT');
