import { DEPLOY_FILE, type DeployFile } from '../../existing/deploy-file.ts';
import { shellWord } from '../../shells.ts';
import { onOneLine } from '../../text.ts';
import { type Facts, fixBy, inDirectory } from './facts.ts';
import type { Check, Detail } from './finding.ts';

/** A secret set or an image pull secret, as the platform lists it. */
interface PlatformSecret {
  name: string;
  type: string;
  region: string;
  status: string;
  /** Why it failed, if the platform says so. */
  errorMessage?: string;
}

/** What the platform says about an organization's secrets. */
interface PlatformFacts {
  organization: string;
  /** The region of deploys that don't name one. */
  defaultRegion: string | undefined;
  secrets: readonly PlatformSecret[];
  /** The keys of the set that was asked for; undefined if there is none, or its keys are in another cluster. */
  keys: readonly string[] | undefined;
  /** The agent that was asked for; undefined if there is none. */
  agent: PlatformAgent | undefined;
}

/** A deployed bot, as the platform shows it. */
interface PlatformAgent {
  name: string;
  region: string;
  /** `ready`, or what it is instead. */
  state: string;
  /** The build that it runs, if the platform shows it. */
  build: { contextHash?: string; dockerfilePath?: string } | undefined;
  /** The image that it runs, if no build made it. */
  image: string | undefined;
}

/** The deploy file, and what the platform says, in addition to the other facts. */
export interface CloudFacts extends Facts {
  deploy: DeployFile;
  platform: PlatformFacts;
  /** The hash of the files of the deploy, if a build runs. */
  hash: string | undefined;
  /** The organization on the command line, which commands repeat. */
  organization: string | undefined;
}

/** Whether the agent that the deploy file names runs what would be deployed. */
export const agentChecks: readonly Check<CloudFacts>[] = [
  {
    code: 'agent-region',
    level: 'error',
    find({ deploy, platform: { agent }, place }) {
      if (!agent || deploy.region === undefined || deploy.region === agent.region) return undefined;
      const file = onOneLine(place(DEPLOY_FILE));
      const hint = `Set region = "${agent.region}" in ${file}, or deploy under another agent_name.`;
      return { message: `${agent.name} is in ${agent.region}, and agents can't move to ${deploy.region}`, hint };
    },
  },
  { code: 'agent-not-ready', find: (facts, level) => describeAgent(facts, level === 'error') },
  {
    code: 'deploy-outdated',
    level: 'warning',
    find(facts) {
      const { agent } = facts.platform;
      if (!agent || isRunning(facts, agent)) return undefined;
      const message = `${agent.name} runs another image than that of these files`;
      return { message, ...fixBy(inOrganization(inDirectory('botcli cloud deploy', facts.place('')), facts)) };
    },
  },
];

/** An agent that exists and isn't ready: because it failed, or because it isn't ready yet. */
function describeAgent(facts: CloudFacts, hasFailed: boolean): Detail | undefined {
  const { agent } = facts.platform;
  if (!agent || agent.state === 'ready' || agent.state.startsWith('failed') !== hasFailed) return undefined;
  const command = `botcli cloud logs ${shellWord(agent.name)}`;
  const message = hasFailed ? `${agent.name} ${agent.state}` : `${agent.name} is ${agent.state}`;
  return { message, ...fixBy(inOrganization(command, facts), agent.name) };
}

/** Whether an agent runs what would be deployed. What the platform doesn't show counts as that. */
function isRunning({ deploy, hash }: CloudFacts, { build, image }: PlatformAgent): boolean {
  if (deploy.image !== undefined) return image === undefined ? build === undefined : image === deploy.image;
  if (!build || hash === undefined || build.contextHash === undefined) return true;
  return build.contextHash === hash && (build.dockerfilePath ?? deploy.dockerfile) === deploy.dockerfile;
}

/** A command for the organization that was checked. */
export const inOrganization = (command: string, { organization }: CloudFacts): string =>
  organization === undefined ? command : `${command} -o ${shellWord(organization)}`;
