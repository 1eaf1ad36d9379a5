import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type LocalAi, startLocalAi } from '../support/local-ai.ts';
import { type Ending, lastLines, run, type Service, startService } from './processes.ts';
import { type StandInProgram, startStandIn } from './stand-in.ts';
import { cleanEnvironment, ensureUv, LOGS, listVariables } from './workshop.ts';

/** A bot that answers, started the way its README says, and the AI services that it uses. */
export interface RunningBot {
  /** The project's `server/`. */
  server: string;
  /** The runner's address. */
  url: string;
  ai: LocalAi;
  /** What the bot wrote so far. */
  log(): string;
  /** What its stand-in was told, where it has one. */
  journal(): Record<string, unknown>[];
  /** Ends it before its time. */
  stop(): Promise<void>;
}

const READY_MS = 60_000;

/** Does what the README says: copies `.env.example` to `.env` and fills in the keys. */
export async function fillVariables(server: string): Promise<void> {
  const example = await readFile(join(server, '.env.example'), 'utf8');
  await writeFile(join(server, '.env'), example.replaceAll(/^([A-Z][A-Z0-9_]*)=$/gm, '$1=test'));
}

/** Starts a bot that should refuse to start, and hands back how it ended. */
export async function startInVain(server: string): Promise<Ending> {
  const { all } = await listVariables(server);
  return run(await runBot(await findPort()), { cwd: server, env: cleanEnvironment(all), deadline: READY_MS });
}

/** A bot to run: what its log is called, where it is, and the program that stands in for a provider of its. */
interface BotToRun {
  name: string;
  server: string;
  standIn?: StandInProgram;
}

/** Runs a project's bot for as long as `use` takes. What goes wrong is told with the bot's last lines. */
export async function withBot(
  { name, server, standIn }: BotToRun,
  use: (bot: RunningBot) => Promise<string>,
): Promise<string> {
  const provider = standIn && (await startStandIn(server, standIn));
  const [ai, port, { all }] = await Promise.all([startLocalAi(), findPort(), listVariables(server)]);
  const env = cleanEnvironment(all, { OPENAI_BASE_URL: ai.url, ...provider?.env });
  const service = startService(await runBot(port), { cwd: server, env }, join(LOGS, `${name}.log`));
  try {
    const url = `http://127.0.0.1:${port}`;
    await waitUntilReady(`${url}/client/`, service);
    const { log, stop } = service;
    return await use({ server, url, ai, log, stop, journal: () => provider?.journal() ?? [] });
  } catch (error) {
    const problem = error instanceof Error ? error.message : error;
    throw new Error(`${problem}\n--- the bot's last lines\n${lastLines(service.log())}`);
  } finally {
    await service.stop();
    await provider?.stop();
    await ai.close();
  }
}

const runBot = async (port: number): Promise<string[]> => [await ensureUv(), 'run', 'bot.py', '--port', String(port)];

/** Waits for the page that a person would open first. */
async function waitUntilReady(page: string, service: Service): Promise<void> {
  for (const end = Date.now() + READY_MS; Date.now() < end; await sleep(200)) {
    if (service.ended()) throw new Error('the bot ended before it was ready');
    const response = await fetch(page).catch(() => undefined);
    if (response?.ok && (await response.text()).includes('<html')) return;
  }
  throw new Error(`${page} did not answer in ${READY_MS / 1000} s`);
}

/** A port that is free now. */
export function findPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
}
