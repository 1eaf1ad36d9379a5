import { posix } from 'node:path';
import { explaining, hintOf, UserError } from '../errors.ts';
import { DEPLOY_FILE } from '../existing/deploy-file.ts';
import type { Agents } from '../platform/agents.ts';
import type { Agent } from '../platform/answers.ts';
import { hasUnknownOutcome } from '../platform/errors.ts';
import { lastLines } from './logs.ts';
import type { Wanted } from './read.ts';
import { pullSecretCommand, type Settings } from './settings.ts';
import { duration, inPhase, lookEvery, searchFor, short, superseded, type Tools } from './steps.ts';
import { describeReady, judge } from './verdict.ts';

/** A change to deploy. */
export interface Change {
  name: string;
  /** The agent as it was seen before the change was planned; undefined if it's new. */
  seen: Agent | undefined;
  /** Whether it was sent before, so that only the wait is left. */
  isSent?: boolean;
  settings: Settings & {
    serviceName: string;
    image?: string | undefined;
    buildId?: string | undefined;
    /** Only to create an agent. */
    region?: string | undefined;
    forceRedeploy?: true | undefined;
  };
  expected: Parameters<typeof judge>[1];
  /** What is deployed from this computer; undefined if it's an earlier deployment. */
  wanted?: Wanted | undefined;
  /** The keys of the secret set, if they are known. */
  keys?: readonly string[] | undefined;
}

type Verdict = ReturnType<typeof judge>;
type Failed = Omit<Verdict & { kind: 'failed' }, 'kind'>;

const INTERVAL_MS = 2000;
/** How long a deployment must stay ready, in milliseconds. */
const STEADY_MS = 10_000;

/**
 * Sends a change, then looks until the new deployment is ready and stays so: a response alone proves nothing. Returns
 * it, its region, whether it's idle, since when it is ready (as in `Date.now()`), and the platform's remark.
 */
export async function rollOut(change: Change, tools: Tools) {
  const { agents, signal, steps, terminal } = tools;
  const { name } = change;
  steps.begin('Deploying');
  const warning = change.isSent ? undefined : await send(change, tools);
  let ready = await watch(change, tools);
  const took = steps.phaseTime();
  const since = Date.now();
  steps.begin('Checking that it stays up');
  steps.tick();
  for (let isSteady = false; !isSteady; ) {
    const last = ready;
    const stopped = (error: UserError) => explainWait(error, change, last, tools);
    await terminal.sleep(STEADY_MS, signal).catch(explaining(stopped));
    ready = await watch(change, tools);
    isSteady = ready.deployment === last.deployment && ready.restarts <= last.restarts;
    if (!isSteady && ready.restarts >= 3) {
      const failure = { reason: `it was restarted ${ready.restarts} times` };
      throw await rolloutError({ failure, deployment: ready.deployment }, undefined, change, agents);
    }
  }
  const { deployment, region, isIdle, restarts } = ready;
  steps.done(`${name} is ${describeReady(isIdle)}: deployment ${short(deployment)}, after ${took}`);
  if (restarts > 0) {
    const times = restarts === 1 ? 'once' : `${restarts} times`;
    terminal.note(`The platform has restarted it ${times}. Why: ${agents.command(`logs ${name}`)}`);
  }
  return { deployment, region, isIdle, since, warning };
}

