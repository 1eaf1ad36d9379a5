import type { Facts } from '../../check/checks/facts.ts';
import { chooseTests } from '../../dev/evals.ts';
import { factsForDeployed } from '../../dev/prepare.ts';
import type { Stop } from '../../dev/surroundings.ts';
import { createVerdicts, holdQuietly, installServer } from '../../dev/test-command.ts';
import { hintOf, UserError, usageError } from '../../errors.ts';
import { DEPLOY_FILE } from '../../existing/deploy-file.ts';
import type { Agent } from '../../platform/answers.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { removeAgent } from '../delete.ts';
import type { Work } from '../plan.ts';
import type { DeployOptions, Wanted } from '../read.ts';
import { bringBack } from '../rollback.ts';
import { type Change, rollOut } from '../rollout.ts';
import { publicKey } from '../sessions.ts';
import { duration, short, superseded, type Tools } from '../steps.ts';
import { nextName, stateOf, TRIAL_SECONDS } from '../verdict.ts';
import { deployedBot } from './deployed-bot.ts';

/** The longest name of an agent. */
const LONGEST = 54;

/** The conversations that decide whether a deployment stays. */
export type Gate = Awaited<ReturnType<typeof readGate>>;

/**
 * Reads what decides, without the network.
 *
 * @throws {UserError} The image isn't one of these files, they can't be spoken to in text, or nobody could judge.
 */
export function readGate(
  directory: string,
  { gate: words = [], 'gate-first': isFirst = false }: DeployOptions,
  { upload, deploy }: Wanted,
  terminal: Terminal,
) {
  if (!upload) {
    const hint = 'Nobody knows whether another one has the eval row of bot.py. Omit --build, build_id, and image.';
    throw usageError('Conversations can only decide about an image of these files', { hint });
  }
  const next = nextName(deploy.agentName);
  if (isFirst && next.length > LONGEST) {
    const hint = 'Shorten agent_name, or use --gate.';
    throw usageError(`--gate-first needs an agent called ${next}, and a name has at most ${LONGEST} characters`, {
      hint,
    });
  }
  const settings = { command: 'cloud deploy', isDeployed: true } as const;
  const { files, paths } = chooseTests(directory, { words }, terminal, settings);
  return {
    /** The files with the conversations, as paths in the project. */
    paths,
    /** Whether an agent of its own is tried before the real one is deployed. */
    isFirst,
    /** Prepares what the conversations need, before anything is deployed: packages here, and a public key there. */
    async open(work: Work) {
      const { signal } = work;
      if (isFirst && work.plan.isUnderWay) {
        const hint = 'Wait until it is ready, or use --gate.';
        throw new UserError(`${deploy.agentName} is being deployed like this already`, { reason: 'conflict', hint });
      }
      const key = await publicKey(work.agents, work.options, terminal);
      const facts = await factsForDeployed(files, signal, terminal);
      await installServer(facts, true, stopOf(signal), terminal);
      const talks = { facts, paths, key };
      return {
        /** Tries a change with an agent of its own, if that is wanted. If that fails, the real agent is as it was. */
        before: async (change: Change) => (isFirst ? passFirst(change, talks, work) : undefined),
        /** Lets the conversations decide about a deployment. Returns their results. */
        decide: (deployment: string) => converse(talks, deploy.agentName, deployment, work),
        /** Brings back what ran before. The new one has been ready `since` then, if ever. The error says what runs now. */
        takeBack: (error: UserError, since: number | undefined) => takeBack(error, since, isFirst, work),
      };
    },
  };
}

/** The files with the conversations to have, as paths in the project, and what they need: the public key too. */
type Talks = { facts: Facts; paths: readonly string[]; key: string };

/** Ctrl-C ends the conversations, but doesn't hurry their cleanup. */
const stopOf = (signal: AbortSignal): Stop => ({ signal, hurry: new AbortController().signal });

/** What a session's state says about that isn't documented. */
const LATE =
  'The bot may be silent, or only slow to start: the evals wait 60 seconds for it.\n' +
  `If it's slow, run the same command again, or set min_agents = 1 in ${DEPLOY_FILE}.`;

