import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocket, WebSocketServer } from 'ws';
import type { StoredAgent } from './agents.ts';
import { openSession } from './sessions.ts';
import type { Organization } from './store.ts';

/** A bot of one session. */
export interface SessionBot {
  /** Where it takes the session: the route of the framework's runner. */
  url: string;
  stop(): Promise<void>;
}

/** Starts a bot from the files that a deployment was built from. */
export type StartBot = (context: Buffer) => Promise<SessionBot>;

/** How long a token is valid, in milliseconds. */
const TOKEN_MS = 5 * 60_000;

/** The tokens of each agent that weren't used, and when they expire. */
const tokens = new WeakMap<StoredAgent, Map<string, number>>();

/** What a start with `"transport": "websocket"` returns. No bot starts until somebody connects. */
export function ticketFor(agent: StoredAgent, organization: Organization, url: string) {
  const wsUrl = `${url.replace(/^http/, 'ws')}/ws/generic/${agent.name}.${organization.name}`;
  if (agent.settings.websocketAuth !== 'token') return { wsUrl };
  const token = randomUUID();
  const known = tokens.get(agent) ?? new Map<string, number>();
  tokens.set(agent, known.set(token, Date.now() + TOKEN_MS));
  return { wsUrl, token };
}

/** Whether a request may connect. A token works once: in the header, the query, or the path. */
function isAdmitted(
  agent: StoredAgent,
  { headers }: IncomingMessage,
  query: URLSearchParams,
  inPath?: string,
): boolean {
  if (agent.settings.websocketAuth !== 'token') return true;
  const token = /^Bearer (.+)$/.exec(headers.authorization ?? '')?.[1] ?? query.get('token') ?? inPath ?? '';
  const expires = tokens.get(agent)?.get(token);
  tokens.get(agent)?.delete(token);
  return expires !== undefined && Date.now() < expires;
}

/**
 * Takes a session over the generic route, as the platform's gateway does: it relays what both sides say, as it is. An
 * agent whose name ends in `-silent` has a gateway that accepts and says nothing, and one in `-hangup` hangs up.
 *
 * @returns The status of the response; undefined if it's another route.
 */
export function takeGeneric(
  organizations: readonly Organization[],
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
  startBot: StartBot | undefined,
): { status: number } | undefined {
  const url = new URL(request.url ?? '', 'http://localhost');
  const [, name, owner, inPath] = /^\/ws\/generic\/([^./]+)\.([^./]+)(?:\/([^/]+))?$/.exec(url.pathname) ?? [];
  if (name === undefined) return undefined;
  const organization = organizations.find(one => one.name === owner);
  const agent = organization?.agents.get(name);
  const refuse = (status: number) => {
    socket.end(`HTTP/1.1 ${status} Refused\r\ncontent-length: 0\r\n\r\n`);
    return { status };
  };
  if (!organization || !agent) return refuse(404);
  if (!isAdmitted(agent, request, url.searchParams, inPath)) return refuse(403);
  if (agent.ready === undefined) return refuse(429);
  new WebSocketServer({ noServer: true }).handleUpgrade(request, socket, head, line => {
    line.on('error', () => line.terminate());
    void relay(line, organization, agent, startBot);
  });
  return { status: 101 };
}

async function relay(line: WebSocket, organization: Organization, agent: StoredAgent, startBot: StartBot | undefined) {
  const said: [data: WebSocket.RawData, isBinary: boolean][] = [];
  const keep = (data: WebSocket.RawData, isBinary: boolean) => said.push([data, isBinary]);
  line.on('message', keep);
  const left = new Promise<void>(resolve => line.once('close', () => resolve()));
  const session = openSession(agent);
  left.then(() => {
    session.endedAt ??= new Date().toISOString();
    if (session.endState === 'active') session.endState = 'completed';
  });
  if (session.endedAt || !startBot) return line.close(1011);
  if (agent.name.endsWith('-silent')) return;
  let bot: SessionBot | undefined;
  try {
    bot = await startBot(contextOf(organization, agent));
    const inside = new WebSocket(bot.url, { perMessageDeflate: false });
    inside.on('message', (data, isBinary) => line.send(data, { binary: isBinary }));
    await new Promise((resolve, reject) => inside.once('open', resolve).once('error', reject));
    line.off('message', keep);
    for (const [data, binary] of said) inside.send(data, { binary });
    line.on('message', (data, binary) => inside.readyState === WebSocket.OPEN && inside.send(data, { binary }));
    inside.on('error', () => inside.terminate());
    await Promise.race([left, new Promise(resolve => inside.once('close', resolve))]);
    inside.close();
    line.close(1000);
  } catch {
    session.endState = 'agent_error';
    line.close(1011);
  } finally {
    await bot?.stop();
  }
}

/** The files of the deployment that calls reach. */
function contextOf({ builds, uploads }: Organization, agent: StoredAgent): Buffer {
  const deployment = agent.deployments.find(({ id }) => id === agent.ready);
  const build = builds.get(String(deployment?.settings.buildId));
  const upload = [...uploads.values()].find(({ hash }) => hash !== undefined && hash === build?.contextHash);
  return upload?.bytes ?? Buffer.alloc(0);
}
