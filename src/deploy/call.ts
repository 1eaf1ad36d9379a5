import { type CloudSession, common, noteAddress, organization, skip } from '../account/session.ts';
import type { TransportRow } from '../catalog/index.ts';
import { explaining, hintOf, UserError } from '../errors.ts';
import type { Agents } from '../platform/agents.ts';
import type { BotSession } from '../platform/answers.ts';
import { hasUnknownOutcome } from '../platform/errors.ts';
import { gatewayUrl } from '../platform/gateway.ts';
import { defineCommand } from '../shell/command-line.ts';
import { checkCanAsk, confirm } from '../shell/confirmation.ts';
import type { Terminal } from '../shell/terminal.ts';
import { type AgentSession, agentArgument, findAgent, withAgent } from './agent-session.ts';
import { hasErrors, lastLines } from './logs.ts';
import { phoneCall } from './phone-call.ts';
import { ownTransports } from './read.ts';
import { endSession, newSessions, stateOf } from './sessions.ts';
import { lookEvery } from './steps.ts';
import { CALLABLE, chooseCallable, transportOption } from './transports.ts';

export const call = defineCommand({
  description:
    'Starts one session, ends it, and looks whether it ended. Over a phone provider, botcli sends silence and listens ' +
    "until the bot speaks. In a Daily room it can't hear the bot, so it watches the session and the log.\n" +
    'A session in a Daily room needs a public API key. If there is none, botcli offers to create one.',
  arguments: [agentArgument],
  options: [
    transportOption(CALLABLE, "How to reach the bot (default: the project's, a phone provider first)"),
    skip,
    organization,
    ...common,
  ],
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
  const isOver = (session: BotSession) => stateOf(session) !== 'active';
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
    if (found && stateOf(found) !== 'active') trouble = `The session ended by itself (${stateOf(found)})`;
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
  const isBroken = await hasErrors(id, name, agents).catch(unread);
  if (isBroken) throw new UserError('The bot started, but logged errors', { reason: 'call-failed' });
  return found;
}

/** Whether the bot got the request that starts the session. */
const hasArrived = ({ events, botStartSeconds }: BotSession): boolean =>
  botStartSeconds !== undefined || events.some(({ eventCode }) => eventCode === 'REQUEST_ARRIVED_AT_BOT');
