import { posix } from 'node:path';
import { botTypeOf, findTransport, transports } from '../catalog/index.ts';
import { nameInSentence } from '../config/options.ts';
import { archiveOf } from '../deploy/context/archive.ts';
import { type Context, readContext } from '../deploy/context/context.ts';
import { UserError } from '../errors.ts';
import { brokenLineIn, DEPLOY_FILE, type DeployFile, parseDeployFile } from '../existing/deploy-file.ts';
import { findTarget } from '../paths/locate.ts';
import { exists, readText } from '../paths/read.ts';
import type { Terminal } from '../shell/terminal.ts';
import { shellPath, shellWord } from '../shells.ts';
import { listed, onOneLine } from '../text.ts';
import { describeLocal, isLocalAddress } from '../this-computer.ts';
import { type Facts, inDirectory } from './checks/facts.ts';
import { type Checks, type Detail, type Finding, type GroupResult, runChecks, warning } from './checks/finding.ts';
import { brokenToml, describeMissing } from './checks/project.ts';

/**
 * Asks the platform about a secret set and an agent. The program provides it, so that checks don't know how.
 *
 * @throws {UserError} There is no login, or no answer.
 */
type AskPlatform = (
  asked: { readonly set: string | undefined; readonly agent: string | undefined },
  options: { readonly organization?: string; readonly debug?: boolean },
  terminal: Terminal,
) => Promise<CloudFacts['platform']>;

/** Checks what a deploy needs: the files, the login, and the secrets. */
export async function checkPlatform(
  facts: Facts,
  ask: AskPlatform,
  options: Parameters<AskPlatform>[1],
  terminal: Terminal,
): Promise<GroupResult> {
  const text = readText(facts.project.root, DEPLOY_FILE);
  const deploy = text === undefined ? undefined : parseDeployFile(text);
  const buildFile = deploy?.buildFile && posix.join('server', deploy.buildFile);
  const missingBuildFile = buildFile && !exists(facts.project.root, buildFile) ? buildFile : undefined;
  const files = {
    ...facts,
    brokenAt: text === undefined || deploy ? undefined : brokenLineIn(text),
    deploy,
    missingBuildFile,
    context: deploy && !missingBuildFile ? contextOf(facts, deploy) : undefined,
  };
  const before = runChecks('cloud', deployChecks, files);
  try {
    const platform = await ask({ set: deploy?.secretSet, agent: deploy?.agentName }, options, terminal);
    const hash = platform.agent?.build && (await hashOf(files.context));
    const asked = { platform, hash, organization: options.organization };
    const after = deploy ? runChecks('cloud', { ...secretChecks, ...agentChecks }, { ...files, ...asked, deploy }) : [];
    return { group: 'cloud', findings: [...before, ...after], passed: passedCloud(deploy, platform) };
  } catch (error) {
    // Ctrl-C, and wrong options, end the command.
    if (!(error instanceof UserError) || error.exitCode > 2 || error.reason === 'usage') throw error;
    return { group: 'cloud', findings: [...before, findingOf(error)], passed: '' };
  }
}

/** What a deploy would upload, if it builds an image. */
function contextOf({ project, requirements }: Facts, deploy: DeployFile): Context | undefined {
  if (deploy.image !== undefined || deploy.buildId !== undefined) return undefined;
  const place = { project: findTarget(project.root).root, deployFile: DEPLOY_FILE };
  return readContext({ ...deploy, ...place, imports: requirements.inImage });
}

/** The hash of these files; undefined if they can't be deployed, or changed meanwhile. */
async function hashOf(context: Context | undefined): Promise<string | undefined> {
  if (!context || context.problems.length > 0) return undefined;
  try {
    return (await archiveOf(context.files)).hash;
  } catch (error) {
    if (error instanceof UserError) return undefined;
    throw error;
  }
}

/** The commands that fix what keeps botcli from asking the platform. */
const FIXES: Readonly<Record<string, string>> = {
  'not-logged-in': 'botcli cloud auth login',
  unauthorized: 'botcli cloud auth login',
  'no-organization': 'botcli cloud organizations select',
};

function findingOf({ reason, message, hint }: UserError): Finding {
  const command = FIXES[reason];
  const advice = { ...(hint && { hint }), ...(command && { fix: { command } }) };
  return { code: reason, level: 'error', group: 'cloud', message, ...advice };
}

function passedCloud(deploy: DeployFile | undefined, { organization, secrets, keys }: CloudFacts['platform']): string {
  const set = secrets.find(({ name }) => name === deploy?.secretSet);
  if (!set) return `organization ${organization} has what a deploy needs`;
  const number = keys ? ` and has ${keys.length} ${keys.length === 1 ? 'key' : 'keys'}` : '';
  // The platform never returns values.
  return `secret set ${set.name} is ready in ${set.region}${number}; botcli can't compare its values with .env`;
}

