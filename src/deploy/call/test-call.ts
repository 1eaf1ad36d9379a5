import type { CloudSession } from '../../account/session.ts';
import type { TransportRow } from '../../catalog/index.ts';
import { hintOf, ignoring, UserError } from '../../errors.ts';
import { Agents } from '../../platform/agents.ts';
import { hasUnknownOutcome } from '../../platform/cloud-error.ts';
import type { Connection } from '../../platform/connection.ts';
import { gatewayUrl } from '../../platform/gateway.ts';
import { createPublicKey, findPublicKey } from '../../platform/starts.ts';
import { checkCanAsk, confirm } from '../../shell/confirmation.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { inOrder, nanoseconds } from '../logs/log-lines.ts';
import { dailyCall } from './daily-call.ts';
import { describeLost, endSession, sessionsSince } from './end.ts';
import { createEar, phoneStreams, silenceIn } from './streams.ts';

/** A bot to call. */
interface Callee {
  organization: string;
  agent: string;
  region: string;
  transport: TransportRow;
}

/** What a test call showed. */
interface CallResult {
  outcome: 'spoke' | 'started';
  /** Seconds until it spoke or started; undefined if the platform doesn't say. */
  seconds: number | undefined;
  session: string | undefined;
  /** Whether the session has ended; undefined if the platform doesn't show which one it was. */
  hasEnded: boolean | undefined;
}

/** The most lines of a log to show. */
const LINES = 20;
/** How much the clocks here and there may differ, in nanoseconds. */
const CLOCKS = 5_000_000_000n;

/**
 * Calls a bot once, and ends the call whatever happens.
 *
 * @throws {UserError} The bot doesn't come up, or stays silent. The error has the end of its log.
 */
export async function testCall(
  callee: Callee,
  { cloud, signal, account }: CloudSession,
  options: { readonly skip?: boolean },
  terminal: Terminal,
): Promise<CallResult> {
  const start = Date.now();
  try {
    const { family, runnerKey } = callee.transport;
    if (family !== 'stream') return await throughDaily(callee, cloud, signal, options, terminal);
    const { organization, agent, region } = callee;
    const { source, url: api } = account.address;
    const url = gatewayUrl(runnerKey, region, source === undefined ? undefined : api);
    const place = { url, provider: runnerKey, serviceHost: `${agent}.${organization}` };
    const agents = new Agents(cloud, organization);
    const before = await agents.sessions(agent, { limit: 100 });
    const seconds = await phoneCall(place, cloud, terminal, signal);
    return { outcome: 'spoke', seconds, ...(await sessionsSince(before, agents, agent, terminal)) };
  } catch (error) {
    throw await explain(error, callee, start, cloud);
  }
}

async function throughDaily(
  callee: Callee,
  connection: Connection,
  signal: AbortSignal,
  options: { readonly skip?: boolean },
  terminal: Terminal,
): Promise<CallResult> {
  const { organization, agent } = callee;
  const key = await publicKey(organization, connection, options, terminal);
  terminal.hidden.hide([key]);
  const before = await new Agents(connection, organization)
    .sessions(agent, { limit: 100 })
    .catch(ignoring(({ reason }) => reason !== 'interrupted'));
  let session: string | undefined;
  const end = () =>
    session === undefined ? undefined : endSession(session, agent, organization, connection, terminal);
  try {
    const onStart = (id: string, more: readonly string[]) => {
      session = id;
      terminal.hidden.hide(more);
    };
    const call = await dailyCall(callee, key, connection, onStart, signal, terminal);
    await end();
    return { outcome: 'started', ...call, hasEnded: true };
  } catch (error) {
    if (!(error instanceof UserError) || error.reason === 'not-verified') throw error;
    if (session === undefined && hasUnknownOutcome(error)) {
      const unclear = 'A session may have started, and may go on.';
      const message = error.reason === 'interrupted' ? `Interrupted. ${unclear}` : `${unclear} ${error.message}`;
      throw error.withMessage(message, {
        hint: await describeLost(before, agent, organization, connection, terminal),
      });
    }
    const isStopped = session !== undefined && error.reason === 'interrupted';
    const left = await end()?.catch(
      () => `The session may go on: botcli cloud sessions stop ${session} ${agent} -o ${organization}`,
    );
    throw error.withMessage(isStopped && !left ? 'Interrupted. The session has ended.' : error.message, {
      hint: hintOf(error.hint, left) || undefined,
      facts: { ...error.facts, session: session ?? null },
    });
  }
}

