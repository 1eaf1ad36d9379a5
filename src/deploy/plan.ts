import type { CloudSession } from '../account/session.ts';
import { type ErrorCode, hintOf, ignoring, UserError } from '../errors.ts';
import { Agents } from '../platform/agents.ts';
import type { Build } from '../platform/answers.ts';
import type { Cloud } from '../platform/cloud.ts';
import { regionOf, regionProblem, type Secret, UNKNOWN, warnAboutFile } from '../platform/names.ts';
import { type Plan as KeyPlan, planChange } from '../secret-sets/change.ts';
import { unique } from '../std.ts';
import { warnAboutLocal } from '../this-computer.ts';
import type { DeployOptions, Wanted } from './read.ts';
import { hasSettings, pullSecretCommand, settingsIn } from './settings.ts';
import type { Tools } from './steps.ts';
import { isTrial, judge } from './verdict.ts';

type Seen = Awaited<ReturnType<typeof look>>;

/** Profiles that every organization has. */
const HOSTED = new Set(['agent-1x', 'agent-2x', 'agent-3x']);

/** Looks up what a deploy needs to know, at once where one answer doesn't depend on another. It changes nothing. */
export async function look(
  { deploy, upload }: Wanted,
  buildId: string | undefined,
  organization: string,
  cloud: Cloud,
  nextName: string | undefined,
) {
  const agents = new Agents(cloud, organization);
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
  const [profiles, running, chosen, builds] = await Promise.all([
    isOwnProfile ? agents.profiles().catch(unreadable) : undefined,
    upload && runningId !== undefined ? agents.build(runningId).catch(unreadable) : undefined,
    buildId === undefined ? undefined : agents.build(buildId).catch(ignoring(({ reason }) => reason === 'not-found')),
    upload && region !== undefined
      ? agents.builds({ contextHash: upload.hash, region, dockerfilePath: deploy.dockerfile })
      : [],
  ]);
  return {
    organization,
    agent,
    /** The agent that is tried before it. */
    next,
    set,
    pullSecret,
    regions,
    /** Where the agent is, or will be; undefined if the platform names no default. */
    region,
    /** The organization's own profiles; undefined if they aren't needed, or can't be read. */
    profiles,
    /** The build that the agent runs now; the one that was asked for, if it exists; and those of the same files. */
    running,
    chosen,
    builds,
  };
}

/** The platform answers in a way that we don't know. Then nothing depends on the answer. */
const unreadable = ignoring(({ reason }) => ['bad-answer', 'not-found', 'refused'].includes(reason));

/** A deploy of which everything is decided, and what it is carried out with. */
export interface Work extends Tools {
  wanted: Wanted;
  seen: Seen;
  plan: ReturnType<typeof planDeploy>;
  session: CloudSession;
  options: DeployOptions;
}

/** Whether botcli may ask, so that it may propose to send what is in `server/.env`. */
type Wish = { force: boolean; mayAsk: boolean };

/** Decides what a deploy will do, or would do if the platform didn't refuse it. */
export function planDeploy(wanted: Wanted, seen: Seen, wish: Wish) {
  const { deploy, upload } = wanted;
  const { agent, set } = seen;
  const region = seen.region ?? deploy.region;
  const secrets = secretsToSet(wanted, seen, wish);
  const existing = set?.type === 'secret' ? set.set.keys : [];
  const keys = planChange(existing, { set: secrets.map(({ key }) => key) });
  const refused = refusal([...problemsOf(wanted, seen, keys)]);
  // Without a region, that is a problem.
  if (region === undefined) throw refused;
  const build = upload ? builtBefore(wanted, seen) : seen.chosen;
  const isSameContent =
    deploy.image !== undefined
      ? agent?.deployment?.buildId === undefined && agent?.deployment?.manifest?.spec?.image === deploy.image
      : build !== undefined && agent?.deployment?.buildId === build.id;
  const isForced = wish.force || secrets.length > 0;
  const { autoScaling, ...settings } = settingsIn(deploy, agent);
  const isSettled = agent !== undefined && isSameContent && hasSettings(agent, settings) && !isForced;
  const state = isSettled ? judge(agent, { buildId: build?.id, image: deploy.image }, true).kind : undefined;
  const isRunning = state === 'ready';
  // Without the newest deployment itself, nothing says that this is what it runs.
  const isRollingOut = state === 'waiting' && agent?.deployment?.id === agent?.desiredDeploymentId;
  const isThere = isRunning || isRollingOut;
  const isScaled = agent !== undefined && hasSettings(agent, { autoScaling });
  return {
    region,
    secrets,
    keys,
    build: build ?? seen.builds.find(({ status }) => !['failed', 'timeout'].includes(status)),
    /** Whether the agent already runs this; only the scaling changes; or the platform rolls out just this already. */
    isUnchanged: isRunning && isScaled,
    isSame: isThere && !isScaled,
    isUnderWay: isRollingOut && isScaled,
    /** Everything that the platform would refuse later; undefined if that is nothing. */
    refusal: refused,
    /** The platform may make no new deployment of what it has deployed before, and doesn't show all settings. */
    forceRedeploy: !isThere && (isForced || build !== undefined || deploy.image !== undefined),
    warnings: [
      ...(upload?.warnings ?? []),
      ...warnAboutLocal(secrets),
      ...warnAboutFile(secrets, wanted.blank ?? []),
      ...(agent?.git ? ['GitHub deploys this agent, too: the next push replaces what botcli deploys.'] : []),
    ],
  };
}

