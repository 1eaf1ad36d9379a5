import { join } from 'node:path';
import { type Facts, valueFor } from '../check/checks/facts.ts';
import { readFacts } from '../check/gather.ts';
import { isFree } from '../check/this-machine.ts';
import { allOf, attempt, type ExitCode, errorFacts, problemsIn, UserError, usageError } from '../errors.ts';
import { type PartName, usualPorts } from '../project/client.ts';
import { readableName } from '../project/names.ts';
import { DEBUG, defineCommand, type Invocation, type OptionSpec } from '../shell/command-line.ts';
import type { Terminal } from '../shell/terminal.ts';
import { LARGEST_PORT, portIn } from '../std.ts';
import { asLine } from '../text.ts';
import { createBotLog } from './bot-log.ts';
import { type Part, pageOf, partsOf, tunnelPort, untilReady, wayOf } from './parts.ts';
import { prepareNumber } from './phone-number.ts';
import { commandIn, explainEnd, installAll, prepare, tryTyped } from './prepare.ts';
import { counted, createReporter, inSeconds, type Reporter, secondsOf } from './reporter.ts';
import { type Stop, type Surroundings, untilStopped } from './stop.ts';
import { createRunningParts, describeEnding, type StreamName } from './supervise.ts';
import { callSteps, findTunnel, openTunnel } from './tunnel.ts';

const OPTIONS = [
  {
    flag: 'transport',
    short: 't',
    kind: 'text',
    placeholder: 'id',
    help: "Start the bot for this one of the project's transports only",
  },
  { flag: 'tunnel', kind: 'switch', help: 'Open a tunnel with cloudflared or ngrok, so that phones reach the bot' },
  { flag: 'host', kind: 'text', placeholder: 'hostname', help: 'Public hostname of your own tunnel to the bot' },
  {
    flag: 'number',
    kind: 'text',
    placeholder: '+number',
    help: 'Point this Twilio number at the bot while it runs, and then put it back',
  },
  { flag: 'skip', kind: 'switch', help: 'With --number: change it without asking' },
  { flag: 'port', kind: 'text', placeholder: 'number', help: "The bot's port (default: 7860, or the next free one)" },
  { flag: 'open', kind: 'boolean', help: 'Open the page in your browser (default: in a terminal on a desktop)' },
  { flag: 'restart', kind: 'boolean', help: 'Restart the bot when you save a file (default: yes)' },
  { flag: 'verbose', kind: 'switch', help: "Show the bot's whole log (default: only if this isn't a terminal)" },
  { flag: 'json', kind: 'switch', help: 'Print what happens as JSON, one object a line, and ask nothing' },
  DEBUG,
] as const satisfies readonly OptionSpec[];

/** What messages call each part. */
const PART_NAMES: Readonly<Record<PartName, string>> = { bot: 'bot', calls: 'call server', client: 'web client' };

type DevOptions = Invocation<[], typeof OPTIONS>['options'];

export const dev = defineCommand({
  description:
    'It checks the project, asks for missing keys, installs packages, and starts the bot and its web client. Then it says ' +
    'where to talk, and restarts the bot when you save a file. Ctrl-C stops everything.',
  arguments: [
    { name: 'directory', isPath: true, help: "The project's directory, or one in it (default: the current one)" },
  ],
  options: OPTIONS,
  examples: [
    { line: 'botcli dev', description: 'start the bot of this directory, and talk to it' },
    { line: 'botcli dev my-bot --no-open', description: 'the same for another directory, without opening a browser' },
    { line: 'botcli dev --tunnel', description: 'make it reachable by phone' },
    { line: 'botcli dev --tunnel --number +15551234567', description: 'also let a Twilio number reach it' },
  ],
  run: ({ positionals: { directory = '.' }, options }, terminal) => startDev(directory, options, terminal),
  async diagnose({ positionals: { directory = '.' }, options }, terminal) {
    try {
      readLine(directory, options, terminal);
      return [];
    } catch (error) {
      return problemsIn(error);
    }
  },
});

