import { join, relative } from 'node:path';
import type { RawConfig } from '../../src/config/options.ts';
import { makeProject, OPENAI } from '../bots/projects.ts';
import { type Attempt, prepareAhead, type Report, setUp, severalAtOnce } from '../bots/report.ts';
import { fillVariables } from '../bots/running-bot.ts';
import { cleanEnvironment, LOGS, ROOT, runUv } from '../bots/workshop.ts';
import { ensureChromium, ensureFirefox } from './browsers.ts';
import { buildClient, type Client, generateClient, installClient, REALTIME_BOT, WORKSHOP } from './clients.ts';
import { hearFirstWord } from './first-word.ts';
import { runOffline } from './offline.ts';

const LOCAL: RawConfig = { transports: ['rtc_local'], project_name: 'Support bot' };

/** A bot, and the conversations with it by their names in `talk.ts`. */
interface Bot {
  name: string;
  config: RawConfig;
  conversations: Record<string, string>;
}

const BOTS: readonly Bot[] = [
  {
    name: 'speaking-bot',
    config: LOCAL,
    conversations: {
      speak: 'speaks with the bot, in Chromium',
      meet: 'speaks with the bot, in Firefox',
      fail: 'reports what its provider refuses',
      lose: 'reports that the bot is gone',
    },
  },
  {
    name: 'seeing-bot',
    config: { ...LOCAL, video_input: true, video_output: true },
    conversations: { see: 'shows the bot, and sends the camera' },
  },
  {
    name: 'realtime-bot',
    config: { ...LOCAL, ...REALTIME_BOT },
    conversations: { write: 'types to a speech-to-speech service' },
  },
];

const TALK_MS = 240_000;

/** The exit code of `talk.ts` if it could not begin. */
export const NOT_BEGUN = 3;

/** How many conversations with a bot take place at once. */
const AT_ONCE = 1;

/** Level 3: runs generated bots with the framework's own runner, and each generated client in a real browser. */
export async function holdConversations(report: Report, clients: readonly Client[]): Promise<void> {
  ensureChromium();
  ensureFirefox();
  await Promise.all([hearFirstWord(report, clients), holdAll(report, clients)]);
}

async function holdAll(report: Report, clients: readonly Client[]): Promise<void> {
  const installed = new Map<string, Promise<boolean>>();
  const install = ({ name, config }: Bot): Promise<boolean> => {
    const installing =
      installed.get(name) ?? report.check(name, 'generates and installs', () => installBot(name, config));
    installed.set(name, installing);
    return installing;
  };
  /** The conversations that use the directory of a client. */
  const inUse = new Map<Client, Promise<void>>();
  // The next client is built during conversations.
  await prepareAhead(
    BOTS.flatMap(bot => clients.map(client => ({ bot, client }))),
    async ({ bot, client }) => {
      const isInstalled = await install(bot);
      await inUse.get(client);
      const build = () => prepareClient(client, bot.config);
      return isInstalled && (await report.check(client.name, `builds for ${bot.name}`, build));
    },
    ({ bot, client }, isBuilt) => {
      const conversations = Object.entries(isBuilt ? bot.conversations : {});
      const using = severalAtOnce(conversations, AT_ONCE, ([conversation, about]) =>
        report.converse(client.name, about, attempt => talk(client, conversation, bot.name, attempt)),
      );
      inUse.set(client, using);
      return using;
    },
  );
}

async function installBot(name: string, config: RawConfig): Promise<string> {
  const server = join(await makeProject({ name, config: { ...OPENAI, ...config } }, WORKSHOP), 'server');
  await runUv(['sync', '--quiet'], server);
  await fillVariables(server);
  return 'uv sync';
}

async function prepareClient(client: Client, config: RawConfig): Promise<string> {
  const installed = await installClient(client);
  await generateClient(client, config);
  await buildClient(client);
  return installed;
}

/** Holds one conversation. Everything is installed, so it needs only this machine. */
async function talk(client: Client, conversation: string, bot: string, attempt: Attempt): Promise<string> {
  const program = [process.execPath, '--import', 'tsx/esm', join(import.meta.dirname, 'talk.ts')];
  const options = { cwd: ROOT, env: cleanEnvironment(), deadline: TALK_MS, isLive: true as const };
  const name = `browser-${client.name}-${conversation}${attempt.isSecond ? '-again' : ''}`;
  attempt.logs.push(relative(ROOT, join(LOGS, `${name}.log`)));
  const { ending, isAlone } = await runOffline([...program, client.name, conversation, bot, name], options);
  const problem = () => Promise.reject(new Error(ending.stdout + ending.stderr));
  if (ending.code === NOT_BEGUN) await setUp(problem());
  if (ending.code !== 0) await problem();
  return `${ending.stdout.trim()}; ${isAlone ? 'without a network' : 'with the network, because this machine does not allow removing it'}`;
}
