import { DEPLOY_FILE, type DeployFile } from '../../existing/deploy-file.ts';
import { shellPath, shellWord } from '../../shells.ts';
import { listed, onOneLine } from '../../text.ts';
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
const inOrganization = (command: string, { organization }: CloudFacts): string =>
  organization === undefined ? command : `${command} -o ${shellWord(organization)}`;

/** Whether the platform has the secrets that a deploy needs. */
export const secretChecks: readonly Check<CloudFacts>[] = [
  {
    code: 'secret-set-missing',
    level: 'error',
    find(facts) {
      const { deploy, platform, requirements, place } = facts;
      if (requirements.inCloud.length === 0 && deploy.secretSet === undefined) return undefined;
      if (deploy.secretSet === undefined) {
        const hint = `The bot needs ${listed(requirements.inCloud)}.`;
        return { message: `${place(DEPLOY_FILE)} names no secret_set`, hint };
      }
      if (setOf(facts)) return undefined;
      return {
        message: `Organization ${platform.organization} has no secret set ${deploy.secretSet}`,
        ...fixBySetting(deploy.secretSet, facts),
      };
    },
  },
  {
    code: 'secret-set-type',
    level: 'error',
    find(facts) {
      const set = setOf(facts);
      if (!set || set.type === 'secret') return undefined;
      const hint = `Change secret_set in ${onOneLine(facts.place(DEPLOY_FILE))}, and create a set of that name.`;
      return { message: `${set.name} is an image pull secret, not a secret set`, hint };
    },
  },
  {
    code: 'secret-not-ready',
    find: (facts, level) =>
      wanted(facts)
        .filter(({ status }) => status === (level === 'error' ? 'failed' : 'pending'))
        .map(one => describeStatus(one, facts)),
  },
  {
    code: 'secret-region',
    level: 'error',
    find(facts) {
      const { deploy, platform, place } = facts;
      // As deploys decide it.
      const { agent, defaultRegion } = platform;
      const region = agent?.region ?? deploy.region ?? setOf(facts)?.region ?? defaultRegion;
      return wanted(facts)
        .filter(one => region !== undefined && one.region !== UNKNOWN && one.region !== region)
        .map(one => ({
          message: `${one.name} is in ${one.region}, but deploys go to ${region}`,
          hint: `Set region = "${one.region}" in ${onOneLine(place(DEPLOY_FILE))}, or create the secret there under another name.`,
        }));
    },
  },
  {
    code: 'secret-key-missing',
    level: 'error',
    find(facts) {
      const { deploy, platform, requirements } = facts;
      const lacking = requirements.inCloud.filter(name => platform.keys && !platform.keys.includes(name));
      if (lacking.length === 0 || deploy.secretSet === undefined) return undefined;
      return {
        message: `Secret set ${deploy.secretSet} lacks ${listed(lacking)}`,
        ...fixBySetting(deploy.secretSet, facts, lacking),
      };
    },
  },
  {
    code: 'pull-secret-missing',
    level: 'error',
    find(facts) {
      const { deploy, platform } = facts;
      const name = deploy.pullSecret;
      if (name === undefined || platform.secrets.some(one => one.name === name && one.type !== 'secret'))
        return undefined;
      return {
        message: `Organization ${platform.organization} has no image pull secret ${name}`,
        ...fixBy(inOrganization(`botcli cloud secrets image-pull-secret ${shellWord(name)} REGISTRY`, facts), name),
      };
    },
  },
];

/** What the platform's answers have instead of a region that it doesn't name. */
const UNKNOWN = 'unknown';

const setOf = ({ deploy, platform }: CloudFacts): PlatformSecret | undefined =>
  platform.secrets.find(({ name }) => name === deploy.secretSet);

/** The secrets that a deploy uses. */
const wanted = ({ deploy, platform }: CloudFacts): PlatformSecret[] =>
  platform.secrets.filter(({ name }) => name === deploy.secretSet || name === deploy.pullSecret);

function describeStatus({ name, status, errorMessage }: PlatformSecret, facts: CloudFacts): Detail {
  const command = inOrganization(`botcli cloud secrets list ${shellWord(name)}`, facts);
  if (status === 'pending') {
    const message = `${name} isn't ready yet, and a deploy would be refused`;
    return { message, hint: 'Wait some seconds.', ...fixBy(command, name) };
  }
  const fix = name === facts.deploy.secretSet ? fixBySetting(name, facts) : fixBy(command, name);
  return { message: `${name} failed${errorMessage ? `: ${errorMessage}` : ''}`, ...fix };
}

/** How to store keys: from the env file if that has them, else from prompts. */
function fixBySetting(set: string, facts: CloudFacts, keys: readonly string[] = facts.requirements.inCloud) {
  const { env, place, deploy } = facts;
  const region = deploy.region && !setOf(facts) ? ` --region ${shellWord(deploy.region)}` : '';
  const isInFile = keys.every(name => env.file.entries.get(name)?.value);
  if (keys.length === 0 && ![...env.file.entries.values()].some(({ value }) => value))
    return { hint: `If the bot needs no secrets, remove secret_set from ${onOneLine(place(DEPLOY_FILE))}.` };
  const from = isInFile ? `--file ${shellPath(place(env.path))}` : keys.map(key => shellWord(key)).join(' ');
  const command = inOrganization(`botcli cloud secrets set ${shellWord(set)} ${from}${region}`, facts);
  return fixBy(command, set, deploy.region);
}
