import { join } from 'node:path';
import { callSetups, renderSteps } from '../catalog/call-setup.ts';
import type { TransportRow } from '../catalog/index.ts';
import { type Facts, valueFor } from '../check/checks/facts.ts';
import { isFree } from '../check/this-machine.ts';
import { type ExitCode, UserError } from '../errors.ts';
import { findProgram } from '../programs.ts';
import { type PartName, usualPorts } from '../project/client.ts';
import { readableName, slugOf } from '../project/names.ts';
import type { Terminal } from '../shell/terminal.ts';
import type { Environment } from '../shells.ts';
import { LARGEST_PORT, portIn } from '../std.ts';
import { createBotLog } from './bot-log.ts';
import { commandIn, type Part, partsOf, untilReady, type wayOf } from './parts.ts';
import type { prepareNumber } from './phone-number.ts';
import { explainEnd } from './prepare.ts';
import { describeEnding, startProcess } from './supervise.ts';
import { counted, inSeconds, type Source, type Surroundings, secondsOf } from './surroundings.ts';

/** What messages call each part. */
const PART_NAMES: Readonly<Record<PartName, string>> = { bot: 'bot', calls: 'call server', client: 'web client' };

/** How to run a project, once everything is asked. */
interface Plan {
  facts: Facts;
  way: ReturnType<typeof wayOf>;
  /** Whether somebody is there to answer, and to repair a bot that has ended. */
  asks: boolean;
  /** The bot's port, if the user typed one. */
  port: number | undefined;
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
export async function runSession(plan: Plan, { stop: asked, report, terminal }: Surroundings): Promise<ExitCode> {
  const { facts, way, number, asks: isWatched, restarts } = plan;
  const { config, root } = facts.project;
  const { green, red } = terminal.style;
  const { ports, advice } = await choosePorts(plan, report.say);
  const over = new AbortController();
  /** Aborted by the user, or once all is over. */
  const stop = { signal: AbortSignal.any([asked.signal, over.signal]), hurry: asked.hurry };
  const surroundings = { stop, report, terminal };
  const running = createRunningParts(report.output, asked);
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
  const pageWith = (client: boolean) =>
    way.hasPage ? `http://localhost:${client ? ports.client : ports.bot}` : undefined;
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
    const read = (lines: readonly string[], isLog: boolean) => {
      if (name === 'bot') calls = lines.reduce(callsAfter, calls);
      const { shown, found } = log?.read(lines, isLog) ?? { shown: lines, found: [] };
      for (const { message, hint } of found)
        report.event(name, 'problem', { message, hint }, `${red('✗')} ${message}\n  ${hint}`);
      return shown;
    };
    running.start(name, commandIn(facts, part, terminal), read, async ({ code, signal, lastLines }, isExpected) => {
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
    const onEnd = () => enqueue(reopen);
    const tunnel = { port: ports[way.leadsTo], cwd: join(root, 'server'), parts: running, onEnd };
    host = await openTunnel(tunnel, surroundings);
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
async function choosePorts({ facts, port: typed, way }: Plan, say: (text: string) => void) {
  const { config } = facts.project;
  const usual = usualPorts(config);
  const own = portIn(valueFor('PORT', facts.env)) ?? usual.calls;
  const ports: Record<PartName, number> = { ...usual, bot: typed ?? usual.bot, calls: own };
  const tunneled = way.host === undefined ? undefined : way.leadsTo;
  const move = 'End that program. Or make your tunnel lead to another port, and';
  const envPath = facts.place(facts.env.path);
  const advice: Partial<Record<PartName, string>> = {
    ...(tunneled === 'bot' && { bot: `${move} pass that with --port.` }),
    ...(typed !== undefined && { bot: 'End that program, or pass another --port.' }),
    ...(tunneled === 'calls' && { calls: `${move} set PORT in ${envPath}.` }),
    // server.py prefers the PORT of .env to any other.
    ...(facts.env.file.entries.get('PORT')?.value && { calls: `End that program, or change PORT in ${envPath}.` }),
  };
  const names = partsOf(config, ports, way).map(({ name }) => name);
  for (const name of names) {
    const port = ports[name];
    const others = names.filter(one => one !== name).map(one => ports[one]);
    if (!others.includes(port) && (await isFree(port))) continue;
    if (advice[name] !== undefined) throw inUse(name, port, advice[name]);
    while (ports[name] < LARGEST_PORT && (others.includes(ports[name]) || !(await isFree(ports[name])))) ports[name]++;
    say(`Port ${port} is in use, so the ${PART_NAMES[name]} uses ${ports[name]}.`);
  }
  return { ports, advice };
}

type Running = ReturnType<typeof startProcess>;

/** The processes of the parts that are running, at most one of each. */
function createRunningParts(show: Surroundings['report']['output'], stop: Surroundings['stop']) {
  const parts = new Map<Source, Running>();
  /** Those that were asked to end. */
  const asked = new WeakSet<object>();
  /** Ends a part, and waits until nothing of it is left. */
  const end = async (name: Source): Promise<void> => {
    const running = parts.get(name);
    if (!running) return;
    asked.add(running);
    await running.stop(stop);
  };
  return {
    end,
    endAll: () => Promise.all([...parts.keys()].map(end)),
    get: (name: Source) => parts.get(name),
    /** Starts a part, and shows the lines that `read` returns. `isExpected`: it was asked to end. */
    start(
      name: Source,
      command: Parameters<typeof startProcess>[0],
      read: (lines: readonly string[], isLog: boolean) => readonly string[],
      onEnd: (ending: Awaited<Running['ended']>, isExpected: boolean) => void,
    ): void {
      const running = startProcess(command, (lines, isLog) => {
        const shown = read(lines, isLog);
        return shown.length > 0 ? show(name, shown) : undefined;
      });
      parts.set(name, running);
      running.ended.then(ending => {
        if (parts.get(name) === running) parts.delete(name);
        onEnd(ending, asked.has(running));
      });
    },
  };
}

/** The programs that make a port public, in the order in which they are preferred: the first one needs no account. */
const PROGRAMS = [
  {
    name: 'cloudflared',
    page: 'https://developers.cloudflare.com/cloudflare-one/networks/connectors/cloudflare-tunnel/downloads/',
    argsFor: (port: number) => ['tunnel', '--no-autoupdate', '--url', `http://localhost:${port}`],
    // The public hostname, in what it prints.
    host: /https:\/\/((?!api\.)[\w-]+\.trycloudflare\.com)/,
  },
  {
    name: 'ngrok',
    page: 'https://ngrok.com/download',
    argsFor: (port: number) => ['http', String(port), '--log', 'stdout'],
    host: /\burl=https:\/\/([\w.-]+)/,
  },
] as const;

/**
 * How to start a tunnel, and how to find its public hostname in its output.
 *
 * @throws {UserError} No program that opens tunnels is installed.
 */
export function findTunnel(port: number, env: Environment, root: string) {
  for (const { name, argsFor, host } of PROGRAMS) {
    const path = findProgram(name, env, root);
    if (path) return { words: [path, ...argsFor(port)] as const, hostIn: (line: string) => host.exec(line)?.[1] };
  }
  throw new UserError('--tunnel needs cloudflared or ngrok, and neither is on the PATH', {
    reason: 'program-missing',
    hint: [
      `cloudflared needs no account: ${PROGRAMS[0].page}`,
      `ngrok needs one: ${PROGRAMS[1].page}`,
      'If you have a tunnel of your own: botcli dev --host HOSTNAME',
    ].join('\n'),
  });
}

/** What is left to do at the provider, once the bot has a public hostname. One line each, for a terminal. */
export function callSteps({ id, label, runnerKey }: TransportRow, host: string, name: string): string[] {
  const steps = (callSetups[id]?.here ?? []).filter(({ byDev }) => !byDev);
  const names = { agent: slugOf(name), provider: label, runner: runnerKey };
  return renderSteps(steps, names)
    .filter(line => !/^\s*```/.test(line))
    .map(line => line.replaceAll('YOUR-HOST', host).replaceAll('`', ''));
}

/** How long a tunnel may take to print its name, in milliseconds, and how often in a row it may fail. */
const PATIENCE_MS = 30_000;
const RETRY_MS = 1000;
const MOST_FAILURES = 3;

interface Tunnel {
  port: number;
  cwd: string;
  parts: ReturnType<typeof createRunningParts>;
  /** Called when a tunnel that had a name has ended by itself. */
  onEnd(): void;
}

/** Opens a tunnel, and returns its public hostname. Throws after three failures in a row. */
async function openTunnel(tunnel: Tunnel, surroundings: Surroundings): Promise<string> {
  const { report, terminal, stop } = surroundings;
  for (let failures = 1; ; failures++) {
    const host = await tryTunnel(tunnel, surroundings);
    stop.signal.throwIfAborted();
    if (host !== undefined) return host;
    if (failures === MOST_FAILURES)
      throw new UserError('The tunnel has failed 3 times in a row', { reason: 'part-ended' });
    report.say('The tunnel has failed. Trying again.');
    await terminal.sleep(RETRY_MS, stop.signal);
  }
}

async function tryTunnel({ port, cwd, parts, onEnd }: Tunnel, { report, terminal }: Surroundings) {
  const { words, hostIn } = findTunnel(port, terminal.env, cwd);
  let host: string | undefined;
  await new Promise<void>(resolve => {
    const timer = setTimeout(resolve, PATIENCE_MS);
    const settle = () => {
      clearTimeout(timer);
      resolve();
    };
    const command = { words, cwd, env: terminal.env };
    const read = (lines: readonly string[]) => {
      host ??= lines.map(hostIn).find(Boolean);
      if (host !== undefined) settle();
      return lines;
    };
    parts.start('tunnel', command, read, ({ code, lastLines }, isExpected) => {
      settle();
      if (isExpected) return;
      const text = host === undefined ? undefined : 'The tunnel has ended. Opening it again, with a new name.';
      report.event('tunnel', 'exited', { code, last_lines: lastLines }, text);
      if (host !== undefined) onEnd();
    });
    report.event('tunnel', 'started', { command: words.slice(1).join(' '), port });
  });
  if (host === undefined) await parts.end('tunnel');
  else report.event('tunnel', 'ready', { host });
  return host;
}
