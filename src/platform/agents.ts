import { isObject } from '../std.ts';
import type { Agent, BotSession, LogLine } from './agent-schemas.ts';
import { type Connection, checkSame, isAbsence, LARGEST_LOG, newestFirst, pathOf } from './connection.ts';
import { badAnswer } from './errors.ts';
import { isUuid } from './location.ts';

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
interface LogQuery {
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
    return (await this.connection.get(this.path(), 'agents', this.here('the agents'))).services;
  }

  /** An agent; undefined if it doesn't exist. */
  async find(name: string): Promise<Agent | undefined> {
    const agent = await this.one('agent', this.path(name), name);
    if (agent) checkSame('agent', agent.name, name);
    return agent;
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
    return (await this.connection.read(reply, 'changed', this.here(`agent ${settings.serviceName}`))).warning;
  }

  delete(name: string): Promise<void> {
    return this.connection.delete(this.path(name), 'deleted', this.here(`agent ${name}`));
  }

  /** Its deployments, the newest first. */
  async deployments(name: string) {
    const what = this.here(`the deployments of agent ${name}`);
    return newestFirst((await this.connection.get(this.path(name, 'deployments'), 'deployments', what)).deployments);
  }

  /** Lines of its log, in any order. */
  async log(name: string, query: LogQuery): Promise<LogLine[]> {
    const path = `${this.path(name, 'logs')}?${queryOf(query)}`;
    return (await this.connection.get(path, 'log', this.here(`the log of agent ${name}`), LARGEST_LOG)).logs;
  }

  /** Its sessions, the newest first. */
  async sessions(name: string, query: { limit: number; status?: string }): Promise<BotSession[]> {
    const path = `${this.path(name, 'sessions')}?${queryOf(query)}`;
    return (await this.connection.get(path, 'sessions', this.here(`the sessions of agent ${name}`))).sessions;
  }

  async session(name: string, id: string): Promise<BotSession | undefined> {
    const session = await this.one('session', this.path(name, 'sessions', checked(id)), id);
    if (session) checkSame('session', session.sessionId, id);
    return session;
  }

  async stopSession(name: string, id: string): Promise<void> {
    const path = this.path(name, 'sessions', checked(id));
    await this.connection.delete(path, 'stopped', this.here(`session ${id} of agent ${name}`));
  }

  /** The names of the organization's own profiles. */
  async profiles(): Promise<string[]> {
    const { profiles } = await this.connection.get(
      pathOf(this.organization, 'agent-profiles'),
      'profiles',
      'the agent profiles',
    );
    return profiles.map(({ name }) => name);
  }

  /** The platform's own client expects what it asks for in `body`; the documents show it bare. */
  private async one<Kind extends 'agent' | 'session'>(kind: Kind, path: string, id: string) {
    const reply = await this.connection.send({ method: 'GET', path });
    if (isAbsence(reply)) return undefined;
    const { data } = reply;
    const bare = isObject(data) && 'body' in data ? { ...reply, data: data.body } : reply;
    return this.connection.read(bare, kind, this.here(`${kind} ${id}`));
  }

  /** Something of this organization: without its name, nobody sees that it's the wrong one. */
  private here = (what: string): string => `${what} in organization ${this.organization}`;

  private path(...steps: string[]): string {
    return pathOf(this.organization, 'services', ...steps);
  }
}

function queryOf(query: object): URLSearchParams {
  const sent = Object.entries(query).filter(([, value]) => value !== undefined);
  return new URLSearchParams(Object.fromEntries(sent.map(([name, value]) => [name, String(value)])));
}

function checked(id: string): string {
  if (isUuid(id)) return id;
  throw badAnswer('The ID of a session is not a UUID');
}
