import { common, organization, organizationOf, withCloud } from '../account/session.ts';
import { ignoring, UserError } from '../errors.ts';
import { Agents } from '../platform/agents.ts';
import type { Agent, Build } from '../platform/answers.ts';
import { checkInputs } from '../platform/names.ts';
import { defineCommand } from '../shell/command-line.ts';
import type { Terminal } from '../shell/terminal.ts';
import { renderTable } from '../text.ts';
import { agentArgument, agentOf, buildOf, findAgent, withAgent } from './agent-session.ts';
import { readWanted } from './read.ts';
import { short } from './steps.ts';
import { describeContent, describeReady, isIdle, isTrial, nextName, stateOf } from './verdict.ts';

export const status = defineCommand({
  description: 'Says what runs, whether it is ready, how many calls are in progress, and whether it is these files.',
  arguments: [agentArgument],
  options: [{ flag: 'all', kind: 'switch', help: 'List all agents of the organization' }, organization, ...common],
  examples: [
    { line: 'botcli cloud status', description: "the project's agent" },
    { line: 'botcli cloud status --all --json', description: 'all agents, for a program' },
  ],
  async run({ positionals: { agent: typed }, options }, terminal) {
    if (options.all) {
      const more = typed === undefined ? [] : ['pass an agent or --all, not both'];
      checkInputs({ organization: options.organization }, more);
      return withCloud(options, terminal, async session => {
        const name = await organizationOf(session, terminal);
        reportAll(await new Agents(session.cloud, name).list(), name, options.json === true, terminal);
      });
    }
    await withAgent(typed, options, terminal, async session => {
      const agent = await findAgent(session);
      const [build, other] = await Promise.all([
        buildOf(agent, session.agents),
        session.agents.find(nextName(agent.name)).catch(ignoring(({ reason }) => reason !== 'interrupted')),
      ]);
      const next = other && isTrial(other) ? other : undefined;
      const isThese = await runsTheseFiles(agent, build, terminal);
      const left = next && { left: next.name };
      const shown = { ...facts(agent, session.organization), is_these_files: isThese ?? null, ...left };
      if (options.json) return terminal.printJson(shown);
      terminal.print(describe(agent, session.organization, isThese, terminal).join('\n'));
      if (next) terminal.note(describeLeft(next.name, session.organization));
    });
  },
});

/** Whether an agent runs the files of the project around the working directory; undefined if that isn't its project. */
async function runsTheseFiles(agent: Agent, build: Build | undefined, terminal: Terminal) {
  if (agentOf(terminal.cwd) !== agent.name) return undefined;
  try {
    const { upload, deploy } = await readWanted('.', {}, terminal);
    if (deploy.image !== undefined) return agent.deployment?.manifest?.spec?.image === deploy.image;
    if (!upload || !build) return undefined;
    return build.contextHash === upload.hash && build.dockerfilePath === deploy.dockerfile;
  } catch (error) {
    // What is wrong with the files is nothing that this command can't work without.
    if (error instanceof UserError && error.exitCode === 2) return undefined;
    throw error;
  }
}

function describe(agent: Agent, organization: string, isThese: boolean | undefined, { style }: Terminal): string[] {
  const { deployment, autoScaling, currentRevision: revision } = agent;
  const state = stateOf(agent);
  const shownState = state === 'ready' ? describeReady(isIdle(agent)) : state;
  const paint = state === 'ready' ? style.green : state.startsWith('failed') ? style.red : style.yellow;
  const rows: [label: string, text: string | undefined][] = [
    ['Organization', organization],
    ['Deployment', `${short(agent.desiredDeploymentId ?? 'none')} ${describeContent(deployment)}`],
    ['Instances', revision?.readyReplicas === undefined ? undefined : `${revision.readyReplicas} ready`],
    ['Restarts', revision?.health?.restartCount ? `${revision.health.restartCount}` : undefined],
    ['Scaling', autoScaling && `${autoScaling.minReplicas ?? '?'} to ${autoScaling.maxReplicas ?? '?'}`],
    ['Profile', agent.agentProfile],
    ['Calls', agent.activeSessionCount === undefined ? undefined : `${agent.activeSessionCount} in progress`],
    ['Files', isThese === undefined ? undefined : isThese ? 'the same as here' : 'not the same as here'],
  ];
  const shown = rows.flatMap(([label, text]) => (text === undefined ? [] : [`  ${`${label}:`.padEnd(15)}${text}`]));
  return [`${style.bold(agent.name)}: ${paint(shownState)}, in ${agent.region}`, ...shown];
}

/** The agent of a deploy that was cut off, or is at work. */
const describeLeft = (name: string, organization: string): string =>
  `${name} exists: a deploy with --gate-first is at work, or was cut off. The next one takes it over, or delete it: ` +
  `botcli cloud delete ${name} -o ${organization}`;

const facts = (agent: Agent, organization: string) => ({
  agent: agent.name,
  organization,
  region: agent.region,
  state: stateOf(agent),
  ready: agent.ready ?? null,
  available: agent.available ?? null,
  deployment: agent.desiredDeploymentId ?? null,
  build: agent.deployment?.buildId ?? null,
  image: agent.deployment?.buildId ? null : (agent.deployment?.manifest?.spec?.image ?? null),
  instances: agent.currentRevision?.readyReplicas ?? null,
  restarts: agent.currentRevision?.health?.restartCount ?? null,
  min_agents: agent.autoScaling?.minReplicas ?? null,
  max_agents: agent.autoScaling?.maxReplicas ?? null,
  agent_profile: agent.agentProfile ?? null,
  sessions: agent.activeSessionCount ?? null,
});

/** The list of agents has no details, so each is only `ready` or not. */
function reportAll(agents: readonly Agent[], organization: string, json: boolean, terminal: Terminal): void {
  const rows = agents.map(({ name, region, ready = null, desiredDeploymentId: deployment = null }) => {
    return { agent: name, region, ready, deployment };
  });
  const words = (ready: boolean | null) => (ready === null ? 'unknown' : ready ? 'ready' : 'not ready');
  const cells = rows.map(row => [row.agent, row.region, words(row.ready), short(row.deployment ?? '')]);
  if (json) terminal.printJson({ organization, agents: rows });
  else if (rows.length === 0) terminal.note(`No agents in organization ${organization}.`);
  else terminal.print(renderTable(['NAME', 'REGION', 'STATUS', 'DEPLOYMENT'], cells, terminal));
}
