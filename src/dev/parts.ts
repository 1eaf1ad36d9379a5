import { get } from 'node:http';
import { join } from 'node:path';
import { callSetups } from '../catalog/call-setup.ts';
import { findTransport, isSecret, type TransportRow, transports } from '../catalog/index.ts';
import { type Facts, valueFor } from '../check/checks/facts.ts';
import { INSTALL_UV } from '../check/checks/machine.ts';
import type { ScaffoldConfig } from '../config/config.ts';
import { nameInSentence } from '../config/options.ts';
import { allOf, attempt, hintOf, UserError, usageError } from '../errors.ts';
import { forDevelopment, NPM, type PackageManager } from '../existing/package-manager.ts';
import { findProgram, onlyIn, withOwnPrograms } from '../programs.ts';
import { type PartName, partNames } from '../project/client.ts';
import { featuresOf } from '../project/features.ts';
import { keysOf } from '../project/variables.ts';
import type { Terminal } from '../shell/terminal.ts';
import { onOneLine } from '../text.ts';

interface WayOptions {
  transport?: string | undefined;
  tunnel?: boolean | undefined;
  /** The public hostname of the user's own tunnel. */
  host?: string | undefined;
  /** The phone number whose calls should reach the bot. */
  number?: string | undefined;
}

/** How people reach the bot: in a browser, or with a tunnel, by phone. Throws everything that is wrong: exit code 2. */
export function wayOf(config: ScaffoldConfig, { transport: typed, tunnel = false, host, number }: WayOptions) {
  const errors: UserError[] = [];
  const refuse = (message: string, hint: string) => errors.push(usageError(message, { hint }));
  const isPublic = tunnel || host !== undefined;
  if (tunnel && host !== undefined)
    refuse('--tunnel opens a tunnel, and --host names one of your own', 'Pass one of them.');
  if (host !== undefined && !/^[a-z\d-]+(\.[a-z\d-]+)+$/i.test(host))
    refuse(`--host is "${host}", which isn't a hostname`, 'Pass it like this: --host abc.example.com');
  const example = 'Pass it with its country code: --number +15551234567';
  if (number !== undefined && !/^\+[1-9]\d{6,14}$/.test(number))
    refuse(`--number is "${number}", which isn't a phone number`, example);
  if (number !== undefined && !isPublic)
    refuse('--number needs a tunnel to the bot', 'Add --tunnel, or --host HOSTNAME.');
  const rows = config.transports.map(findTransport);
  const isForBrowsers = !isPublic && rows.some(({ family }) => family === 'web');
  const usual = isForBrowsers ? undefined : rows.find(takesCalls);
  const transport = typed === undefined ? usual : attempt(() => chosenFrom(rows, typed), errors);
  if (isPublic && (transport || typed === undefined)) {
    const name = transport ? nameInSentence(transport.label) : 'this bot';
    if (!transport || !takesCalls(transport))
      refuse(`${tunnel ? '--tunnel' : '--host'} is for calls, and ${name} takes none`, addition(config));
    else if (number !== undefined && callSetups[transport.id]?.twilio === undefined)
      refuse(
        `--number is for Twilio numbers, and this bot's calls come over ${transport.label}`,
        'Leave it out: botcli prints the steps at the provider.',
      );
  }
  if (errors.length > 0) throw allOf(errors);
  return {
    transport,
    tunnel,
    host,
    number,
    /** Where a tunnel leads: the call server answers a provider's webhook if that starts the bot. */
    leadsTo: transport?.serverReads ? ('calls' as const) : ('bot' as const),
    /** Whether people can talk to the bot in a browser. Otherwise, it only takes calls. */
    hasPage: featuresOf(config).hasWeb && (transport === undefined || transport.family === 'web'),
  };
}

/** Whether a phone provider reaches the bot through its public address. */
const takesCalls = ({ family, direction }: TransportRow): boolean => family !== 'web' && direction !== 'dial-out';

function chosenFrom(rows: readonly TransportRow[], typed: string): TransportRow {
  const word = typed.toLowerCase();
  const isMeant = ({ id, generic, runnerKey, names = [] }: TransportRow) =>
    [id, generic, runnerKey, ...names].some(name => name?.toLowerCase() === word);
  const found = rows.find(isMeant);
  if (found) return found;
  const known = rows.map(({ id, label }) => `${id} (${label})`).join(', ');
  const other = transports.find(isMeant);
  const add = other ? `\nAdd it: botcli update ${flags([...rows, other])}` : '';
  throw usageError(`--transport is "${typed}", which this bot doesn't have`, { hint: `It has ${known}.${add}` });
}

function addition({ transports: ids, client_framework: client }: ScaffoldConfig): string {
  const first = transports.find(({ family }) => family === 'stream');
  // Bots that take calls have no web client.
  const without = client ? ' --client-framework none' : '';
  return `Add a phone transport: botcli update ${flags([...ids.map(findTransport), ...(first ? [first] : [])])}${without}`;
}

