import { rm } from 'node:fs/promises';
import { join, posix } from 'node:path';
import type { Facts } from '../check/checks/facts.ts';
import { allOf, attempt, type ExitCode, hintOf, ignoring, UserError, usageError } from '../errors.ts';
import { DEBUG, defineCommand } from '../shell/command-line.ts';
import type { Terminal } from '../shell/terminal.ts';
import { amountIn } from '../std.ts';
import { withoutMarks } from '../text.ts';
import { errorIn } from './bot-log.ts';
import { chooseTests } from './evals.ts';
import { createLog, makeDirectory, pythonErrorAt, withFreshBot } from './fresh-bot.ts';
import { commandIn } from './parts.ts';
import { DEPLOYED, type DeployedBot, installAll, prepare, type WithDeployed, withProject } from './prepare.ts';
import { describeEnding, runProcess } from './supervise.ts';
import { createReporter, inSeconds, type Stop, secondsOf, untilStopped } from './surroundings.ts';

export const testCommand = (withDeployed: WithDeployed) =>
  defineCommand({
    description:
      'It starts the bot on a free port, runs the evals of the framework, and stops the bot. By default, it runs all that ' +
      'need only text. It asks nothing, and exits with 1 if a conversation fails.\n' +
      'With --deployed, it starts no bot: each conversation is a session of the deployed one.',
    arguments: [
      {
        name: 'scenario',
        variadic: true,
        help: 'Name or path of a file in server/evals/ (default: all that need only text)',
      },
    ],
    options: [
      { flag: 'audio', kind: 'switch', help: 'Also run spoken conversations, which download speech models once' },
      { flag: 'simulation', kind: 'switch', help: 'Also run conversations in which a language model plays the person' },
      DEPLOYED,
      { flag: 'timeout', kind: 'text', placeholder: 'minutes', help: 'How long all of it may take (default: 10)' },
      { flag: 'json', kind: 'switch', help: 'Print the results as JSON' },
      DEBUG,
    ],
    examples: [
      { line: 'botcli test', description: 'all conversations that need only text' },
      { line: 'botcli test starter_text', description: 'those in server/evals/starter_text.yaml' },
      { line: 'botcli test --audio --simulation', description: 'all of them' },
      { line: 'botcli test --deployed', description: 'what people reach now' },
      { line: 'botcli test --json', description: 'for a program' },
    ],
    async run({ positionals: { scenario: words }, options }, terminal) {
      const { json = false, timeout = '10', deployed } = options;
      const errors: UserError[] = [];
      const minutes = amountIn(timeout, MOST_MINUTES);
      const must = `It must be a number of minutes up to ${MOST_MINUTES}, such as 10 or 0.5`;
      if (minutes === undefined) errors.push(usageError(`--timeout is "${timeout}". ${must}`));
      const isDeployed = deployed !== undefined;
      const chosen = attempt(() => chooseTests('.', { words, ...options }, terminal, { isDeployed }), errors);
      if (minutes === undefined || !chosen) throw allOf(errors);
      const { files, paths } = chosen;
      const verdicts = createVerdicts();
      const limit = new AbortController();
      const onLimit = () => {
        const time = `${timeout} ${minutes === 1 ? 'minute' : 'minutes'}`;
        const hint = 'Allow more with --timeout MINUTES.';
        const details = { reason: 'timeout', hint, facts: { scenarios: verdicts.all } } as const;
        limit.abort(new UserError(`The conversations weren't over after ${time}`, details));
      };
      setTimeout(onLimit, minutes * 60_000).unref();
      return untilStopped(terminal, async ({ signal: asked, hurry }) => {
        const stop = { signal: AbortSignal.any([asked, limit.signal]), hurry };
        const wanted = { files, json, asks: false, deployed, withDeployed };
        try {
          return await withProject(wanted, stop, terminal, (facts, bot) =>
            holdConversations({ facts, paths, verdicts, json, bot }, asked, stop, terminal),
          );
        } finally {
          if (asked.aborted) terminal.dropUnread();
        }
      });
    },
  });

/** The conversations in text of a project, for `botcli update`. Undefined if it has none, or can't be read. */
export async function findTests(directory: string, terminal: Terminal) {
  const choose = async () => chooseTests(directory, { words: [] }, terminal);
  const chosen = await choose().catch(ignoring(() => true));
  if (!chosen) return undefined;
  return {
    count: chosen.paths.length,
    /** @throws {UserError} They can't be held, or the user stopped them. */
    hold: (): Promise<readonly Verdict[]> =>
      untilStopped(terminal, async stop => {
        const { files, paths } = await choose();
        const facts = await prepare({ files, json: false, asks: false, port: 'any' }, stop, terminal);
        if (!facts) {
          throw new UserError("The conversations can't be held: the bot isn't ready", { reason: 'part-ended' });
        }
        await installServer(facts, false, stop, terminal);
        const verdicts = createVerdicts();
        terminal.progress.show('Having the conversations');
        await holdQuietly({ facts, paths, verdicts }, stop, terminal).finally(terminal.progress.clear);
        return verdicts.all;
      }),
  };
}

