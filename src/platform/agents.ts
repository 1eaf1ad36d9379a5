import { isObject } from '../json.ts';
import type { Agent, BotSession, Deployment, LogLine } from './agent-answers.ts';
import { type Connection, isAbsence, isUuid, newestFirst, pathOf } from './connection.ts';
import { badAnswer } from './errors.ts';
import type { HttpReply } from './http.ts';

/** The settings of a deployment, as the platform takes them. Those that are absent stay as they are. */
export interface AgentSettings {
  serviceName: string;
  image?: string;
  buildId?: string;
  imagePullSecretSet?: string;
  secretSet?: string;
  /** Only to create an agent. */
  region?: string;
  autoScaling?: { minAgents?: number; maxAgents?: number };
  agentProfile?: string;
  resources?: object;
  krispViva?: { audioFilter: string | null };
  websocketAuth?: string;
  maxSessionDuration?: number;
  architecture?: string;
  forceRedeploy?: true;
}

/** Which lines of a log to get. Absent parts aren't sent. */
export interface LogQuery {
  limit: number;
  offset?: number;
  deploymentId?: string;
  sessionId?: string;
}

/** The agents of an organization. Every method throws `CloudError`. */
export class Agents {
  private readonly connection: Connection;
  private readonly organization: string;

  constructor(connection: Connection, organization: string) {
    this.connection = connection;
    this.organization = organization;
  }

  async list(): Promise<Agent[]> {
    const reply = await this.connection.send({ method: 'GET', path: this.path() });
    return (await this.connection.read<{ services: Agent[] }>(reply, 'agents', 'agents')).services;
  }

  /** An agent; undefined if it doesn't exist. */
  async find(name: string): Promise<Agent | undefined> {
    const reply = await this.connection.send({ method: 'GET', path: this.path(name) });
    if (isAbsence(reply)) return undefined;
    const agent = await this.connection.read<Agent>(unwrapped(reply), 'agent', `agent ${name}`);
    if (agent.name.toLowerCase() === name.toLowerCase()) return agent;
    throw badAnswer(`The platform sent agent ${agent.name} instead of ${name}`);
  }

  /**
   * Creates an agent. If it failed with an unknown outcome, `find` shows whether it happened. Returns the platform's
   * warning, if it has one.
   */
  create(settings: AgentSettings): Promise<string | undefined> {
    return this.change('POST', settings);
  }

  /** Deploys to an existing agent, as `create`. */
  update(settings: AgentSettings): Promise<string | undefined> {
    return this.change('PUT', settings);
  }

  private async change(method: 'POST' | 'PUT', settings: AgentSettings): Promise<string | undefined> {
    const reply = await this.connection.send({ method, path: this.path(), body: settings, isOnce: true });
    const what = `agent ${settings.serviceName}`;
    return (await this.connection.read<{ warning?: string }>(reply, 'changed', what)).warning;
  }

  delete(name: string): Promise<void> {
    return this.connection.delete(this.path(name), 'deleted', `agent ${name}`);
  }

  /** Its deployments, the newest first. */
  async deployments(name: string): Promise<Deployment[]> {
    const reply = await this.connection.send({ method: 'GET', path: this.path(name, 'deployments') });
    const what = `the deployments of agent ${name}`;
    const { deployments } = await this.connection.read<{ deployments: Deployment[] }>(reply, 'deployments', what);
    return newestFirst(deployments);
  }

  /** Lines of its log, in any order. */
  async log(name: string, query: LogQuery): Promise<LogLine[]> {
    const path = `${this.path(name, 'logs')}?${queryOf(query)}`;
    const reply = await this.connection.send({ method: 'GET', path, largest: 8 * 2 ** 20 });
    return (await this.connection.read<{ logs: LogLine[] }>(reply, 'log', `the log of agent ${name}`)).logs;
  }

  /** Its sessions, the newest first. */
  async sessions(name: string, query: { limit: number; status?: string }): Promise<BotSession[]> {
    const path = `${this.path(name, 'sessions')}?${queryOf(query)}`;
    const reply = await this.connection.send({ method: 'GET', path });
    const what = `the sessions of agent ${name}`;
    return (await this.connection.read<{ sessions: BotSession[] }>(reply, 'sessions', what)).sessions;
  }

  async session(name: string, id: string): Promise<BotSession | undefined> {
    const reply = await this.connection.send({ method: 'GET', path: this.path(name, 'sessions', checked(id)) });
    if (isAbsence(reply)) return undefined;
    const session = await this.connection.read<BotSession>(unwrapped(reply), 'session', `session ${id}`);
    if (session.sessionId.toLowerCase() === id.toLowerCase()) return session;
    throw badAnswer(`The platform sent session ${session.sessionId} instead of ${id}`);
  }

  async stopSession(name: string, id: string): Promise<void> {
    const path = this.path(name, 'sessions', checked(id));
    await this.connection.delete(path, 'stopped', `session ${id} of agent ${name}`);
  }

  /** The names of the organization's own profiles. */
  async profiles(): Promise<string[]> {
    const reply = await this.connection.get(this.organization, 'agent-profiles');
    const { profiles } = await this.connection.read<{ profiles: { name: string }[] }>(reply, 'profiles', 'profiles');
    return profiles.map(({ name }) => name);
  }

  private path(...steps: string[]): string {
    return pathOf(this.organization, 'services', ...steps);
  }
}

/** The platform's own client expects what it asks for in `body`; the documents show it bare. */
function unwrapped(reply: HttpReply): HttpReply {
  const { data } = reply;
  return isObject(data) && 'body' in data ? { ...reply, data: data.body } : reply;
}

function queryOf(query: object): URLSearchParams {
  const sent = Object.entries(query).filter(([, value]) => value !== undefined);
  return new URLSearchParams(Object.fromEntries(sent.map(([name, value]) => [name, String(value)])));
}

function checked(id: string): string {
  if (isUuid(id)) return id;
  throw badAnswer('The ID of a session is not a UUID');
}