/** Runs `botcli dev`, also for the wizard. `typed` has the names of the keys that were just typed. */
export async function startDev(
  directory: string,
  options: DevOptions,
  terminal: Terminal,
  typed: readonly string[] = [],
): Promise<ExitCode | undefined> {
  let since = Date.now();
  let names = typed;
  /** The time that the user takes to answer doesn't count. */
  const onAnswers = (ms: number, more: readonly string[]) => {
    since += ms;
    names = [...names, ...more];
  };
  const { json = false, verbose = false, restart: restarts = true, open: opens = !json, skip } = options;
  const report = createReporter(terminal, json);
  const work = async (line: Line, stop: Stop) => {
    const surroundings = { stop, report, terminal };
    const { files, asks, port, way } = line;
    const { transport } = way;
    const facts = await prepare({ files, json, asks, transport, port, onAnswers }, stop, terminal);
    if (!facts) return 1;
    if (way.tunnel) findTunnel(0, terminal.env, facts.project.root);
    const replaceRefused = tryTyped(asks ? names : [], facts, terminal);
    await installAll(facts, surroundings, facts.project.config.generate_client);
    const asked = Date.now();
    const tried = await replaceRefused();
    const number = await prepareNumber({ facts: tried, way, asks, skip }, surroundings);
    onAnswers(Date.now() - asked, []);
    const plan = { ...line, facts: tried, number, opens, restarts, isQuiet: asks && !verbose, since };
    return runSession(plan, surroundings);
  };
  try {
    const line = readLine(directory, options, terminal);
    return await untilStopped(terminal, stop => work(line, stop), report.say);
  } catch (error) {
    if (!json || !(error instanceof UserError)) throw error;
    // Each object has a line of its own.
    if (error.reason !== 'interrupted') terminal.printExact(asLine({ error: errorFacts(error, false, terminal) }));
    return error.exitCode;
  } finally {
    terminal.dropUnread();
  }
}

/** What a command line means. Throws everything that is wrong with it: exit code 2. */
function readLine(directory: string, options: DevOptions, terminal: Terminal) {
  const errors: UserError[] = [];
  const files = attempt(() => readFacts(directory, terminal, { command: 'dev' }), errors);
  const way = files && attempt(() => wayOf(files.project.config, options), errors);
  const asks = terminal.interactive && !options.json;
  if (options.number !== undefined && !options.skip && !asks) {
    const hint = 'Pass --skip to change it without asking.';
    const why = "--number asks before it changes the number, and botcli can't ask here";
    errors.push(usageError(why, { reason: 'cannot-ask', hint }));
  }
  const port = portIn(options.port);
  if (options.port !== undefined && port === undefined)
    errors.push(usageError(`--port is "${options.port}". It must be a number from 1 to 65535`));
  if (errors.length > 0 || !files || !way) throw allOf(errors);
  return {
    files,
    way,
    /** Whether somebody is there to answer, and to repair a bot that has ended. */
    asks,
    /** The bot's port, if the user typed one. */
    port,
  };
}

type Line = ReturnType<typeof readLine>;

/** How to run a project, once everything is asked. */
interface Plan extends Line {
  facts: Facts;
  /** The phone number to point at the bot. */
  number: Awaited<ReturnType<typeof prepareNumber>>;
  opens: boolean;
  restarts: boolean;
  /** Whether to show only what matters of the bot's output. */
  isQuiet: boolean;
  /** When the command was started, as `Date.now()` says it. */
  since: number;
}

