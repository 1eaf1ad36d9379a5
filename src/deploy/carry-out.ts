import { explaining, hintOf, UserError } from '../errors.ts';
import type { DeployFile } from '../existing/deploy-file.ts';
import { type AgentSettings, Agents } from '../platform/agents.ts';
import type { Agent, SecretSet } from '../platform/answers.ts';
import type { Location } from '../platform/names.ts';
import { applyChanges } from '../secret-sets/change.ts';
import { verify, waitUntilReady } from '../secret-sets/second-look.ts';
import type { Terminal } from '../shell/terminal.ts';
import { type Built, build } from './build.ts';
import { testCall } from './call.ts';
import type { DeployOptions } from './deploy.ts';
import type { Gate } from './gate/gate.ts';
import { hasScaling, type Job } from './plan.ts';
import { report, reportUnchanged } from './report.ts';
import { type Change, rollOut } from './rollout.ts';
import { Steps, type Tools } from './steps.ts';

/** Carries out what was planned: secrets, build, rollout, call. If nothing changes, it only tries what runs. */
export async function carryOut(
  job: Job,
  gate: Gate | undefined,
  options: DeployOptions,
  terminal: Terminal,
): Promise<void> {
  const { wanted, seen, plan, session, deadline } = job;
  const { deploy, upload } = wanted;
  const { agent } = seen;
  const agents = new Agents(session.cloud, seen.organization);
  const tools = { agents, signal: session.signal, deadline, steps: new Steps(terminal), terminal };
  if (plan.isUnchanged) {
    const scenarios = await tryUnchanged(job, gate, options, tools);
    return reportUnchanged(job, scenarios, options, terminal);
  }
  // What the conversations need is looked for before anything is sent.
  const open = gate && (await gate.open(job, options, tools));
  await setSecrets(job, tools);
  const built: Built | undefined = upload
    ? await build(job, upload, tools)
    : plan.build && { id: plan.build.id, cached: true, seconds: null };
  const content = deploy.image === undefined ? { buildId: built?.id as string } : { image: deploy.image };
  const { set } = seen;
  const { add, replace, keep } = plan.keys;
  const change: Change = {
    name: deploy.agentName,
    seen: agent,
    isSent: plan.isUnderWay,
    settings: {
      serviceName: deploy.agentName,
      ...content,
      ...(agent ? {} : { region: plan.region }),
      ...settingsOf(deploy, agent),
      ...(agent && plan.forceRedeploy ? { forceRedeploy: true } : {}),
    },
    expected: {
      before: agent?.desiredDeploymentId,
      ...content,
      isSame: plan.isSame || plan.isUnderWay,
      hasScaling: now => hasScaling(now, deploy),
    },
    wanted,
    // The platform doesn't say which keys are in another cluster.
    keys: set?.type === 'secret' && set.set.source === 'referenced' ? undefined : [...add, ...replace, ...keep],
  };
  const first = await open?.before(change);
  let since: number | undefined;
  try {
    const done = await rollOut(change, tools);
    since = done.since;
    await tryOut(job, done.deployment, options, tools);
    const scenarios = first ? first.scenarios : await open?.decide(done.deployment);
    const seconds = tools.steps.seconds();
    report({ ...job, built, done, seconds, scenarios, left: first?.left }, options, terminal);
  } catch (error) {
    throw open && error instanceof UserError ? await open.takeBack(error, since) : error;
  }
}

/** The settings of cloud-deploy.toml, as the platform takes them. What the file doesn't name isn't sent. */
function settingsOf(deploy: DeployFile, agent: Agent | undefined): Omit<AgentSettings, 'serviceName'> {
  const { secretSet, pullSecret, image, minAgents, maxAgents, agentProfile, resources, audioFilter } = deploy;
  const scaling = { ...pick('minAgents', minAgents), ...pick('maxAgents', maxAgents) };
  // The platform keeps what isn't sent, so a filter that is no longer in the file is turned off.
  const filter = audioFilter ?? (agent?.krispViva?.audioFilter ? null : undefined);
  return {
    ...(image === undefined ? {} : pick('imagePullSecretSet', pullSecret)),
    ...pick('secretSet', secretSet),
    ...(Object.keys(scaling).length > 0 ? { autoScaling: scaling } : {}),
    ...pick('agentProfile', agentProfile),
    ...pick('resources', resources),
    ...(filter === undefined ? {} : { krispViva: { audioFilter: filter } }),
    ...pick('websocketAuth', deploy.websocketAuth),
    ...pick('maxSessionDuration', deploy.maxSessionDuration),
    ...pick('architecture', deploy.architecture),
  };
}

