import { join, relative } from 'node:path';
import type { RawConfig } from '../../src/config/options.ts';
import { run } from '../bots/processes.ts';
import { makeProject, OPENAI } from '../bots/projects.ts';
import { type Attempt, prepareAhead, type Report, setUp } from '../bots/report.ts';
import { fillVariables } from '../bots/running-bot.ts';
import { cleanEnvironment, LOGS, ROOT, runUv } from '../bots/workshop.ts';
import { type BrowserName, ensureChromium, ensureFirefox } from './browsers.ts';
import { bundleClient, type Client, generateClient, installClient, REALTIME_BOT, WORKSHOP } from './clients.ts';
import { hearFirstWord } from './first-word.ts';

const LOCAL: RawConfig = { transports: ['rtc_local'], project_name: 'Support bot' };

/** A conversation in `talk.ts`, and what it shows. */
interface Conversation {
  name: string;
  about: string;
  /** In this browser instead of Chromium. */
  browser?: BrowserName;
  /** What the page does by itself is shown for one of the clients that have it: the others need only show that their
   * server and their build work, too. If omitted, it's for all clients. */
  of?: 'page' | 'server';
}

/** A bot, and the conversations with it. Those in one list are held one after the other, on one page. */
interface Bot {
  name: string;
  config: RawConfig;
  conversations: readonly (readonly Conversation[])[];
}

const BOTS: readonly Bot[] = [
  {
    name: 'speaking-bot',
    config: LOCAL,
    conversations: [
      [{ name: 'speak', about: 'speaks with the bot, in Chromium', of: 'page' }],
      [{ name: 'meet', about: 'speaks with the bot, in Chromium', of: 'server' }],
      [{ name: 'meet', about: 'speaks with the bot, in Firefox', browser: 'firefox' }],
      [
        { name: 'fail', about: 'reports what its provider refuses', of: 'page' },
        { name: 'lose', about: 'reports that the bot is gone' },
      ],
    ],
  },
  {
    name: 'seeing-bot',
    config: { ...LOCAL, video_input: true, video_output: true },
    conversations: [[{ name: 'see', about: 'shows the bot, and sends the camera', of: 'page' }]],
  },
  {
    name: 'realtime-bot',
    config: { ...LOCAL, ...REALTIME_BOT },
    conversations: [[{ name: 'write', about: 'types to a speech-to-speech service', of: 'page' }]],
  },
];

const conversationsOf = (bot: Bot, { hasPageOf }: Client) =>
  bot.conversations
    .map(list => list.filter(({ of }) => of !== (hasPageOf ? 'page' : 'server')))
    .filter(list => list.length > 0);

const TALK_MS = 240_000;

/** The exit code of `talk.ts` if it could not begin. */
export const NOT_BEGUN = 3;

/** Level 3: runs generated bots with the framework's own runner, and each generated client in a real browser. */
export async function holdConversations(report: Report, clients: readonly Client[]): Promise<void> {
  ensureChromium();
  ensureFirefox();
  await Promise.all([hearFirstWord(report, clients), holdAll(report, clients)]);
}

async function holdAll(report: Report, clients: readonly Client[]): Promise<void> {
  const installed = new Map<Bot, Promise<boolean>>();
  const install = ({ name, config }: Bot): Promise<boolean> =>
    report.check(name, 'generates and installs', async () => {
      const server = join(await makeProject({ name, config: { ...OPENAI, ...config } }, WORKSHOP), 'server');
      await runUv(['sync', '--quiet'], server);
      await fillVariables(server);
      return 'uv sync';
    });
  /** The conversations that use the directory of a client. */
  const inUse = new Map<Client, Promise<void>>();
  // The next client is built during conversations.
  await prepareAhead(
    BOTS.flatMap(bot => clients.map(client => ({ bot, client, conversations: conversationsOf(bot, client) }))).filter(
      ({ conversations }) => conversations.length > 0,
    ),
    async ({ bot, client }) => {
      const installing = installed.get(bot) ?? install(bot);
      installed.set(bot, installing);
      const isInstalled = await installing;
      await inUse.get(client);
      const build = async () => {
        const packages = await installClient(client);
        await generateClient(client, bot.config);
        await bundleClient(client);
        return packages;
      };
      return isInstalled && (await report.check(client.name, `builds for ${bot.name}`, build));
    },
    ({ bot, client, conversations }, isBuilt) => {
      const converse = async () => {
        for (const list of isBuilt ? conversations : []) {
          const about = list.map(one => one.about).join(', and ');
          await report.converse(client.name, about, attempt => talk(client, list, bot.name, attempt));
        }
      };
      const using = converse();
      inUse.set(client, using);
      return using;
    },
  );
}

/** Holds conversations. Everything is installed, so it needs only this machine. */
async function talk(client: Client, conversations: readonly Conversation[], bot: string, attempt: Attempt) {
  const names = conversations.map(one => one.name);
  const browser = conversations[0]?.browser ?? 'chromium';
  const program = [process.execPath, '--import', 'tsx/esm', join(import.meta.dirname, 'talk.ts')];
  const options = { cwd: ROOT, env: cleanEnvironment(), deadline: TALK_MS, isLive: true as const };
  const name = `browser-${[client.name, ...names, browser].join('-')}${attempt.isSecond ? '-again' : ''}`;
  attempt.logs.push(relative(ROOT, join(LOGS, `${name}.log`)));
  const { ending, isAlone } = await runOffline([...program, client.name, names.join(), browser, bot, name], options);
  const problem = () => Promise.reject(new Error(ending.stdout + ending.stderr));
  if (ending.code === NOT_BEGUN) await setUp(problem());
  if (ending.code !== 0) await problem();
  return `${ending.stdout.trim()}; ${isAlone ? 'without a network' : 'with the network, because this machine does not allow removing it'}`;
}

/** Sets up a private network. WebRTC needs another address in addition to loopback, and Firefox a route to it. */
const ALONE = `
  ip link set lo up &&
  ip link add alone type veth peer name nobody &&
  ip address add 10.7.7.7/24 dev alone &&
  ip link set alone up &&
  ip link set nobody up &&
  ip route add default via 10.7.7.1 dev alone &&
  exec "$@"
`;

/**
 * Runs a command that can reach only this machine. If this process isn't permitted to do that, the command runs with
 * the network, and the result says so.
 */
async function runOffline(command: readonly string[], options: Parameters<typeof run>[1]) {
  const alone = ['unshare', '--net', 'sh', '-c', ALONE, 'sh'];
  const attempt = await run([...alone, 'true'], options).catch(() => undefined);
  const isAlone = attempt?.code === 0;
  return { ending: await run(isAlone ? [...alone, ...command] : command, options), isAlone };
}
