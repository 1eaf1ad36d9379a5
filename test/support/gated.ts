import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { unpack } from '../../scripts/local-cloud/bots.ts';
import type { SessionBot } from '../../scripts/local-cloud/generic.ts';
import { acmeWith, DEPLOY_FILE, type DeploySession, deployable, deploySession } from './deploys.ts';
import { CASCADE, generateProject } from './projects.ts';
import { resolveFlags } from './resolving.ts';
import { TOOLS } from './tools.ts';
import type { Tree } from './trees.ts';

// A stand-in for uv has the conversations: they reach the deployed bot through the relay and the gateway of the local
// cloud. The last line of bot.py says how the bot behaves.

export const BOT = 'server/bot.py';
export const SCENARIO = 'server/evals/starter_text.yaml';
const { [DEPLOY_FILE]: _, ...evals } = generateProject(
  resolveFlags({ ...CASCADE, transports: ['rtc_hosted'], enable_eval: true }),
);

/** A project with one conversation, in which the bot must greet. */
export const gated = (name = 'bot', changes: Tree = {}, more = ''): Tree =>
  deployable(name, more, { ...evals, [SCENARIO]: `${evals[SCENARIO]}# fake: expects Hello\n`, ...changes });

/** Bots by what they do with a message. Those that are absent don't start. */
const BOTS: Readonly<Record<string, (say: (text: string) => void, hangUp: () => void) => void>> = {
  good: say => say('Hello!'),
  better: say => say('Hello, friend!'),
  'says something else': say => say('Goodbye.'),
  'crashes in its first turn': (_say, hangUp) => hangUp(),
  'stays silent': () => {},
  'starts too slowly': () => {},
};

async function startBot(context: Buffer): Promise<SessionBot> {
  const directory = mkdtempSync(join(tmpdir(), 'gated-'));
  unpack(context, directory);
  const [, kind = 'good'] = /^# bot: (.*)$/m.exec(readFileSync(join(directory, 'bot.py'), 'utf8')) ?? [];
  rmSync(directory, { recursive: true });
  const isOld = kind === 'is too old';
  const bot = BOTS[kind];
  if (!bot && !isOld) throw new Error('It crashes at its start');
  const server = createServer();
  new WebSocketServer({ server }).on('connection', socket => {
    const send = (type: string, data: object = {}) => socket.send(JSON.stringify({ label: 'rtvi-ai', type, data }));
    const say = (text: string) => {
      send('bot-llm-started');
      send('bot-llm-text', { text });
      send('bot-llm-stopped');
    };
    socket.on('message', raw => {
      const { type, data } = JSON.parse(String(raw));
      if (data?.t === 'eval-connect' && isOld) socket.close();
      if (type === 'client-ready' && kind !== 'starts too slowly') send('bot-ready', { version: '2.0.0' });
      if (type === 'send-text') bot?.(say, () => socket.terminate());
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const stop = async () => {
    server.closeAllConnections();
    server.close();
  };
  return { url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}`, stop };
}

/** A test whose organization has a public key, unless it `lacksKey`. */
export const gateSession = (files: Tree, use: (session: DeploySession) => Promise<void>, lacksKey = false) => {
  const acme = acmeWith();
  if (!lacksKey) acme.keys.push({ id: 'k', key: 'pk_of_tests', name: 'mine', createdAt: '', revoked: false });
  return deploySession({ files, acme, cloud: { startBot }, env: { PATH: `${TOOLS}:${process.env.PATH}` } }, use);
};

/** The test itself. */
export const gateIt = (title: string, ...session: Parameters<typeof gateSession>) => it(title, gateSession(...session));

/** Makes the bot one of this kind. */
export const become = ({ read, write }: DeploySession, kind: string) => write(BOT, `${read(BOT)}\n# bot: ${kind}\n`);

/** Says something to the stand-in for uv. */
export const fake = ({ read, write }: DeploySession, words: string) =>
  write(SCENARIO, `${read(SCENARIO)}# fake: ${words}\n`);

/** A test whose agent is deployed with a good bot, which then becomes one of this kind. */
export const changedIt = (
  title: string,
  kind: string,
  use: (session: DeploySession, before: string) => Promise<void>,
  files = gated(),
) =>
  gateIt(title, files, async session => {
    await session.succeed('cloud deploy --skip');
    session.requests();
    become(session, kind);
    await use(session, session.agent().ready ?? '');
  });

/** Whether a conversation with this agent goes on. */
export const isTalking = ({ acme }: DeploySession, name = 'bot') =>
  acme.agents.get(name)?.sessions.some(({ endedAt }) => !endedAt) ?? false;

/** Waits for something that another part of this process does. */
export async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await sleep(5);
}
