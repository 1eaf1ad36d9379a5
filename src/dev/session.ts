import { join } from 'node:path';
import { type Facts, valueFor } from '../check/checks/facts.ts';
import { isFree } from '../check/this-machine.ts';
import { type ExitCode, UserError } from '../errors.ts';
import { usualPorts } from '../project/client.ts';
import { readableName } from '../project/names.ts';
import type { Terminal } from '../shell/terminal.ts';
import { portIn } from '../std.ts';
import { createBotLog } from './bot-log.ts';
import { freePort, PART_NAMES, type Part, pageOf, partsOf, tunnelPort, untilReady, type Way } from './parts.ts';
import type { prepareNumber } from './phone-number.ts';
import { commandIn, explainEnd } from './prepare.ts';
import { inSeconds, type Reporter, secondsOf } from './reporter.ts';
import type { Surroundings } from './stop.ts';
import { createRunningParts, howItEnded, type StreamName } from './supervise.ts';
import { callSteps, openTunnel } from './tunnel.ts';

interface Plan {
  facts: Facts;
  /** The bot's port, if the user typed one. */
  typed: number | undefined;
  way: Way;
  /** The phone number to point at the bot. */
  number: Awaited<ReturnType<typeof prepareNumber>>;
  opens: boolean;
  restarts: boolean;
  /** Whether somebody is there who can repair a bot that has ended. */
  isWatched: boolean;
  /** Whether to show only what matters of the bot's output. */
  isQuiet: boolean;
  /** When the command was started, as `Date.now()` says it. */
  since: number;
}

/** Starts everything, and restarts what changes, until a part's end ends it all. Then nothing is left running. */
export async function runSession(plan: Plan, { stop: asked, report, terminal }: Surroundings): Promise<ExitCode> {
  const { facts, way, number, isWatched, restarts } = plan;
  const { config, root } = facts.project;
  const { green, red } = terminal.style;
  const { ports, advice } = await choosePorts(plan, report);
  const over = new AbortController();
  /** Aborted by the user, or once all is over. */
  const stop = { signal: AbortSignal.any([asked.signal, over.signal]), hurry: asked.hurry };
  const surroundings = { stop, report, terminal };
  const running = createRunningParts(report, asked);
  /** The parts that have answered since they were started. */
  const answering = new Set<Part['name']>();
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
  const pageWith = (hasClient: boolean) => pageOf({ ...config, generate_client: hasClient }, ports, way);
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
      answering.delete(name);
      const ending = signal ? { signal } : { code };
      if (isExpected) return report.event(name, 'exited', ending);
      const text = `${red('✗')} The ${PART_NAMES[name]} ended ${howItEnded({ code, signal })}.`;
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
      answering.add(name);
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
    const page = pageWith(answering.has('client'));
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
      const ended = count > 0 ? ` ${count} call${count === 1 ? '' : 's'} ended.` : '';
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

const inUse = (name: Part['name'], port: number, hint: string) =>
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
async function choosePorts({ facts, typed, way }: Plan, report: Reporter) {
  const { config } = facts.project;
  const usual = usualPorts(config);
  const own = portIn(valueFor('PORT', facts.env)) ?? usual.calls;
  const ports: Record<Part['name'], number> = { bot: typed ?? usual.bot, calls: own, client: usual.client };
  const tunneled = way.host === undefined ? undefined : tunnelPort(way, ports);
  const move = 'End that program. Or make your tunnel lead to another port, and';
  const envPath = facts.place(facts.env.path);
  const advice: Partial<Record<Part['name'], string>> = {
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