/** @throws {UserError} Somebody else deployed meanwhile; or it wasn't deployed, or perhaps. */
async function send({ name, seen, settings, expected }: Change, tools: Tools): Promise<string | undefined> {
  const { agents } = tools;
  const unchanged = (error: UserError) =>
    error.reason === 'interrupted' ? error.withMessage(`Interrupted. ${name} wasn't changed.`) : error;
  const now = await agents.find(name).catch(explaining(unchanged));
  if (now?.desiredDeploymentId !== seen?.desiredDeploymentId) {
    const when = 'meanwhile. Your change was not deployed. To deploy it, run the same command again.';
    throw superseded(name, agents, when, { phase: 'deploy', deployment: now?.desiredDeploymentId ?? null });
  }
  const check = `To check, run: ${agents.command(`status ${name}`)}`;
  const message = `Interrupted. ${name} may have been deployed nevertheless.`;
  // Nobody knows whether there is a deployment.
  const stopped = inPhase('deploy', { deployment: null }, [message, check]);
  try {
    return await agents.deploy(seen ? 'PUT' : 'POST', settings);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    if (error.reason === 'interrupted') throw stopped(error);
    if (!hasUnknownOutcome(error)) throw inPhase('deploy')(error);
    // Perhaps it happened nevertheless. Then the agent shows it.
    const look = async () => {
      const after = await agents.find(name);
      const id = after?.desiredDeploymentId;
      if (!after || id === undefined || id === seen?.desiredDeploymentId) return undefined;
      return judge(after, expected).kind === 'superseded' ? undefined : after;
    };
    if (await searchFor(look, tools).catch(stopped)) return undefined;
    throw error.withMessage(`It's unclear whether ${name} was deployed. ${error.message}`, {
      hint: hintOf(error.hint, check),
      facts: { phase: 'deploy', deployment: null },
    });
  }
}

async function watch(change: Change, tools: Tools): Promise<Verdict & { kind: 'ready' }> {
  const { agents, signal, deadline, steps, terminal } = tools;
  const { name } = change;
  let verdict: Verdict = { kind: 'waiting', phase: 'Creating' };
  let failedBefore = false;
  let moved = Date.now();
  const look = async () => {
    const agent = await agents.find(name);
    if (agent) return agent;
    throw new UserError(`Agent ${name} isn't visible yet`, { reason: 'not-verified' });
  };
  const each = (state: Agent | undefined, problem?: UserError) => {
    steps.hear(problem);
    if (state) {
      const next = judge(state, change.expected, failedBefore);
      failedBefore = state.currentRevision?.phase === 'Failed';
      if (JSON.stringify(next) !== JSON.stringify(verdict)) moved = Date.now();
      verdict = next;
    }
    steps.tick(verdict.kind === 'waiting' ? verdict.phase : '');
  };
  const isDone = () => verdict.kind !== 'waiting';
  const tooLong = (error: UserError) => explainWait(error, change, verdict, tools, Date.now() - moved);
  const agent = await lookEvery(look, { isDone, each, everyMs: INTERVAL_MS, signal, deadline }, terminal).catch(
    explaining(tooLong),
  );
  const result = verdict as Verdict;
  if (result.kind === 'ready') return result;
  if (result.kind === 'failed') throw await rolloutError(result, agent, change, agents);
  const facts = { phase: 'rollout', deployment: result.deployment ?? null };
  throw superseded(name, agents, 'after you. Your deployment was replaced.', facts);
}

/** How long nothing may happen until botcli wonders, in milliseconds. */
const QUIET_MS = 10 * 60_000;

/** Says what a wait that ended too early means for a rollout. */
function explainWait(
  error: UserError,
  { name, expected: { buildId, image } }: Change,
  verdict: Verdict,
  { agents, steps }: Tools,
  quietMs = 0,
): UserError {
  const { deployment = null } = verdict;
  const facts = { ...error.facts, phase: 'rollout', deployment };
  const watch = `Watch: ${agents.command(`status ${name}`)}`;
  if (error.reason === 'interrupted')
    return error.withMessage('Interrupted. The rollout goes on.', { hint: watch, facts });
  if (error.reason !== 'timeout' || error.message) {
    const hint = error.reason === 'timeout' ? watch : error.hint;
    return error.withMessage(`The state of ${name} is unknown. ${error.message}`, { hint, facts });
  }
  const time = steps.phaseTime();
  const quiet = `Nothing happened for ${duration(quietMs / 1000)}: the platform may be throttling.`;
  const { lacks, phase } = verdict.kind === 'waiting' ? verdict : { lacks: undefined, phase: 'restarting' };
  const unseen = ` botcli expected a new deployment of ${buildId ?? image}, and the platform shows none.`;
  const messages = {
    content: `It's unknown whether ${name} runs this: its newest deployment is ready, but after ${time}, the platform still doesn't say what it runs`,
    scaling: `The new scaling of ${name} doesn't show after ${time}. What it runs stays as it was.`,
    nothing: `${name} isn't ready after ${time} (${phase}). The rollout goes on.${deployment === null ? unseen : ''}`,
  };
  const hint = hintOf(quietMs >= QUIET_MS ? quiet : undefined, watch);
  return error.withMessage(messages[lacks ?? 'nothing'], { hint, facts });
}

