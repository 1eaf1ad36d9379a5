import { once } from 'node:events';
import { readFile, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { delimiter, join, relative } from 'node:path';
import { BOT_STEP } from '../../src/project/handover/next-steps.ts';
import { type LocalAi, startLocalAi } from '../support/local-ai.ts';
import { type Environment, lastLines, run, type Service, startService } from './processes.ts';
import { BOTCLI } from './projects.ts';
import { waitFor } from './slowness.ts';
import { type StandInProgram, startStandIn } from './stand-in.ts';
import { cleanEnvironment, ensureUv, inBackground, LOGS, listVariables, placeOnPath, ROOT } from './workshop.ts';

/** A running bot, started as its README says, and the AI services that it uses. */
export interface RunningBot extends Service {
  server: string;
  url: string;
  ai: LocalAi;
  /** The variables that make a bot use the stand-ins. */
  standIns: Environment;
  /** The file that its output is in. */
  logFile: string;
  /** The requests that its stand-ins received, in order. */
  journal(): Record<string, unknown>[];
}

/** A bot that is running until it's closed. */
export interface StartedBot extends RunningBot {
  /**
   * Makes the bot as good as new for another conversation: forgets its output, its requests, and how its services fail.
   * Returns whether that's possible: it still runs, and all its sessions have ended.
   */
  renew(): Promise<boolean>;
  /** Stops it, with its AI services. */
  close(): Promise<void>;
}

/** What Python writes into a pipe on Windows. It lacks characters that the runner prints. */
const AS_ON_WINDOWS = { PYTHONIOENCODING: 'cp1252' };

const READY_MS = 180_000;
const SESSION_END_MS = 3000;

/** The value of every variable of a bot under test. `botcli dev` takes it for a key, not for a placeholder. */
export const KEY = 'k3yOfATest';

/** Follows the README: copies `.env.example` to `.env` and fills in the keys. */
export async function fillVariables(server: string): Promise<void> {
  const example = await readFile(join(server, '.env.example'), 'utf8');
  await writeFile(join(server, '.env'), example.replaceAll(/^([A-Z][A-Z0-9_]*)=$/gm, `$1=${KEY}`));
}

/** Starts a program of a project that should refuse to start, and returns the result. */
export async function startInVain(server: string, program: string, added: Environment = {}, args: string[] = []) {
  const { all } = await listVariables(server);
  const env = cleanEnvironment(all, added);
  const command = inBackground(await ensureUv(), 'run', program, ...args);
  return run(command, { cwd: server, env, deadline: READY_MS });
}

/** A bot to run: the name of its log, its directory, and the stand-ins for its providers. */
interface BotToRun {
  name: string;
  server: string;
  standIns?: readonly StandInProgram[];
  /** Whether `botcli dev` starts it, for calls through a tunnel, whose program is a stand-in. */
  byDev?: boolean | undefined;
}

/** Runs a project's bot for as long as `use` takes. Errors are reported with the bot's last lines. */
export async function withBot(bot: BotToRun, use: (bot: RunningBot) => Promise<string>): Promise<string> {
  const running = await startBot(bot);
  try {
    return await explain(running, () => use(running));
  } finally {
    await running.close();
  }
}

/** Adds the last lines of a program's log to an error. */
export async function explain<Result>(bot: Pick<RunningBot, 'log'>, use: () => Promise<Result>): Promise<Result> {
  try {
    return await use();
  } catch (error) {
    const problem = error instanceof Error ? error.message : error;
    throw new Error(`${problem}\n--- the log's last lines\n${lastLines(bot.log())}`);
  }
}

/** Starts a project's bot, and waits until it's ready. */
export async function startBot({ name, server, standIns = [], byDev = false }: BotToRun): Promise<StartedBot> {
  const providers = await Promise.all(standIns.map(program => startStandIn(server, name, program)));
  const [ai, port, { all }] = await Promise.all([startLocalAi(), findPort(), listVariables(server)]);
  const path = byDev ? { PATH: [await placeOnPath(await ensureUv(), TUNNEL), process.env.PATH].join(delimiter) } : {};
  const used: Environment = Object.assign({ OPENAI_BASE_URL: ai.url }, ...providers.map(one => one.env));
  const env = cleanEnvironment(all, { ...AS_ON_WINDOWS, ...path, ...used });
  const logFile = join(LOGS, `${name}.log`);
  const service = startService(byDev ? devBot(port) : await runBot(port), { cwd: server, env }, logFile);
  const url = `http://127.0.0.1:${port}`;
  let past = { log: 0, journals: providers.map(() => 0) };
  const bot: StartedBot = {
    server,
    url,
    ai,
    standIns: used,
    logFile: relative(ROOT, logFile),
    ...service,
    log: () => service.log().slice(past.log),
    journal: () => providers.flatMap((one, at) => one.journal().slice(past.journals[at])),
    async renew() {
      if (!(await sessionsEnd(service))) return false;
      past = { log: service.log().length, journals: providers.map(one => one.journal().length) };
      ai.renew();
      return true;
    },
    async close() {
      await service.stop();
      for (const provider of providers) await provider.stop();
      await ai.close();
    },
  };
  try {
    await explain(bot, () => waitUntilReady(`${url}/client/`, service));
    if (!service.log().includes(BOT_STEP.ready_when)) throw new Error(`it did not print "${BOT_STEP.ready_when}"`);
    return bot;
  } catch (error) {
    await bot.close();
    throw error;
  }
}

const runBot = async (port: number): Promise<string[]> => [await ensureUv(), 'run', 'bot.py', '--port', String(port)];

const devBot = (port: number): string[] => [...BOTCLI, 'dev', '--tunnel', '--no-open', '--port', String(port)];

/** The stand-in of the tests of `botcli dev` for a tunnel. */
const TUNNEL = join(import.meta.dirname, '../dev/tools/cloudflared');

/** Waits until a page is available, such as the one that a person would open first. */
async function waitUntilReady(page: string, service: Service, sign = '<html'): Promise<void> {
  const isReady = async () => {
    if (service.ended()) throw new Error('it ended before it was ready');
    const response = await fetch(page).catch(() => undefined);
    return response?.ok && (await response.text()).includes(sign);
  };
  if (!(await waitFor(isReady, READY_MS, 200))) throw new Error(`${page} did not answer`);
}

/** Waits until every session has ended that the log mentions. */
async function sessionsEnd(service: Service): Promise<boolean> {
  const count = (pattern: RegExp) => service.log().match(pattern)?.length ?? 0;
  const isOver = () => count(/WorkerRunner '.*': started running/g) === count(/WorkerRunner '.*': finished running/g);
  await waitFor(() => isOver() || service.ended(), SESSION_END_MS);
  return isOver() && !service.ended();
}

/** A running call server, which starts the bot for each call. */
export interface CallServer {
  url: string;
  log(): string;
}

/** Runs a project's call server for as long as `use` takes, as its README says. It starts the bot at this address. */
export async function withCallServer(server: string, botUrl: string, use: (calls: CallServer) => Promise<string>) {
  const [port, { all }] = await Promise.all([findPort(), listVariables(server)]);
  const url = `http://127.0.0.1:${port}`;
  const started = cleanEnvironment(all, { PORT: String(port), LOCAL_SERVER_URL: botUrl });
  const command = [await ensureUv(), 'run', 'server.py'];
  const service = startService(command, { cwd: server, env: started }, join(LOGS, `server-${port}.log`));
  try {
    return await explain(service, async () => {
      await waitUntilReady(`${url}/health`, service, '"ok"');
      return use({ url, log: service.log });
    });
  } finally {
    await service.stop();
  }
}

export async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  await new Promise(resolve => server.close(resolve));
  return port;
}
