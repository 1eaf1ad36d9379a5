import { basename, dirname, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Environment, lastLines, startService } from './processes.ts';
import { pythonOf } from './talk.ts';
import { cleanEnvironment, LOGS } from './workshop.ts';

/** A stand-in for a provider whose service doesn't use OpenAI's HTTP API. */
export interface StandIn {
  /** The variables that make a bot use it. */
  env: Environment;
  /** The requests that it received, in order. */
  journal(): Record<string, unknown>[];
  stop(): Promise<void>;
}

/** The Python program of a stand-in, and its arguments. */
export interface StandInProgram {
  script: string;
  args?: readonly string[];
  /** The variables that make a bot use it, in addition to the redirection of its services. */
  env?: (url: string) => Environment;
}

const READY_MS = 20_000;
const REDIRECTION = join(import.meta.dirname, 'redirect_services.py');

/** Starts a stand-in with the Python of a project. */
export async function startStandIn(server: string, { script, args = [], env }: StandInProgram): Promise<StandIn> {
  const command = [pythonOf(server), join(import.meta.dirname, script), ...args];
  // Two bots may have the same stand-in at the same time.
  const log = join(LOGS, `${basename(dirname(server))}-${script}.log`);
  const service = startService(command, { cwd: server, env: cleanEnvironment() }, log);
  const journal = () =>
    service
      .log()
      .split('\n')
      // The last line may be half written.
      .slice(0, -1)
      .filter(line => line.startsWith('{'))
      .map(line => JSON.parse(line));
  for (const end = Date.now() + READY_MS; Date.now() < end && !service.ended(); await sleep(50)) {
    const [ready] = journal();
    if (!ready) continue;
    const address = `${basename(script, '.py').toUpperCase()}_URL`;
    const used = { PIPECAT_SETUP_FILES: REDIRECTION, [address]: ready.url, ...env?.(ready.url) };
    return { env: used, journal: () => journal().slice(1), stop: service.stop };
  }
  await service.stop();
  throw new Error(`${script} did not start\n${lastLines(service.log())}`);
}
