import { type FileFacts, readFacts } from '../check/read.ts';
import { type ExitCode, UserError, usageError } from '../errors.ts';
import { portIn } from '../port.ts';
import { asLine } from '../printable.ts';
import { errorFacts } from '../shell/error-facts.ts';
import type { Terminal } from '../shell/terminal.ts';
import { announce } from './announce.ts';
import { expectTools, installAll } from './install.ts';
import type { Ports } from './parts.ts';
import type { Plan } from './plan.ts';
import { choosePorts } from './ports.ts';
import { prepare } from './prepare.ts';
import { createReporter } from './reporter.ts';
import { Session } from './session.ts';
import { untilStopped } from './stop.ts';
import { findTunnel } from './tunnel.ts';
import { type WayOptions, wayOf } from './way.ts';

/** The options of `botcli dev`. */
interface DevOptions extends WayOptions {
  port?: string;
  open?: boolean;
  restart?: boolean;
  json?: boolean;
}

/** Runs `botcli dev`. The wizard calls it, too. */
export async function startDev(
  directory: string,
  options: DevOptions,
  terminal: Terminal,
): Promise<ExitCode | undefined> {
  const since = Date.now();
  try {
    return await runDev(readFacts(directory, terminal, { command: 'dev' }), options, since, terminal);
  } catch (error) {
    if (!options.json || !(error instanceof UserError)) throw error;
    // Each object has a line of its own.
    if (error.reason !== 'interrupted') terminal.printExact(asLine({ error: errorFacts(error, false, terminal) }));
    return error.exitCode;
  } finally {
    terminal.dropUnread();
  }
}

/** @param since When the command was started, as `Date.now()` says it. */
async function runDev(
  files: FileFacts,
  options: DevOptions,
  since: number,
  terminal: Terminal,
): Promise<ExitCode | undefined> {
  const { json = false, restart: restarts = true, open: opens = !json } = options;
  const way = wayOf(files.project.config, options);
  const typed = portFrom(options.port);
  const report = createReporter(terminal, json);
  const onStop = () => report.say('Stopping. Press Ctrl-C again to stop at once.');
  return untilStopped(onStop, async stop => {
    const asks = terminal.interactive && !json;
    let answering = 0;
    const onAnswers = (ms: number) => {
      answering = ms;
    };
    const { transport } = way;
    const facts = await prepare({ files, json, asks, transport, port: typed, onAnswers }, stop, terminal);
    if (!facts) return 1;
    if (way.tunnel) findTunnel(0, terminal.env, facts.project.root);
    expectTools(facts, terminal);
    const surroundings = { stop, report, terminal };
    await installAll(facts, ['server', 'client'], surroundings);
    const choose = (before?: Ports) => choosePorts({ facts, typed, way }, report, before);
    const onReady: Plan['onReady'] = ({ host, ...ready }) =>
      announce({ facts, way: { ...way, host }, opens, restarts, ...ready }, report, terminal);
    const [ports, isWatched] = [await choose(), asks];
    const plan = { facts, ports, choosePorts: choose, way, since: since + answering, restarts, isWatched, onReady };
    return new Session(plan, surroundings).run();
  });
}

function portFrom(typed: string | undefined): number | undefined {
  if (typed === undefined) return undefined;
  const port = portIn(typed);
  if (port === undefined) throw usageError(`--port is "${typed}". It must be a number from 1 to 65535`);
  return port;
}
