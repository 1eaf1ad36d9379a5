import { posix } from 'node:path';
import { explaining, hintOf, UserError } from '../errors.ts';
import { DEPLOY_FILE } from '../existing/deploy-file.ts';
import { readPythonFiles } from '../existing/python/files.ts';
import type { AgentSettings } from '../platform/agents.ts';
import type { Agent } from '../platform/answers.ts';
import { hasUnknownOutcome } from '../platform/errors.ts';
import { onOneLine } from '../text.ts';
import { excludedBy } from './context/context.ts';
import { inOrder } from './logs.ts';
import { pullSecretCommand } from './plan.ts';
import type { Wanted } from './read.ts';
import { duration, lookEvery, searchFor, short, superseded, type Tools } from './steps.ts';
import { describeReady, type Expected, judge, type Verdict } from './verdict.ts';

/** A change to deploy. */
export interface Change {
  name: string;
  /** The agent as it was seen before the change was planned; undefined if it's new. */
  seen: Agent | undefined;
  /** Whether it was sent before, so that only the wait is left. */
  isSent?: boolean;
  settings: AgentSettings;
  expected: Expected;
  /** What is deployed from this computer; undefined if it's an earlier deployment. */
  wanted?: Wanted | undefined;
  /** The keys of the secret set, if they are known. */
  keys?: readonly string[] | undefined;
}

type Ready = Verdict & { kind: 'ready' };
type Failure = (Verdict & { kind: 'failed' })['failure'];

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
    const stopped = (error: UserError) => explainWait(error, change, last, tools, 0);
    await terminal.sleep(STEADY_MS, signal).catch(explaining(stopped));
    ready = await watch(change, tools);
    isSteady = ready.deployment === last.deployment && ready.restarts <= last.restarts;
    if (!isSteady && ready.restarts >= 3) {
      const reason = `it was restarted ${ready.restarts} times`;
      const failure = { reason, code: undefined, exitCode: undefined, message: undefined };
      throw await rolloutError(failure, ready.deployment, undefined, change, tools);
    }
  }
  const { deployment, region, isIdle, restarts } = ready;
  steps.done(`${name} is ${describeReady(isIdle)}: deployment ${short(deployment)}, after ${took}`);
  if (restarts > 0) {
    const times = restarts === 1 ? 'once' : `${restarts} times`;
    terminal.note(`The platform has restarted it ${times}. Why: botcli cloud logs ${name} -o ${agents.organization}`);
  }
  return { deployment, region, isIdle, since, warning };
}

/** @throws {UserError} Somebody else deployed meanwhile; or it wasn't deployed, or perhaps. */
async function send({ name, seen, settings, expected }: Change, tools: Tools): Promise<string | undefined> {
  const { agents } = tools;
  const check = `botcli cloud status ${name} -o ${agents.organization}`;
  const now = await agents.find(name);
  if (now?.desiredDeploymentId !== seen?.desiredDeploymentId) {
    const facts = { phase: 'deploy', deployment: now?.desiredDeploymentId ?? null };
    throw superseded(
      name,
      agents,
      'meanwhile. Your change was not deployed. To deploy it, run the same command again.',
      facts,
    );
  }
  // Nobody knows whether there is a deployment.
  const unclear = { phase: 'deploy', deployment: null };
  const stopped = (error: UserError) =>
    error.withMessage(`Interrupted. ${name} may have been deployed nevertheless.`, {
      hint: `To check, run: ${check}`,
      facts: unclear,
    });
  try {
    return await agents.deploy(seen ? 'PUT' : 'POST', settings);
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    if (error.reason === 'interrupted') throw stopped(error);
    if (!hasUnknownOutcome(error))
      throw error.withMessage(error.message, { facts: { ...error.facts, phase: 'deploy' } });
    // Perhaps it happened nevertheless. Then the agent shows it.
    const look = async () => {
      const after = await agents.find(name);
      const id = after?.desiredDeploymentId;
      if (!after || id === undefined || id === seen?.desiredDeploymentId) return undefined;
      return judge(after, expected).kind === 'superseded' ? undefined : after;
    };
    if (await searchFor(look, tools).catch(explaining(stopped))) return undefined;
    throw error.withMessage(`It's unclear whether ${name} was deployed. ${error.message}`, {
      hint: hintOf(error.hint, `To check, run: ${check}`),
      facts: unclear,
    });
  }
}

