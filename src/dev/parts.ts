import type { ScaffoldConfig } from '../config/config.ts';
import { NPM, type PackageManager } from '../existing/package-manager.ts';
import { featuresOf } from '../project/features.ts';
import type { Way } from './way.ts';

/** A part of a project, and how it is started. */
export interface Part {
  name: 'bot' | 'calls' | 'client';
  program: 'uv' | PackageManager['name'];
  /** Where to get the program. */
  source?: string;
  args: readonly string[];
  folder: 'server' | 'client';
  /** Variables in addition to the user's. */
  env: Readonly<Record<string, string>>;
  /** The port on which it answers. */
  port: number;
}

/** What messages call each part. */
export const PART_NAMES: Readonly<Record<Part['name'], string>> = {
  bot: 'bot',
  calls: 'call server',
  client: 'web client',
};

/** The port of each part. */
type Ports = Readonly<Record<Part['name'], number>>;

/** The variable that tells a bot's journal which command has started it. */
export const STARTED_BY = 'BOTCLI_STARTED_BY';

const LOCAL = 'http://localhost';

/** The parts that a project has, in the order in which they start. */
export function partsOf(
  config: ScaffoldConfig,
  ports: Ports,
  { transport, host }: Way,
  { name, separator, source }: PackageManager = NPM,
): Part[] {
  const { hasCallServer, isVite } = featuresOf(config);
  const botUrl = `${LOCAL}:${ports.bot}`;
  const only = transport ? ['-t', transport.runnerKey] : [];
  const isPublic = host !== undefined && transport?.family === 'stream';
  return [
    {
      name: 'bot',
      program: 'uv',
      args: ['run', 'bot.py', '--port', String(ports.bot), ...only, ...(isPublic ? ['-x', host] : [])],
      folder: 'server',
      env: config.journal ? { [STARTED_BY]: 'dev' } : {},
      port: ports.bot,
    },
    ...(hasCallServer
      ? [
          {
            ...({
              name: 'calls',
              program: 'uv',
              args: ['run', 'server.py'],
              folder: 'server',
              port: ports.calls,
            } as const),
            env: {
              PORT: String(ports.calls),
              LOCAL_SERVER_URL: botUrl,
              ...(host !== undefined && { PUBLIC_URL: `https://${host}` }),
            },
          },
        ]
      : []),
    ...(config.generate_client
      ? [
          {
            ...({ name: 'client', program: name, source, folder: 'client', port: ports.client } as const),
            args: ['run', 'dev', ...separator, '--port', String(ports.client), ...(isVite ? ['--strictPort'] : [])],
            env: { BOT_URL: botUrl },
          },
        ]
      : []),
  ];
}

/** Where a tunnel leads: the call server answers a provider's webhook if that starts the bot. */
export const tunnelPort = ({ transport }: Way, ports: Ports): number =>
  transport?.serverReads ? ports.calls : ports.bot;

/** Where to talk to the bot in a browser; undefined if it only takes calls. */
export function pageOf(config: ScaffoldConfig, ports: Ports, { transport }: Way): string | undefined {
  const { hasWeb } = featuresOf(config);
  if (!hasWeb || (transport !== undefined && transport.family !== 'web')) return undefined;
  return `${LOCAL}:${config.generate_client ? ports.client : ports.bot}`;
}
