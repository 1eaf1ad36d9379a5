import { common, organization, skip } from '../account/options.ts';
import { noteAddress } from '../account/session.ts';
import { UserError, usageError } from '../errors.ts';
import type { Agent, Build } from '../platform/agent-schemas.ts';
import type { AgentSettings } from '../platform/agents.ts';
import { Builds } from '../platform/builds.ts';
import { UNKNOWN } from '../platform/cloud-error.ts';
import { isUuid } from '../platform/location.ts';
import { defineCommand } from '../shell/command-line.ts';
import { checkCanAsk, confirm } from '../shell/confirmation.ts';
import { agentArgument, findAgent, withAgent } from './agent-session.ts';
import { describeContent } from './plan-text.ts';
import { describeDone, rollOut } from './rollout.ts';
import { Steps, short } from './steps.ts';

const TIMEOUT_MS = 20 * 60_000;

/** The command `botcli cloud rollback`. */
export const rollback = defineCommand({
  description: 'Only the image changes: settings and secrets stay as they are now.',
  arguments: [
    agentArgument,
    { name: 'deployment', help: 'The deployment to return to (default: the newest earlier one with another image)' },
  ],
  options: [skip, organization, ...common],
  examples: [{ line: 'botcli cloud rollback', description: 'show both deployments, then ask' }],
  async run({ positionals: { agent: first, deployment: second }, options }, terminal) {
    const isId = (word: string) => isUuid(word) || /^[0-9a-f]{8}$/.test(word);
    const [typed, wanted] =
      second === undefined && first !== undefined && isId(first) ? [undefined, first] : [first, second];
    if (wanted !== undefined && !isId(wanted))
      throw usageError('<deployment> must be an ID, or its first eight digits');
    checkCanAsk(options, terminal);
    await withAgent(typed, options, terminal, async session => {
      const { agents, name, organization, cloud, signal } = session;
      const agent = await findAgent(session);
      const target = choose(await agents.deployments(name), agent, wanted);
      const build =
        target.buildId === undefined ? undefined : await new Builds(cloud, organization).get(target.buildId);
      checkUsable(build, target, agent);
      noteAddress(session, terminal);
      terminal.note(`Organization: ${organization}`);
      terminal.note(`Agent:        ${name} in ${agent.region}`);
      terminal.note(`Now:          ${describe(agent.deployment)}`);
      terminal.note(`Then:         ${describe(target)}`);
      terminal.note('Secrets and settings stay as they are now.');
      await confirm('Roll back?', options, terminal);
      const content = contentOf(target);
      const done = await rollOut(
        {
          organization,
          name,
          seen: agent,
          settings: {
            serviceName: name,
            ...content,
            ...currentSettings(agent),
            ...(content.image ? { forceRedeploy: true } : {}),
          },
          expected: { before: agent.desiredDeploymentId, ...content, hasScaling: () => true },
          wanted: undefined,
          keys: undefined,
        },
        { cloud, signal, deadline: Date.now() + TIMEOUT_MS, steps: new Steps(terminal), terminal },
      );
      if (options.json) {
        const facts = { agent: name, organization, region: agent.region, deployment: done.deployment };
        const previous_deployment = agent.desiredDeploymentId ?? null;
        return terminal.printJson({ ...facts, previous_deployment, build: target.buildId ?? null });
      }
      terminal.print(`${describeDone(name, done)}, with the image of ${short(target.id)}`);
    });
  },
});

type Deployment = NonNullable<Agent['deployment']>;

/** The deployment to return to. */
function choose(
  deployments: readonly Deployment[],
  { desiredDeploymentId, deployment: now, name }: Agent,
  wanted?: string,
) {
  const imageOf = ({ buildId, manifest }: Deployment) => buildId ?? manifest?.spec?.image;
  const hint = `To list what was deployed, look at the dashboard. ${name} is as it was.`;
  const current = now && imageOf(now);
  if (wanted !== undefined) {
    const [found, other] = deployments.filter(({ id }) => id === wanted || id.startsWith(`${wanted}-`));
    if (!found || other) throw new UserError(`${name} has no deployment ${wanted}`, { reason: 'not-found', hint });
    // The platform would make no new deployment.
    if (imageOf(found) !== current) return found;
    throw new UserError(`${name} runs the image of ${short(found.id)} already`, { reason: 'conflict', hint });
  }
  const at = deployments.findIndex(({ id }) => id === desiredDeploymentId);
  const earlier = deployments.slice(at + 1).find(one => imageOf(one) !== undefined && imageOf(one) !== current);
  if (at >= 0 && earlier) return earlier;
  throw new UserError(`${name} has no earlier deployment with another image`, { reason: 'not-found', hint });
}

/** @throws {UserError} The image of a deployment can't be deployed again. */
function checkUsable(build: Build | undefined, target: Deployment, { region }: Agent): void {
  const fail = (why: string) =>
    new UserError(`Deployment ${short(target.id)} can't be deployed again: ${why}`, { reason: 'conflict' });
  if (build && build.status !== 'success') throw fail(`its build is ${build.status}`);
  if (build?.region !== undefined && build.region !== region && region !== UNKNOWN)
    throw fail(`its build is in ${build.region}`);
  if (!build && !/[:@]/.test(target.manifest?.spec?.image ?? '')) throw fail("the platform doesn't show its image");
}

const contentOf = ({ buildId, manifest }: Deployment): { buildId?: string; image?: string } =>
  buildId === undefined ? { image: manifest?.spec?.image as string } : { buildId };

/** The settings that an agent has now. They are sent, because it isn't documented that the platform keeps them. */
function currentSettings({ autoScaling, agentProfile, krispViva, deployment }: Agent): Partial<AgentSettings> {
  const spec = deployment?.manifest?.spec;
  const { minReplicas, maxReplicas } = autoScaling ?? {};
  const [set] = spec?.envFromSecretNames ?? [];
  return {
    ...(set ? { secretSet: set } : {}),
    ...(spec?.imagePullSecretName ? { imagePullSecretSet: spec.imagePullSecretName } : {}),
    ...(minReplicas === undefined || maxReplicas === undefined
      ? {}
      : { autoScaling: { minAgents: minReplicas, maxAgents: maxReplicas } }),
    ...(agentProfile ? { agentProfile } : {}),
    ...(krispViva?.audioFilter ? { krispViva: { audioFilter: krispViva.audioFilter } } : {}),
    ...(spec?.maxSessionDurationSeconds ? { maxSessionDuration: spec.maxSessionDurationSeconds } : {}),
  };
}

const describe = (deployment: Deployment | undefined): string =>
  deployment ? `${short(deployment.id)} ${describeContent(deployment)}` : 'unknown';
