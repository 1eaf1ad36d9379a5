import { basename, join } from 'node:path';
import { type Environment, lastLines, startService } from './processes.ts';
import { waitFor } from './slowness.ts';
import { pythonOf } from './talk.ts';
import { cleanEnvironment, LOGS } from './workshop.ts';

/** A stand-in for a provider whose service doesn't use OpenAI's HTTP API: its Python program, and its arguments. */
export interface StandInProgram {
  script: string;
  args?: readonly string[];
  /** The variables that make a bot use it, in addition to the redirection of its services. */
  env?: (url: string) => Environment;
}

const READY_MS = 20_000;
const REDIRECTION = join(import.meta.dirname, 'redirect_services.py');

/**
 * Starts a stand-in with the Python of a project, for the bot of this name. Returns the variables that make a bot use it,
 * and the requests that it received, in order.
 */
export async function startStandIn(server: string, bot: string, { script, args = [], env }: StandInProgram) {
  const command = [pythonOf(server), join(import.meta.dirname, script), ...args];
  const log = join(LOGS, `${bot}-${script}.log`);
  const service = startService(command, { cwd: server, env: cleanEnvironment() }, log);
  const journal = (): Record<string, unknown>[] =>
    service
      .log()
      .split('\n')
      // The last line may be half written.
      .slice(0, -1)
      .filter(line => line.startsWith('{'))
      .map(line => JSON.parse(line));
  await waitFor(() => journal().length > 0 || service.ended(), READY_MS);
  const [ready] = journal();
  if (!ready) {
    await service.stop();
    throw new Error(`${script} did not start\n${lastLines(service.log())}`);
  }
  const address = `${basename(script, '.py').toUpperCase()}_URL`;
  const used: Environment = { PIPECAT_SETUP_FILES: REDIRECTION, [address]: `${ready.url}`, ...env?.(`${ready.url}`) };
  return { env: used, journal: () => journal().slice(1), stop: service.stop };
}
