import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocketServer } from 'ws';
import { unpack } from '../../scripts/local-cloud/bots.ts';
import type { SessionBot } from '../../scripts/local-cloud/generic.ts';
import type { Organization } from '../../scripts/local-cloud/store.ts';
import type { CloudSession } from './cloud-session.ts';
import { acmeWith, DEPLOY_FILE, deployable, deploySession } from './deploys.ts';
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

export type Gated = CloudSession & { acme: Organization };

/** A test whose organization has a public key, unless it `lacksKey`. */
export const gateSession = (files: Tree, use: (session: Gated) => Promise<void>, lacksKey = false) => {
  const acme = acmeWith();
  if (!lacksKey) acme.keys.push({ id: 'k', key: 'pk_of_tests', name: 'mine', createdAt: '', revoked: false });
  return deploySession({ files, acme, cloud: { startBot } }, session => {
    const env = { PATH: `${TOOLS}:${process.env.PATH}` };
    const run: CloudSession['run'] = (line, more = {}) => session.run(line, { ...more, env: { ...env, ...more.env } });
    return use({ ...session, run });
  });
};

/** The test itself. */
export const gateIt = (title: string, ...session: Parameters<typeof gateSession>) => it(title, gateSession(...session));

/** Deploys a good bot, then changes it to this one. */
export async function change(session: Gated, kind: string): Promise<string> {
  await session.succeed('cloud deploy --skip');
  session.requests();
  session.write(BOT, `${session.read(BOT)}\n# bot: ${kind}\n`);
  return session.acme.agents.get('bot')?.ready ?? '';
}

export async function talking({ acme }: Gated, name: string): Promise<void> {
  while (!acme.agents.get(name)?.sessions.some(({ endedAt }) => !endedAt)) await sleep(5);
}

/** Runs a line until a conversation has begun, and then presses Ctrl-C. */
export async function interrupted(session: Gated, name: string, line: string) {
  const work = session.run(line);
  await talking(session, name);
  process.emit('SIGINT', 'SIGINT');
  return work;
}
