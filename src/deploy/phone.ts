import { PROGRAM } from '../about.ts';
import { common, organization } from '../account/session.ts';
import { callSetups, renderSteps } from '../catalog/call-setup.ts';
import type { TransportRow } from '../catalog/index.ts';
import { usageError } from '../errors.ts';
import { badAnswer } from '../platform/errors.ts';
import { isRegion } from '../platform/names.ts';
import { defineCommand } from '../shell/command-line.ts';
import { type AgentSession, agentArgument, findAgent, withAgent } from './agent-session.ts';
import { ownTransports } from './read.ts';
import { chooseTransports, PHONES, transportOption } from './transports.ts';

/** Prints what people enter at a phone provider. */
export const phone = defineCommand({
  description:
    'Prints the steps at the phone provider, with the address, the region and the organization of the agent.',
  arguments: [agentArgument],
  options: [transportOption(PHONES, "The phone provider (default: the project's)"), organization, ...common],
  examples: [
    { line: 'botcli cloud phone', description: "the project's agent and its phone providers" },
    { line: 'botcli cloud phone my-bot -t tel_a', description: 'any agent, with Twilio' },
  ],
  async run({ positionals: { agent: typed }, options }, terminal) {
    const choose = (agent: string | undefined) => {
      const own = ownTransports(agent, terminal.cwd);
      return chooseTransports(PHONES, options.transport, own, 'one for phones', list => {
        const why = own?.length ? 'This bot has no phone transport' : 'No project in this directory deploys this agent';
        const hint = `Pass --transport with one of: ${list}`;
        return usageError(`${why}, so botcli doesn't know the phone provider`, { hint });
      });
    };
    const print = async (session: AgentSession, rows: readonly TransportRow[]) => {
      const { name, organization } = session;
      const { region } = await findAgent(session);
      // It becomes part of addresses that people copy.
      if (!isRegion(region)) throw badAnswer("The platform doesn't say in which region the agent is");
      const fill = (text: string) =>
        text.replaceAll('YOUR-REGION', region).replaceAll('YOUR-ORGANIZATION', organization);
      const listed = rows.map(row => ({ row, lines: stepsOf(row, name).map(fill) }));
      if (options.json) {
        const service_host = `${name}.${organization}`;
        const phones = listed.map(({ row, lines }) => ({
          transport: row.id,
          provider: row.label,
          steps: lines.join('\n'),
        }));
        return terminal.printJson({ agent: name, organization, region, service_host, phones });
      }
      const sections = listed.map(({ row, lines }) => [terminal.style.bold(row.label), ...lines].join('\n'));
      terminal.print(sections.join('\n\n'));
    };
    await withAgent(typed, options, terminal, print, choose);
  },
});

/** What is left to do once the bot is deployed, as Markdown without fences. */
function stepsOf({ id, label, runnerKey }: TransportRow, agent: string): string[] {
  const steps = (callSetups[id]?.cloud ?? []).filter(({ byDeploy }) => !byDeploy);
  return renderSteps(steps, { agent, provider: label, runner: runnerKey, program: PROGRAM })
    .filter(line => !/^\s*```/.test(line))
    .map(line => line.replaceAll('`', ''));
}
