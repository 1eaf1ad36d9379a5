import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { phoneCall } from '../../src/deploy/phone-call.ts';
import type { UserError } from '../../src/errors.ts';
import { Cloud } from '../../src/platform/cloud.ts';
import type { Report } from '../bots/report.ts';
import { PYTHON } from './client.ts';

const SCRIPT = fileURLToPath(new URL('phone.py', import.meta.url));
const HOST = 'bot.acme';

/** Another implementation of WebSockets and of the providers' messages takes botcli's calls. */
export async function checkCalls(report: Report): Promise<void> {
  const gateway = spawn(PYTHON, [SCRIPT], { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface(gateway.stdout)[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => (await lines.next()).value ?? '';
  const port = Number(await nextLine());
  const { signal } = new AbortController();
  const request = { apiUrl: `http://127.0.0.1:${port}`, token: 'none', userAgent: 'botcli/test', timeoutMs: 5000 };
  const connection = new Cloud({ ...request, signal, sleep: ms => sleep(ms) });
  /** Time passes faster, so that a bot that stays silent takes seconds. */
  const terminal = { sleep: (ms: number) => sleep(ms / 100), progress: { show: () => {}, clear: () => {} } };
  // The volume of the bot: speech, or line noise.
  for (const volume of [8000, 60]) {
    for (const provider of ['twilio', 'telnyx', 'plivo', 'exotel']) {
      await report.check(provider, `botcli calls a bot of volume ${volume}`, async () => {
        const url = new URL(`ws://127.0.0.1:${port}/ws/${provider}?volume=${volume}`);
        const calling = phoneCall({ url, provider, serviceHost: HOST }, connection, terminal, signal);
        const result = await calling.catch((error: UserError) => error.message);
        const heard = JSON.parse(await nextLine());
        const events = [...(provider === 'plivo' ? [] : ['connected']), 'start', 'media', 'stop'];
        assert.deepEqual(heard, { provider, host: HOST, events, code: 1000 });
        if (volume > 60) assert.equal(typeof result, 'number', `${result}`);
        else assert.match(String(result), /said nothing for 45 s/);
        return String(result);
      });
    }
  }
  gateway.stdin.end();
}