async function converse(talks: Talks, name: string, deployment: string, work: Work): Promise<readonly object[]> {
  const { facts, paths, key } = talks;
  const { session, agents, deadline, steps, terminal } = work;
  const verdicts = createVerdicts();
  const late = new AbortController();
  const hint = 'Allow more with --timeout MINUTES.';
  const error = new UserError("The conversations weren't over in time", { reason: 'timeout', hint });
  const timer = setTimeout(() => late.abort(error), Math.max(0, deadline - Date.now()));
  steps.begin(`Talking to ${name}`);
  steps.tick();
  const ticking = setInterval(() => steps.tick(), 2000);
  try {
    const agent = await agents.find(name);
    if (agent?.desiredDeploymentId !== deployment) throw superseded(name, agents, 'meanwhile');
    const bot = deployedBot({ ...session, agents, agent, key }, terminal);
    const stop = stopOf(AbortSignal.any([session.signal, late.signal]));
    const isPassed = await holdQuietly({ facts, paths, verdicts, bot }, stop, terminal);
    const { all } = verdicts;
    const passed = all.filter(({ result }) => result === 'passed').length;
    if (!isPassed) {
      const isLate = all.some(({ reason }) => reason?.includes('bot-ready not received'));
      throw new UserError(`${all.length - passed} of ${all.length} conversations with ${name} failed`, {
        reason: 'gate-failed',
        problems: all.flatMap(one => (one.result === 'passed' ? [] : [`${one.name}: ${one.reason ?? one.result}`])),
        hint: hintOf(isLate ? LATE : undefined, `The log: ${bot.log}`),
      });
    }
    steps.done(`${passed} of ${all.length} conversations passed, after ${steps.phaseTime()}`);
    return all;
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const facts = { ...error.facts, phase: 'gate', deployment, scenarios: verdicts.all };
    throw error.withMessage(error.message, { facts });
  } finally {
    clearTimeout(timer);
    clearInterval(ticking);
    terminal.progress.clear();
  }
}

/** How long it may take to delete the other agent, in milliseconds. Ctrl-C doesn't stop that. */
const LAST_MS = 30_000;

/** Deploys an agent of its own, or takes over what is left of one, has the conversations with it, and deletes it. */
async function passFirst(change: Change, talks: Talks, work: Work) {
  const { expected, name: real } = change;
  const { organization } = work.agents;
  const { region, forceRedeploy: _, ...settings } = change.settings;
  const name = nextName(real);
  const { next: seen } = work.seen;
  const own: Change = {
    ...change,
    name,
    seen,
    isSent: false,
    settings: {
      ...settings,
      serviceName: name,
      region: seen ? undefined : (region ?? work.plan.region),
      forceRedeploy: seen && true,
      autoScaling: { minAgents: 0, maxAgents: settings.autoScaling?.maxAgents },
      maxSessionDuration: TRIAL_SECONDS,
    },
    expected: { ...expected, before: seen?.desiredDeploymentId, isSame: false },
  };
  try {
    const { deployment } = await rollOut(own, work);
    const scenarios = await converse(talks, name, deployment, work);
    return { scenarios, left: await remove(name, id => id === deployment, work) };
  } catch (error) {
    const isSent = !(error instanceof UserError) || error.facts.phase !== undefined;
    const found = isSent || seen ? await remove(name, id => mayDelete(id, error, seen), work) : undefined;
    if (!(error instanceof UserError)) throw error;
    const isUnclear =
      error.facts.phase === 'deploy' && error.facts.deployment === null && error.reason !== 'superseded';
    const check = `To check: botcli cloud status ${name} -o ${organization}`;
    const left = found ?? (isUnclear ? `${name} may still appear. The next run takes it over. ${check}` : undefined);
    // What is deleted can't be watched, nor looked at. For what may appear, the way to check follows.
    const hints = error.hint?.split('\n').filter(line => found !== undefined || !line.includes(name)) ?? [];
    const message = error.reason === 'interrupted' ? 'Interrupted.' : error.message;
    throw error.withMessage(message, {
      hint: hintOf(...hints, left, change.seen ? `${real} is as it was.` : `${real} wasn't created.`),
      facts: { ...error.facts, left: left === undefined ? null : name },
    });
  }
}

/** Whether the other agent, which runs `id` now, is this run's to delete. An earlier run may have left one: `seen`. */
function mayDelete(id: string | undefined, error: unknown, seen: Agent | undefined): boolean {
  if (!(error instanceof UserError)) return true;
  const { phase, deployment } = error.facts;
  if (error.reason === 'superseded') return false;
  // A refused change made nothing, and neither did one that wasn't sent.
  if ((phase === 'deploy' || phase === undefined) && deployment === undefined)
    return seen !== undefined && id === seen.desiredDeploymentId;
  return typeof deployment !== 'string' || id === deployment;
}

