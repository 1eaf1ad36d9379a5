import { callSetups, renderSteps } from '../catalog/call-setup.ts';
import type { TransportRow } from '../catalog/index.ts';
import { UserError } from '../errors.ts';
import { findProgram } from '../programs.ts';
import { slugOf } from '../project/names.ts';
import type { Environment } from '../shells.ts';
import type { Surroundings } from './stop.ts';
import type { createRunningParts } from './supervise.ts';

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

interface Tunnel extends Surroundings {
  port: number;
  cwd: string;
  parts: ReturnType<typeof createRunningParts>;
  /** Called when a tunnel that had a name has ended by itself. */
  onEnd(): void;
}

/** Opens a tunnel, and returns its public hostname. Throws after three failures in a row. */
export async function openTunnel(tunnel: Tunnel): Promise<string> {
  const { report, terminal, stop } = tunnel;
  for (let failures = 1; ; failures++) {
    const host = await tryTunnel(tunnel);
    stop.signal.throwIfAborted();
    if (host !== undefined) return host;
    if (failures === MOST_FAILURES)
      throw new UserError('The tunnel has failed 3 times in a row', { reason: 'part-ended' });
    report.say('The tunnel has failed. Trying again.');
    await terminal.sleep(RETRY_MS, stop.signal);
  }
}

async function tryTunnel({ port, cwd, parts, report, terminal, onEnd }: Tunnel): Promise<string | undefined> {
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
    parts.start('tunnel', command, read, ({ code }, isExpected, lastLines) => {
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