const MOST_MINUTES = 24 * 60;

interface Trial {
  facts: Facts;
  /** The files with the conversations, by their paths in the project. */
  paths: readonly string[];
  verdicts: ReturnType<typeof createVerdicts>;
  json: boolean;
  /** The deployed bot to talk to. Default: one that is started here. */
  bot?: DeployedBot | undefined;
}

/** How long a conversation may take for its next line if the bot can't hear or speak, in milliseconds. */
const WITHOUT_VOICE_MS = 8000;

/** Runs the evals, and keeps the log if something failed. Unlike `stop`, `asked` isn't aborted when time is up. */
async function holdConversations(
  trial: Trial,
  asked: AbortSignal,
  stop: Stop,
  terminal: Terminal,
): Promise<ExitCode | undefined> {
  const { facts, verdicts, json, bot } = trial;
  await installServer(facts, json, stop, terminal);
  const log = createLog(await makeDirectory(terminal));
  const results = (isPassed: boolean) => ({
    ...(bot && { deployed: bot.facts }),
    ...(!isPassed && !bot && { log: log.path }),
  });
  const place = () => (bot ? `The bot's log: ${bot.log}` : log.place);
  let isKept = false;
  try {
    const start = Date.now();
    const isPassed = await hold(trial, log, stop, terminal);
    // The results may be complete, but a script that goes on after a success shouldn't.
    asked.throwIfAborted();
    isKept = !isPassed && !bot;
    const ms = Date.now() - start;
    const { all } = verdicts;
    const { print, printJson, note, style } = terminal;
    if (json) printJson({ ok: isPassed, seconds: secondsOf(ms), scenarios: all, ...results(isPassed) });
    else {
      const count = (wanted: Verdict['result']) => all.filter(({ result }) => result === wanted).length;
      const skipped = count('skipped') > 0 ? `, ${count('skipped')} skipped` : '';
      const sign = isPassed ? style.green('✓') : style.red('✗');
      print(`${sign} ${count('passed')} of ${all.length} conversations passed${skipped}, in ${inSeconds(ms)}`);
      if (!isPassed) note(place());
    }
    return isPassed ? undefined : 1;
  } catch (error) {
    if (!(error instanceof UserError) || error.reason === 'interrupted') throw error;
    isKept = !bot;
    const hint = hintOf(error.hint, place());
    throw error.withMessage(error.message, {
      hint,
      facts: { scenarios: verdicts.all, ...error.facts, ...results(false) },
    });
  } finally {
    if (!isKept) await rm(log.directory, { recursive: true, force: true });
  }
}

/** Installs what the bot needs. With `--json`, nothing is said about it. */
export function installServer(facts: Facts, json: boolean, stop: Stop, terminal: Terminal): Promise<void> {
  const report = createReporter(terminal, json);
  const silent = { ...report, event: json ? () => {} : report.event, say: () => {} };
  return installAll(facts, { stop, report: silent, terminal });
}

/** Runs evals without a word, and leaves no log. Returns whether all have passed. Throws if there is no result. */
export async function holdQuietly(trial: Omit<Trial, 'json'>, stop: Stop, terminal: Terminal): Promise<boolean> {
  const log = createLog(await makeDirectory(terminal));
  try {
    return await hold({ ...trial, json: true }, log, stop, terminal);
  } finally {
    await rm(log.directory, { recursive: true, force: true });
  }
}

/** Runs the evals until a service that they need keeps failing. Returns whether all have passed. */
async function hold(trial: Trial, log: ReturnType<typeof createLog>, stop: Stop, terminal: Terminal): Promise<boolean> {
  const { facts, bot, paths, verdicts } = trial;
  const run = (url: string, within: Stop) => runEvals(trial, url, log.directory, within, terminal);
  if (bot) {
    const isPassed = await bot.hold(stop, run);
    const passed = verdicts.all.filter(({ result }) => result === 'passed').length;
    // A conversation that wasn't held says nothing about what is deployed.
    if (!isPassed || passed < verdicts.all.length) return false;
    // A report that lacks a file says nothing about its conversation.
    await bot.check(Math.max(passed, paths.length));
    return true;
  }
  const over = new AbortController();
  const untilNoLineComes = async () => {
    for (let lines = -1; lines < verdicts.lines; ) {
      lines = verdicts.lines;
      await terminal.sleep(WITHOUT_VOICE_MS, over.signal);
    }
  };
  const onLine = (line: string, gone: (error: UserError) => void) => {
    const cause = errorIn(line, facts)?.cause;
    if (!cause || cause.isPassing) return;
    const { kind, message, hint } = cause;
    const before = verdicts.all.length;
    const end = () => {
      if (verdicts.all.length === before) gone(new UserError(message, { reason: 'service-failed', hint }));
    };
    // A conversation in text may pass without a voice.
    if (kind === 'llm' || kind === 'realtime') end();
    else untilNoLineComes().then(end, () => {});
  };
  return withFreshBot({ facts, log, command: 'test', onLine }, stop, terminal, run).finally(() => over.abort());
}

