import { randomUUID } from 'node:crypto';
import { stateOf } from './builds.ts';
import { type Answer, badRequest, type Call, good, NO_REGION, type Organization, refuse, statusOf } from './store.ts';

interface StoredDeployment {
  id: string;
  createdAt: string;
  settings: Record<string, unknown>;
}

export interface StoredAgent {
  name: string;
  region: string;
  createdAt: string;
  updatedAt: string;
  /** The newest last. */
  deployments: StoredDeployment[];
  /** The deployment that calls reach, if any became ready. */
  ready?: string;
  /** A name with a trouble, from which the agent suffers from now on. */
  trouble?: string;
  /** How often anybody looked at the newest deployment. It goes on with each look. */
  looks: number;
  settings: Record<string, unknown>;
  log: StoredLine[];
  sessions: StoredSession[];
}

/** A line of a log. Its time is in nanoseconds since 1970. */
interface StoredLine {
  log: string;
  timestamp: string;
  deploymentId: string;
  sessionId?: string;
}

export interface StoredSession {
  sessionId: string;
  deploymentId: string;
  createdAt: string;
  endedAt: string | null;
  endState: string;
  botStartSeconds: number | null;
  coldStart: boolean;
  completionStatus: string | null;
  events: { eventCode: string; eventTs: string }[];
}

/** Looks until a deployment is ready. */
const LOOKS = 3;

const TRACEBACK = `Traceback (most recent call last):
  File "/app/bot.py", line 12, in <module>
    KEY = os.environ["OPENAI_API_KEY"]
  File "<frozen os>", line 685, in __getitem__
KeyError: 'OPENAI_API_KEY'`;
const NO_MODULE = `Traceback (most recent call last):
  File "/app/bot.py", line 3, in <module>
    import requests
ModuleNotFoundError: No module named 'requests'`;

/** What goes wrong with agents whose names end like this: the health of instances, or errors of the platform. */
interface Trouble {
  health?: object;
  message?: string;
  error?: { code: string; message: string };
  phase?: string;
}

const crash = (message: string, reason = 'CrashLoopBackOff', lastExitCode = 1): Trouble => ({
  health: { ready: false, state: 'waiting', reason, lastExitCode, lastTerminationReason: 'Error', message },
  message,
});

const TROUBLES: Readonly<Record<string, Trouble>> = {
  '-crash': crash(TRACEBACK),
  '-module': crash(NO_MODULE),
  '-oom': crash('Killed', 'OOMKilled', 137),
  '-pull': { error: { code: 'PCC_IMAGE_PULL_UNAUTHORIZED', message: 'Not authorized to pull the image' } },
  '-missing': { error: { code: 'PCC_IMAGE_NOT_FOUND', message: 'The image does not exist' } },
  '-failed': { phase: 'Failed' },
  '-stuck': { phase: 'Creating' },
};

/** What the platform says about the health of agents of which nothing runs, by how their names end. */
const IDLE: Readonly<Record<string, object>> = {
  '-idle': { ready: false },
  '-idle-unsaid': {},
  '-idle-ready': { ready: true },
};

/** The health of an agent without an instance; undefined if it has one. */
function idleHealth({ name, trouble = name, settings, sessions }: StoredAgent): object | undefined {
  const { minAgents = 0 } = (settings.autoScaling ?? {}) as { minAgents?: number };
  if (minAgents > 0 || sessions.some(({ endedAt }) => !endedAt)) return undefined;
  return Object.entries(IDLE).find(([end]) => trouble.endsWith(end))?.[1];
}

const troubleOf = ({ name, trouble = name }: StoredAgent): Trouble | undefined =>
  Object.entries(TROUBLES).find(([end]) => trouble.endsWith(end))?.[1];

/** Responds to a request for agents. */
export function answerAgents(organization: Organization, line: string, [name = '']: string[], call: Call) {
  switch (line) {
    case 'GET services':
      return good({ services: [...organization.agents.values()].map(rowOf) });
    case 'POST services':
      return create(organization, call.body);
    case 'PUT services':
      return update(organization, call.body);
    case 'GET services/*':
      return withAgent(organization, name, agent => {
        advance(agent);
        return good({ body: showAgent(agent) });
      });
    case 'DELETE services/*':
      return organization.agents.delete(name) ? good({ status: 'OK' }) : notFound;
    case 'GET services/*/*':
      return withAgent(organization, name, agent => answerPart(agent, call));
    default:
      return undefined;
  }
}

const notFound = refuse(404, 'Service not found', 'NOT_FOUND');

export function withAgent({ agents }: Organization, name: string, use: (agent: StoredAgent) => Answer): Answer {
  const agent = agents.get(name);
  return agent ? use(agent) : notFound;
}

