import { callSetups } from '../catalog/call-setup.ts';
import type { TransportRow } from '../catalog/index.ts';
import { UserError } from '../errors.ts';
import { renderSteps } from '../project/handover/setup-steps.ts';
import { slugOf } from '../project/names.ts';
import { findProgram } from '../search-path.ts';
import type { Environment } from '../shells.ts';

/** A program that makes a port public. */
interface TunnelProgram {
  name: string;
  /** Where to get it. */
  page: string;
  argsFor(port: number): string[];
  /** The public hostname, in what it prints. */
  host: RegExp;
}

/** In the order in which they are preferred: the first one needs no account. */
const PROGRAMS: readonly TunnelProgram[] = [
  {
    name: 'cloudflared',
    page: 'https://developers.cloudflare.com/cloudflare-one/networks/connectors/cloudflare-tunnel/downloads/',
    argsFor: port => ['tunnel', '--no-autoupdate', '--url', `http://localhost:${port}`],
    host: /https:\/\/((?!api\.)[\w-]+\.trycloudflare\.com)/,
  },
  {
    name: 'ngrok',
    page: 'https://ngrok.com/download',
    argsFor: port => ['http', String(port), '--log', 'stdout'],
    host: /\burl=https:\/\/([\w.-]+)/,
  },
];

/**
 * How to start a tunnel to a port, and to find the public hostname in a line of its output.
 *
 * @throws {UserError} Exit code 1: none is installed.
 */
export function findTunnel(port: number, env: Environment, root: string) {
  for (const { name, argsFor, host } of PROGRAMS) {
    const path = findProgram(name, env, root);
    if (path) return { words: [path, ...argsFor(port)] as const, hostIn: (line: string) => host.exec(line)?.[1] };
  }
  throw new UserError('--tunnel needs cloudflared or ngrok, and neither is on the PATH', {
    reason: 'program-missing',
    hint: [
      `cloudflared needs no account: ${PROGRAMS[0]?.page}`,
      `ngrok needs one: ${PROGRAMS[1]?.page}`,
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
