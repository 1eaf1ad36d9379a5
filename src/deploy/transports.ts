import { PROGRAM } from '../about.ts';
import { common, organization } from '../account/session.ts';
import { callSetups, renderSteps } from '../catalog/call-setup.ts';
import { findTransport, type TransportRow, transports } from '../catalog/index.ts';
import { plain, shortName } from '../config/options.ts';
import { type UserError, usageError } from '../errors.ts';
import { badAnswer } from '../platform/errors.ts';
import { isName, isRegion } from '../platform/names.ts';
import { defineCommand, textOption } from '../shell/command-line.ts';
import { type AgentSession, agentArgument, findAgent, ownTransports, withAgent } from './agent-session.ts';

/** The ways to reach a bot, by the command: the transports, and what `--transport` must name. */
const WAYS = {
  /** Those over which botcli can call it, the one that proves most first. */
  call: {
    rows: transports
      .filter(({ family, isPeerToPeer }) => family === 'stream' || (family === 'web' && !isPeerToPeer))
      .sort((one, other) => Number(other.family === 'stream') - Number(one.family === 'stream')),
    what: 'one that botcli can call over',
  },
  phone: { rows: transports.filter(({ id }) => callSetups[id]), what: 'one for phones' },
};
type Way = keyof typeof WAYS;

const optionFor = (way: Way, help: string) =>
  ({ ...textOption('transport', 'id', help), short: 't', values: WAYS[way].rows.map(({ id }) => id) }) as const;

export const callOption = optionFor('call', "How to reach the bot (default: the project's, a phone provider first)");

/** The commands for a bot of these transports. */
export const waysFor = (own: readonly string[]): Way[] =>
  (['call', 'phone'] as const).filter(way => WAYS[way].rows.some(({ id }) => own.includes(id)));

/** The rows that a word names: by their id, their label, or another name from the row, as `botcli init` takes them. */
function rowsNamed(word: string, rows: readonly TransportRow[]): TransportRow[] {
  const typed = plain(word);
  const namesOf = ({ id, label, generic = '', runnerKey, names = [] }: TransportRow) =>
    [id, label, shortName(label), generic, runnerKey, ...names].map(plain);
  const exact = rows.filter(({ id }) => plain(id) === typed);
  return exact.length > 0 || typed === '' ? exact : rows.filter(row => namesOf(row).includes(typed));
}

/**
 * The transports that were typed, or that the project has: `own` is empty if that isn't known, undefined if any will
 * do. `none` is the error if it has none of them; its hint may list them.
 */
function chooseTransports(
  way: Way,
  typed: string | undefined,
  own: readonly string[] | undefined,
  none: (list: string) => UserError,
): readonly [TransportRow, ...TransportRow[]] {
  const { rows, what } = WAYS[way];
  const list = rows.map(({ id, label }) => `${id} (${label})`).join(', ');
  const [first, ...others] =
    typed === undefined ? rows.filter(({ id }) => !own || own.includes(id)) : rowsNamed(typed, rows);
  if (first) return [first, ...others];
  if (typed === undefined) throw none(list);
  throw usageError(`--transport must be ${what}`, { hint: `One of: ${list}` });
}

/** Chooses how to call a bot. `organization` is the one that was typed. */
export const chooseCallable = (
  typed: string | undefined,
  own: readonly string[] | undefined,
  agent: string | undefined,
  organization = '',
): TransportRow =>
  chooseTransports('call', typed, own, list => {
    const unknown = "No project in this directory deploys this agent, so botcli doesn't know how people reach it";
    if (!own?.length) return usageError(unknown, { hint: `Pass --transport with one of: ${list}` });
    return usageError(`botcli can't call this bot: ${own.map(id => findTransport(id).label).join(', ')}`, {
      hint: `Calls through Daily numbers, and connections between two machines, need a person. Call it, and watch: botcli cloud logs ${agent} --follow${isName(organization) ? ` -o ${organization}` : ''}`,
    });
  })[0];

/** Prints what people enter at a phone provider. */
export const phone = defineCommand({
  description:
    'Prints the steps at the phone provider, with the address, the region and the organization of the agent.',
  arguments: [agentArgument],
  options: [optionFor('phone', "The phone provider (default: the project's)"), organization, ...common],
  examples: [
    { line: 'botcli cloud phone', description: "the project's agent and its phone providers" },
    { line: 'botcli cloud phone my-bot -t tel_a', description: 'any agent, with Twilio' },
  ],
  async run({ positionals: { agent: typed }, options }, terminal) {
    const choose = (agent: string | undefined) => {
      const own = ownTransports(agent, terminal.cwd);
      return chooseTransports('phone', options.transport, own, list => {
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
