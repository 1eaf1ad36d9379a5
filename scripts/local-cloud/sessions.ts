import { randomUUID } from 'node:crypto';
import { type StoredAgent, withAgent, writeLog } from './agents.ts';
import { ticketFor } from './generic.ts';
import { type Answer, badRequest, type Call, good, type Organization, refuse } from './store.ts';

/** An API key. The stand-in makes them up: they open nothing. */
export interface StoredKey {
  id: string;
  key: string;
  name: string;
  createdAt: string;
  revoked: boolean;
}

/** Responds to a request for sessions or keys. */
export function answerSessions(organization: Organization, line: string, names: string[], call: Call) {
  const [name = '', part, id] = names;
  switch (line) {
    case 'GET services/*/*/*':
      return withSession(organization, { name, part, id }, good);
    case 'DELETE services/*/*/*':
      return withSession(organization, { name, part, id }, session => {
        session.endedAt ??= new Date().toISOString();
        session.endState = 'terminated';
        return good({ status: 'terminated', session_id: session.sessionId });
      });
    case 'GET apiKeys':
      return good({ public: organization.keys.map(({ name, ...key }) => ({ ...key, metadata: { name } })) });
    case 'POST apiKeys':
      return createKey(organization, call.body);
    case 'GET agent-profiles':
      return good({ profiles: ['agent-1x', 'agent-2x', 'agent-3x'].map(name => ({ name })) });
    default:
      return undefined;
  }
}

function withSession(
  organization: Organization,
  { name, part, id }: { name: string; part: string | undefined; id: string | undefined },
  use: (session: StoredAgent['sessions'][number]) => Answer,
): Answer {
  return withAgent(organization, name, ({ sessions }) => {
    const session = part === 'sessions' ? sessions.find(({ sessionId }) => sessionId === id) : undefined;
    return session ? use(session) : refuse(404, 'Session not found', 'NOT_FOUND');
  });
}

function createKey({ keys }: Organization, { name, type }: Record<string, unknown>): Answer {
  if (type !== 'public') return badRequest('Invalid request format');
  const createdAt = new Date().toISOString();
  const key = { id: randomUUID(), key: `pk_${randomUUID()}`, name: `${name}`, createdAt, revoked: false };
  keys.push(key);
  return good(key);
}

/** Starts a session with a public key, which says which organization. `url` is the stand-in's own. */
export function startSession(
  organizations: readonly Organization[],
  name: string,
  { token, body }: Call,
  url: string,
): Answer {
  const owner = organizations.find(({ keys }) => keys.some(({ key, revoked }) => key === token && !revoked));
  if (!owner) return refuse(401, 'Invalid public key', 'PCC-1002');
  return withAgent(owner, name, agent => {
    if (agent.ready === undefined) return refuse(429, 'No instance is available', 'PCC-AGENT-AT-CAPACITY');
    if (body.transport === 'websocket') return good(ticketFor(agent, owner, url));
    const session = openSession(agent);
    if (body.createDailyRoom !== true) return good({ sessionId: session.sessionId });
    const room = `https://local.daily.co/${session.sessionId}`;
    return good({ sessionId: session.sessionId, dailyRoom: room, dailyToken: `eyJ${randomUUID()}` });
  });
}

/** Opens a session. Agents whose names end in `-hangup` end it at once. */
export function openSession(agent: StoredAgent): StoredAgent['sessions'][number] {
  const now = new Date().toISOString();
  const isDown = agent.name.endsWith('-hangup');
  const session = {
    sessionId: randomUUID(),
    deploymentId: agent.ready as string,
    createdAt: now,
    endState: isDown ? 'agent_error' : 'active',
    events: ['SESSION_START_INITIATED', 'REQUEST_ARRIVED_AT_BOT'].map(eventCode => ({ eventCode, eventTs: now })),
    endedAt: isDown ? now : null,
    botStartSeconds: isDown ? null : 0.4,
    coldStart: false,
    completionStatus: null,
  };
  agent.sessions.push(session);
  const { sessionId, deploymentId } = session;
  const line = (level: string, text: string) =>
    writeLog(agent, deploymentId, `${now} | ${level.padEnd(8)} | bot:bot:12 | ${sessionId} - ${text}`, sessionId);
  line('INFO', 'Starting bot');
  if (isDown) line('ERROR', 'Could not start: no key');
  return session;
}