/** Deletes the other agent, if it runs what may be deleted. Returns what to do if it's left. */
async function remove(
  name: string,
  isOurs: (deployment: string | undefined) => boolean,
  { agents, terminal }: Tools,
): Promise<string | undefined> {
  const last = agents.within(AbortSignal.timeout(LAST_MS));
  try {
    const found = await last.find(name);
    if (!found) return undefined;
    if (!isOurs(found.desiredDeploymentId))
      return `${name} belongs to another run, so it stays. Run one deploy with --gate-first at a time.`;
    await removeAgent(name, last, terminal);
    return undefined;
  } catch (error) {
    // A request that takes too long is aborted with an error of the system's.
    if (!(error instanceof UserError) && !(error instanceof DOMException)) throw error;
    return `${name} is left. The next run takes it over, or delete it: botcli cloud delete ${name} -o ${agents.organization}`;
  } finally {
    last.close();
  }
}

/** How long it may take to bring the previous deployment back, in milliseconds. */
const BACK_MS = 20 * 60_000;

async function takeBack(error: UserError, since: number | undefined, isFirst: boolean, work: Work): Promise<UserError> {
  const { wanted, seen, plan, terminal } = work;
  const { organization, agent: before } = seen;
  const { agentName: name } = wanted.deploy;
  const { deployment: failed, phase } = error.facts;
  // Without an ID, it's unclear whether the change was made.
  const isSent = ['rollout', 'call', 'gate'].includes(String(phase)) || (phase === 'deploy' && failed === null);
  if (!isSent || error.reason === 'superseded') return error;
  const say = (...lines: string[]) => {
    const hint = hintOf(error.hint, ...lines);
    return error.withMessage(error.message, { hint, facts: { ...error.facts, rolled_back: null } });
  };
  // Otherwise, an earlier run has sent it, so only the platform knows what was deployed before.
  const isOther = before?.desiredDeploymentId !== failed && !plan.isUnderWay;
  const target = isOther && before?.desiredDeploymentId ? ` ${short(before.desiredDeploymentId)}` : '';
  const way = before
    ? `To go back: botcli cloud rollback ${name}${target} -o ${organization}`
    : `To delete it: botcli cloud delete ${name} -o ${organization}`;
  // With --gate-first, it has passed.
  const unproven = isFirst ? [] : ["The new deployment hasn't passed its conversations."];
  // What the platform doesn't say about a rollout isn't a failure of it.
  const isUnknown = phase === 'rollout' && !['rollout-failed', 'timeout'].includes(error.reason);
  if (error.reason === 'interrupted' || isUnknown || typeof failed !== 'string') return say(...unproven, way);
  if (error.reason === 'not-verified')
    return say('Nobody knows whether the new deployment has passed, so it stays.', way);
  if (!before) return say(`${name} is new, so there's nothing to go back to: it stays as it is.`, way);
  if (plan.isSame) return say('The deployment ran before, so nothing was brought back. Its new scaling stays.', way);
  if (!isOther) return say('An earlier run deployed it, so nothing was brought back.', way);
  if (stateOf(before) !== 'ready')
    return say(`No other deployment of ${name} was ready before, so nothing was brought back.`);
  try {
    terminal.note(`${terminal.noteStyle.red('✗')} ${error.message}`);
    const done = await bringBack(before, failed, { ...work, deadline: Date.now() + BACK_MS });
    const served = since === undefined ? undefined : Math.max(0, Math.round((done.since - since) / 1000));
    const text = `${name} runs the image and the settings of deployment ${short(before.desiredDeploymentId ?? '')} again, as ${short(done.deployment)}. Secrets stay as they are.`;
    const length = served === undefined ? undefined : `The new one served for ${duration(served)}.`;
    const rolled_back = { to: before.desiredDeploymentId ?? null, deployment: done.deployment };
    return error.withMessage(error.message, {
      hint: hintOf(error.hint, text, length),
      facts: { ...error.facts, rolled_back, served_seconds: served ?? 0 },
    });
  } catch (problem) {
    if (!(problem instanceof UserError)) throw problem;
    // It's going back, or what runs is somebody else's.
    const isOver = typeof problem.facts.deployment === 'string' || problem.reason === 'superseded';
    return error.withMessage(`${error.message}. The previous deployment isn't back: ${problem.message}`, {
      exitCode: problem.reason === 'interrupted' ? problem.exitCode : error.exitCode,
      hint: hintOf(error.hint, problem.hint, isOver ? undefined : way),
      facts: { ...error.facts, rolled_back: null },
    });
  }
}
