import { isSecret, variablesOf } from '../catalog/index.ts';
import { type Facts, valueFor } from '../check/checks/facts.ts';
import { type FileFacts, gatherFacts, readFacts } from '../check/gather.ts';
import { thisMachine } from '../check/this-machine.ts';
import { updateLine } from '../config/command.ts';
import { type ExitCode, UserError, usageError } from '../errors.ts';
import { PYPROJECT } from '../existing/pyproject.ts';
import { readText } from '../paths/read.ts';
import { judgeOf } from '../project/variables.ts';
import type { Terminal } from '../shell/terminal.ts';
import { listed } from '../text.ts';
import { chooseEvals } from './evals.ts';
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

/** The row for the framework's evals, among a bot's transports. */
const ROW = /["']eval["']\s*:/;

/** Whether a bot can be spoken to in text: it has the transport of the framework's evals. */
export function takesText({ project, texts }: Pick<FileFacts, 'project' | 'texts'>): boolean {
  return project.config.enable_eval || ROW.test(texts.get('server/bot.py') ?? '');
}

/** Chooses the conversations to have. A deployed bot must take text, and this computer must be able to judge it. */
export function chooseTests(
  directory: string,
  choice: Parameters<typeof chooseEvals>[2],
  terminal: Terminal,
  { command = 'test', isDeployed = false }: { command?: 'test' | 'cloud deploy'; isDeployed?: boolean } = {},
) {
  const files = readFacts(directory, terminal, { command });
  const { root } = files.project;
  // What is deployed is the code, whatever was chosen.
  if (isDeployed && ![...files.texts].some(([path, text]) => path.endsWith('.py') && ROW.test(text))) {
    const hint = `Add what it needs, and deploy it: ${updateLine(directory, { eval: true }, terminal.env)}`;
    throw usageError("This bot can't be spoken to in text yet", { hint });
  }
  const text = isDeployed ? (readText(root, PYPROJECT) ?? '') : '';
  const [, version, minor] = /pipecat-ai(?:\[[^\]]*\])?==((?:1\.(\d+)|0\.\d+))/.exec(text) ?? [];
  if (version !== undefined && Number(minor ?? 0) < 13) {
    const hint = 'Bring the project up to date: botcli update';
    throw usageError(`pipecat-ai ${version} can't be talked to in the cloud: it needs 1.13 or newer`, { hint });
  }
  const paths = chooseEvals(root, terminal.cwd, choice).map(({ path }) => path);
  if (isDeployed) checkJudge(files, paths);
  return { files, paths };
}

/** Without its key, the judge would fail conversations that the bot has held well. */
function checkJudge({ project: { root, config }, env }: FileFacts, paths: readonly string[]): void {
  const isJudged = paths.some(path => /\beval:|\bcriteria:|^simulator:/m.test(readText(root, path) ?? ''));
  const row = isJudged ? judgeOf(config) : undefined;
  const names = row ? variablesOf(row).flatMap(one => (one.required && isSecret(one.env) ? [one.env] : [])) : [];
  const missing = names.filter(name => valueFor(name, env) === undefined);
  if (missing.length === 0) return;
  throw new UserError(`The judge of the conversations runs here, and needs ${listed(missing)}`, {
    reason: 'not-found',
    hint: 'Set it in server/.env, or in the environment.',
  });
}

/** What is known about a project whose bot isn't started here. */
export const factsForDeployed = (files: FileFacts, signal: AbortSignal, terminal: Terminal): Promise<Facts> =>
  gatherFacts(files, thisMachine(terminal, signal), terminal, 'any');
