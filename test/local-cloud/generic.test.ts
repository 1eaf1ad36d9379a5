import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocket, WebSocketServer } from 'ws';
import type { StoredAgent } from '../../scripts/local-cloud/agents.ts';
import { LOCAL_TOKEN, startLocalCloud } from '../../scripts/local-cloud/index.ts';
import { acmeWith, deploySession } from '../support/deploys.ts';

const KEY = 'pk_local';

/** A bot that repeats what it hears. */
async function startBot() {
  const server = new WebSocketServer({ host: '127.0.0.1', port: 0 });
  server.on('connection', socket => socket.on('message', (data, binary) => socket.send(data, { binary })));
  await once(server, 'listening');
  const url = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { url, stop: async () => server.close() };
}

/** A local cloud with a ready agent, whose sessions need a token. */
async function withAgent(name: string, use: (url: string, agent: StoredAgent) => Promise<void>) {
  const acme = acmeWith();
  acme.keys.push({ id: 'k', key: KEY, name: 'mine', createdAt: '', revoked: false });
  const settings = { websocketAuth: 'token' };
  const agent = { name, ready: 'd', settings, log: [], sessions: [], deployments: [] } as unknown as StoredAgent;
  acme.agents.set(name, agent);
  const cloud = await startLocalCloud({ accounts: { [LOCAL_TOKEN]: [acme] }, startBot });
  await use(cloud.url, agent).finally(() => cloud.close());
}

async function start(url: string, name: string): Promise<{ wsUrl: string; token: string }> {
  const headers = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };
  const body = JSON.stringify({ transport: 'websocket' });
  const reply = await fetch(`${url}/v1/public/${name}/start`, { method: 'POST', headers, body });
  return reply.json() as Promise<{ wsUrl: string; token: string }>;
}

/** What comes back for a word, or the status of a refusal. */
const say = (url: string, word: string, headers = {}): Promise<string> =>
  new Promise(resolve => {
    const socket = new WebSocket(url, { headers });
    socket.on('open', () => socket.send(word));
    socket.on('message', data => {
      resolve(String(data));
      socket.close();
    });
    socket.on('error', error => resolve(error.message));
    socket.on('close', code => resolve(`closed with ${code}`));
  });

describe('the generic route of the local cloud', () => {
  const ways: [name: string, address: (url: string, token: string) => [string, object?]][] = [
    ['header', (url, token) => [url, { authorization: `Bearer ${token}` }]],
    ['query', (url, token) => [`${url}?token=${token}`]],
    ['path', (url, token) => [`${url}/${token}`]],
  ];
  for (const [name, address] of ways) {
    it(`takes a token in the ${name}, once, and starts no bot before`, () =>
      withAgent('bot', async (url, agent) => {
        const { wsUrl, token } = await start(url, 'bot');
        assert.match(wsUrl, /^ws:\/\/127\.0\.0\.1:\d+\/ws\/generic\/bot\.acme$/);
        assert.equal(agent.sessions.length, 0);
        const [to, headers] = address(wsUrl, token);
        assert.equal(await say(to, 'hello', headers), 'hello');
        assert.equal(agent.sessions.length, 1);
        assert.match(await say(to, 'hello', headers), /403/);
      }));
  }

  it('refuses a session without a token, and one of an agent that does not exist', () =>
    withAgent('bot', async url => {
      const { wsUrl } = await start(url, 'bot');
      assert.match(await say(wsUrl, 'hello'), /403/);
      assert.match(await say(wsUrl.replace('bot.acme', 'other.acme'), 'hello'), /404/);
    }));

  it('hangs up if the agent does', () =>
    withAgent('bot-hangup', async url => {
      const { wsUrl, token } = await start(url, 'bot-hangup');
      assert.equal(await say(`${wsUrl}/${token}`, 'hello'), 'closed with 1011');
    }));
});

describe('a build of the local cloud', () => {
  let install = { resolve: () => {}, reject: (_: Error) => {} };
  const buildBot = () => new Promise<void>((resolve, reject) => (install = { resolve, reject }));
  for (const [name, end, code, said] of [
    ['waits until the packages of a real bot are installed', () => install.resolve(), 0, /✓ Built in /],
    ["fails if they can't be installed", () => install.reject(new Error('none')), 1, /^error: The build failed: /m],
    ['needs no uv', () => install.reject(Object.assign(new Error('none'), { code: 'ENOENT' })), 0, /✓ Built in /],
  ] as const) {
    it(
      name,
      deploySession({ cloud: { buildBot } }, async session => {
        const work = session.run('cloud deploy --skip');
        const looks = () => session.cloud.requests().filter(line => /^GET .*\/builds\/[^/]+ 200$/.test(line)).length;
        while (looks() < 4) await sleep(5);
        assert.equal(session.acme.agents.size, 0);
        end();
        const ending = await work;
        assert.equal(ending.code, code, ending.stderr);
        assert.match(ending.stderr, said);
      }),
    );
  }
});
