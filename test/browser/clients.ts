import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RawConfig } from '../../src/config/options.ts';
import { expect } from '../bots/expect.ts';
import { type Environment, runWell, startService } from '../bots/processes.ts';
import { makeProject, OPENAI, REALTIME } from '../bots/projects.ts';
import { findPort } from '../bots/running-bot.ts';
import { waitFor } from '../bots/slowness.ts';
import { cleanEnvironment, inBackground, ROOT } from '../bots/workshop.ts';

/** The directory for all files of these tests. Git ignores it, and it can be deleted at any time. */
export const WORKSHOP = join(ROOT, '.build/browser');

export interface Client {
  name: string;
  choice: RawConfig;
  /** The client with the same page, from another server and build. It proves what the page does by itself. */
  hasPageOf?: string;
  /** How much its page may load before a call: scripts, compressed. */
  mostKilobytes: number;
  /** The arguments of npm that build its page, if possible without a check of its types. */
  bundle: readonly string[];
  /** The commands that serve its page: in development, and as built. */
  serve: Record<'dev' | 'built', (port: number) => string[]>;
}

// Vite 8.4 refuses to serve a project twice, which these checks do to look at two pages at once.
const VITE: Client['serve'] = {
  dev: port => ['npm', 'run', 'dev', '--', '--port', `${port}`, '--strictPort'],
  built: port => ['npm', 'run', 'preview', '--', '--port', `${port}`, '--strictPort', '--bypass-lock'],
};
const NEXT: Client['serve'] = {
  dev: port => ['npm', 'run', 'dev', '--', '--port', `${port}`],
  built: port => ['npm', 'run', 'start', '--', '--port', `${port}`],
};

export const CLIENTS: readonly Client[] = [
  {
    name: 'react-vite',
    choice: { client_framework: 'component', client_server: 'bundler' },
    mostKilobytes: 220,
    bundle: ['exec', 'vite', 'build'],
    serve: VITE,
  },
  {
    name: 'next',
    choice: { client_framework: 'component', client_server: 'fullstack' },
    hasPageOf: 'react-vite',
    mostKilobytes: 220,
    bundle: ['run', 'build'],
    serve: NEXT,
  },
  {
    name: 'vanilla',
    choice: { client_framework: 'vanilla' },
    mostKilobytes: 130,
    bundle: ['exec', 'vite', 'build'],
    serve: VITE,
  },
];

/** A speech-to-speech bot, whereas by default, bots have the services that the local AI replaces. */
export const REALTIME_BOT: RawConfig = {
  ...REALTIME,
  stt_service: undefined,
  llm_service: undefined,
  tts_service: undefined,
};

/** All packages that any of the clients uses. */
const ALL: RawConfig = { transports: ['rtc_local', 'rtc_hosted'], video_input: true, video_output: true };

const SERVED_MS = 300_000;

const installed = new Map<Client, Promise<string>>();

/** Installs all packages that a kind of client may use, once, so that other clients can be generated in the directory. */
export function installClient(client: Client): Promise<string> {
  const installing = installed.get(client) ?? install(client);
  installed.set(client, installing);
  return installing;
}

async function install(client: Client): Promise<string> {
  const directory = await generateClient(client, ALL);
  const start = Date.now();
  const { stdout, stderr } = await npm(directory, ['install', '--no-audit', '--no-fund']);
  expect(!/ERESOLVE|peer dep/i.test(stdout + stderr), "packages that don't go together", stderr);
  const packages = /added (\d+) packages/.exec(stdout)?.[1] ?? 'no new';
  return `${packages} packages in ${((Date.now() - start) / 1000).toFixed(0)} s`;
}

/** Generates the client of a project in place of the existing one, and keeps its installed packages. */
export async function generateClient(client: Client, more: RawConfig): Promise<string> {
  const { name, choice } = client;
  const project = await makeProject({ name, config: { ...OPENAI, ...choice, ...more } }, join(WORKSHOP, 'generated'));
  const directory = directoryOf(client);
  await mkdir(directory, { recursive: true });
  for (const entry of await readdir(directory)) {
    if (entry !== 'node_modules') await rm(join(directory, entry), { recursive: true, force: true });
  }
  await cp(join(project, 'client'), directory, { recursive: true });
  return directory;
}

const directoryOf = ({ name }: Client): string => join(WORKSHOP, name);

/** Runs npm in a client, in the background; it must succeed. */
export const npm = (directory: string, args: readonly string[]) =>
  runWell(inBackground('npm', ...args), { cwd: directory, env: environment() });

/** Builds a client as its README says, without a warning. */
export const buildClient = (client: Client): Promise<void> => build(client, ['run', 'build']);

/** The same without the types, if that's possible: level 1 checks those of all configurations. */
export const bundleClient = (client: Client): Promise<void> => build(client, client.bundle);

async function build(client: Client, command: readonly string[]): Promise<void> {
  // Ignore npm's own warnings, which are about its configuration on this machine.
  const { stdout, stderr } = await npm(directoryOf(client), [...command, '--loglevel=error']);
  expect(!/\bwarn(ing)?\b/i.test(stdout + stderr), 'a warning', stdout + stderr);
}

/** Serves a client's page for as long as `use` takes. */
export async function withServer<Result>(
  client: Client,
  { how, botUrl, directory = directoryOf(client) }: { how: 'dev' | 'built'; botUrl: string; directory?: string },
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  const port = await findPort();
  const place = { cwd: directory, env: environment({ BOT_URL: botUrl }) };
  const log = join(WORKSHOP, 'logs', `${client.name}-${how}-${port}.log`);
  const service = startService(client.serve[how](port), place, log);
  try {
    const url = `http://localhost:${port}`;
    const answers = async () => (await fetch(url).catch(() => undefined))?.ok;
    await waitFor(async () => service.ended() || (await answers()), SERVED_MS);
    expect((await answers()) === true, `${url} does not answer`, service.log());
    return await use(url);
  } finally {
    await service.stop();
  }
}

const environment = (added: Environment = {}): Environment => cleanEnvironment([], { CI: '1', ...added });
