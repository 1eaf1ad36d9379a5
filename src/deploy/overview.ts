import { organizationOf } from '../account/organization.ts';
import { type SessionOptions, withCloud } from '../account/session.ts';
import { ignoring } from '../errors.ts';
import type { Agent } from '../platform/agent-schemas.ts';
import { Agents } from '../platform/agents.ts';
import type { Connection } from '../platform/connection.ts';
import { isName } from '../platform/location.ts';
import type { Terminal } from '../shell/terminal.ts';
import { buildOf, stateOf } from './agent-state.ts';
import { checkNames } from './inputs.ts';
import { ownValues } from './read.ts';

/** Looks up what a deploy needs, and what it would replace: an organization's secrets, the keys of a set, and an agent. */
export async function lookUpDeploy(
  { set, agent }: { readonly set: string | undefined; readonly agent: string | undefined },
  options: SessionOptions,
  terminal: Terminal,
) {
  checkNames(options);
  terminal.hidden.hide(ownValues(terminal));
  return withCloud(options, terminal, async session => {
    const { cloud } = session;
    const organization = await organizationOf(session, terminal);
    const secrets = await cloud.list(organization);
    const isListed = secrets.some(one => one.name === set && one.type === 'secret');
    const found = set !== undefined && isListed ? await cloud.find({ organization, name: set }) : undefined;
    // Those of a referenced set are in another cluster.
    const keys = found?.type === 'secret' && found.set.source !== 'referenced' ? found.set.keys : undefined;
    const defaultRegion = await cloud.defaultRegion(organization);
    const deployed =
      agent !== undefined && isName(agent) ? await new Agents(cloud, organization).find(agent) : undefined;
    const shown = deployed && (await overviewOf(deployed, cloud, organization));
    return { organization, defaultRegion, secrets, keys, agent: shown };
  });
}

async function overviewOf(agent: Agent, connection: Connection, organization: string) {
  // Without the build, one finding less is possible.
  const build = await buildOf(agent, connection, organization).catch(ignoring(({ exitCode }) => exitCode === 1));
  const image = agent.deployment?.buildId === undefined ? agent.deployment?.manifest?.spec?.image : undefined;
  return { name: agent.name, region: agent.region, state: stateOf(agent), build, image };
}