function answerPart(agent: StoredAgent, { path, query }: Call): Answer {
  if (path.endsWith('/deployments')) {
    return good({ deployments: agent.deployments.map(one => showDeployment(agent, one)).reverse() });
  }
  if (path.endsWith('/logs')) return showLog(agent, query);
  if (!path.endsWith('/sessions')) return refuse(404, 'Not found', 'NOT_FOUND');
  const status = query.get('status') ?? 'all';
  const wanted = agent.sessions.filter(({ endedAt }) => status === 'all' || (status === 'active') === !endedAt);
  const page = wanted.reverse().slice(0, Number(query.get('limit') ?? 10));
  return good({ sessions: page, total_count: wanted.length });
}

function showLog({ log }: StoredAgent, query: URLSearchParams): Answer {
  const [deployment, session] = ['deploymentId', 'sessionId'].map(name => query.get(name));
  const found = log
    .filter(line => !deployment || line.deploymentId === deployment)
    .filter(line => !session || line.sessionId === session || line.log.includes(session))
    .sort((one, other) => Number(BigInt(other.timestamp) - BigInt(one.timestamp)));
  const logs = found.slice(0, Number(query.get('limit') ?? 100)).map(({ sessionId, ...line }) => line);
  return good({ total: { value: found.length, relation: 'eq' }, logs });
}

function create(organization: Organization, body: Record<string, unknown>): Answer {
  const name = String(body.serviceName);
  if (!/^[a-z0-9][-a-z0-9]*[a-z0-9]$/.test(name) || name.length > 54) return badRequest('Invalid service name');
  if (organization.agents.has(name)) return badRequest('Service already exists');
  if (['image', 'buildId', 'git'].filter(key => body[key] !== undefined).length !== 1) {
    return badRequest('Either image or buildId is required to create a service');
  }
  const region = String(body.region ?? organization.defaultRegion);
  const problem = problemWith(organization, body, region);
  if (problem) return problem;
  const now = new Date().toISOString();
  const empty = { deployments: [], looks: 0, settings: {}, log: [], sessions: [] };
  const agent: StoredAgent = { name, region, createdAt: now, updatedAt: now, ...empty };
  organization.agents.set(name, agent);
  deploy(agent, body);
  return good({ body: showAgent(agent) });
}

function update(organization: Organization, body: Record<string, unknown>): Answer {
  const agent = organization.agents.get(String(body.serviceName));
  if (!agent) return notFound;
  if (body.region !== undefined && body.region !== agent.region) return badRequest("An agent's region can't change");
  const problem = problemWith(organization, body, agent.region);
  if (problem) return problem;
  const isSame = ['image', 'buildId', 'secretSet', 'imagePullSecretSet', 'agentProfile', 'maxSessionDuration'].every(
    key => body[key] === undefined || body[key] === agent.settings[key],
  );
  if (isSame && body.forceRedeploy !== true) {
    agent.settings = { ...agent.settings, ...body };
    return good({ body: showAgent(agent), warning: 'Nothing changed, so nothing was deployed' });
  }
  deploy(agent, body);
  return good({ body: showAgent(agent) });
}

function problemWith(organization: Organization, body: Record<string, unknown>, region: string): Answer | undefined {
  const { sets, builds, regions } = organization;
  if (!regions.some(({ code }) => code === region)) return badRequest(NO_REGION);
  for (const key of ['secretSet', 'imagePullSecretSet'] as const) {
    if (body[key] === undefined) continue;
    const set = sets.get(String(body[key]));
    if (!set) return refuse(404, `Secret set '${body[key]}' not found`, 'NOT_FOUND');
    const where = `Secret set '${set.name}' is in region '${set.region}' but service will be created in region`;
    if (set.region !== region) return badRequest(`${where} '${region}'`);
    if (statusOf(set).status !== 'ready') return refuse(409, `Secret set '${set.name}' is not yet ready`, 'CONFLICT');
  }
  if (body.buildId === undefined) return undefined;
  const build = builds.get(String(body.buildId));
  if (!build) return badRequest('Build not found');
  const where = `Build is in region '${build.region}' but service is in region '${region}'`;
  if (build.region !== region) return badRequest(where);
  const { status } = stateOf(build);
  return status === 'success' ? undefined : badRequest(`Build is not ready (status: ${status})`);
}

