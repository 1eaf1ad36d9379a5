import type { TransportRow } from '../catalog/index.ts';
import type { Facts } from '../check/checks/facts.ts';
import type { Finding, GroupResult } from '../check/checks/finding.ts';
import { missingNames } from '../check/checks/keys.ts';
import { findingsIn, offlineResults, reportFindings } from '../check/command.ts';
import { type FileFacts, gatherFacts, readFacts } from '../check/gather.ts';
import { thisMachine } from '../check/this-machine.ts';
import { type ExitCode, UserError } from '../errors.ts';
import type { ProviderAccess } from '../network/ask-provider.ts';
import type { Terminal } from '../shell/terminal.ts';
import { shellPath } from '../shells.ts';
import { asLine, isCopyable, listed } from '../text.ts';
import { commandIn } from './parts.ts';
import { describeEnding, runProcess } from './supervise.ts';
import { inSeconds, type Stop, type Surroundings, secondsOf } from './surroundings.ts';

/** What a command that starts a bot should check, and how. */
interface Preparation {
  files: FileFacts;
  json: boolean;
  asks: boolean;
  /** The only transport that the bot is started for, if it is. */
  transport?: TransportRow | undefined;
  port?: number | 'any' | undefined;
  /** Called with what would stop the bot, instead of a report. */
  onErrors?: ((errors: readonly Finding[]) => void) | undefined;
  /** Called with the time that the user took to answer, in milliseconds, and the names of what they typed. */
  onAnswers?(ms: number, typed: readonly string[]): void;
}

/** Warnings about what these commands do themselves: they choose other ports, and install packages. */
const OWN_WORK = ['port-in-use', 'client-packages'];
/** A uv that doesn't say its version is left to `uv sync`, whose failure shows why. */
const BROKEN = 'uv-broken';
const MISSING = ['env-file-missing', 'variable-missing'];

/** Checks a project offline, asks for missing keys, and prints what it finds. Undefined if that would stop the bot. */
export async function prepare(
  preparation: Preparation,
  { signal }: Pick<Stop, 'signal'>,
  terminal: Terminal,
): Promise<Facts | undefined> {
  const { files, json, asks, transport, port, onErrors, onAnswers } = preparation;
  const facts = startedFor(transport, await gatherFacts(files, thisMachine(terminal, signal), terminal, port));
  signal.throwIfAborted();
  const results = ownFindings(facts, terminal);
  const errors = errorsIn(results);
  if (errors.length === 0) {
    const warnings = results.flatMap(({ findings }) => findings);
    noteAll(warnings, terminal.noteStyle.yellow('!'), terminal);
    return facts;
  }
  if (asks && facts.env.path === 'server/.env' && errors.every(({ code }) => MISSING.includes(code))) {
    const { askForKeys } = await import('../keys/keys.ts');
    const { root, config } = facts.project;
    const names = missingNames(facts);
    terminal.note(`The bot needs ${listed(names)}. Values are saved in ${facts.place('server/.env')} and never shown.`);
    terminal.note('Press Enter to skip one.');
    const start = Date.now();
    const typed = await askForKeys({ config, directory: root, names }, terminal);
    onAnswers?.(Date.now() - start, typed);
    return prepare({ ...preparation, files: readFacts(root, terminal), asks: false }, { signal }, terminal);
  }
  if (onErrors) onErrors(errors);
  else if (json) terminal.printExact(asLine({ ok: false, ...findingsIn(results) }));
  else reportFindings(results, terminal);
  return undefined;
}

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

/** What is known about a project whose bot isn't started here. */
export const factsForDeployed = (files: FileFacts, signal: AbortSignal, terminal: Terminal): Promise<Facts> =>
  gatherFacts(files, thisMachine(terminal, signal), terminal, 'any');

/** The facts for a bot that is started for one transport: it can't do without the variables of that one's calls. */
function startedFor(transport: TransportRow | undefined, facts: Facts): Facts {
  if (!transport) return facts;
  const { ambient, reads = [], serverReads = [] } = transport;
  const { needed, forCalls } = facts.requirements;
  const own = [...ambient, ...reads, ...serverReads].map(({ env }) => env).filter(name => forCalls.includes(name));
  const others = forCalls.filter(name => !own.includes(name));
  return { ...facts, requirements: { ...facts.requirements, needed: [...needed, ...own], forCalls: others } };
}

/** What `check` finds, except what these commands take care of. */
const ownFindings = (facts: Facts, terminal: Terminal): GroupResult[] =>
  offlineResults(facts, terminal).map(result => {
    const isTheirs = ({ code, level }: Finding) => code === BROKEN || (level !== 'error' && OWN_WORK.includes(code));
    return { ...result, findings: result.findings.filter(one => !isTheirs(one)) };
  });