/** The build of these files: the one that runs, or another one that succeeded. */
function builtBefore({ deploy, upload }: Wanted, { running, region, builds }: Seen): Build | undefined {
  const isSame =
    running?.status === 'success' &&
    running.contextHash === upload?.hash &&
    running.dockerfilePath === deploy.dockerfile &&
    running.region === region;
  return isSame ? running : builds.find(({ status }) => status === 'success');
}

/** Only what the bot reads: the keys of the server for calls stay on this computer. */
function secretsToSet({ deploy, requirements, ownValues, fileValues }: Wanted, { set }: Seen, { mayAsk }: Wish) {
  if (deploy.secretSet === undefined) return [];
  const read = ({ key }: Secret) => requirements.inBot.has(key) || requirements.inCloud.includes(key);
  if (fileValues) return fileValues.filter(read);
  const existing = set?.type === 'secret' ? set.set.keys : [];
  const lacking = requirements.inCloud.filter(key => !existing.includes(key));
  if (!mayAsk || lacking.length === 0 || isReferenced(set)) return [];
  return ownValues.filter(secret => read(secret) && !existing.includes(secret.key));
}

type Problem = readonly [reason: ErrorCode, text: string, hint?: string];

const isReferenced = (set: Seen['set']): boolean => set?.type === 'secret' && set.set.source === 'referenced';

/** Everything that the platform would refuse later. */
function* problemsOf(wanted: Wanted, seen: Seen, keys: KeyPlan): Generator<Problem> {
  const { deploy, deployFile, upload } = wanted;
  const { agent, next, regions, region, organization, profiles, pullSecret, chosen } = seen;
  if (region === undefined && agent) {
    const hint = `Set region in ${deployFile} to where it is.`;
    yield ['bad-answer', `The platform doesn't say in which region ${agent.name} is`, hint];
  } else if (region === undefined) {
    yield ['region', 'The platform names no default region', `Set region in ${deployFile}.`];
  } else {
    const problem = regionProblem(region, regions, organization);
    if (problem) yield ['region', problem.text, problem.hint];
  }
  if (agent && region === agent.region && deploy.region !== undefined && deploy.region !== region) {
    const hint = `Set region = "${agent.region}" in ${deployFile}, or deploy under another agent_name.`;
    yield ['region', `${agent.name} is in ${agent.region}, and agents can't move to ${deploy.region}`, hint];
  }
  const { agentProfile, image, pullSecret: pullName } = deploy;
  if (agentProfile !== undefined && profiles !== undefined && !profiles.includes(agentProfile)) {
    const hint = 'Every organization has agent-1x, agent-2x, and agent-3x.';
    yield ['not-found', `Organization ${organization} has no agent profile "${agentProfile}"`, hint];
  }
  // It may be somebody's.
  if (next && !isTrial(next)) {
    const hint =
      '--gate-first would replace and delete it. Use --gate. ' +
      `Or, if nobody needs it, delete it yourself: botcli cloud delete ${next.name} -o ${organization}`;
    yield ['conflict', `${next.name} exists, and nothing shows that --gate-first created it`, hint];
  }
  const setProblem = deploy.secretSet === undefined ? undefined : setProblemOf(deploy.secretSet, wanted, seen, keys);
  if (setProblem) yield setProblem;
  const elsewhere = (what: string, where: string | undefined): Problem[] =>
    where === undefined || where === region || where === UNKNOWN
      ? []
      : [['region', `${what} is in ${where}, but the deploy goes to ${region}`]];
  if (image !== undefined && pullName !== undefined) {
    const command = `Run: ${pullSecretCommand(pullName, image, organization)}`;
    if (!pullSecret) yield ['not-found', `There is no image pull secret ${pullName}`, command];
    else if (pullSecret.status === 'failed')
      yield ['provisioning-failed', `Image pull secret ${pullName} failed`, command];
    else yield* elsewhere(`Image pull secret ${pullName}`, pullSecret.region);
  }
  if (upload || image !== undefined) return;
  if (!chosen) yield ['not-found', 'There is no build with this ID', 'Omit --build to build these files.'];
  else if (chosen.status !== 'success')
    yield ['conflict', `Build ${chosen.id} can't be deployed: it is ${chosen.status}`];
  else yield* elsewhere(`Build ${chosen.id}`, chosen.region);
}