const pick = <Key extends string, Value>(key: Key, value: Value | undefined): { [key in Key]?: Value } =>
  value === undefined ? {} : ({ [key]: value } as { [key in Key]?: Value });

/** Tries what runs already, if that is wanted. Returns the results of the conversations. */
async function tryUnchanged(job: Job, gate: Gate | undefined, options: DeployOptions, tools: Tools) {
  const { seen, wanted } = job;
  const deployment = seen.agent?.desiredDeploymentId;
  await tryOut(job, deployment, options, tools);
  if (!gate || deployment === undefined) return undefined;
  const open = await gate.open(job, options, tools);
  const back = `To go back: botcli cloud rollback ${wanted.deploy.agentName} -o ${seen.organization}`;
  const stays = explaining(error =>
    error.withMessage(error.message, { hint: hintOf(error.hint, `It ran before, so it stays. ${back}`) }),
  );
  return open.decide(deployment).catch(stays);
}

/** Calls what is ready, if that is wanted. If it fails, the error says that it was deployed nevertheless. */
async function tryOut(
  { session, plan, wanted: { transport, deploy } }: Job,
  deployment: string | undefined,
  options: DeployOptions,
  { agents, terminal }: Tools,
): Promise<void> {
  if (!transport) return;
  const name = deploy.agentName;
  const callee = { agents, name, region: plan.region, transport };
  const failed = explaining(error =>
    error.withMessage(`${name} is deployed, but the test call failed. ${error.message}`, {
      facts: { ...error.facts, phase: 'call', deployment: deployment ?? null },
    }),
  );
  const result = await testCall(callee, session, options, terminal).catch(failed);
  terminal.note(`${terminal.noteStyle.green('✓')} ${result.text}`);
  if (!result.hasEnded) terminal.note(result.end);
}

/**
 * Sets keys, then waits until the set is ready, for up to two minutes, or until the deadline. Without keys to set, it
 * only waits for a set that is pending.
 *
 * @throws {UserError} As `cloud secrets set --wait`. Nothing was deployed.
 */
async function setSecrets(
  { wanted: { deploy }, seen: { organization, set }, plan: { secrets, keys, region }, session }: Job,
  { deadline, steps, terminal }: Tools,
): Promise<void> {
  const pending: SecretSet | undefined = set?.type === 'secret' && set.set.status === 'pending' ? set.set : undefined;
  if (deploy.secretSet === undefined || (secrets.length === 0 && !pending)) return;
  const location: Location = { organization, name: deploy.secretSet, region: set ? undefined : region };
  const next = 'Nothing was deployed. It is safe to run the same command again.';
  // Later requests have no secrets, so their responses may be shown.
  const cloud = session.cloud.sibling();
  try {
    if (secrets.length > 0) await applyChanges({ set: secrets }, location, cloud, terminal, next);
    const stored = secrets.length === 0 && pending ? pending : await verify(cloud, location, keys, terminal);
    const ready = await waitUntilReady(cloud, location, stored, terminal, deadline);
    const replaced = keys.replace.length > 0 ? `, ${keys.replace.length} replaced` : '';
    if (secrets.length > 0) steps.done(`Secrets: ${keys.add.length} added${replaced}, ${ready.status}`);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { message, hint, facts } = error;
    throw error.withMessage(message, {
      hint: hint?.includes(next) ? hint : hintOf(hint, next),
      facts: { ...facts, phase: 'secrets' },
    });
  } finally {
    cloud.close();
  }
}
