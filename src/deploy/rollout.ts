import { posix } from 'node:path';
import { explaining, hintOf, UserError } from '../errors.ts';
import { DEPLOY_FILE } from '../existing/deploy-file.ts';
import { readPythonFiles } from '../existing/python/files.ts';
import type { Agent } from '../platform/agent-schemas.ts';
import { Agents } from '../platform/agents.ts';
import { hasUnknownOutcome } from '../platform/cloud-error.ts';
import { crashCause } from './causes.ts';
import { excludedBy } from './context/context.ts';
import type { Change, Tools } from './job.ts';
import { inOrder } from './logs/log-lines.ts';
import type { Wanted } from './read.ts';
import { duration, type Steps, short } from './steps.ts';
import { describeReady, judge, type Verdict } from './verdict.ts';
import { lookEvery, searchFor } from './waiting.ts';

/** The pause between looks at a deployment, in milliseconds. */
const INTERVAL_MS = 2000;
/** How long a deployment must stay ready, in milliseconds. */
const STEADY_MS = 10_000;

/**
 * Sends a change, then looks until the new deployment is ready and stays so. A response alone proves nothing. Returns it,
 * the region where it runs, whether it's idle, since when it is ready (as in `Date.now()`), and what the platform remarked.
 *
 * @throws {UserError} Somebody else deployed meanwhile; or it fails, or takes too long. The error has the deployment,
 * and the end of its log.
 */
export async function rollOut(change: Change, tools: Tools) {
  const { cloud, steps } = tools;
  const agents = new Agents(cloud, change.organization);
  steps.begin('Deploying');
  const warning = change.isSent ? undefined : await send(change, agents, tools);
  const ready = await watch(change, agents, tools);
  const took = steps.phaseTime();
  const since = Date.now();
  steps.begin('Checking that it stays up');
  steps.tick();
  const { deployment, region, isIdle, restarts } = await stays(ready, change, agents, tools);
  steps.done(`${change.name} is ${describeReady(isIdle)}: deployment ${short(deployment)}, after ${took}`);
  if (restarts > 0) {
    const times = restarts === 1 ? 'once' : `${restarts} times`;
    tools.terminal.note(
      `The platform has restarted it ${times}. Why: botcli cloud logs ${change.name} -o ${change.organization}`,
    );
  }
  return { deployment, region, isIdle, since, warning };
}

type Ready = Verdict & { kind: 'ready' };

/** The result of a rollout, in a line. */
export const describeDone = (name: string, { deployment, isIdle }: Pick<Ready, 'deployment' | 'isIdle'>): string =>
  isIdle
    ? `${name} is ${describeReady(isIdle)} (deployment ${short(deployment)})`
    : `${name} runs deployment ${short(deployment)}`;

async function send(
  { name, organization, seen, settings, expected }: Change,
  agents: Agents,
  tools: Tools,
): Promise<string | undefined> {
  const now = await agents.find(name);
  if (now?.desiredDeploymentId !== seen?.desiredDeploymentId) {
    throw new UserError(`Somebody else deployed ${name} meanwhile. Your change was not deployed.`, {
      reason: 'superseded',
      hint: `Look at it with botcli cloud status ${name} -o ${organization}, then run the same command again.`,
      facts: { phase: 'deploy', deployment: now?.desiredDeploymentId ?? null },
    });
  }
  const facts = { phase: 'deploy' };
  // Nobody knows whether there is a deployment.
  const unclear = { ...facts, deployment: null };
  const check = `To check, run: botcli cloud status ${name} -o ${organization}`;
  const stopped = (error: UserError) =>
    error.withMessage(`Interrupted. ${name} may have been deployed nevertheless.`, { hint: check, facts: unclear });
  try {
    return seen ? await agents.update(settings) : await agents.create(settings);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    if (error.reason === 'interrupted') throw stopped(error);
    if (!hasUnknownOutcome(error)) throw error.withMessage(error.message, { facts: { ...error.facts, ...facts } });
    // Perhaps it happened nevertheless. Then the agent shows it.
    const look = async () => {
      const after = await agents.find(name);
      const isOurs = after && ['ready', 'waiting', 'failed'].includes(judge(after, expected).kind);
      return isOurs && hasChanged(after, seen) ? after : undefined;
    };
    const after = await searchFor(look, tools).catch(explaining(stopped));
    if (after) return undefined;
    throw error.withMessage(`It's unclear whether ${name} was deployed. ${error.message}`, {
      hint: hintOf(error.hint, check),
      facts: unclear,
    });
  }
}