function deploy(agent: StoredAgent, body: Record<string, unknown>): void {
  const { forceRedeploy, ...wanted } = body;
  if (wanted.image !== undefined) delete agent.settings.buildId;
  if (wanted.buildId !== undefined) delete agent.settings.image;
  agent.settings = { ...agent.settings, ...wanted };
  agent.looks = 0;
  agent.updatedAt = new Date().toISOString();
  const deployment = { id: randomUUID(), createdAt: agent.updatedAt, settings: { ...agent.settings } };
  agent.deployments.push(deployment);
  writeLog(agent, deployment.id, 'INFO:     Started server process [1]');
}

export function writeLog(agent: StoredAgent, deploymentId: string, log: string, sessionId?: string): void {
  const last = BigInt(agent.log.at(-1)?.timestamp ?? 0);
  const now = BigInt(Date.now()) * 1_000_000n;
  const timestamp = String(now > last ? now : last + 1000n);
  agent.log.push({ log, timestamp, deploymentId, ...(sessionId ? { sessionId } : {}) });
}

/** Lets the newest deployment go on. */
function advance(agent: StoredAgent): void {
  const newest = agent.deployments.at(-1);
  if (!newest) return;
  agent.looks += 1;
  const trouble = troubleOf(agent);
  if (!trouble && agent.looks >= LOOKS) agent.ready = newest.id;
  if (trouble?.message && agent.looks <= 5) {
    for (const line of trouble.message.split('\n')) writeLog(agent, newest.id, line);
  }
}

/** An agent in the list, without what only a look at it shows. */
function rowOf(agent: StoredAgent) {
  const { name, region, createdAt, updatedAt } = agent;
  const desiredDeploymentId = agent.deployments.at(-1)?.id;
  const isReady = agent.ready === desiredDeploymentId;
  return {
    id: name,
    name,
    region,
    createdAt,
    updatedAt,
    ready: isReady,
    available: agent.ready !== undefined,
    desiredDeploymentId,
    activeDeploymentId: agent.ready ?? null,
    deletedAt: null,
  };
}

function showAgent(agent: StoredAgent) {
  const newest = agent.deployments.at(-1) as StoredDeployment;
  const trouble = troubleOf(agent);
  const isReady = agent.ready === newest.id;
  const scaling = (agent.settings.autoScaling ?? {}) as { minAgents?: number; maxAgents?: number };
  // One that came up in the end.
  const restartCount = trouble?.health ? agent.looks : isReady && agent.name.endsWith('-restarted') ? 3 : 0;
  const started = { ready: isReady, state: isReady ? 'running' : 'waiting', replicasStarted: 1 };
  const idle = trouble ? undefined : idleHealth(agent);
  const steady = {
    ...(idle ? { state: 'waiting', replicasStarted: 0, ...idle } : started),
    lastExitCode: null,
    reason: null,
  };
  const phase = trouble?.phase ?? (isReady ? 'Active' : agent.looks > 1 ? 'Validating' : 'Creating');
  return {
    ...rowOf(agent),
    reconciledDeploymentId: trouble || agent.looks < 2 ? (agent.ready ?? null) : newest.id,
    activeDeploymentReady: agent.ready !== undefined,
    activeSessionCount: agent.sessions.filter(({ endedAt }) => !endedAt).length,
    agentProfile: agent.settings.agentProfile ?? 'agent-1x',
    krispViva: agent.settings.krispViva ?? null,
    autoScaling: { minReplicas: scaling.minAgents ?? 0, maxReplicas: scaling.maxAgents ?? 50 },
    errors: trouble?.error && agent.looks > 1 ? [trouble.error] : [],
    conditions: [],
    deployment: showDeployment(agent, newest),
    currentRevision: {
      deploymentID: newest.id,
      phase,
      readyReplicas: isReady && !idle ? 1 : 0,
      phaseStartedAt: agent.updatedAt,
      hasInfrastructureIssue: false,
      health: { ...steady, ...trouble?.health, restartCount },
    },
  };
}

function showDeployment(agent: StoredAgent, { id, createdAt, settings }: StoredDeployment) {
  const { minAgents = 0, maxAgents = 50 } = (settings.autoScaling ?? {}) as { minAgents?: number; maxAgents?: number };
  return {
    id,
    serviceId: agent.name,
    createdAt,
    updatedAt: createdAt,
    ...(settings.buildId ? { buildId: settings.buildId } : {}),
    manifest: {
      spec: {
        image: settings.buildId ? 'redacted' : settings.image,
        autoScaling: { minReplicas: minAgents, maxReplicas: maxAgents },
        imagePullSecretName: settings.imagePullSecretSet ?? '',
        envFromSecretNames: settings.secretSet ? [settings.secretSet] : [],
        resources: { cpu: '500m', memory: '1Gi' },
        ...(settings.maxSessionDuration ? { maxSessionDurationSeconds: settings.maxSessionDuration } : {}),
      },
    },
  };
}
