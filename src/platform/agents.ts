import { isUuid } from '../text.ts';
import { isLoopback } from '../this-computer.ts';
import type { Agent, Answer, BotSession, Build, LogLine } from './answers.ts';
import type { Cloud } from './cloud.ts';
import { badAnswer, CloudError } from './errors.ts';

interface LogQuery {
  limit: number;
  deploymentId?: string | undefined;
  sessionId?: string | undefined;
}

/** What makes a build the same as another one. */
interface BuildKey {
  contextHash: string;
  region: string;
  /** The path of the build file in the context. */
  dockerfilePath: string;
}

/** How to talk in a session: in a new Daily room, or over a WebSocket. Then no bot starts until somebody connects. */
type Way = 'daily' | { serviceHost: string };

/** The largest response with a log, in bytes. */
const LARGEST_LOG = 8 * 2 ** 20;
/** The most lines of a build's log to ask for, and so many that a response never is too large. */
const MOST_LINES = 10_000;
const LEAST_LINES = 100;
/** What a key must be to fit into a header. It is never shown. */
const KEY = /^[\x21-\x7e]{1,500}$/;

/** An organization's agents, their builds and sessions, and the keys for these. Each method throws `CloudError`. */
export class Agents {
  readonly organization: string;
  private readonly cloud: Cloud;

  constructor(cloud: Cloud, organization: string) {
    this.cloud = cloud;
    this.organization = organization;
  }

  /** The same, for requests that outlive the interruption of others, but not this signal. Close them afterwards. */
  within(signal: AbortSignal): Agents {
    return new Agents(this.cloud.withSignal(signal), this.organization);
  }

  close(): void {
    this.cloud.close();
  }

  async list(): Promise<Agent[]> {
    const { services } = await this.cloud.get(this.path('services'), 'agents', this.here('the agents'));
    return services.filter(({ deletedAt }) => !deletedAt);
  }

  async find(name: string): Promise<Agent | undefined> {
    const agent = await this.cloud.getIfThere(this.path('services', name), 'agent', this.here(`agent ${name}`));
    if (agent) checkSame('agent', agent.name, name);
    // The platform may show one for a while after it was deleted.
    return agent?.deletedAt ? undefined : agent;
  }

  /** Creates an agent, or deploys to one. Returns the platform's warning. `find` shows an unknown outcome. */
  async deploy(method: 'POST' | 'PUT', settings: { serviceName: string; [name: string]: unknown }) {
    const reply = await this.cloud.send({ method, path: this.path('services'), body: settings, isOnce: true });
    return (await this.cloud.read(reply, 'changed', this.here(`agent ${settings.serviceName}`))).warning;
  }

  delete(name: string): Promise<void> {
    return this.cloud.delete(this.path('services', name), 'done', this.here(`agent ${name}`));
  }

  async deployments(name: string) {
    const what = this.here(`the deployments of agent ${name}`);
    const path = this.path('services', name, 'deployments');
    return newestFirst((await this.cloud.get(path, 'deployments', what)).deployments);
  }

  /** The last lines of its log, in any order. */
  async log(name: string, query: LogQuery): Promise<LogLine[]> {
    const path = `${this.path('services', name, 'logs')}?${queryOf(query)}`;
    return (await this.cloud.get(path, 'log', this.here(`the log of agent ${name}`), LARGEST_LOG)).logs;
  }

  /** Its sessions, the newest first. */
  async sessions(name: string, query: { limit: number; status?: string } = { limit: 100 }): Promise<BotSession[]> {
    const path = `${this.path('services', name, 'sessions')}?${queryOf(query)}`;
    return (await this.cloud.get(path, 'sessions', this.here(`the sessions of agent ${name}`))).sessions;
  }

  async session(name: string, id: string): Promise<BotSession | undefined> {
    const path = this.path('services', name, 'sessions', checked(id));
    const session = await this.cloud.getIfThere(path, 'session', this.here(`session ${id}`));
    if (session) checkSame('session', session.sessionId, id);
    return session;
  }

  async stopSession(name: string, id: string): Promise<void> {
    const path = this.path('services', name, 'sessions', checked(id));
    await this.cloud.delete(path, 'stopped', this.here(`session ${id} of agent ${name}`));
  }

  async profiles(): Promise<string[]> {
    const { profiles } = await this.cloud.get(this.path('agent-profiles'), 'profiles', 'the agent profiles');
    return profiles.map(({ name }) => name);
  }

  /** The builds of this context with this build file in this region, the newest first. */
  async builds({ contextHash, region, dockerfilePath }: BuildKey): Promise<Build[]> {
    const query = queryOf({ contextHash, region, limit: 20 });
    const { builds } = await this.cloud.get(`${this.path('builds')}?${query}`, 'builds', 'the builds');
    const isSame = (build: Build) =>
      build.contextHash === contextHash && build.region === region && build.dockerfilePath === dockerfilePath;
    return newestFirst(builds.filter(isSame));
  }

  async build(id: string): Promise<Build> {
    const { build } = await this.cloud.get(this.path('builds', checked(id)), 'build', `build ${id}`);
    checkSame('build', build.id, id);
    return build;
  }

