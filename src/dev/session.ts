import { join } from 'node:path';
import { valueFor } from '../check/checks/facts.ts';
import { isFree } from '../check/this-machine.ts';
import { type ExitCode, UserError } from '../errors.ts';
import { usualPorts } from '../project/client.ts';
import { featuresOf } from '../project/features.ts';
import { readableName } from '../project/names.ts';
import type { Terminal } from '../shell/terminal.ts';
import { portIn } from '../std.ts';
import { type Cause, createBotLog } from './bot-log.ts';
import { commandIn } from './install.ts';
import { freePort, PART_NAMES, type Part, pageOf, partsOf, tunnelPort, untilReady } from './parts.ts';
import type { Plan, Surroundings } from './plan.ts';
import { explainEnd } from './prepare.ts';
import { inSeconds, type Reporter, secondsOf } from './reporter.ts';
import { createEditCheck } from './restart.ts';
import type { Stop } from './stop.ts';
import { createRunningParts, howItEnded } from './supervise.ts';
import { callSteps, openTunnel } from './tunnel.ts';

type Ending = Parameters<typeof howItEnded>[0];
type Ports = Parameters<typeof tunnelPort>[1];

/**
 * Chooses ports, starts everything, and restarts what changes, until a part's end ends it all.
 *
 * @returns The exit code.
 * @throws {UserError} It can't go on, or the reason of `stop.signal`. In any case, nothing is left running.
 */
export async function runSession(plan: Plan, surroundings: Surroundings): Promise<ExitCode> {
  return new Session(plan, await choosePorts(plan, surroundings.report), surroundings).run();
}

/** The parts of a project while `botcli dev` runs. */
class Session {
  readonly #plan: Plan;
  readonly #report: Reporter;
  readonly #terminal: Terminal;
  /** Aborted by a signal of the user's. */
  readonly #asked: AbortSignal;
  /** Aborted once all is over. */
  readonly #over = new AbortController();
  /** Aborted by either. */
  readonly #stop: Stop;
  readonly #running: ReturnType<typeof createRunningParts>;
  readonly #calls = createCallCount();
  readonly #canStart: ReturnType<typeof createEditCheck>;
  /** What is being done after changes, one after the other. */
  #work: Promise<void> = Promise.resolve();
  #finish: (code: ExitCode) => void = () => {};
  /** Ends it all with an error. */
  #fail: (error: UserError) => void = () => {};
  /** Resolves once every file that restarts the bot is being watched, to a function that ends it. */
  #watching: Promise<(() => Promise<void>) | undefined> = Promise.resolve(undefined);
  #host: string | undefined;
  readonly #ports: Ports;
  /** What to do if another program takes the port of a part. */
  readonly #advice: ReadonlyMap<Part['name'], string | undefined>;
  /** When the parts began to start, as `Date.now()` says it. */
  #since: number;
  #wasReady = false;
  /** The parts that have answered since they were started. */
  readonly #answering = new Set<Part['name']>();

  constructor(
    plan: Plan,
    { ports, advice }: Awaited<ReturnType<typeof choosePorts>>,
    { stop, report, terminal }: Surroundings,
  ) {
    this.#plan = plan;
    this.#report = report;
    this.#terminal = terminal;
    this.#asked = stop.signal;
    this.#stop = { signal: AbortSignal.any([stop.signal, this.#over.signal]), hurry: stop.hurry };
    this.#running = createRunningParts(report, stop);
    this.#canStart = createEditCheck(plan, { stop: this.#stop, report, terminal }, error => this.#fail(error));
    this.#host = plan.way.host;
    this.#ports = ports;
    this.#advice = advice;
    this.#since = plan.since;
  }