/** Starts everything, and restarts what changes, until a part's end ends it all. Then nothing is left running. */
async function runSession(plan: Plan, { stop: asked, report, terminal }: Surroundings): Promise<ExitCode> {
  const { facts, way, number, asks: isWatched, restarts } = plan;
  const { config, root } = facts.project;
  const { green, red } = terminal.style;
  const { ports, advice } = await choosePorts(plan, report);
  const over = new AbortController();
  /** Aborted by the user, or once all is over. */
  const stop = { signal: AbortSignal.any([asked.signal, over.signal]), hurry: asked.hurry };
  const surroundings = { stop, report, terminal };
  const running = createRunningParts(report, asked);
  /** Whether the web client has answered since it was started. */
  let hasClient = false;
  let { host } = way;
  /** When the parts began to start. */
  let { since } = plan;
  let wasReady = false;
  /** How many conversations are going on. */
  let calls = 0;
  let finish: (code: ExitCode) => void = () => {};
  let fail: (error: unknown) => void = () => {};
  const finished = new Promise<ExitCode>((resolve, reject) => {
    finish = resolve;
    fail = reject;
    asked.signal.addEventListener('abort', () => reject(asked.signal.reason), { once: true });
  });

  const partsNow = () => partsOf(config, ports, { ...way, host }, facts.client?.manager);
  /** Where to talk in a browser, if anywhere. Without the project's web client, the bot has a page of its own. */
  const pageWith = (client: boolean) => pageOf({ ...config, generate_client: client }, ports, way);
  /** What to throw if another program has taken a part's port. */
  const taken = ({ name, port }: Part) =>
    inUse(name, port, advice[name] ?? 'Run the same command again. It will use another port.');

  const start = async (parts: readonly Part[]) => {
    for (const part of parts) if (!(await isFree(part.port))) throw taken(part);
    stop.signal.throwIfAborted();
    for (const part of parts) startPart(part);
  };

  const startPart = (part: Part) => {
    const { name, port } = part;
    const log = part.folder === 'server' ? createBotLog(facts, plan.isQuiet) : undefined;
    if (name === 'bot') calls = 0;
    const read = (lines: readonly string[], stream: StreamName) => {
      if (name === 'bot') calls = lines.reduce(callsAfter, calls);
      const { shown, found } = log?.read(lines, stream) ?? { shown: lines, found: [] };
      for (const { message, hint } of found)
        report.event(name, 'problem', { message, hint }, `${red('✗')} ${message}\n  ${hint}`);
      return shown;
    };
    running.start(name, commandIn(facts, part, terminal), read, async ({ code, signal }, isExpected, lastLines) => {
      if (name === 'client') hasClient = false;
      const ending = signal ? { signal } : { code };
      if (isExpected) return report.event(name, 'exited', ending);
      const text = `${red('✗')} The ${PART_NAMES[name]} ended ${describeEnding({ code, signal })}.`;
      report.event(name, 'exited', { ...ending, last_lines: lastLines }, text);
      if (!(await isFree(port))) return fail(taken(part));
      if (log && log.hidden.length > 0) report.say(['The end of its log that was hidden:', ...log.hidden].join('\n  '));
      const page = pageWith(false);
      if (name === 'client') return report.say(`The bot goes on without it${page ? `: ${page}` : '.'}`);
      await explainEnd(root, stop, terminal);
      if (!isWatched || !restarts) return finish(1);
      report.say('Waiting for you to save a file in server/. Ctrl-C stops everything.');
    });
    report.event(name, 'started', { command: `${part.program} ${part.args.join(' ')}`, port });
  };

  /** Waits until a part answers. A bot goes on without its client. */
  const isReady = async ({ name, port }: Part): Promise<boolean> => {
    const one = running.get(name);
    const isOver = () => stop.signal.aborted || one === undefined || running.get(name) !== one;
    if (await untilReady(port, isOver, terminal)) {
      hasClient ||= name === 'client';
      report.event(name, 'ready', { port, seconds: secondsOf(Date.now() - since) });
      return true;
    }
    if (isOver()) return name === 'client' && !stop.signal.aborted;
    const text = `The ${PART_NAMES[name]} doesn't answer on port ${port}`;
    if (name !== 'client' && !isWatched) throw new UserError(text, { reason: 'part-ended' });
    report.say(`${text}.`);
    return name === 'client';
  };
  const areReady = async (parts: readonly Part[]) => (await Promise.all(parts.map(isReady))).every(Boolean);

  /** Waits until all parts answer and no save can go unnoticed, and says where to talk. */
  const announce = async () => {
    if (!(await areReady(partsNow()))) return;
    await watching;
    wasReady = true;
    // Calls come once somebody answers them.
    if (host !== undefined) await number?.point(host);
    if (stop.signal.aborted) return;
    const page = pageWith(hasClient);
    const { facts: known, text } = announcement(plan, host, page, Date.now() - since, terminal);
    report.event('dev', 'ready', known, text);
    if (page && plan.opens) void openPage(page, terminal);
  };

  /** Ends what runs in `server/`, and starts it again. */
  const restart = async () => {
    const parts = partsNow().filter(({ folder }) => folder === 'server');
    await Promise.all(parts.map(({ name }) => running.end(name)));
    await start(parts);
    return parts;
  };

  const open = async () => {
    const port = tunnelPort(way, ports);
    const onEnd = () => enqueue(reopen);
    host = await openTunnel({ ...surroundings, port, cwd: join(root, 'server'), parts: running, onEnd });
  };
  const reopen = async () => {
    since = Date.now();
    await open();
    await restart();
    await announce();
  };

  let work = Promise.resolve();
  /** Does things one after the other. */
  const enqueue = (task: () => Promise<void>) => {
    work = work.then(() => (stop.signal.aborted ? undefined : task())).catch(fail);
  };

  /** Watches the bot's files, and restarts it unless a change can't work. Resolves to a function that ends that. */
  const watch = async () => {
    if (!restarts) return undefined;
    const { createEditCheck, watchProject } = await import('./restart.ts');
    const canStart = createEditCheck(facts, isWatched, surroundings);
    const onChange = async (paths: readonly string[]) => {
      const start = Date.now();
      if (!(await canStart(paths))) return;
      const count = calls;
      const ended = count > 0 ? ` ${counted(count, 'call')} ended.` : '';
      report.say(`${paths.join(', ')} changed: restarting the bot.${ended}`);
      if (!(await areReady(await restart()))) return;
      const ms = Date.now() - start;
      const text = `${green('✓')} Restarted in ${inSeconds(ms)}`;
      report.event('bot', 'restarted', { changed: paths, calls_ended: count, seconds: secondsOf(ms) }, text);
      if (!wasReady) await announce();
    };
    return watchProject(root, paths => enqueue(() => onChange(paths)), report.say);
  };

  const startAll = async () => {
    stop.signal.throwIfAborted();
    if (way.tunnel) await open();
    await start(partsNow());
    await announce();
  };

  const watching = watch();
  const starting = startAll();
  try {
    return await Promise.race([finished, starting.then(() => finished)]);
  } finally {
    over.abort(new Error('It is over'));
    const restored = number?.restore();
    await running.endAll();
    await Promise.all([watching.then(unwatch => unwatch?.()), work, starting.catch(() => {})]);
    await running.endAll();
    await restored;
  }
}

