import { explaining, hintOf, UserError } from '../errors.ts';
import type { Agent } from '../platform/agent-schemas.ts';
import { Agents } from '../platform/agents.ts';
import { hasUnknownOutcome } from '../platform/cloud-error.ts';
import type { Change, Tools } from './job.ts';
import { explainWait, rolloutError } from './rollout-errors.ts';
import { short } from './steps.ts';
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