const errorsIn = (results: readonly GroupResult[]): Finding[] =>
  results.flatMap(({ findings }) => findings.filter(({ level }) => level === 'error'));

/** Says what was found, each after a sign. */
function noteAll(findings: Iterable<Pick<Finding, 'message' | 'hint'>>, sign: string, { note }: Terminal): void {
  for (const { message, hint } of findings) {
    note(`${sign} ${message}`);
    if (hint) note(`  ${hint}`);
  }
}

/** How long a provider may take to say whether it knows a key, in milliseconds. Then nobody waits for it. */
const TRIAL: ProviderAccess = { deadlineMs: 5000 };

/** Tries keys that were just typed. What it returns asks again until none is refused, or the user types none. */
export function tryTyped(typed: readonly string[], facts: Facts, terminal: Terminal, access = TRIAL) {
  const { root, config } = facts.project;
  const trial = async (names: readonly string[], tried: Facts): Promise<readonly string[]> => {
    if (names.length === 0) return [];
    const { refusedAmong } = await import('../check/providers.ts');
    const refused = await refusedAmong(names, tried, terminal, access);
    noteAll(refused.values(), terminal.noteStyle.red('✗'), terminal);
    return [...refused.keys()];
  };
  // Settings of Node.js may keep botcli from asking anybody.
  const first = trial(typed, facts).catch((): readonly string[] => []);
  return async (): Promise<Facts> => {
    let now = facts;
    for (let names = await first; names.length > 0; ) {
      const { askForKeys } = await import('../keys/keys.ts');
      terminal.note('Type it again, or press Enter to go on with it.');
      const again = await askForKeys({ config, directory: root, names, replaces: true }, terminal);
      now = { ...now, env: { ...now.env, ...readFacts(root, terminal).env } };
      names = await trial(again, now);
    }
    return now;
  };
}

/** Prints why the bot can't run, if `check` knows a reason. */
export async function explainEnd(root: string, { signal }: Pick<Stop, 'signal'>, terminal: Terminal): Promise<void> {
  const gather = async () => gatherFacts(readFacts(root, terminal), thisMachine(terminal, signal), terminal);
  // The project may be gone.
  const facts = await gather().catch(() => undefined);
  if (!signal.aborted && facts) noteAll(errorsIn(ownFindings(facts, terminal)), terminal.noteStyle.red('✗'), terminal);
}

/** The command that installs the packages of a folder. */
function installOf(folder: 'server' | 'client', { client }: Facts) {
  if (folder === 'server' || !client) return { program: 'uv', args: ['sync'], folder: 'server' } as const;
  const { name, install, source } = client.manager;
  return { program: name, args: install, folder, source };
}

/** Installs what a folder's programs need. */
async function install(folder: 'server' | 'client', facts: Facts, { stop, report, terminal }: Surroundings) {
  const order = installOf(folder, facts);
  const part = folder === 'server' ? 'bot' : 'client';
  const words = `${order.program} ${order.args[0]}`;
  const start = Date.now();
  const doing = `Installing packages: ${words} in ${folder}/`;
  if (terminal.interactive) terminal.progress.show(doing);
  else report.say(doing);
  try {
    const ending = await runProcess(commandIn(facts, order, terminal), () => undefined, stop);
    terminal.progress.clear();
    if (ending.code === 0) {
      const ms = Date.now() - start;
      const text = `${terminal.style.green('✓')} ${words} in ${folder}/: ${inSeconds(ms)}`;
      report.event(part, 'installing', { command: words, seconds: secondsOf(ms) }, text);
      return;
    }
    throw new UserError(`${words} failed in ${facts.place(folder)}/, ${describeEnding(ending)}`, {
      reason: 'install-failed',
      problems: ending.lastLines,
      hint: isCopyable(facts.place(folder))
        ? `Repeat it with: cd ${shellPath(facts.place(folder), terminal.env)}, then ${words}`
        : `Repeat it there with: ${words}`,
    });
  } finally {
    terminal.progress.clear();
  }
}

/** Installs the bot's packages, and with `hasClient` its web client's. Throws if a tool is missing or fails. */
export async function installAll(facts: Facts, surroundings: Surroundings, hasClient = false): Promise<void> {
  const { client } = facts;
  // Before anything takes time, all tools must be there.
  if (hasClient) commandIn(facts, installOf('client', facts), surroundings.terminal);
  const isDue = hasClient && client !== undefined && (!client.isInstalled || client.mismatched.length > 0);
  await install('server', facts, surroundings);
  if (isDue) await install('client', facts, surroundings);
}
