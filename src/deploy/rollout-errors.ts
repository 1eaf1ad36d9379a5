import { posix } from 'node:path';
import { hintOf, UserError } from '../errors.ts';
import { DEPLOY_FILE } from '../existing/deploy-file.ts';
import { readPythonFiles } from '../existing/python/files.ts';
import type { Agent } from '../platform/agent-schemas.ts';
import type { Agents } from '../platform/agents.ts';
import { crashCause } from './causes.ts';
import { excludedBy } from './context/context.ts';
import type { Change } from './job.ts';
import { inOrder } from './logs/log-lines.ts';
import type { Wanted } from './read.ts';
import { duration, type Steps, short } from './steps.ts';
import type { Verdict } from './verdict.ts';

/** How long nothing may happen until botcli wonders, in milliseconds. */
const QUIET_MS = 10 * 60_000;
/** The most lines of a bot's log to show. */
const LINES = 20;

/** Says what a wait that ended too early means for a rollout. */
export function explainWait(
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
  const more = { hint: hintOf(quietMs >= QUIET_MS ? quiet : undefined, hint), facts };
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
export async function rolloutError(
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
