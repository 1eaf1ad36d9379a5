import { organizationOf } from '../account/organization.ts';
import { type SessionOptions, withCloud } from '../account/session.ts';
import { UserError } from '../errors.ts';
import type { Agent, Build } from '../platform/agent-schemas.ts';
import { Agents } from '../platform/agents.ts';
import type { SecretRow } from '../platform/answers.ts';
import type { Connection } from '../platform/connection.ts';
import { isName } from '../platform/location.ts';
import type { Terminal } from '../shell/terminal.ts';
import { buildOf, stateOf } from './agent-state.ts';
import { checkNames } from './inputs.ts';

/** What the deploy file names. */
interface Asked {
  set: string | undefined;
  agent: string | undefined;
}

/** An organization's secrets, the keys of one set, and an agent. */
interface Overview {
  organization: string;
  defaultRegion: string | undefined;
  secrets: SecretRow[];
  /** Undefined if there is no such set, or its keys are in another cluster. */
  keys: string[] | undefined;
  /** Undefined if there is none. */
  agent: AgentOverview | undefined;
}

interface AgentOverview {
  name: string;
  region: string;
  /** `ready`, or what it is instead. */
  state: string;
  /** Undefined if it runs no build, or the platform doesn't show it. */
  build: Build | undefined;
  image: string | undefined;
}

/** Looks up what a deploy needs, and what it would replace. */
export async function lookUpDeploy(asked: Asked, options: SessionOptions, terminal: Terminal): Promise<Overview> {
  checkNames(options);
  return withCloud(options, terminal, async session => {
    const { cloud } = session;
    const { set, agent } = asked;
    const organization = await organizationOf(session, terminal);
    const secrets = await cloud.list(organization);
    const isListed = secrets.some(one => one.name === set && one.type === 'secret');
    const found = set !== undefined && isListed ? await cloud.find({ organization, name: set }) : undefined;
    const keys = found?.type === 'secret' && found.set.source !== 'referenced' ? found.set.keys : undefined;
    const defaultRegion = await cloud.defaultRegion(organization);
    const deployed =
      agent !== undefined && isName(agent) ? await new Agents(cloud, organization).find(agent) : undefined;
    const shown = deployed && (await overviewOf(deployed, cloud, organization));
    return { organization, defaultRegion, secrets, keys, agent: shown };
  });
}

async function overviewOf(agent: Agent, connection: Connection, organization: string): Promise<AgentOverview> {
  // Without the build, one finding less is possible.
  const build = await buildOf(agent, connection, organization).catch((error: unknown) => {
    if (error instanceof UserError && error.exitCode === 1) return undefined;
    throw error;
  });
  const image = agent.deployment?.buildId === undefined ? agent.deployment?.manifest?.spec?.image : undefined;
  return { name: agent.name, region: agent.region, state: stateOf(agent), build, image };
}
