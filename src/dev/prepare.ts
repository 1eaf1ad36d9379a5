import type { TransportRow } from '../catalog/index.ts';
import type { Facts } from '../check/checks/facts.ts';
import type { Finding } from '../check/checks/finding.ts';
import { missingNames } from '../check/checks/keys.ts';
import { namedAsRun, offlineResults } from '../check/command.ts';
import { type FileFacts, gatherFacts, readFacts } from '../check/gather.ts';
import { findingsIn, type GroupResult, reportFindings } from '../check/report.ts';
import { thisMachine } from '../check/this-machine.ts';
import { DOTENV } from '../keys/dotenv.ts';
import type { ProviderAccess } from '../network/ask-provider.ts';
import type { Terminal } from '../shell/terminal.ts';
import { asLine, listed } from '../text.ts';
import type { Stop } from './stop.ts';

/** What a command that starts a bot should check, and how. */
interface Preparation {
  files: FileFacts;
  json: boolean;
  /** Whether to ask for keys that aren't set. */
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

/**
 * Checks a project, without a network, and asks for keys that aren't set. Prints what it finds.
 *
 * @returns The facts; undefined if something would stop the bot.
 * @throws The reason of `stop.signal`.
 */
export async function prepare(
  preparation: Preparation,
  stop: Pick<Stop, 'signal'>,
  terminal: Terminal,
): Promise<Facts | undefined> {
  const { files, json, asks, transport, port } = preparation;
  const facts = startedFor(transport, await gatherFacts(files, thisMachine(terminal, stop.signal), terminal, port));
  stop.signal.throwIfAborted();
  const results = ownFindings(facts, terminal);
  const errors = errorsIn(results);
  if (errors.length === 0) {
    noteWarnings(results, terminal);
    return facts;
  }
  const names = missingNames(facts);
  if (asks && facts.env.path === DOTENV && errors.every(({ code }) => MISSING.includes(code))) {
    const { askForKeys } = await import('../keys/keys.ts');
    const { root, config } = facts.project;
    terminal.note(`The bot needs ${listed(names)}. Values are saved in ${facts.place(DOTENV)} and never shown.`);
    terminal.note('Press Enter to skip one.');
    const start = Date.now();
    const typed = await askForKeys({ config, directory: root, names }, terminal);
    preparation.onAnswers?.(Date.now() - start, typed);
    return prepare({ ...preparation, files: readFacts(root, terminal), asks: false }, stop, terminal);
  }
  if (preparation.onErrors) preparation.onErrors(errors);
  else if (json) terminal.printExact(asLine({ ok: false, ...findingsIn(results) }));
  else reportFindings(asks ? withoutMissing(results) : results, terminal);
  return undefined;
}

/** What to report to somebody who is asked for missing keys once the rest is right. */
const withoutMissing = (results: readonly GroupResult[]): GroupResult[] =>
  results.map(result => {
    const findings = result.findings.filter(({ code }) => !MISSING.includes(code));
    return findings.length < result.findings.length ? { ...result, findings, passed: '' } : result;
  });

/** The facts for a bot that is started for one transport: it can't do without the variables of that one's calls. */
function startedFor(transport: TransportRow | undefined, facts: Facts): Facts {
  if (!transport) return facts;
  const { requirements } = facts;
  const { ambient, reads = [], serverReads = [] } = transport;
  const isItsOwn = (name: string) => [...ambient, ...reads, ...serverReads].some(({ env }) => env === name);
  const { needed, forCalls } = requirements;
  return {
    ...facts,
    requirements: {
      ...requirements,
      needed: [...needed, ...forCalls.filter(isItsOwn)],
      forCalls: forCalls.filter(name => !isItsOwn(name)),
    },
  };
}

/** What `check` finds, except what these commands take care of. */
const ownFindings = (facts: Facts, terminal: Terminal): GroupResult[] =>
  offlineResults(facts)
    .map(result => namedAsRun(result, terminal))
    .map(result => ({
      ...result,
      findings: result.findings.filter(
        ({ code, level }) => code !== BROKEN && (level === 'error' || !OWN_WORK.includes(code)),
      ),
    }));

const errorsIn = (results: readonly GroupResult[]): Finding[] =>
  results.flatMap(({ findings }) => findings.filter(({ level }) => level === 'error'));

function noteWarnings(results: readonly GroupResult[], { note, noteStyle }: Terminal): void {
  for (const { message, hint } of results.flatMap(({ findings }) => findings)) {
    note(`${noteStyle.yellow('!')} ${message}`);
    if (hint) note(`  ${hint}`);
  }
}

/** How long a provider may take to say whether it knows a key, in milliseconds. Then nobody waits for it. */
const TRIAL: ProviderAccess = { deadlineMs: 5000 };

/**
 * Tries keys that were just typed, at once. What it returns asks again for those that a provider refuses, until it refuses
 * none or the user types none.
 */
export function tryTyped(typed: readonly string[], facts: Facts, terminal: Terminal, access = TRIAL) {
  const { root, config } = facts.project;
  const trial = async (names: readonly string[], tried: Facts): Promise<readonly string[]> => {
    if (names.length === 0) return [];
    const { refusedAmong } = await import('../check/providers.ts');
    const refused = await refusedAmong(names, tried, terminal, access);
    for (const { message, hint } of refused.values()) {
      terminal.note(`${terminal.noteStyle.red('✗')} ${message}`);
      if (hint) terminal.note(`  ${hint}`);
    }
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
export async function explainEnd(root: string, stop: Pick<Stop, 'signal'>, terminal: Terminal): Promise<void> {
  const gather = async () => gatherFacts(readFacts(root, terminal), thisMachine(terminal, stop.signal), terminal);
  // The project may be gone.
  const facts = await gather().catch(() => undefined);
  if (stop.signal.aborted) return;
  for (const { message, hint } of facts ? errorsIn(ownFindings(facts, terminal)) : []) {
    terminal.note(`${terminal.noteStyle.red('✗')} ${message}`);
    if (hint) terminal.note(`  ${hint}`);
  }
}
