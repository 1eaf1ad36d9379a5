import type { Agent } from '../platform/answers.ts';
import { hasSettings, type Settings } from './settings.ts';
import { duration, short } from './steps.ts';

/** The deployment that botcli waits for. */
interface Expected {
  /** The agent's deployment before the change; undefined for a new agent. */
  before?: string | undefined;
  buildId?: string | undefined;
  image?: string | undefined;
  /** Whether only the scaling changes, which makes no new deployment. */
  isSame?: boolean;
  /** The scaling that was sent. */
  autoScaling?: Settings['autoScaling'];
}

/** What a look at an agent says about a deployment. */
type Verdict =
  /** It may lack only what the platform doesn't show: what it runs, or the new scaling. */
  | { kind: 'waiting'; phase: string; deployment?: string; lacks?: 'content' | 'scaling' }
  | { kind: 'ready'; deployment: string; restarts: number; region: string; isIdle: boolean }
  /** Somebody else's deployment has taken its place. */
  | { kind: 'superseded'; deployment: string }
  | { kind: 'failed'; deployment: string; failure: Failure };

/** Why a deployment doesn't become ready. */
interface Failure {
  reason: string;
  /** The platform's code of an error, such as `PCC_IMAGE_NOT_FOUND`, or a reason such as `OOMKilled`. */
  code?: string | undefined;
  exitCode?: number | undefined;
  /** What the bot printed at its end, if the platform says. */
  message?: string | undefined;
}

/** So many restarts mean that it doesn't come up. */
const RESTARTS = 3;

/**
 * Decides what a look at an agent says. It's ready only if the platform says so in every way that it has.
 * `failedBefore`: the look before this one showed the phase `Failed`.
 */
export function judge(agent: Agent, expected: Expected, failedBefore = false): Verdict {
  const deployment = agent.desiredDeploymentId;
  if (deployment === undefined) return { kind: 'waiting', phase: 'Creating' };
  if (expected.isSame && deployment === expected.before && !hasSettings(agent, { autoScaling: expected.autoScaling }))
    return { kind: 'waiting', phase: 'Waiting for the new scaling', deployment, lacks: 'scaling' };
  if (deployment === expected.before && !expected.isSame)
    return { kind: 'waiting', phase: 'Waiting for the new deployment' };
  if (expected.isSame && deployment !== expected.before) return { kind: 'superseded', deployment };
  const content = contentOf(agent, deployment, expected);
  if (content === 'other') return { kind: 'superseded', deployment };
  const revision = agent.currentRevision;
  const isOurs = revision?.deploymentID === undefined || revision.deploymentID === deployment;
  const health = isOurs ? revision?.health : undefined;
  const failure = failureOf(agent, health, isOurs ? revision?.phase : undefined, failedBefore);
  if (failure) return { kind: 'failed', deployment, failure };
  const isActive = revision === undefined || (isOurs && revision.phase === 'Active');
  const isReady = agent.reconciledDeploymentId === deployment && agent.ready === true && agent.available === true;
  // Without an instance, there is nothing to be healthy.
  const isHealthy = isIdle(agent) || (health?.ready !== false && !isDown(health));
  const isUp = isReady && isActive && isHealthy;
  if (isUp && content === 'unknown')
    return { kind: 'waiting', phase: 'Ready, but of unknown content', deployment, lacks: 'content' };
  const restarts = health?.restartCount ?? 0;
  if (isUp) return { kind: 'ready', deployment, restarts, region: agent.region, isIdle: isIdle(agent) };
  const phase = isDown(health) ? health?.reason : isOurs ? revision?.phase : 'Creating';
  return { kind: 'waiting', phase: phase ?? 'phase unknown', deployment };
}

/** What instances of a deployment do, if the platform says. */
type Health = NonNullable<Agent['currentRevision']>['health'];

/** Whether instances don't run, for a reason. The platform may call such an agent ready, as it was before. */
const isDown = ({ state = '', reason = 'Completed' }: Health = {}): boolean =>
  /^(?:waiting|terminated)$/i.test(state) && reason !== 'Completed';