const hasChanged = (after: Agent, before: Agent | undefined): boolean =>
  after.desiredDeploymentId !== undefined && after.desiredDeploymentId !== before?.desiredDeploymentId;

async function watch(change: Change, agents: Agents, tools: Tools): Promise<Ready> {
  const { steps, terminal } = tools;
  let verdict: Verdict = { kind: 'waiting', phase: 'Creating' };
  let failedBefore = false;
  let moved = Date.now();
  let agent: Agent | undefined;
  const each = (state: Agent | undefined, problem?: UserError) => {
    steps.hear(problem);
    if (state) {
      const next = judge(state, change.expected, failedBefore);
      failedBefore = state.currentRevision?.phase === 'Failed';
      if (JSON.stringify(next) !== JSON.stringify(verdict)) moved = Date.now();
      verdict = next;
      agent = state;
    }
    steps.tick(verdict.kind === 'waiting' ? verdict.phase : '');
  };
  const isDone = () => verdict.kind !== 'waiting';
  await lookEvery(INTERVAL_MS, () => existing(change.name, agents), { isDone, each }, tools, terminal).catch(
    explaining(error => explainWait(error, change, verdict, steps, Date.now() - moved)),
  );
  return settle(verdict, agent, change, agents);
}

/** Checks a deployment that is ready once more, a while later. */
async function stays(ready: Ready, change: Change, agents: Agents, tools: Tools): Promise<Ready> {
  const { signal, steps, terminal } = tools;
  for (let last = ready; ; ) {
    const stopped = explaining(error => explainWait(error, change, last, steps, 0));
    await terminal.sleep(STEADY_MS, signal).catch(stopped);
    const now = await watch(change, agents, tools);
    if (now.deployment === last.deployment && now.restarts <= last.restarts) return now;
    if (now.restarts >= 3) {
      const reason = `it was restarted ${now.restarts} times`;
      const failure = { reason, code: undefined, exitCode: undefined, message: undefined };
      throw await rolloutError(failure, now.deployment, undefined, change, agents);
    }
    last = now;
  }
}

async function existing(name: string, agents: Agents): Promise<Agent> {
  const agent = await agents.find(name);
  if (agent) return agent;
  throw new UserError(`Agent ${name} isn't visible yet`, { reason: 'not-verified' });
}

/** A verdict that isn't `waiting`, as a result or an error. */
async function settle(verdict: Verdict, agent: Agent | undefined, change: Change, agents: Agents): Promise<Ready> {
  if (verdict.kind === 'ready') return verdict;
  if (verdict.kind === 'failed') throw await rolloutError(verdict.failure, verdict.deployment, agent, change, agents);
  const deployment = verdict.deployment ?? null;
  throw new UserError(`Somebody else deployed ${change.name} after you`, {
    reason: 'superseded',
    hint: `Your deployment was replaced. Look at it with botcli cloud status ${change.name} -o ${change.organization}`,
    facts: { phase: 'rollout', deployment },
  });
}

/** How long nothing may happen until botcli wonders, in milliseconds. */
const QUIET_MS = 10 * 60_000;
/** The most lines of a bot's log to show. */
const LINES = 20;