/** A public key that exists, or a new one if the user agrees. It stays in memory. */
export async function publicKey(
  organization: string,
  connection: Connection,
  options: { readonly skip?: boolean },
  terminal: Terminal,
): Promise<string> {
  const found = await findPublicKey(connection, organization);
  if (found !== undefined) return found;
  terminal.note(`Organization ${organization} has no public API key, which starts sessions. botcli doesn't store it.`);
  checkCanAsk(options, terminal);
  await confirm('Create one, called botcli?', options, terminal);
  return createPublicKey(connection, organization, 'botcli');
}

/** Adds what the bot's log says since the call began. */
async function explain(
  error: unknown,
  { agent, organization }: Callee,
  start: number,
  connection: Connection,
): Promise<unknown> {
  if (!(error instanceof UserError)) return error;
  if (error.reason !== 'call-failed') {
    const hint = error.hint ?? `To look at the bot, run: botcli cloud status ${agent} -o ${organization}`;
    return error.reason === 'interrupted' ? error : error.withMessage(error.message, { hint });
  }
  const from = BigInt(start) * 1_000_000n - CLOCKS;
  const lines = await new Agents(connection, organization).log(agent, { limit: 100 }).catch(() => []);
  const log = inOrder(lines)
    .filter(line => nanoseconds(line) >= from)
    .flatMap(({ log }) => log.split('\n'))
    .slice(-LINES);
  return error.withMessage(error.message, {
    problems: log,
    hint: hintOf(
      log.length === 0 ? 'Its log has no lines since the call began.' : undefined,
      error.hint,
      `The log: botcli cloud logs ${agent} -o ${organization}`,
    ),
    facts: { ...error.facts, phase: 'call', log },
  });
}

/** What a call showed, in a sentence. */
export function describeResult({ outcome, seconds }: CallResult): string {
  const after = seconds === undefined ? '' : ` after ${seconds.toFixed(1)} s`;
  return outcome === 'spoke' ? `It spoke${after}` : `It started${after} and stayed up; botcli can't hear it`;
}

/** What is known about the end of a call. */
export const describeEnd = ({ hasEnded, session }: CallResult, { agent, organization }: Callee): string =>
  hasEnded
    ? 'The session has ended.'
    : session === undefined
      ? "botcli hung up. The platform doesn't show which session it was."
      : `botcli hung up, but session ${session} goes on, as far as the platform says. To end it: botcli cloud sessions stop ${session} ${agent} -o ${organization}`;

/** Sound is sent as providers do: a piece every 20 ms. */
const PIECE_MS = 20;
/** How long to wait for the bot to speak. Its first instance may have to start. In milliseconds. */
const PATIENCE_MS = 45_000;

/**
 * Calls a bot as a phone provider does, and listens until it speaks. Returns after how many seconds that was.
 *
 * @param url The gateway's address for the provider.
 * @throws {UserError} `call-failed`: it stays silent, or hangs up before.
 */
export async function phoneCall(
  { url, provider, serviceHost }: { url: URL; provider: string; serviceHost: string },
  connection: Connection,
  { sleep, progress }: Pick<Terminal, 'sleep' | 'progress'>,
  signal: AbortSignal,
): Promise<number> {
  const stream = phoneStreams[provider]?.(serviceHost);
  if (!stream) throw new TypeError(`no phone provider: ${provider}`);
  for (const [name, value] of Object.entries(stream.query)) url.searchParams.set(name, value);
  const hear = createEar(stream.codec);
  let spokeAt: number | undefined;
  const line = await connection.call(url, message => {
    const sound = stream.soundIn(message);
    if (sound !== undefined && hear(Buffer.from(sound, 'base64'))) spokeAt ??= Date.now();
  });
  const start = Date.now();
  let hungUpAt: number | undefined;
  void line.ended.then(() => {
    hungUpAt = Date.now();
  });
  const quiet = silenceIn(stream.codec).toString('base64');
  let sent = 0;
  let end: number | undefined;
  try {
    for (const message of stream.greeting) line.send(message);
    while (spokeAt === undefined && hungUpAt === undefined && sent * PIECE_MS < PATIENCE_MS) {
      sent += 1;
      line.send(stream.media(sent, quiet));
      if (sent % 50 === 0) progress.show(`Listening, ${(sent * PIECE_MS) / 1000}s`);
      await sleep(PIECE_MS, signal);
    }
    end = hungUpAt;
  } finally {
    progress.clear();
    line.send(stream.stop(sent));
    await line.close();
  }
  if (spokeAt !== undefined) return Math.max(0, spokeAt - start) / 1000;
  const why =
    end !== undefined
      ? `hung up after ${((end - start) / 1000).toFixed(1)} s, without a word`
      : `said nothing for ${PATIENCE_MS / 1000} s`;
  throw new UserError(`The bot took the call and ${why}`, { reason: 'call-failed' });
}