const flags = (rows: readonly TransportRow[]): string => rows.map(({ id }) => `-t ${id}`).join(' ');

/** A program to run in a folder of the project. */
interface Order {
  program: 'uv' | PackageManager['name'];
  args: readonly string[];
  folder: 'server' | 'client';
  /** Where to get the program. Default: where uv is. */
  source?: string;
  /** Variables in addition to the user's. */
  env?: Readonly<Record<string, string>>;
}

export interface Part extends Order {
  name: PartName;
  port: number;
}

interface Start {
  /** The only transport to start the bot for; undefined for all that browsers use. */
  transport?: TransportRow | undefined;
  /** The public hostname of a tunnel, once it is known. */
  host?: string | undefined;
  /** The command that starts the bot. Default: `dev`. */
  startedBy?: 'dev' | 'talk' | 'test';
}

/** The parts that a project has, in the order in which they start. */
export function partsOf(
  config: ScaffoldConfig,
  ports: Readonly<Record<PartName, number>>,
  { transport, host, startedBy = 'dev' }: Start,
  { name, separator, source }: PackageManager = NPM,
): Part[] {
  const botUrl = `http://localhost:${ports.bot}`;
  const only = transport ? ['-t', transport.runnerKey] : [];
  const isPublic = host !== undefined && transport?.family === 'stream';
  const strict = featuresOf(config).isVite ? ['--strictPort'] : [];
  const parts: Readonly<Record<PartName, Order>> = {
    bot: {
      program: 'uv',
      folder: 'server',
      args: ['run', 'bot.py', '--port', String(ports.bot), ...only, ...(isPublic ? ['-x', host] : [])],
      // The bot's journal says which command has started it.
      env: config.journal ? { BOTCLI_STARTED_BY: startedBy } : {},
    },
    calls: {
      program: 'uv',
      folder: 'server',
      args: ['run', 'server.py'],
      env: {
        PORT: String(ports.calls),
        LOCAL_SERVER_URL: botUrl,
        ...(host !== undefined && { PUBLIC_URL: `https://${host}` }),
      },
    },
    client: {
      program: name,
      source,
      folder: 'client',
      args: ['run', 'dev', ...separator, '--port', String(ports.client), ...strict],
      env: { BOT_URL: botUrl },
    },
  };
  return partNames(config).map(name => ({ name, port: ports[name], ...parts[name] }));
}

const PASSWORD = /PASS(?:WORD|WD|PHRASE)?$/i;

/** How to run a tool in a folder of the project, with keys hidden in its output. Throws if it isn't on the PATH. */
export function commandIn(
  facts: Facts,
  { program, args, folder, source = INSTALL_UV, env = {} }: Order,
  terminal: Terminal,
) {
  const { root } = facts.project;
  const path = findProgram(program, terminal.env, root);
  if (!path) {
    const place = onlyIn(program, terminal.env, root);
    const message = place
      ? `${program} is only in ${onOneLine(place)}, where botcli runs no programs`
      : `${program} isn't installed, or isn't on the PATH`;
    const why = place && 'botcli runs no programs that a project brings along, and none in node_modules.';
    throw new UserError(message, { reason: 'program-missing', hint: hintOf(why, `Install it: ${source}`) });
  }
  // Python otherwise keeps output back, and on Windows can't print all of it.
  const piped = { PYTHONUNBUFFERED: '1', PYTHONIOENCODING: 'utf-8' };
  const own = withOwnPrograms(terminal.env, root);
  terminal.hidden.hide(secretsOf(facts));
  return {
    words: [path, ...args] as const,
    cwd: join(root, folder),
    env: { ...(folder === 'client' ? forDevelopment(own, program) : own), ...piped, ...env },
    hide: terminal.hidden.inLog,
  };
}

/** The keys and passwords that the bot knows: those in its env file, and what its services take from the shell. */
export function secretsOf({ env, project: { config } }: Facts): string[] {
  const names = [...env.file.entries.keys(), ...keysOf(config).map(key => key.env)];
  return names.filter(name => isSecret(name) || PASSWORD.test(name)).flatMap(name => valueFor(name, env) ?? []);
}

/** How long a part may take to answer, in milliseconds: two minutes, as the first start compiles packages. */
const PATIENCE_MS = 120_000;
const POLL_MS = 100;

/** Whether a web server answers on this port, whatever it says. */
const answers = (port: number) =>
  new Promise<boolean>(resolve => {
    const request = get({ host: 'localhost', port, timeout: 2000, agent: false }, response => {
      response.destroy();
      resolve(true);
    });
    request.once('timeout', () => request.destroy()).once('error', () => resolve(false));
  });

/** Waits until the part's web server answers. False if that makes no sense anymore, or takes too long. */
export async function untilReady(port: number, isOver: () => boolean, { sleep }: Terminal): Promise<boolean> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end && !isOver(); await sleep(POLL_MS)) {
    if (await answers(port)) return !isOver();
  }
  return false;
}
