/**
 * Part of `npm run test:cloud`: another implementation of WebSockets and of the providers' messages takes botcli's calls,
 * and calls our local cloud.
 */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { StoredAgent } from '../../scripts/local-cloud/agents.ts';
import { LOCAL_TOKEN, startLocalCloud } from '../../scripts/local-cloud/index.ts';
import { phoneCall } from '../../src/deploy/call.ts';
import { phoneStreams } from '../../src/deploy/streams.ts';
import type { UserError } from '../../src/errors.ts';
import { Cloud } from '../../src/platform/cloud.ts';
import { runWell } from '../bots/processes.ts';
import { acmeWith } from '../support/deploys.ts';
import { installClient, PYTHON } from './client.ts';

const SCRIPT = fileURLToPath(new URL('phone.py', import.meta.url));
const HOST = 'bot.acme';
const PROVIDERS = Object.keys(phoneStreams);

await installClient();

const gateway = spawn(PYTHON, [SCRIPT, 'serve'], { stdio: ['pipe', 'pipe', 'inherit'] });
const lines = createInterface(gateway.stdout)[Symbol.asyncIterator]();
const nextLine = async (): Promise<string> => (await lines.next()).value ?? '';
const port = Number(await nextLine());

const { signal } = new AbortController();
const apiUrl = `http://127.0.0.1:${port}`;
const connection = new Cloud({
  apiUrl,
  token: 'none',
  userAgent: 'botcli/test',
  timeoutMs: 5000,
  signal,
  sleep: ms => sleep(ms),
});
const progress = { show: () => {}, clear: () => {} };
/** Time passes faster, so that a bot that stays silent takes seconds. */
const terminal = { sleep: (ms: number) => sleep(ms / 100), progress };

/** The volume of the bot, and whether that is speech. */
for (const [volume, speaks] of [
  [8000, true],
  [60, false],
] as const) {
  for (const provider of PROVIDERS) {
    const url = new URL(`ws://127.0.0.1:${port}/ws/${provider}?volume=${volume}`);
    const result = await phoneCall({ url, provider, serviceHost: HOST }, connection, terminal, signal).catch(
      error => error,
    );
    const heard = JSON.parse(await nextLine());
    const greeting = provider === 'plivo' ? [] : ['connected'];
    assert.deepEqual(heard, { provider, host: HOST, events: [...greeting, 'start', 'media', 'stop'], code: 1000 });
    if (speaks) assert.equal(typeof result, 'number', `${result}`);
    else assert.match((result as UserError).message, /said nothing for 45 s/);
    console.log(`✓ ${provider}, ${speaks ? 'a bot that speaks' : 'line noise'}`);
  }
}
gateway.stdin.end();

const acme = acmeWith();
const agent = {
  name: 'bot',
  ready: 'd',
  settings: {},
  log: [],
  sessions: [],
  deployments: [],
} as unknown as StoredAgent;
acme.agents.set('bot', agent);
const cloud = await startLocalCloud({ accounts: { [LOCAL_TOKEN]: [acme] } });
const answered = (await runWell([PYTHON, SCRIPT, 'call', cloud.url, HOST], { cwd: '.' })).stdout;
await cloud.close();
assert.deepEqual(JSON.parse(answered), PROVIDERS);
assert.equal(agent.sessions.filter(({ endedAt }) => endedAt).length, PROVIDERS.length);
console.log('✓ the local cloud answers its calls');