  /** The last lines of a build's log, the newest last, and how many were asked for: fewer, if all are too large. */
  async buildLog(id: string, limit = MOST_LINES): Promise<{ lines: string[]; limit: number }> {
    const path = `${this.path('builds', checked(id), 'logs')}?limit=${limit}`;
    try {
      return { lines: (await this.cloud.get(path, 'buildLog', `the log of build ${id}`, LARGEST_LOG)).logs, limit };
    } catch (error) {
      if (!(error instanceof CloudError) || error.reason !== 'bad-answer' || limit <= LEAST_LINES) throw error;
      return this.buildLog(id, Math.max(LEAST_LINES, Math.floor(limit / 10)));
    }
  }

  async prepareUpload(region: string): Promise<Answer<'upload'>> {
    const path = this.path('builds', 'upload-url');
    const reply = await this.cloud.send({ method: 'POST', path, body: { region } });
    return this.cloud.read(reply, 'upload', `an upload in ${region}`);
  }

  /** Starts a build. If that failed with an unknown outcome, `builds` shows whether it happened. */
  async startBuild(uploadId: string, region: string, dockerfilePath: string): Promise<Answer<'build'>> {
    const body = { uploadId, region, dockerfilePath };
    const reply = await this.cloud.send({ method: 'POST', path: this.path('builds'), body, isOnce: true });
    return this.cloud.read(reply, 'build', 'a build');
  }

  /** A public key that isn't revoked; undefined if there is none. */
  async publicKey(): Promise<string | undefined> {
    const what = `the API keys of organization ${this.organization}`;
    const { public: keys } = await this.cloud.get(this.path('apiKeys'), 'keys', what);
    return keys.find(({ key, revoked }) => revoked !== true && KEY.test(key))?.key;
  }

  /** Creates a public key. It isn't sent again if it's unclear whether it happened. */
  async createPublicKey(name: string): Promise<string> {
    const body = { name, type: 'public' };
    const reply = await this.cloud.send({ method: 'POST', path: this.path('apiKeys'), body, isOnce: true });
    const { key } = await this.cloud.read(reply, 'newKey', this.here('a public API key'));
    if (KEY.test(key)) return key;
    throw badAnswer('The platform sent a new API key that no request can contain');
  }

  /**
   * Starts a session; the public key decides which organization's agent it is. Returns the session, if the platform
   * names it; what must not be shown; and for a WebSocket its address, if it's known, and the token, which works once.
   */
  async startSession(key: string, agent: string, way: Way) {
    const keyed = this.cloud.withToken(key);
    const body = way === 'daily' ? { createDailyRoom: true } : { transport: 'websocket' };
    try {
      const reply = await keyed.send({ method: 'POST', path: `/v1/public/${agent}/start`, body, isOnce: true });
      if (reply.status === 401 || reply.status === 403) throw rejectedKey(reply.status);
      const started = await keyed.read(reply, 'started', this.here(`agent ${agent}`));
      const { sessionId = '', dailyRoom, dailyToken, wsUrl, token } = started;
      if (token !== undefined && !KEY.test(token))
        throw badAnswer('The platform sent a token that no request can contain');
      return {
        session: isUuid(sessionId) ? sessionId : undefined,
        secrets: [key, dailyRoom, dailyToken, token].flatMap(text => text || []),
        url: way === 'daily' || wsUrl === undefined ? undefined : this.addressOf(wsUrl, way.serviceHost),
        token,
      };
    } finally {
      keyed.close();
    }
  }

  /** @throws {CloudError} Others could listen there, or it's the address of another agent. */
  private addressOf(wsUrl: string, serviceHost: string): URL {
    const url = URL.canParse(wsUrl) ? new URL(wsUrl) : undefined;
    const isSafe = url?.protocol === 'wss:' || (url?.protocol === 'ws:' && isLoopback(url));
    const isOurs = url?.pathname.split('/').includes(serviceHost);
    if (url && isSafe && isOurs && (this.cloud.isLocal || !isLoopback(url))) return url;
    throw badAnswer(`The platform sent an address that isn't one for a session of ${serviceHost}`);
  }

  /** A command to copy. It works whichever organization is selected. */
  command = (words: string): string => `botcli cloud ${words} -o ${this.organization}`;

  /** Something of this organization: without its name, nobody sees that it's the wrong one. */
  private here = (what: string): string => `${what} in organization ${this.organization}`;

  private path = (...steps: string[]): string => this.cloud.path(this.organization, ...steps);
}

function queryOf(query: object): URLSearchParams {
  const sent = Object.entries(query).filter(([, value]) => value !== undefined);
  return new URLSearchParams(Object.fromEntries(sent.map(([name, value]) => [name, String(value)])));
}

function checked(id: string): string {
  if (isUuid(id)) return id;
  throw badAnswer('An ID is not a UUID');
}

/** Things in the order of their creation, the newest first. Those without a date come last. */
function newestFirst<One extends { createdAt?: string }>(things: readonly One[]): One[] {
  const time = ({ createdAt }: One) => Date.parse(createdAt ?? '') || 0;
  return [...things].sort((one, other) => time(other) - time(one));
}

/** @throws {CloudError} The platform sent another thing than the one that was asked for. */
function checkSame(kind: string, sent: string, asked: string): void {
  if (sent.toLowerCase() !== asked.toLowerCase()) {
    throw badAnswer(`The platform sent ${kind} ${sent} instead of ${asked}`);
  }
}

const rejectedKey = (status: number): CloudError =>
  new CloudError(`The platform rejects the organization's public API key (HTTP ${status})`, {
    reason: 'unauthorized',
    hint: 'Revoke it in the dashboard, and run the command again: it offers to create one.',
    status,
  });