export const evalsOrder = (words: readonly string[]) =>
  ({
    program: 'uv',
    args: ['run', '--no-sync', 'python', '-m', 'pipecat.evals', ...words],
    folder: 'server',
    // The framework otherwise begins its report with a line of its log, and draws a page of code around an error.
    // On Windows, Python otherwise reads files in another encoding than UTF-8.
    env: { LOGURU_LEVEL: 'WARNING', TYPER_STANDARD_TRACEBACK: '1', PYTHONUTF8: '1' },
  }) as const;

/** Runs the framework's evals, and shows their report. Returns whether all passed. Throws if none says why not. */
async function runEvals(
  { facts, paths, verdicts, json }: Trial,
  url: string,
  directory: string,
  stop: Stop,
  terminal: Terminal,
): Promise<boolean> {
  const files = paths.map(path => posix.relative('server', path));
  const places = ['--logs-dir', join(directory, 'evals'), '--cache-dir', join(directory, 'speech')];
  const order = evalsOrder(['run', ...files, '-v', ...places, '--bot-url', url]);
  const take = (lines: readonly string[]) => {
    verdicts.take(lines);
    return json ? undefined : terminal.printPaced(withoutMarks(lines.join('\n')));
  };
  const ending = await runProcess(commandIn(facts, order, terminal), take, stop);
  // If the bot has ended, that is why they failed.
  if (ending.code !== 0) stop.signal.throwIfAborted();
  const { all } = verdicts;
  const isPassed = ending.code === 0;
  const errorAt = pythonErrorAt(ending.lastLines);
  if (all.length === 0 || (!isPassed && all.every(({ result }) => result !== 'failed'))) {
    const but = all.length === 0 ? 'and without a result' : 'although no conversation failed';
    throw new UserError(`The framework's evals ended ${describeEnding(ending)}, ${but}`, {
      reason: 'part-ended',
      // Without --json, the lines are on the screen.
      problems: errorAt !== -1 ? ending.lastLines.slice(errorAt) : json ? ending.lastLines : [],
    });
  }
  return isPassed;
}

interface Verdict {
  name: string;
  result: 'passed' | 'failed' | 'skipped';
  seconds?: number;
  reason?: string;
}

const RESULTS: Readonly<Record<string, Verdict['result']>> = { '✓': 'passed', '✗': 'failed', '⊘': 'skipped' };

/** Reads the framework's report, line by line as it comes. */
export function createVerdicts() {
  /** The names of the conversations, as the report begins with them. One may have spaces. */
  const names: string[] = [];
  const verdicts: Verdict[] = [];
  /** How many failures the report has listed at its end, in the order of the results. */
  let listed: number | undefined;
  let count = 0;
  const readLine = (line: string) => {
    const [, sign = '', text = ''] = /^ {2}([✓✗⊘]) \S+ (.*)$/.exec(line) ?? [];
    const result = RESULTS[sign];
    if (/^ {2}Failures \(\d+ of \d+\):$/.test(line)) listed = 0;
    else if (listed !== undefined) {
      if (result) listed += 1;
      const verdict = verdicts.filter(one => one.result === 'failed')[listed - 1];
      const [, reason] = /^(?: {6}•| {2}✗ .*? —) (.*)$/.exec(line) ?? [];
      if (verdict && reason !== undefined) verdict.reason = [verdict.reason, reason].filter(Boolean).join('; ');
    } else if (result) {
      const known = names.filter(name => text === name || text.startsWith(`${name} `));
      const [name = text.split(' ', 1)[0] ?? ''] = known.sort((one, other) => other.length - one.length);
      const [, ms] = / \((\d+)ms\)$/.exec(text) ?? [];
      verdicts.push({ name, result, ...(ms && { seconds: Number(ms) / 1000 }) });
    } else {
      const [, announced] = /^ {2}(\S.*):$/.exec(line) ?? [];
      if (announced !== undefined) names.push(announced);
    }
  };
  return {
    take(lines: readonly string[]): void {
      count += lines.length;
      lines.forEach(readLine);
    },
    /** How many lines there were: each turn of a conversation is one. */
    get lines(): number {
      return count;
    },
    /** In their order. Two files may give conversations the same name. */
    all: verdicts as readonly Verdict[],
  };
}