/** What is wrong with the secret set. */
function setProblemOf(name: string, wanted: Wanted, seen: Seen, { add, replace, keep }: KeyPlan): Problem | undefined {
  const { set, region } = seen;
  const { deployFile, requirements } = wanted;
  if (set?.type === 'imagePullSecret')
    return ['conflict', `${name} is an image pull secret, not a secret set`, `Change secret_set in ${deployFile}.`];
  if (set && region !== undefined && regionOf(set) !== region && regionOf(set) !== UNKNOWN) {
    const hint = `Set region = "${regionOf(set)}" in ${deployFile}, or create the set in ${region} under another name.`;
    return ['region', `Secret set ${name} is in ${regionOf(set)}, but the deploy goes to ${region}`, hint];
  }
  const isSent = add.length + replace.length > 0;
  if (isReferenced(set))
    return isSent ? ['conflict', `${name} is managed in your own cluster`, 'Omit --secrets.'] : undefined;
  if (set?.set.status === 'failed' && !isSent) {
    const why = set.set.errorMessage ? `: ${set.set.errorMessage}` : '';
    const hint = hintOf('Set its keys again.', howToSet(requirements.inCloud, wanted, seen));
    return ['provisioning-failed', `Secret set ${name} failed${why}`, hint];
  }
  const there = new Set([...add, ...replace, ...keep]);
  const lacking = requirements.inCloud.filter(key => !there.has(key));
  if (set || isSent)
    return lacking.length > 0
      ? ['not-found', `Secret set ${name} lacks ${lacking.join(', ')}`, howToSet(lacking, wanted, seen)]
      : undefined;
  const needs = lacking.length > 0 ? `. The bot needs ${lacking.join(', ')}` : '';
  const unused = `If the bot needs no secrets, remove secret_set from ${deployFile}.`;
  return ['not-found', `There is no secret set ${name}${needs}`, howToSet(lacking, wanted, seen) ?? unused];
}

/** The commands that set keys: from `server/.env` if that has them, else from prompts. Undefined without keys. */
function howToSet(
  keys: readonly string[],
  { deploy, ownFile, ownValues, fileValues }: Wanted,
  { agent, set, organization }: Seen,
): string | undefined {
  const region = set ? undefined : (agent?.region ?? deploy.region);
  const where = `${region === undefined ? '' : ` --region ${region}`} -o ${organization}`;
  const command = (from: string) => `Run: botcli cloud secrets set ${deploy.secretSet} ${from}${where}`;
  const isInFile = ownValues.length > 0 && keys.every(name => ownValues.some(({ key }) => key === name));
  if (!isInFile || ownFile === undefined) return keys.length > 0 ? command(keys.join(' ')) : undefined;
  return hintOf(command(`--file ${ownFile}`), fileValues ? undefined : `Or add --secrets ${ownFile}.`);
}

/** One error for all problems, with the code of the first one; undefined without any. */
function refusal(problems: readonly Problem[]): UserError | undefined {
  const [first, ...others] = problems;
  if (!first) return undefined;
  const [reason, text, hint] = first;
  const facts = { phase: 'look' };
  if (others.length === 0) return new UserError(text, { reason, hint, facts });
  const hints = unique(problems.flatMap(([, , one]) => one ?? [])).join('\n');
  const all = problems.map(([, one]) => one);
  return new UserError(`${all.length} problems; nothing was changed:`, { reason, problems: all, hint: hints, facts });
}