const LINES = 20;

/** A deployment that failed, with its log, the cause, and who answers calls now. */
async function rolloutError({ failure, deployment }: Failed, agent: Agent | undefined, change: Change, agents: Agents) {
  const { name, seen } = change;
  const printed = await lastLines(name, { limit: LINES, deploymentId: deployment }, agents);
  const own = (failure.message ?? '').split('\n').filter(line => line.trim() !== '');
  const log = (printed.length > 0 ? printed : own).slice(-LINES);
  const whoAnswers = seen ? describeCallers(agent) : `${name} is new, so nothing answers calls.`;
  return new UserError(`Deployment ${short(deployment)} of ${name} failed: ${failure.reason}`, {
    reason: 'rollout-failed',
    problems: log,
    hint: hintOf(crashCause(failure, log, change, agents), whoAnswers, `The log: ${agents.command(`logs ${name}`)}`),
    facts: { phase: 'rollout', deployment, log },
  });
}

function describeCallers({ available, activeDeploymentReady }: Partial<Agent> = {}): string {
  if (available || activeDeploymentReady) return 'Callers still reach the previous deployment.';
  if (available === false) return 'No deployment is ready: callers reach nothing.';
  return "The platform doesn't say whether callers still reach the previous deployment.";
}

/** Why a deployment failed, and how to fix that, if it is known. */
function crashCause(failure: Failed['failure'], log: readonly string[], change: Change, agents: Agents) {
  const { wanted, keys, settings } = change;
  const { image } = change.expected;
  const text = [...log, failure.message ?? ''].join('\n');
  const set = wanted?.deploy.secretSet;
  const deployFile = wanted?.deployFile ?? posix.basename(DEPLOY_FILE);
  const name = /KeyError: ['"]([A-Za-z_][A-Za-z0-9_]{0,63})['"]/.exec(text)?.[1];
  if (name !== undefined && set !== undefined && keys?.includes(name) === false) {
    return `The bot needs ${name}, which ${set} lacks. Run: ${agents.command(`secrets set ${set} ${name}`)}`;
  }
  const module = /ModuleNotFoundError: No module named ['"]([A-Za-z_][\w.-]{0,99})['"]/.exec(text)?.[1];
  if (module !== undefined) {
    const fromPackage = module.includes('.')
      ? 'If a package has it, add that package: run `uv add PACKAGE` in server/.'
      : `If it's in a package named like that, run \`uv add ${module}\` in server/.`;
    return `The image lacks the module ${module}. ${fromPackage} If it's yours, it must be next to bot.py in the image.`;
  }
  const { exitCode, code = '' } = failure;
  if (exitCode === 137 || code === 'OOMKilled') {
    return `It ran out of memory. Set a larger agent_profile in ${deployFile}, such as agent-2x.`;
  }
  if (image === undefined || !/^PCC_.*IMAGE/.test(code)) return undefined;
  if (code === 'PCC_INVALID_IMAGE_PLATFORM') return 'The image must be for arm64.';
  if (code !== 'PCC_IMAGE_PULL_UNAUTHORIZED') return `Check image and its tag in ${deployFile}.`;
  const { imagePullSecretSet: pullSecret } = settings;
  if (pullSecret === undefined) return `The registry wants credentials, and ${deployFile} names no image_credentials.`;
  const command = pullSecretCommand(pullSecret, image, agents.organization);
  return `The registry rejects the credentials. Set them again: ${command}`;
}
