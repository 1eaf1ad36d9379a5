import { explaining, hintOf, UserError } from '../errors.ts';
import type { SecretSet } from '../platform/answers.ts';
import type { Location } from '../platform/location.ts';
import type { Secret } from '../platform/secret.ts';
import { applyChanges } from '../secret-sets/apply.ts';
import type { Plan as KeyPlan } from '../secret-sets/plan.ts';
import { verify, waitUntilReady } from '../secret-sets/verification.ts';
import type { Terminal } from '../shell/terminal.ts';
import { type Built, build } from './build.ts';
import { describeEnd, describeResult, testCall } from './call/test-call.ts';
import type { DeployOptions } from './inputs.ts';
import type { Change, Job, Tools } from './job.ts';
import { report } from './report.ts';
import { rollOut } from './rollout.ts';
import { hasScaling, settingsOf } from './settings.ts';
import { Steps } from './steps.ts';

/** Carries out what was planned: secrets, build, rollout, call. */
export async function carryOut(job: Job, options: DeployOptions, terminal: Terminal): Promise<void> {
  const { wanted, seen, plan, limits, session, gate } = job;
  const { deploy, upload } = wanted;
  const { organization, agent } = seen;
  const steps = new Steps(terminal);
  const tools = { ...limits, cloud: session.cloud, steps, terminal };
  // What the conversations need is looked for before anything is sent.
  const open = gate && (await gate.open(job, options, tools));
  const pending = seen.set?.type === 'secret' && seen.set.set.status === 'pending' ? seen.set.set : undefined;
  if (deploy.secretSet !== undefined && (plan.secrets.length > 0 || pending)) {
    const location = { organization, name: deploy.secretSet, region: seen.set ? undefined : plan.region };
    // Later requests have no secrets, so their responses may be shown.
    const cloud = session.cloud.sibling();
    await setSecrets(location, { ...plan, pending }, { ...tools, cloud }).finally(() => cloud.close());
  }
  const built: Built | undefined = upload
    ? await build(job, upload, tools)
    : plan.build && { id: plan.build.id, cached: true, seconds: null };
  const content = deploy.image === undefined ? { buildId: built?.id } : { image: deploy.image };
  const change: Change = {
    organization,
    name: deploy.agentName,
    seen: agent,
    isSent: plan.isUnderWay,
    settings: {
      serviceName: deploy.agentName,
      ...(content as { buildId: string }),
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
    keys: keysAfter(job),
  };
  const first = await open?.before(change);
  let since: number | undefined;
  try {
    const done = await rollOut(change, tools);
    since = done.since;
    await tryOut(job, done.deployment, options, terminal);
    const scenarios = first ? first.scenarios : await open?.decide(done.deployment);
    report({ ...job, built, done, seconds: steps.seconds(), scenarios, left: first?.left }, options, terminal);
  } catch (error) {
    throw open && error instanceof UserError ? await open.takeBack(error, since) : error;
  }
}

/** Tries what runs already, if that is wanted. Returns the results of the conversations. */
export async function tryUnchanged(job: Job, options: DeployOptions, terminal: Terminal) {
  const { gate, limits, session, seen } = job;
  const deployment = seen.agent?.desiredDeploymentId;
  await tryOut(job, deployment, options, terminal);
  if (!gate || deployment === undefined) return undefined;
  const tools = { ...limits, cloud: session.cloud, steps: new Steps(terminal), terminal };
  const open = await gate.open(job, options, tools);
  return open.decide(deployment).catch(
    explaining(error =>
      error.withMessage(error.message, {
        hint: hintOf(error.hint, `It ran before, so it stays. ${wayBack(job)}`),
      }),
    ),
  );
}

const wayBack = ({ wanted: { deploy }, seen: { organization } }: Job): string =>
  `To go back: botcli cloud rollback ${deploy.agentName} -o ${organization}`;

/** The keys of the secret set after a deploy; undefined if the platform doesn't say. */
function keysAfter({ seen: { set }, plan: { keys } }: Job): string[] | undefined {
  if (set?.type === 'secret' && set.set.source === 'referenced') return undefined;
  return [...keys.add, ...keys.replace, ...keys.keep];
}

/** Calls what is ready, if that is wanted. If it fails, the error says that it was deployed nevertheless. */
async function tryOut(
  job: Job,
  deployment: string | undefined,
  options: DeployOptions,
  terminal: Terminal,
): Promise<void> {
  const { transport, session, seen, plan, wanted } = job;
  if (!transport) return;
  const { organization } = seen;
  const agent = wanted.deploy.agentName;
  const callee = { organization, agent, region: plan.region, transport };
  const failed = explaining(error =>
    error.withMessage(`${agent} is deployed, but the test call failed. ${error.message}`, {
      facts: { ...error.facts, phase: 'call', deployment: deployment ?? null },
    }),
  );
  const result = await testCall(callee, session, options, terminal).catch(failed);
  terminal.note(`${terminal.noteStyle.green('✓')} ${describeResult(result)}`);
  if (!result.hasEnded) terminal.note(describeEnd(result, callee));
}

/**
 * Sets keys, then waits until the set is ready, for up to two minutes, or until the deadline. Without keys to set, it
 * only waits for a set that is pending.
 *
 * @throws {UserError} As `cloud secrets set --wait`. Nothing was deployed.
 */
async function setSecrets(
  location: Location,
  { secrets, keys, pending }: { secrets: readonly Secret[]; keys: KeyPlan; pending: SecretSet | undefined },
  { cloud, deadline, steps, terminal }: Tools,
): Promise<void> {
  const next = 'Nothing was deployed. It is safe to run the same command again.';
  try {
    if (secrets.length > 0) await applyChanges({ set: secrets }, location, cloud, terminal, next);
    const set = secrets.length === 0 && pending ? pending : await verify(cloud, location, keys, terminal);
    const ready = await waitUntilReady(cloud, location, set, terminal, deadline);
    const replaced = keys.replace.length > 0 ? `, ${keys.replace.length} replaced` : '';
    if (secrets.length > 0) steps.done(`Secrets: ${keys.add.length} added${replaced}, ${ready.status}`);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const { message, hint, facts } = error;
    throw error.withMessage(message, {
      hint: hint?.includes(next) ? hint : hintOf(hint, next),
      facts: { ...facts, phase: 'secrets' },
    });
  }
}