/** How many conversations are going on after a line of the bot's, which prints when each begins and ends. */
function callsAfter(calls: number, line: string): number {
  const [, what] = /WorkerRunner '[^']*': (started|finished) running/.exec(line) ?? [];
  return what === undefined ? calls : Math.max(0, calls + (what === 'started' ? 1 : -1));
}

const inUse = (name: PartName, port: number, hint: string) =>
  new UserError(`Port ${port} is in use, so the ${PART_NAMES[name]} can't start`, { reason: 'part-ended', hint });

/** What is ready after `ms` milliseconds, and where to talk: for programs, and for people. */
function announcement(
  { facts, way, number, restarts, isQuiet }: Plan,
  host: string | undefined,
  page: string | undefined,
  ms: number,
  { style: { bold, green } }: Terminal,
) {
  const { config } = facts.project;
  const isPointed = number?.isPointed === true;
  const steps = host && way.transport && !isPointed ? callSteps(way.transport, host, config.project_name) : [];
  const lines = [
    page && `Talk to it: ${bold(page)}`,
    isPointed && `Call it: ${bold(number.number)}`,
    ...(steps.length > 0 ? [`Call it, at ${host}. Do this once at the provider:`] : []),
    ...steps.map(step => `  ${step}`),
    !page && !isPointed && steps.length === 0 && `To place or take a call, see ${facts.place('README.md')}.`,
    way.tunnel && 'While the tunnel is open, anyone who finds its address can start sessions at your expense.',
    `Ctrl-C stops everything.${restarts ? ' Saving a file in server/ restarts the bot.' : ''}`,
    isQuiet && "Only what matters of the bot's log is shown. For all of it: botcli dev --verbose",
  ].filter(Boolean);
  const title = `${green('✓')} ${bold(readableName(config.project_name))} is ready after ${inSeconds(ms)}`;
  return {
    facts: { seconds: secondsOf(ms), ...(page && { url: page }), ...(host && { host, steps }) },
    text: `\n${[title, ...lines].join('\n  ')}\n`,
  };
}

