import { cp, mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RawConfig } from '../../src/config/options.ts';
import { expect } from '../bots/expect.ts';
import { type Environment, runWell, type Service, startService } from '../bots/processes.ts';
import { makeProject, OPENAI, REALTIME } from '../bots/projects.ts';
import { findPort } from '../bots/running-bot.ts';
import { waitFor } from '../bots/slowness.ts';
import { cleanEnvironment, inBackground, ROOT } from '../bots/workshop.ts';

/** The directory for all files of these tests. Git ignores it, and it can be deleted at any time. */
export const WORKSHOP = join(ROOT, '.build/browser');

/** One of the web clients that a project can have. */
export interface Client {
  name: string;
  choice: RawConfig;
  /** How much its page may load before a call: scripts, compressed. */
  mostKilobytes: number;
  /** The commands that serve its page: in development, and as built. */
  serve: Record<'dev' | 'built', (port: number) => string[]>;
}

const VITE: Client['serve'] = {
  dev: port => ['npm', 'run', 'dev', '--', '--port', `${port}`, '--strictPort'],
  built: port => ['npm', 'run', 'preview', '--', '--port', `${port}`, '--strictPort'],
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
    serve: VITE,
  },
  {
    name: 'next',
    choice: { client_framework: 'component', client_server: 'fullstack' },
    mostKilobytes: 220,
    serve: NEXT,
  },
  { name: 'vanilla', choice: { client_framework: 'vanilla' }, mostKilobytes: 130, serve: VITE },
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

/** Installs all packages that a kind of client may use, so that other clients can be generated in the directory. */
export async function installClient(client: Client): Promise<string> {
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

export const directoryOf = ({ name }: Client): string => join(WORKSHOP, name);

/** Runs npm in a client, in the background; it must succeed. */
export const npm = (directory: string, args: readonly string[]) =>
  runWell(inBackground('npm', ...args), { cwd: directory, env: environment() });

/** Builds a client, without a warning. */
export async function buildClient(client: Client): Promise<void> {
  // Ignore npm's own warnings, which are about its configuration on this machine.
  const { stdout, stderr } = await npm(directoryOf(client), ['run', 'build', '--loglevel=error']);
  expect(!/\bwarn(ing)?\b/i.test(stdout + stderr), 'a warning', stdout + stderr);
}

/** Serves a client's page for as long as `use` takes. */
export async function withServer<Result>(
  client: Client,
  { how, botUrl }: { how: 'dev' | 'built'; botUrl: string },
  use: (url: string) => Promise<Result>,
): Promise<Result> {
  const port = await findPort();
  const place = { cwd: directoryOf(client), env: environment({ BOT_URL: botUrl }) };
  const service = startService(
    client.serve[how](port),
    place,
    join(WORKSHOP, 'logs', `${client.name}-${how}-${port}.log`),
  );
  try {
    const url = `http://localhost:${port}`;
    await waitUntilServed(url, service);
    return await use(url);
  } finally {
    await service.stop();
  }
}

/** Waits until a page is served. */
export async function waitUntilServed(url: string, service: Service): Promise<void> {
  const answers = async () => (await fetch(url).catch(() => undefined))?.ok;
  await waitFor(async () => service.ended() || (await answers()), SERVED_MS);
  expect((await answers()) === true, `${url} does not answer`, service.log());
}

const environment = (added: Environment = {}): Environment => cleanEnvironment([], { CI: '1', ...added });
