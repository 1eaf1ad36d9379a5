import { common, noteAddress, organization, skip } from '../account/session.ts';
import { UserError, usageError } from '../errors.ts';
import type { Agents } from '../platform/agents.ts';
import type { Agent } from '../platform/answers.ts';
import { UNKNOWN } from '../platform/names.ts';
import { defineCommand } from '../shell/command-line.ts';
import { checkCanAsk, confirm } from '../shell/confirmation.ts';
import { isUuid } from '../text.ts';
import { type AgentSession, agentArgument, findAgent, withAgent } from './agent-session.ts';
import { type Change, rollOut } from './rollout.ts';
import { settingsOf } from './settings.ts';
import { Steps, short, superseded, type Tools } from './steps.ts';
import { describeContent, describeDone } from './verdict.ts';

const TIMEOUT_MS = 20 * 60_000;

export const rollback = defineCommand({
  description: 'Only the image changes: settings and secrets stay as they are now.',
  arguments: [
    agentArgument,
    { name: 'deployment', help: 'The deployment to return to (default: the last one before the image that runs)' },
  ],
  options: [skip, organization, ...common],
  examples: [{ line: 'botcli cloud rollback', description: 'show both deployments, then ask' }],
  async run({ positionals: { agent: first, deployment: second }, options }, terminal) {
    const isId = (word: string) => isUuid(word) || /^[0-9a-f]{8}$/.test(word);
    const [typed, wanted] =
      second === undefined && first !== undefined && isId(first) ? [undefined, first] : [first, second];
    const check = (_: unknown, errors: UserError[]) => {
      if (wanted !== undefined && !isId(wanted))
        errors.push(usageError('<deployment> must be an ID, or its first eight digits'));
      checkCanAsk(options, terminal);
    };
    const rollBack = async (session: AgentSession) => {
      const { agents, name, organization, signal } = session;
      const agent = await findAgent(session);
      const { target, left } = choose(await agents.deployments(name), agent, wanted, agents);
      await checkUsable(target, agent, agents);
      noteAddress(session, terminal);
      terminal.note(`Organization: ${organization}`);
      terminal.note(`Agent:        ${name} in ${agent.region}`);
      terminal.note(`Now:          ${describe(agent.deployment)}`);
      terminal.note(`Then:         ${describe(target)}`);
      if (left) terminal.note(`Skipped:      ${describe(left)}: ${name} went back from it`);
      terminal.note('Secrets and settings stay as they are now.');
      await confirm('Roll back?', options, terminal);
      const tools = { agents, signal, deadline: Date.now() + TIMEOUT_MS, steps: new Steps(terminal), terminal };
      const done = await rollOut(backTo(target, agent, agent), tools);
      if (options.json) {
        const facts = { agent: name, organization, region: agent.region, deployment: done.deployment };
        const previous_deployment = agent.desiredDeploymentId ?? null;
        return terminal.printJson({ ...facts, previous_deployment, build: target.buildId ?? null });
      }
      terminal.print(`${describeDone(name, done)}, with the image of ${short(target.id)}`);
    };
    await withAgent(typed, options, terminal, rollBack, check);
  },
});

type Deployment = NonNullable<Agent['deployment']>;

/** Deploys what an agent ran before `failed` again, with its settings. */
export async function bringBack(before: Agent, failed: string, tools: Tools) {
  const { name, deployment, desiredDeploymentId: wanted } = before;
  const { agents } = tools;
  const now = await agents.find(name);
  if (now?.desiredDeploymentId !== failed) throw superseded(name, agents, 'meanwhile');
  const target =
    deployment?.id === wanted ? deployment : (await agents.deployments(name)).find(({ id }) => id === wanted);
  if (!target) throw new UserError('The platform no longer has it', { reason: 'not-found' });
  await checkUsable(target, now, agents);
  return rollOut(backTo(target, now, before), tools);
}

/** The change that deploys an earlier deployment again, with the settings of the agent as it's now, or as it was. */
function backTo({ buildId, manifest }: Deployment, now: Agent, as: Agent): Change {
  const content = buildId === undefined ? { image: manifest?.spec?.image as string } : { buildId };
  const settings = settingsOf(as);
  // The platform keeps what isn't sent.
  const krispViva = settings.krispViva ?? (now.krispViva?.audioFilter ? { audioFilter: null } : undefined);
  return {
    name: now.name,
    seen: now,
    settings: { serviceName: now.name, ...content, ...settings, krispViva, forceRedeploy: true },
    expected: { before: now.desiredDeploymentId, ...content },
  };
}

/** The deployment to return to: by default, the one before the image that runs. What was `left` for that, it skips. */
function choose(deployments: readonly Deployment[], agent: Agent, wanted: string | undefined, agents: Agents) {
  const { desiredDeploymentId, deployment: now, name } = agent;
  const imageOf = ({ buildId, manifest }: Deployment) => buildId ?? manifest?.spec?.image;
  const hint = `To list what was deployed, look at the dashboard. ${name} is as it was.`;
  const current = now && imageOf(now);
  if (wanted !== undefined) {
    const [found, other] = deployments.filter(({ id }) => id === wanted || id.startsWith(`${wanted}-`));
    if (!found || other) throw new UserError(`${name} has no deployment ${wanted}`, { reason: 'not-found', hint });
    // The platform would make no new deployment.
    if (imageOf(found) !== current) return { target: found };
    throw new UserError(`${name} runs the image of ${short(found.id)} already`, { reason: 'conflict', hint });
  }
  const at = deployments.findIndex(({ id }) => id === desiredDeploymentId);
  // An image that ran before takes away what ran since.
  const past: Deployment[] = [];
  let left: Deployment | undefined;
  for (const one of at < 0 ? [] : deployments.slice(at).reverse()) {
    if (imageOf(one) === undefined) continue;
    const back = past.findIndex(other => imageOf(other) === imageOf(one));
    if (back < past.length - 1) left = back < 0 ? undefined : past.at(-1);
    past.splice(back < 0 ? past.length : back, Infinity, one);
  }
  const target = past.findLast(one => one.id !== desiredDeploymentId && imageOf(one) !== current);
  if (target) return { target, left };
  const again = left && agents.command(`rollback ${name} ${short(left.id)}`);
  throw new UserError(`${name} has no earlier deployment with another image`, {
    reason: 'not-found',
    hint: left ? `${name} went back from ${describe(left)}. To deploy it again: ${again}` : hint,
  });
}

/** @throws {UserError} The image of a deployment can't be deployed again. */
async function checkUsable(target: Deployment, { region }: Agent, agents: Agents): Promise<void> {
  const build = target.buildId === undefined ? undefined : await agents.build(target.buildId);
  const fail = (why: string) =>
    new UserError(`Deployment ${short(target.id)} can't be deployed again: ${why}`, { reason: 'conflict' });
  if (build && build.status !== 'success') throw fail(`its build is ${build.status}`);
  if (build?.region !== undefined && build.region !== region && region !== UNKNOWN)
    throw fail(`its build is in ${build.region}`);
  if (!build && !/[:@]/.test(target.manifest?.spec?.image ?? '')) throw fail("the platform doesn't show its image");
}

const describe = (deployment: Deployment | undefined): string =>
  deployment ? `${short(deployment.id)} ${describeContent(deployment)}` : 'unknown';
