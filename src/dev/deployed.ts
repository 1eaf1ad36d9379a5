import type { Facts } from '../check/checks/facts.ts';
import { type FileFacts, gatherFacts } from '../check/gather.ts';
import { thisMachine } from '../check/this-machine.ts';
import type { ExitCode } from '../errors.ts';
import type { Terminal } from '../shell/terminal.ts';
import { EVAL_ROW } from './evals.ts';
import { type Preparation, prepare } from './prepare.ts';
import type { Stop } from './stop.ts';

/** A deployed bot to talk to. The commands of this folder don't know the platform, so `bin` hands them one. */
export interface DeployedBot {
  /** What answers, as `--json` prints it. */
  readonly facts: { agent: string; organization: string; region: string; deployment: string | null };
  /** The command that prints its log. */
  readonly log: string;
  /** Makes the bot reachable at a local address. Each connection is a session. If one can't begin, `within` ends. */
  hold<Result>(stop: Stop, use: (url: string, within: Stop) => Promise<Result>): Promise<Result>;
  /** Makes sure that this deployment has answered so many conversations. Throws if it hasn't, or nobody knows. */
  check(conversations: number): Promise<void>;
}

/** Connects to a deployed bot for as long as `use` takes. Default: that of the project around the working directory. */
export type WithDeployed = <Result>(
  agent: string | undefined,
  terminal: Terminal,
  use: (bot: DeployedBot) => Promise<Result>,
) => Promise<Result>;

export const DEPLOYED = {
  flag: 'deployed',
  kind: 'words',
  most: 1,
  placeholder: 'agent',
  help: "Talk to a deployed bot instead of starting one (default: the project's agent)",
} as const;

interface Wanted extends Omit<Preparation, 'port'> {
  /** The option `--deployed`: which deployed bot to use instead of one that is started here. */
  deployed?: readonly string[] | undefined;
  withDeployed?: WithDeployed;
}

/** Uses a project's bot: the deployed one, or one that can be started here. Returns 1 if something would stop that. */
export async function withProject(
  { deployed, withDeployed, ...wanted }: Wanted,
  stop: Stop,
  terminal: Terminal,
  use: (facts: Facts, bot?: DeployedBot) => Promise<ExitCode | undefined>,
): Promise<ExitCode | undefined> {
  if (deployed && withDeployed) {
    return withDeployed(deployed[0], terminal, async bot => {
      const { agent, organization, region, deployment } = bot.facts;
      const which = `deployment ${deployment?.slice(0, 8) ?? 'unknown'}, organization ${organization}`;
      const cost = 'Each conversation is a session, and costs what a session costs.';
      if (!wanted.json) terminal.note(`${agent} in ${region} answers: ${which}. ${cost}`);
      return use(await factsForDeployed(wanted.files, stop.signal, terminal), bot);
    });
  }
  const facts = await prepare({ ...wanted, port: 'any' }, stop, terminal);
  return facts ? use(facts) : 1;
}

/** Whether a bot can be spoken to in text: it has the transport of the framework's evals. */
export function takesText({ project, texts }: Pick<FileFacts, 'project' | 'texts'>): boolean {
  return project.config.enable_eval || EVAL_ROW.test(texts.get('server/bot.py') ?? '');
}

/** What is known about a project whose bot isn't started here. */
export const factsForDeployed = (files: FileFacts, signal: AbortSignal, terminal: Terminal): Promise<Facts> =>
  gatherFacts(files, thisMachine(terminal, signal), terminal, 'any');
