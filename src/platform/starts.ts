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
  /** The address of its room, and the token to enter it. Both are secret. */
  secrets: readonly string[];
}

/**
 * Starts a session of an agent in a new Daily room. A public key decides which organization's agent it is.
 *
 * @throws {CloudError}
 */
export async function startInDaily(connection: Connection, key: string, agent: string): Promise<Started> {
  checkStep(agent);
  const keyed = connection.withToken(key);
  try {
    const path = `/v1/public/${agent}/start`;
    const reply = await keyed.send({ method: 'POST', path, body: { createDailyRoom: true }, isOnce: true });
    if (reply.status === 401 || reply.status === 403) throw rejectedKey(reply.status);
    const started = await keyed.read(reply, 'started', `a session of agent ${agent}`);
    const { sessionId = '', dailyRoom, dailyToken } = started;
    return {
      session: isUuid(sessionId) ? sessionId : undefined,
      secrets: [key, dailyRoom, dailyToken].flatMap(text => text || []),
    };
  } finally {
    keyed.close();
  }
}

const rejectedKey = (status: number): CloudError =>
  new CloudError(`The platform rejects the organization's public API key (HTTP ${status})`, {
    reason: 'unauthorized',
    hint: 'Revoke it in the dashboard, and run the command again: it offers to create one.',
    status,
  });
