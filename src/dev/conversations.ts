import { createReadStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { createInterface } from 'node:readline';
import type { Facts } from '../check/checks/facts.ts';
import { type ExitCode, UserError } from '../errors.ts';
import { withoutMarks } from '../printable.ts';
import type { Terminal } from '../shell/terminal.ts';
import { explainSystemError, isSystemError } from '../system-errors.ts';
import type { createVerdicts, EvalFile, Verdict } from './evals.ts';
import { commandIn, createTail, installAll } from './install.ts';
import type { TakeLines } from './output.ts';
import { partsOf, usualPorts } from './parts.ts';
import { anyPort, PATIENCE_MS, untilReady } from './ready.ts';
import { createReporter, inSeconds, secondsOf } from './reporter.ts';
import type { Stop } from './stop.ts';
import { howItEnded, runProcess, startProcess } from './supervise.ts';

/** What to test, and where the results go. */
interface Trial {
  facts: Facts;
  files: readonly EvalFile[];
  verdicts: ReturnType<typeof createVerdicts>;
  json: boolean;
}

/** Starts the bot, runs the evals, and stops it. Its log is kept if something failed. */
export async function holdConversations(trial: Trial, stop: Stop, terminal: Terminal): Promise<ExitCode | undefined> {
  const { facts, verdicts, json } = trial;
  const report = createReporter(terminal, json);
  const silent = { ...report, event: json ? () => {} : report.event, say: () => {} };
  await installAll(facts, ['server'], { stop, report: silent, terminal });
  const directory = await makeDirectory(terminal);
  const log = join(directory, 'bot.log');
  let isKept = false;
  try {
    const start = Date.now();
    const code = await withBot({ facts, log }, stop, terminal, port =>
      runEvals(trial, { port, directory }, stop, terminal),
    );
    const isPassed = code === 0;
    isKept = !isPassed;
    summarize(verdicts.all, { isPassed, ms: Date.now() - start, log, json }, terminal);
    return isPassed ? undefined : 1;
  } catch (error) {
    isKept = !(error instanceof UserError && error.reason === 'interrupted');
    throw Object.assign(error as Error, { log });
  } finally {
    if (!isKept) await rm(directory, { recursive: true, force: true });
  }
}

/** A directory for the log, outside the project. */
async function makeDirectory({ env }: Terminal): Promise<string> {
  try {
    return await mkdtemp(join(tmpdir(), 'botcli-test-'));
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const [name = 'TMPDIR'] = ['TMPDIR', 'TMP', 'TEMP'].filter(one => env[one]);
    throw new UserError(`Can't create a directory for the bot's log in "${tmpdir()}": ${explainSystemError(error)}`, {
      reason: 'disk',
      hint: `Set ${name} to a directory for temporary files.`,
    });
  }
}

/** Runs the bot on a free port for as long as `use` takes. */
async function withBot<Result>(
  { facts, log }: { facts: Facts; log: string },
  stop: Stop,
  terminal: Terminal,
  use: (port: number) => Promise<Result>,
): Promise<Result> {
  const port = await anyPort();
  const ports = { ...usualPorts(facts.project.config), bot: port };
  const [part] = partsOf(facts.project.config, ports, { tunnel: false });
  if (!part) throw new Error('no bot');
  const bot = startProcess(commandIn(facts.project, part, terminal), log);
  try {
    const isOver = () => bot.hasEnded() || stop.signal.aborted;
    const isOwn = () => bot.listensOn(port);
    const isReady = await untilReady({ port, isOwn, isOver, sleep: ms => terminal.sleep(ms), patience: PATIENCE_MS });
    stop.signal.throwIfAborted();
    if (!isReady) {
      throw new UserError(bot.hasEnded() ? 'The bot ended before it was ready' : "The bot doesn't get ready", {
        reason: 'part-ended',
        problems: await lastLinesOf(log),
        hint: `Its log is ${log}`,
      });
    }
    return await use(port);
  } finally {
    await bot.stop(stop);
  }
}

async function lastLinesOf(log: string): Promise<readonly string[]> {
  const tail = createTail();
  for await (const line of createInterface(createReadStream(log))) tail.take([line]);
  return tail.lines;
}

/** Runs the framework's evals, shows its report as it comes, and returns its exit code. */
async function runEvals(
  { facts, files, verdicts, json }: Trial,
  { port, directory }: { port: number; directory: string },
  stop: Stop,
  terminal: Terminal,
): Promise<number | null> {
  const paths = files.map(({ path }) => posix.relative('server', path));
  const places = ['--logs-dir', join(directory, 'evals'), '--cache-dir', join(directory, 'speech')];
  const args = ['run', '--no-sync', 'python', '-m', 'pipecat.evals', 'run', ...paths, '-v', ...places];
  const order = {
    program: 'uv',
    args: [...args, '--bot-url', `ws://localhost:${port}/ws`],
    folder: 'server',
    // The framework otherwise begins its report with a line of its log.
    env: { LOGURU_LEVEL: 'WARNING' },
  } as const;
  const tail = createTail();
  const take: TakeLines = lines => {
    tail.take(lines);
    verdicts.take(lines);
    return json ? undefined : terminal.printPaced(withoutMarks(lines.join('\n')));
  };
  const ending = await runProcess(commandIn(facts.project, order, terminal), take, stop);
  if (verdicts.all.length === 0) {
    throw new UserError(`The framework's evals ended ${howItEnded(ending)}, and without a result`, {
      reason: 'part-ended',
      problems: tail.lines,
    });
  }
  return ending.code;
}

function summarize(
  all: readonly Verdict[],
  { isPassed, ms, log, json }: { isPassed: boolean; ms: number; log: string; json: boolean },
  { print, printJson, note, style }: Terminal,
): void {
  if (json) {
    printJson({ ok: isPassed, seconds: secondsOf(ms), scenarios: all, ...(!isPassed && { log }) });
    return;
  }
  const passed = all.filter(({ result }) => result === 'passed').length;
  const sign = isPassed ? style.green('✓') : style.red('✗');
  print(`${sign} ${passed} of ${all.length} conversations passed, in ${inSeconds(ms)}`);
  if (!isPassed) note(`The bot's log is ${log}`);
}