/** Looks until the deployment is ready. */
async function watch(change: Change, tools: Tools): Promise<Ready> {
  const { agents, steps, terminal } = tools;
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
  const agent = await lookEvery(INTERVAL_MS, look, { isDone, each }, tools, terminal).catch(explaining(tooLong));
  const result = verdict as Verdict;
  if (result.kind === 'ready') return result;
  if (result.kind === 'failed') throw await rolloutError(result.failure, result.deployment, agent, change, tools);
  const facts = { phase: 'rollout', deployment: result.deployment ?? null };
  throw superseded(name, agents, 'after you. Your deployment was replaced.', facts);
}

/** How long nothing may happen until botcli wonders, in milliseconds. */
const QUIET_MS = 10 * 60_000;

/** Says what a wait that ended too early means for a rollout. */
function explainWait(
  error: UserError,
  { name, expected }: Change,
  verdict: Verdict,
  { agents, steps }: Tools,
  quietMs: number,
): UserError {
  const deployment = verdict.deployment ?? null;
  const facts = { phase: 'rollout', deployment };
  const watch = `Watch: botcli cloud status ${name} -o ${agents.organization}`;
  const time = steps.phaseTime();
  if (error.reason === 'interrupted')
    return error.withMessage('Interrupted. The rollout goes on.', { hint: watch, facts });
  if (error.reason !== 'timeout' || error.message) {
    return error.withMessage(`The state of ${name} is unknown. ${error.message}`, {
      ...(error.reason === 'timeout' ? { hint: watch } : {}),
      facts: { ...error.facts, ...facts },
    });
  }
  const quiet = `Nothing happened for ${duration(quietMs / 1000)}: the platform may be throttling.`;
  const more = { hint: hintOf(quietMs >= QUIET_MS ? quiet : undefined, watch), facts };
  if (verdict.kind === 'waiting' && verdict.lacks) return error.withMessage(LACKS[verdict.lacks](name, time), more);
  const phase = verdict.kind === 'waiting' ? verdict.phase : 'restarting';
  const wanted = expected.buildId ?? expected.image;
  const unseen =
    deployment === null ? ` botcli expected a new deployment of ${wanted}, and the platform shows none.` : '';
  return error.withMessage(`${name} isn't ready after ${time} (${phase}). The rollout goes on.${unseen}`, more);
}

/** What a deployment lacks after this time. */
const LACKS = {
  content: (name: string, time: string) =>
    `It's unknown whether ${name} runs this: its newest deployment is ready, but after ${time}, the platform still doesn't say what it runs`,
  scaling: (name: string, time: string) =>
    `The new scaling of ${name} doesn't show after ${time}. What it runs stays as it was.`,
};

/** The most lines of a bot's log to show. */
const LINES = 20;

/** A deployment that failed, with its log, the cause, and who answers calls now. */
async function rolloutError(
  failure: Failure,
  deployment: string,
  agent: Agent | undefined,
  change: Change,
  { agents }: Tools,
): Promise<UserError> {
  const { name, seen } = change;
  const lines = await agents.log(name, { limit: LINES, deploymentId: deployment }).catch(() => []);
  const printed = inOrder(lines).flatMap(({ log }) => log.split('\n'));
  const own = (failure.message ?? '').split('\n').filter(line => line.trim() !== '');
  const log = (printed.length > 0 ? printed : own).slice(-LINES);
  const isServed = agent?.available === true || agent?.activeDeploymentReady === true;
  const whoAnswers = !seen
    ? `${name} is new, so nothing answers calls.`
    : isServed
      ? 'Callers still reach the previous deployment.'
      : agent?.available === false
        ? 'No deployment is ready: callers reach nothing.'
        : "The platform doesn't say whether callers still reach the previous deployment.";
  const whole = `The log: botcli cloud logs ${name} -o ${agents.organization}`;
  return new UserError(`Deployment ${short(deployment)} of ${name} failed: ${failure.reason}`, {
    reason: 'rollout-failed',
    problems: log,
    hint: hintOf(crashCause(failure, log, change, agents.organization), whoAnswers, whole),
    facts: { phase: 'rollout', deployment, log },
  });
}