/** The files of a deploy, in addition to the other facts. */
interface DeployFacts extends Facts {
  /** The line where the deploy file stops being TOML, counted from 1. */
  brokenAt: number | undefined;
  /** Undefined if there is no such file, or it isn't TOML. */
  deploy: DeployFile | undefined;
  missingBuildFile: string | undefined;
  /** What a deploy would upload; undefined if it builds no image, or the build file doesn't exist. */
  context: Context | undefined;
}

/** Whether the files of a deploy are complete. */
const deployChecks: Checks<DeployFacts> = {
  'missing-files': facts => describeMissing(facts, 'deploy'),
  'deploy-file'({ brokenAt, deploy, project, missing, place }) {
    if (deploy || missing.includes(DEPLOY_FILE)) return undefined;
    if (brokenAt !== undefined) return brokenToml(place(DEPLOY_FILE), brokenAt);
    return {
      message: `There is no ${place(DEPLOY_FILE)}`,
      ...(!project.config.deploy_to_cloud && { hint: 'This project was created without cloud files.' }),
      fix: { command: inDirectory('botcli update --deploy-to-cloud', place('')) },
    };
  },
  'build-file': ({ missingBuildFile, deploy, missing, place }) =>
    missingBuildFile !== undefined &&
    !missing.includes(missingBuildFile) && {
      message: deploy?.namesDockerfile
        ? `${place(missingBuildFile)}, which ${place(DEPLOY_FILE)} names, doesn't exist`
        : `${place(missingBuildFile)} doesn't exist, and ${place(DEPLOY_FILE)} names no other file to build from`,
      hint: 'Set dockerfile in its [build] section to container-file.',
    },
  'agent-name': facts => describeSettings(facts, /^agent_name /),
  'deploy-key': facts => describeSettings(facts, /^(?!agent_name )/),
  context({ context, deploy, place }) {
    const folder = place(posix.join('server', deploy?.contextDir ?? ''));
    const hint = "A deploy uploads every file that .dockerignore doesn't exclude.";
    const describe = (level: 'error' | 'warning') => (one: string) => ({
      level,
      message: `${folder}: ${one.replace(/\.$/, '')}`,
      hint,
    });
    return context && [...context.problems.map(describe('error')), ...context.warnings.map(describe('warning'))];
  },
  'transport-not-in-cloud'({ project: { config }, place }) {
    const rows = config.transports.map(findTransport);
    if (!rows.every(({ isPeerToPeer }) => isPeerToPeer)) return undefined;
    const labels = rows.map(({ label }) => nameInSentence(label)).join(', ');
    return {
      message: `Nobody can reach this bot in the cloud: ${labels} only works locally`,
      hint: 'Add a transport that the cloud can serve, such as Daily.',
      fix: { command: inDirectory(`botcli update ${withHosted(config.transports)}`, place('')) },
    };
  },
  'value-local': warning(({ env, requirements, place }) =>
    [...env.file.entries.values()]
      .filter(({ name, value = '' }) => requirements.inBot.has(name) && isLocalAddress(value))
      .map(({ name, line }) => ({
        message: `${place(env.path)}, line ${line}: ${describeLocal(name)}`,
        hint: 'Give the secret set an address that works from the cloud.',
      })),
  ),
};

const describeSettings = ({ deploy, place }: DeployFacts, which: RegExp): Detail[] =>
  (deploy?.problems ?? [])
    .filter(one => which.test(one))
    .map(one => ({ message: `${place(DEPLOY_FILE)}: ${one}`, hint: 'Fix it before you deploy.' }));

/** The options for these transports, and one that the cloud serves to browsers. */
const withHosted = (ids: readonly string[]): string =>
  [...ids, ...transports.filter(row => botTypeOf(row) === 'web' && !row.isPeerToPeer).map(({ id }) => id)]
    .map(id => `-t ${id}`)
    .join(' ');

/** What the platform says about an organization's secrets, and about an agent. */
interface PlatformFacts {
  organization: string;
  /** The region of deploys that don't name one. */
  defaultRegion: string | undefined;
  /** Secret sets and image pull secrets, with why they failed, if the platform says so. */
  secrets: readonly { name: string; type: string; region: string; status: string; errorMessage?: string }[];
  /** The keys of the set that was asked for; undefined if there is none, or its keys are in another cluster. */
  keys: readonly string[] | undefined;
  /** The agent that was asked for; undefined if there is none. */
  agent: DeployedAgent | undefined;
}

interface DeployedAgent {
  name: string;
  region: string;
  /** `ready`, or what it is instead. */
  state: string;
  /** The build that it runs, if the platform shows it; or the image, if no build made it. */
  build: { contextHash?: string; dockerfilePath?: string } | undefined;
  image: string | undefined;
}

/** The deploy file, and what the platform says, in addition to the other facts. */
interface CloudFacts extends Facts {
  deploy: DeployFile;
  platform: PlatformFacts;
  /** The hash of the files of the deploy, if a build runs. */
  hash: string | undefined;
  /** The organization on the command line, which commands repeat. */
  organization: string | undefined;
}