  async run(): Promise<ExitCode> {
    const asked = this.#asked;
    const finished = new Promise<ExitCode>((resolve, reject) => {
      this.#finish = resolve;
      this.#fail = reject;
      asked.addEventListener('abort', () => reject(asked.reason), { once: true });
      const { readerLeft } = this.#terminal;
      // It may have left while something was installed.
      if (readerLeft.aborted) resolve(1);
      else readerLeft.addEventListener('abort', () => resolve(1), { once: true });
    });
    this.#watching = this.#watch();
    const starting = this.#startAll();
    try {
      return await Promise.race([finished, starting.then(() => finished)]);
    } finally {
      this.#over.abort(new Error('It is over'));
      const restored = this.#plan.number?.restore();
      await this.#running.endAll();
      await Promise.all([this.#watching.then(unwatch => unwatch?.()), this.#work, starting.catch(() => {})]);
      await this.#running.endAll();
      await restored;
    }
  }

  async #startAll(): Promise<void> {
    this.#asked.throwIfAborted();
    if (this.#plan.way.tunnel && !(await this.#openTunnel())) return;
    this.#stop.signal.throwIfAborted();
    if (await this.#start(this.#parts())) await this.#announce();
  }

  async #watch(): Promise<(() => Promise<void>) | undefined> {
    if (!this.#plan.restarts) return undefined;
    const { watchProject } = await import('./restart.ts');
    const onChange = (paths: readonly string[]) => this.#enqueue(() => this.#onChange(paths));
    return watchProject(this.#plan.facts.project.root, onChange, this.#report.say);
  }

  get #server(): string {
    return join(this.#plan.facts.project.root, 'server');
  }

  #parts(): Part[] {
    const { facts, way } = this.#plan;
    return partsOf(facts.project.config, this.#ports, { ...way, host: this.#host }, facts.client?.manager);
  }

  /** Starts parts. False if another program has taken a port meanwhile, which ends it all. */
  async #start(parts: readonly Part[]): Promise<boolean> {
    for (const part of parts) {
      if (await isFree(part.port)) continue;
      this.#fail(inUse(part, this.#advice.get(part.name)));
      return false;
    }
    this.#stop.signal.throwIfAborted();
    for (const part of parts) this.#startPart(part);
    return true;
  }

  #startPart(part: Part): void {
    const { name, port } = part;
    if (name === 'bot') this.#calls.reset();
    const log = part.folder === 'server' ? createBotLog(this.#plan.facts, this.#plan.isQuiet) : undefined;
    this.#running.start(name, commandIn(this.#plan.facts, part, this.#terminal), {
      read: (lines, stream) => {
        if (name === 'bot') this.#calls.take(lines);
        const { shown, found } = log?.read(lines, stream) ?? { shown: lines, found: [] };
        for (const cause of found) this.#explain(part, cause);
        return shown;
      },
      onEnd: (...end) => this.#onEnd(part, log?.hidden ?? [], ...end),
    });
    this.#report.event(name, 'started', { command: `${part.program} ${part.args.join(' ')}`, port });
  }

  /** Says why a service of the bot keeps failing. */
  #explain({ name }: Part, { message, hint }: Cause): void {
    const { red } = this.#terminal.style;
    this.#report.event(name, 'problem', { message, hint }, `${red('✗')} ${message}\n  ${hint}`);
  }