/** Why a deployment failed, and how to fix that, if it is known. */
function crashCause(
  failure: Failure,
  log: readonly string[],
  { wanted, keys, expected: { image }, settings }: Change,
  organization: string,
): string | undefined {
  const text = [...log, failure.message ?? ''].join('\n');
  const set = wanted?.deploy.secretSet;
  const deployFile = wanted?.deployFile ?? posix.basename(DEPLOY_FILE);
  const name = /KeyError: ['"]([A-Za-z_][A-Za-z0-9_]{0,63})['"]/.exec(text)?.[1];
  if (name !== undefined && set !== undefined && keys?.includes(name) === false) {
    return `The bot needs ${name}, which ${set} lacks. Run: botcli cloud secrets set ${set} ${name} -o ${organization}`;
  }
  const module = /ModuleNotFoundError: No module named ['"]([A-Za-z_][\w.-]{0,99})['"]/.exec(text)?.[1];
  if (module !== undefined) return moduleCause(module, wanted);
  const { exitCode, code = '' } = failure;
  if (exitCode === 137 || code === 'OOMKilled') {
    return `It ran out of memory. Set a larger agent_profile in ${deployFile}, such as agent-2x.`;
  }
  if (image === undefined || !/^PCC_.*IMAGE/.test(code)) return undefined;
  if (code === 'PCC_INVALID_IMAGE_PLATFORM') return 'The image must be for arm64.';
  if (code !== 'PCC_IMAGE_PULL_UNAUTHORIZED') return `Check image and its tag in ${deployFile}.`;
  const { imagePullSecretSet: pullSecret } = settings;
  if (pullSecret === undefined) return `The registry wants credentials, and ${deployFile} names no image_credentials.`;
  return `The registry rejects the credentials. Set them again: ${pullSecretCommand(pullSecret, image, organization)}`;
}

/** A module that Python doesn't find may be the project's own, or one of a package. */
function moduleCause(module: string, wanted: Wanted | undefined): string {
  const [name = module] = module.split('.');
  const isPart = name !== module;
  const files = wanted ? [...readPythonFiles(wanted.root, ['.']).texts.keys()] : [];
  const own = placeOf(module, files);
  // Python has found the first part of `tools.weather`.
  const first = isPart ? placeOf(name, files, '/server') : undefined;
  const missing = `The image lacks the module ${module}.`;
  if (!own && first) return `${missing} Python looks for it in ${first.place}, which is named ${name}.`;
  const fromPackage = isPart
    ? 'If a package has it, add that package: run `uv add PACKAGE` in server/.'
    : `If it's in a package named like that, run \`uv add ${name}\` in server/.`;
  if (!own || !wanted) return `${missing} ${fromPackage}`;
  const { folder, deploy, upload } = wanted;
  const nameInContext = posix.relative(posix.join('/', folder, deploy.contextDir), `/${own.file}`);
  const rule = upload && excludedBy(upload, nameInContext);
  const way = rule === undefined ? 'it must be next to bot.py in the image' : `it's excluded by ${rule}`;
  return `${missing} If it's your ${own.place}: ${way}. ${fromPackage}`;
}

/** The first file of a module, or of one in it, and how to name it. */
function placeOf(module: string, files: readonly string[], folder = ''): { file: string; place: string } | undefined {
  const part = `${folder}/${module.replaceAll('.', '/')}`;
  for (const file of files) {
    const at = `/${file}`.replace(/(?:\/__init__)?\.py$/, '/').indexOf(`${part}/`);
    const end = at + part.length - 1;
    if (at >= 0 && (folder === '' || at === 0)) {
      return { file, place: onOneLine(file === `${file.slice(0, end)}.py` ? file : file.slice(0, end)) };
    }
  }
  return undefined;
}