/** Says what a wait that ended too early means for a rollout. */
function explainWait(
  error: UserError,
  { name, organization, expected }: Change,
  verdict: Verdict,
  steps: Steps,
  quietMs: number,
): UserError {
  const deployment = 'deployment' in verdict ? (verdict.deployment ?? null) : null;
  const facts = { phase: 'rollout', deployment };
  const hint = `Watch: botcli cloud status ${name} -o ${organization}`;
  if (error.reason === 'interrupted') return error.withMessage('Interrupted. The rollout goes on.', { hint, facts });
  if (error.reason !== 'timeout') {
    return error.withMessage(`The state of ${name} is unknown. ${error.message}`, {
      facts: { ...error.facts, ...facts },
    });
  }
  const quiet = `Nothing happened for ${duration(quietMs / 1000)}: the platform may be throttling.`;
  // If the platform can't be asked, nobody knows whether something happened.
  const more = { hint: hintOf(quietMs >= QUIET_MS && !error.message ? quiet : undefined, hint), facts };
  if (error.message) return error.withMessage(`The state of ${name} is unknown. ${error.message}`, more);
  if (verdict.kind === 'waiting' && verdict.lacks) {
    return error.withMessage(LACKS[verdict.lacks](name, steps.phaseTime()), more);
  }
  const phase = verdict.kind === 'waiting' ? verdict.phase : 'restarting';
  const wanted = expected.buildId ?? expected.image;
  const unseen =
    deployment === null ? ` botcli expected a new deployment of ${wanted}, and the platform shows none.` : '';
  return error.withMessage(
    `${name} isn't ready after ${steps.phaseTime()} (${phase}). The rollout goes on.${unseen}`,
    more,
  );
}

/** What a deployment lacks after this time. */
const LACKS = {
  content: (name: string, time: string) =>
    `It's unknown whether ${name} runs this: its newest deployment is ready, but after ${time}, the platform still doesn't say what it runs`,
  scaling: (name: string, time: string) =>
    `The new scaling of ${name} doesn't show after ${time}. What it runs stays as it was.`,
};

/** A deployment that failed, with its log, the cause, and who answers calls now. */
async function rolloutError(
  failure: (Verdict & { kind: 'failed' })['failure'],
  deployment: string,
  agent: Agent | undefined,
  change: Change,
  agents: Agents,
): Promise<UserError> {
  const { name, organization, wanted, keys, expected, settings } = change;
  const lines = await agents.log(name, { limit: LINES, deploymentId: deployment }).catch(() => []);
  const printed = inOrder(lines).flatMap(({ log }) => log.split('\n'));
  const own = (failure.message ?? '').split('\n').filter(line => line.trim() !== '');
  const log = (printed.length > 0 ? printed : own).slice(-LINES);
  const cause = crashCause({
    failure,
    log,
    keys,
    organization,
    secretSet: wanted?.deploy.secretSet,
    image: expected.image,
    pullSecret: settings.imagePullSecretSet,
    deployFile: wanted?.deployFile ?? posix.basename(DEPLOY_FILE),
    ownFiles: wanted ? () => [...readPythonFiles(wanted.root, ['.']).texts.keys()] : () => [],
    excludedBy: path => wanted?.upload && excludedBy(wanted.upload, nameInContext(wanted, path)),
  });
  return new UserError(`Deployment ${short(deployment)} of ${name} failed: ${failure.reason}`, {
    reason: 'rollout-failed',
    problems: log,
    hint: hintOf(cause, whoAnswers(agent, change), `The log: botcli cloud logs ${name} -o ${organization}`),
    facts: { phase: 'rollout', deployment, log },
  });
}

const nameInContext = ({ folder, deploy }: Wanted, path: string): string =>
  posix.relative(posix.join('/', folder, deploy.contextDir), `/${path}`);

/** Where calls go after a failure. */
function whoAnswers(agent: Agent | undefined, { seen, name }: Change): string {
  if (!seen) return `${name} is new, so nothing answers calls.`;
  if (agent?.available === true || agent?.activeDeploymentReady === true)
    return 'Callers still reach the previous deployment.';
  if (agent?.available === false) return 'No deployment is ready: callers reach nothing.';
  return "The platform doesn't say whether callers still reach the previous deployment.";
}