/** A command as the fix, unless a name in it could be anything else, such as an option. */
const fixBy = (command: string, ...names: (string | undefined)[]): Pick<Detail, 'fix'> =>
  names.every(name => name === undefined || /^[A-Za-z0-9][\w.-]{0,127}$/.test(name)) ? { fix: { command } } : {};

/** Whether the agent that the deploy file names runs what would be deployed. */
const agentChecks: Checks<CloudFacts> = {
  'agent-region'({ deploy, platform: { agent }, place }) {
    if (!agent || deploy.region === undefined || deploy.region === agent.region) return undefined;
    const file = onOneLine(place(DEPLOY_FILE));
    const hint = `Set region = "${agent.region}" in ${file}, or deploy under another agent_name.`;
    return { message: `${agent.name} is in ${agent.region}, and agents can't move to ${deploy.region}`, hint };
  },
  'agent-not-ready'(facts) {
    const { agent } = facts.platform;
    if (!agent || agent.state === 'ready') return undefined;
    const hasFailed = agent.state.startsWith('failed');
    return {
      level: hasFailed ? 'error' : 'warning',
      message: `${agent.name} ${hasFailed ? '' : 'is '}${agent.state}`,
      ...fixBy(inOrganization(`botcli cloud logs ${shellWord(agent.name)}`, facts), agent.name),
    };
  },
  'deploy-outdated': warning(facts => {
    const { agent } = facts.platform;
    if (!agent || isRunning(facts, agent)) return undefined;
    const message = `${agent.name} runs another image than that of these files`;
    return { message, ...fixBy(inOrganization(inDirectory('botcli cloud deploy', facts.place('')), facts)) };
  }),
};

/** Whether an agent runs what would be deployed. What the platform doesn't show counts as that. */
function isRunning({ deploy, hash }: CloudFacts, { build, image }: DeployedAgent): boolean {
  if (deploy.image !== undefined) return image === undefined ? build === undefined : image === deploy.image;
  if (!build || hash === undefined || build.contextHash === undefined) return true;
  return build.contextHash === hash && (build.dockerfilePath ?? deploy.dockerfile) === deploy.dockerfile;
}

/** A command for the organization that was checked. */
const inOrganization = (command: string, { organization }: CloudFacts): string =>
  organization === undefined ? command : `${command} -o ${shellWord(organization)}`;

/** Whether the platform has the secrets that a deploy needs. */
const secretChecks: Checks<CloudFacts> = {
  'secret-set-missing'(facts) {
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
  'secret-set-type'(facts) {
    const set = setOf(facts);
    if (!set || set.type === 'secret') return undefined;
    const hint = `Change secret_set in ${onOneLine(facts.place(DEPLOY_FILE))}, and create a set of that name.`;
    return { message: `${set.name} is an image pull secret, not a secret set`, hint };
  },
  'secret-not-ready': facts => wanted(facts).flatMap(one => describeStatus(one, facts)),
  'secret-region'(facts) {
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
  'secret-key-missing'(facts) {
    const { deploy, platform, requirements } = facts;
    const lacking = requirements.inCloud.filter(name => platform.keys && !platform.keys.includes(name));
    if (lacking.length === 0 || deploy.secretSet === undefined) return undefined;
    return {
      message: `Secret set ${deploy.secretSet} lacks ${listed(lacking)}`,
      ...fixBySetting(deploy.secretSet, facts, lacking),
    };
  },
  'pull-secret-missing'(facts) {
    const { deploy, platform } = facts;
    const name = deploy.pullSecret;
    if (name === undefined || platform.secrets.some(one => one.name === name && one.type !== 'secret'))
      return undefined;
    return {
      message: `Organization ${platform.organization} has no image pull secret ${name}`,
      ...fixBy(inOrganization(`botcli cloud secrets image-pull-secret ${shellWord(name)} REGISTRY`, facts), name),
    };
  },
};

/** What the platform's answers have instead of a region that it doesn't name. */
const UNKNOWN = 'unknown';

const setOf = ({ deploy, platform }: CloudFacts) => platform.secrets.find(({ name }) => name === deploy.secretSet);

/** The secrets that a deploy uses. */
const wanted = ({ deploy, platform }: CloudFacts) =>
  platform.secrets.filter(({ name }) => name === deploy.secretSet || name === deploy.pullSecret);

function describeStatus(
  { name, status, errorMessage }: PlatformFacts['secrets'][number],
  facts: CloudFacts,
): Detail | [] {
  if (status !== 'pending' && status !== 'failed') return [];
  const command = inOrganization(`botcli cloud secrets list ${shellWord(name)}`, facts);
  if (status === 'pending') {
    const message = `${name} isn't ready yet, and a deploy would be refused`;
    return { level: 'warning', message, hint: 'Wait some seconds.', ...fixBy(command, name) };
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