  async #onEnd(
    part: Part,
    hidden: readonly string[],
    { code, signal }: Ending,
    isExpected: boolean,
    lastLines: readonly string[],
  ): Promise<void> {
    const { name } = part;
    this.#answering.delete(name);
    const facts = signal ? { signal } : { code };
    if (isExpected) return this.#report.event(name, 'exited', facts);
    const sign = this.#terminal.style.red('✗');
    const text = `${sign} The ${PART_NAMES[name]} ended ${howItEnded({ code, signal })}.`;
    this.#report.event(name, 'exited', { ...facts, last_lines: lastLines }, text);
    if (!(await isFree(part.port))) return this.#fail(inUse(part, this.#advice.get(part.name)));
    if (hidden.length > 0) this.#report.say(['The end of its log that was hidden:', ...hidden].join('\n  '));
    if (name === 'client') return this.#report.say(this.#withoutClient());
    await explainEnd(this.#plan.facts.project.root, this.#stop, this.#terminal);
    if (!this.#plan.isWatched || !this.#plan.restarts) return this.#finish(1);
    this.#report.say('Waiting for you to save a file in server/. Ctrl-C stops everything.');
  }

  /** Waits until all parts answer and no save can go unnoticed, and says where to talk. */
  async #announce(): Promise<void> {
    if (!(await this.#areReady(this.#parts()))) return;
    await this.#watching;
    this.#wasReady = true;
    // Calls come once somebody answers them.
    if (this.#host !== undefined) await this.#plan.number?.point(this.#host);
    if (this.#stop.signal.aborted) return;
    const way = { ...this.#plan.way, host: this.#host };
    const page = this.#page(this.#answering.has('client'));
    announce({ ...this.#plan, way, page, ms: Date.now() - this.#since }, this.#report, this.#terminal);
  }

  /** Where to talk in a browser, if anywhere. Without the project's web client, the bot has a page of its own. */
  #page(hasClient: boolean): string | undefined {
    const { facts, way } = this.#plan;
    return pageOf({ ...facts.project.config, generate_client: hasClient }, this.#ports, way);
  }

  /** What is left if the web client has ended. */
  #withoutClient(): string {
    const page = this.#page(false);
    return `The bot goes on without it${page ? `: ${page}` : '.'}`;
  }

  async #areReady(parts: readonly Part[]): Promise<boolean> {
    return (await Promise.all(parts.map(part => this.#untilReady(part)))).every(Boolean);
  }

  async #untilReady({ name, port }: Part): Promise<boolean> {
    const running = this.#running.get(name);
    const isOver = () => this.#stop.signal.aborted || running === undefined || this.#running.get(name) !== running;
    if (await untilReady({ port, isOver, sleep: ms => this.#terminal.sleep(ms) })) {
      this.#answering.add(name);
      this.#report.event(name, 'ready', { port, seconds: secondsOf(Date.now() - this.#since) });
      return true;
    }
    // The bot goes on without a client.
    if (isOver()) return name === 'client' && !this.#stop.signal.aborted;
    const text = `The ${PART_NAMES[name]} doesn't answer on port ${port}`;
    if (name !== 'client' && !this.#plan.isWatched) {
      this.#fail(new UserError(text, { reason: 'part-ended' }));
      return false;
    }
    this.#report.say(`${text}.`);
    return name === 'client';
  }

  /** Does things one after the other. */
  #enqueue(work: () => Promise<void>): void {
    this.#work = this.#work.then(work).catch(error => {
      if (!this.#stop.signal.aborted) this.#report.say(String(error?.message ?? error));
    });
  }

  /** Restarts the bot, unless the change can't work. */
  async #onChange(paths: readonly string[]): Promise<void> {
    if (this.#stop.signal.aborted) return;
    const start = Date.now();
    if (!(await this.#canStart(paths))) return;
    const count = this.#calls.count;
    const ended = count > 0 ? ` ${callsIn(count)} ended.` : '';
    this.#report.say(`${paths.join(', ')} changed: restarting the bot.${ended}`);
    const parts = await this.#restart();
    if (!parts || !(await this.#areReady(parts))) return;
    const ms = Date.now() - start;
    const text = `${this.#terminal.style.green('✓')} Restarted in ${inSeconds(ms)}`;
    this.#report.event('bot', 'restarted', { changed: paths, calls_ended: count, seconds: secondsOf(ms) }, text);
    if (!this.#wasReady) await this.#announce();
  }

  /** Ends what runs in `server/`, and starts it again. */
  async #restart(): Promise<Part[] | undefined> {
    const parts = this.#parts().filter(({ folder }) => folder === 'server');
    await Promise.all(parts.map(({ name }) => this.#running.end(name)));
    return (await this.#start(parts)) ? parts : undefined;
  }

  /** Opens the tunnel. False if that has failed too often. */
  async #openTunnel(): Promise<boolean> {
    const { way } = this.#plan;
    this.#host = await openTunnel({
      ...{ port: tunnelPort(way, this.#ports), cwd: this.#server, parts: this.#running },
      ...{ report: this.#report, terminal: this.#terminal, signal: this.#stop.signal },
      onEnd: () => this.#enqueue(() => this.#reopenTunnel()),
    });
    if (this.#host !== undefined) return true;
    this.#fail(new UserError('The tunnel has failed 3 times in a row', { reason: 'part-ended' }));
    return false;
  }

  async #reopenTunnel(): Promise<void> {
    this.#since = Date.now();
    if (this.#stop.signal.aborted || !(await this.#openTunnel())) return;
    if (await this.#restart()) await this.#announce();
  }
}

/** A port that another program has. */
const inUse = (
  { name, port }: Pick<Part, 'name' | 'port'>,
  hint = 'Run the same command again. It will use another port.',
) => new UserError(`Port ${port} is in use, so the ${PART_NAMES[name]} can't start`, { reason: 'part-ended', hint });

/** What is ready. */
interface Readiness extends Pick<Plan, 'facts' | 'way' | 'number' | 'opens' | 'restarts' | 'isQuiet'> {
  /** Where to talk in a browser. */
  page: string | undefined;
  /** How long it took, in milliseconds. */
  ms: number;
}

/** Says where to talk, and opens the page. */
function announce(
  { facts, page, way, number, ms, opens, restarts, isQuiet }: Readiness,
  report: Reporter,
  terminal: Terminal,
): void {
  const { config } = facts.project;
  const { bold, green } = terminal.style;
  const isPointed = number?.isPointed === true;
  const steps = way.host && way.transport && !isPointed ? callSteps(way.transport, way.host, config.project_name) : [];
  const calls = `To place or take a call, see ${facts.place('README.md')}.`;
  const reach = page ? [`Talk to it: ${bold(page)}`] : steps.length > 0 || isPointed ? [] : [calls];
  const lines = [
    ...reach,
    ...(isPointed ? [`Call it: ${bold(number.number)}`] : []),
    ...(steps.length > 0
      ? [`Call it, at ${way.host}. Do this once at the provider:`, ...steps.map(step => `  ${step}`)]
      : []),
    ...(way.tunnel
      ? ['While the tunnel is open, anyone who finds its address can start sessions at your expense.']
      : []),
    `Ctrl-C stops everything.${restarts ? ' Saving a file in server/ restarts the bot.' : ''}`,
    ...(isQuiet ? ["Only what matters of the bot's log is shown. For all of it: botcli dev --verbose"] : []),
  ];
  const text = [
    '',
    `${green('✓')} ${bold(readableName(config.project_name))} is ready after ${inSeconds(ms)}`,
    ...lines.map(line => `  ${line}`),
    '',
  ];
  const known = { seconds: secondsOf(ms), ...(page && { url: page }), ...(way.host && { host: way.host, steps }) };
  report.event('dev', 'ready', known, text.join('\n'));
  if (page && opens) void openPage(page, terminal);
}

/**
 * Opens a page in the person's browser, if there is one: in a terminal on a desktop, not over SSH. Nobody learns about a
 * failure, because the address was printed.
 */
async function openPage(url: string, { interactive, env }: Terminal): Promise<void> {
  const isRemote = ['SSH_CONNECTION', 'SSH_CLIENT', 'SSH_TTY'].some(name => env[name]);
  const isDesktop = process.platform !== 'linux' || Boolean(env.DISPLAY || env.WAYLAND_DISPLAY || env.WSL_DISTRO_NAME);
  if (!interactive || isRemote || !isDesktop) return;
  const { default: open } = await import('open');
  await open(url).catch(() => {});
}

/** Counts the conversations that are going on, from what the bot prints about each. */
function createCallCount() {
  let count = 0;
  return {
    get count() {
      return count;
    },
    take(lines: readonly string[]): void {
      for (const line of lines) {
        const [, what] = /WorkerRunner '[^']*': (started|finished) running/.exec(line) ?? [];
        if (what) count = Math.max(0, count + (what === 'started' ? 1 : -1));
      }
    },
    reset(): void {
      count = 0;
    },
  };
}

/** A number of calls: `1 call`, `3 calls`. */
const callsIn = (count: number): string => `${count} call${count === 1 ? '' : 's'}`;

/**
 * The port of each part: the usual one, or the next one that is free. Says which aren't the usual ones. And what to do if
 * another program takes one, for the parts that can't use another.
 *
 * @throws {UserError} Exit code 1: a port is in use, and the part can't use another.
 */
async function choosePorts(
  { facts, typed, way }: Pick<Plan, 'facts' | 'typed' | 'way'>,
  report: Reporter,
): Promise<{ ports: Ports; advice: ReadonlyMap<Part['name'], string | undefined> }> {
  const { config } = facts.project;
  const usual = usualPorts(config);
  const own = portIn(valueFor('PORT', facts.env)) ?? usual.calls;
  const wanted: Ports = { bot: typed ?? usual.bot, calls: own, client: usual.client };
  const isTunneled = (port: number) => way.host !== undefined && tunnelPort(way, wanted) === port;
  const envPath = facts.place(facts.env.path);
  const rows: Row[] = [
    { name: 'bot', isUsed: true, advice: typed !== undefined ? TYPED : isTunneled(wanted.bot) ? TUNNELED : undefined },
    {
      name: 'calls',
      isUsed: featuresOf(config).hasCallServer,
      // server.py prefers the PORT of .env to any other.
      advice: facts.env.file.entries.get('PORT')?.value
        ? `End that program, or change PORT in ${envPath}.`
        : isTunneled(wanted.calls)
          ? `End that program. Or make your tunnel lead to another port, and set PORT in ${envPath}.`
          : undefined,
    },
    { name: 'client', isUsed: config.generate_client, advice: undefined },
  ];
  const ports: Record<Part['name'], number> = { ...wanted };
  for (const { name, advice } of rows.filter(({ isUsed }) => isUsed)) {
    const port = wanted[name];
    const others = rows.filter(row => row.isUsed && row.name !== name).map(row => ports[row.name]);
    if (!others.includes(port) && (await isFree(port))) continue;
    if (advice !== undefined) throw inUse({ name, port }, advice);
    ports[name] = await freePort(port, others);
    report.say(`Port ${port} is in use, so the ${PART_NAMES[name]} uses ${ports[name]}.`);
  }
  return { ports, advice: new Map(rows.map(({ name, advice }) => [name, advice])) };
}

/** A part that may need a port. */
interface Row {
  name: Part['name'];
  isUsed: boolean;
  /** What to do if its port is in use; undefined if it can use another. */
  advice: string | undefined;
}

const TYPED = 'End that program, or pass another --port.';
const TUNNELED = 'End that program. Or make your tunnel lead to another port, and pass that with --port.';