/** Opens a page in a browser, if there is one. Nobody learns about a failure, because the address was printed. */
async function openPage(url: string, { interactive, env }: Terminal): Promise<void> {
  const isRemote = ['SSH_CONNECTION', 'SSH_CLIENT', 'SSH_TTY'].some(name => env[name]);
  const isDesktop = process.platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY || env.WSL_DISTRO_NAME);
  if (!interactive || isRemote || !isDesktop) return;
  const { default: open } = await import('open');
  await open(url).catch(() => {});
}

/** The usual port of each part, or the next free one, and what to do if one that can't be replaced is in use. */
async function choosePorts({ facts, port: typed, way }: Plan, report: Reporter) {
  const { config } = facts.project;
  const usual = usualPorts(config);
  const own = portIn(valueFor('PORT', facts.env)) ?? usual.calls;
  const ports: Record<PartName, number> = { ...usual, bot: typed ?? usual.bot, calls: own };
  const tunneled = way.host === undefined ? undefined : tunnelPort(way, ports);
  const move = 'End that program. Or make your tunnel lead to another port, and';
  const envPath = facts.place(facts.env.path);
  const advice: Partial<Record<PartName, string>> = {
    ...(tunneled === ports.bot && { bot: `${move} pass that with --port.` }),
    ...(typed !== undefined && { bot: 'End that program, or pass another --port.' }),
    ...(tunneled === ports.calls && { calls: `${move} set PORT in ${envPath}.` }),
    // server.py prefers the PORT of .env to any other.
    ...(facts.env.file.entries.get('PORT')?.value && { calls: `End that program, or change PORT in ${envPath}.` }),
  };
  const names = partsOf(config, ports, way).map(({ name }) => name);
  for (const name of names) {
    const port = ports[name];
    const others = names.filter(one => one !== name).map(one => ports[one]);
    if (!others.includes(port) && (await isFree(port))) continue;
    if (advice[name] !== undefined) throw inUse(name, port, advice[name]);
    ports[name] = await freePort(port, others);
    report.say(`Port ${port} is in use, so the ${PART_NAMES[name]} uses ${ports[name]}.`);
  }
  return { ports, advice };
}

/** The first port from this one on that nothing listens on, and that isn't in `taken`. */
async function freePort(first: number, taken: readonly number[]): Promise<number> {
  for (let port = first; port <= LARGEST_PORT; port++) {
    if (!taken.includes(port) && (await isFree(port))) return port;
  }
  return first;
}