/** Whether nothing runs, nor must until the next call. An instance that was started counts, also if it failed. */
export function isIdle({ autoScaling, deployment, currentRevision: revision }: Agent): boolean {
  const { readyReplicas, health = {} } = revision ?? {};
  const { state = 'waiting', ready, reason, lastTerminationReason, headline, message } = health;
  const isStarted = health.replicasStarted || health.restartCount || health.lastExitCode || headline || message;
  const hasEnded = [reason, lastTerminationReason].every(why => !why || why === 'Completed');
  if (isStarted || !hasEnded || !(/^waiting$/i.test(state) || reason === 'Completed')) return false;
  const least = autoScaling?.minReplicas ?? deployment?.manifest?.spec?.autoScaling?.minReplicas;
  // Not every response says how many instances run, or how many must.
  return readyReplicas === undefined ? least === 0 && ready === false : readyReplicas === 0 && !least;
}

export const describeReady = (isIdle: boolean): string => (isIdle ? 'ready; nothing runs while idle' : 'ready');

/** The result of a rollout, in a line. */
export const describeDone = (name: string, done: { deployment: string; isIdle: boolean }): string =>
  done.isIdle
    ? `${name} is ${describeReady(true)} (deployment ${short(done.deployment)})`
    : `${name} runs deployment ${short(done.deployment)}`;

/** What a deployment runs, and since when. */
export function describeContent(deployment: Agent['deployment']): string {
  const { buildId, manifest, createdAt = '' } = deployment ?? {};
  const created = Date.parse(createdAt);
  const content = buildId ? `build ${short(buildId)}` : (manifest?.spec?.image ?? 'unknown');
  return `(${content})${Number.isNaN(created) ? '' : `, ${ago(created)}`}`;
}

/** `3 days ago`, `5m ago`. */
export function ago(time: number): string {
  const seconds = (Date.now() - time) / 1000;
  const days = Math.floor(seconds / 86_400);
  return days > 1 ? `${days} days ago` : `${duration(seconds)} ago`;
}

/** Whether a deployment runs what was sent. */
function contentOf(agent: Agent, deployment: string, { buildId, image }: Expected): 'ours' | 'other' | 'unknown' {
  const shown = agent.deployment;
  if (shown?.id !== deployment) return 'unknown';
  if (buildId !== undefined)
    return shown.buildId === undefined ? 'unknown' : shown.buildId === buildId ? 'ours' : 'other';
  const actual = shown.manifest?.spec?.image;
  if (shown.buildId !== undefined) return 'other';
  return actual === undefined ? 'unknown' : actual === image ? 'ours' : 'other';
}

function failureOf({ errors }: Agent, health: Health, phase: string | undefined, failedBefore: boolean) {
  const [error] = errors;
  const details = { exitCode: health?.lastExitCode, message: health?.message };
  if (error) {
    const reason = error.message ?? error.error ?? '';
    return { ...details, reason: `${error.code}${reason ? `: ${reason}` : ''}`, code: error.code };
  }
  const code = health?.reason ?? health?.lastTerminationReason;
  const restarts = health?.restartCount ?? 0;
  const facts = [code, health?.headline, ...(details.exitCode === undefined ? [] : [`exit code ${details.exitCode}`])];
  const why = facts.filter(Boolean).join(', ');
  if (restarts >= RESTARTS && (health?.ready !== true || isDown(health))) {
    return { ...details, reason: `it was restarted ${restarts} times${why ? ` (${why})` : ''}`, code };
  }
  if (phase === 'Failed' && failedBefore) return { ...details, reason: why || 'the platform says Failed', code };
  return undefined;
}

/** `ready`, or what it is instead. */
export function stateOf(agent: Agent): string {
  const { buildId, manifest } = agent.deployment ?? {};
  const verdict = judge(agent, { buildId, image: manifest?.spec?.image });
  if (verdict.kind === 'ready') return 'ready';
  if (verdict.kind === 'failed') return `failed: ${verdict.failure.reason}`;
  const phase = verdict.kind === 'waiting' ? verdict.phase.toLowerCase() : 'unknown';
  return `not ready (${phase})${agent.available === true ? '; callers reach the previous deployment' : ''}`;
}

/** The agent that `--gate-first` tries before the real one. */
export const nextName = (agent: string): string => `${agent}-next`;

/** The longest session, in seconds, of an agent that `--gate-first` creates. No deploy file would have it. */
export const TRIAL_SECONDS = 1787;

/** Whether `--gate-first` has created an agent. One that people may need isn't replaced, nor deleted. */
export const isTrial = ({ deployment }: Agent): boolean =>
  deployment?.manifest?.spec?.maxSessionDurationSeconds === TRIAL_SECONDS;
