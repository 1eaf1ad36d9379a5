import { isLoopback } from '../network/loopback.ts';
import { CloudError } from './cloud-error.ts';
import { type Connection, checkStep, pathOf } from './connection.ts';
import { badAnswer } from './errors.ts';
import { isUuid } from './location.ts';

/** What a public key must be to fit into a header. It is never shown. */
const KEY = /^[\x21-\x7e]{1,500}$/;

/**
 * An organization's public key that isn't revoked; undefined if there is none.
 *
 * @throws {CloudError}
 */
export async function findPublicKey(connection: Connection, organization: string): Promise<string | undefined> {
  const what = `the API keys of organization ${organization}`;
  const { public: keys } = await connection.get(pathOf(organization, 'apiKeys'), 'keys', what);
  return keys.find(({ key, revoked }) => revoked !== true && KEY.test(key))?.key;
}

/**
 * Creates a public key. It isn't sent again if it's unclear whether it happened.
 *
 * @throws {CloudError}
 */
export async function createPublicKey(connection: Connection, organization: string, name: string): Promise<string> {
  const body = { name, type: 'public' };
  const path = pathOf(organization, 'apiKeys');
  const reply = await connection.send({ method: 'POST', path, body, isOnce: true });
  const { key } = await connection.read(reply, 'newKey', `a public API key in organization ${organization}`);
  if (KEY.test(key)) return key;
  throw badAnswer('The platform sent a new API key that no request can contain');
}

interface Started {
  /** Undefined if the platform doesn't name it. */
  session: string | undefined;
  /** The key, and what opens its room or its connection. */
  secrets: readonly string[];
  /** Where to connect, if it's a session over a WebSocket and the platform says where. */
  url: URL | undefined;
  /** The token to connect with, which works once; undefined if it needs none. */
  token: string | undefined;
}

/** How to talk in a session: in a new Daily room, or over a WebSocket. Then no bot starts until somebody connects. */
type Way = 'daily' | { serviceHost: string };

/**
 * Starts a session of an agent. A public key decides which organization's agent it is.
 *
 * @throws {CloudError}
 */
export async function startSession(connection: Connection, key: string, agent: string, way: Way): Promise<Started> {
  checkStep(agent);
  const keyed = connection.withToken(key);
  const body = way === 'daily' ? { createDailyRoom: true } : { transport: 'websocket' };
  try {
    const reply = await keyed.send({ method: 'POST', path: `/v1/public/${agent}/start`, body, isOnce: true });
    if (reply.status === 401 || reply.status === 403) throw rejectedKey(reply.status);
    const started = await keyed.read(reply, 'started', `a session of agent ${agent}`);
    const { sessionId = '', dailyRoom, dailyToken, wsUrl, token } = started;
    if (token !== undefined && !KEY.test(token))
      throw badAnswer('The platform sent a token that no request can contain');
    return {
      session: isUuid(sessionId) ? sessionId : undefined,
      secrets: [key, dailyRoom, dailyToken, token].flatMap(text => text || []),
      url: way === 'daily' || wsUrl === undefined ? undefined : addressOf(wsUrl, way.serviceHost, connection),
      token,
    };
  } finally {
    keyed.close();
  }
}

/** @throws {CloudError} Others could listen there, or it's the address of another agent. */
function addressOf(wsUrl: string, serviceHost: string, { isLocal }: Connection): URL {
  const url = URL.canParse(wsUrl) ? new URL(wsUrl) : undefined;
  const isSafe = url?.protocol === 'wss:' || (url?.protocol === 'ws:' && isLoopback(url));
  if (url && isSafe && (isLocal || !isLoopback(url)) && url.pathname.split('/').includes(serviceHost)) return url;
  throw badAnswer(`The platform sent an address that isn't one for a session of ${serviceHost}`);
}

const rejectedKey = (status: number): CloudError =>
  new CloudError(`The platform rejects the organization's public API key (HTTP ${status})`, {
    reason: 'unauthorized',
    hint: 'Revoke it in the dashboard, and run the command again: it offers to create one.',
    status,
  });
