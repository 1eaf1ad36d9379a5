import { ignoring } from '../errors.ts';
import type { Agent, Build } from '../platform/agent-schemas.ts';
import { Agents } from '../platform/agents.ts';
import type { Found, SecretRow } from '../platform/answers.ts';
import { Builds } from '../platform/builds.ts';
import type { Cloud } from '../platform/cloud.ts';
import { UNKNOWN } from '../platform/cloud-error.ts';
import { regionOf } from '../platform/location.ts';
import type { Wanted } from './read.ts';

/** What the platform has, before anything is changed. */
export interface Seen {
  organization: string;
  agent: Agent | undefined;
  /** The agent that is tried before it, if that is wanted and one exists already. */
  next: Agent | undefined;
  /** What has the name of the secret set. */
  set: Found | undefined;
  pullSecret: SecretRow | undefined;
  /** The codes of the regions. */
  regions: readonly string[];
  /** Where the agent is, or will be; undefined if the platform names no default. */
  region: string | undefined;
  /** The organization's own profiles; undefined if they aren't needed, or can't be read. */
  profiles: readonly string[] | undefined;
  /** The build that the agent runs now. */
  running: Build | undefined;
  /** The build that was asked for; undefined if it doesn't exist. */
  chosen: Build | undefined;
  /** Builds of the same files, the newest first. */
  builds: readonly Build[];
}

/** Profiles that every organization has. */
const HOSTED = new Set(['agent-1x', 'agent-2x', 'agent-3x']);

/** Looks up what a deploy needs to know, at once where one answer doesn't depend on another. It changes nothing. */
export async function look(
  { deploy, upload }: Wanted,
  buildId: string | undefined,
  organization: string,
  cloud: Cloud,
  nextName?: string,
): Promise<Seen> {
  const [agents, builds] = [new Agents(cloud, organization), new Builds(cloud, organization)];
  const { agentName, secretSet, pullSecret: pullName, image, agentProfile } = deploy;
  const [agent, next, set, regions, pullSecret] = await Promise.all([
    agents.find(agentName),
    nextName === undefined ? undefined : agents.find(nextName),
    secretSet === undefined ? undefined : cloud.find({ organization, name: secretSet }),
    cloud.regions(organization).then(found => found.map(({ code }) => code)),
    image === undefined || pullName === undefined ? undefined : cloud.findPullSecret({ organization, name: pullName }),
  ]);
  const own = agent?.region === UNKNOWN ? undefined : agent?.region;
  const forNew = async () => (set && regionOf(set)) ?? (await cloud.defaultRegion(organization));
  const region = own ?? deploy.region ?? (agent ? undefined : await forNew());
  const isOwnProfile = agentProfile !== undefined && !HOSTED.has(agentProfile);
  const runningId = agent?.deployment?.buildId;
  const [profiles, running, chosen, made] = await Promise.all([
    isOwnProfile ? agents.profiles().catch(unreadable) : undefined,
    upload && runningId !== undefined ? builds.get(runningId).catch(unreadable) : undefined,
    buildId === undefined ? undefined : builds.get(buildId).catch(ignoring(({ reason }) => reason === 'not-found')),
    upload && region !== undefined
      ? builds.find({ contextHash: upload.hash, region, dockerfilePath: deploy.dockerfile })
      : [],
  ]);
  return { organization, agent, next, set, pullSecret, regions, region, profiles, running, chosen, builds: made };
}

/** The platform answers in a way that we don't know. Then nothing depends on the answer. */
const unreadable = ignoring(({ reason }) => ['bad-answer', 'not-found', 'refused'].includes(reason));
