import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpClient, retryDelay } from '../../src/platform/http.ts';

describe('a client of the platform', () => {
  it('ends what is under way once it closes, and tries nothing again', async () => {
    const server = createServer(() => {}).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    let pauses = 0;
    const client = new HttpClient({
      apiUrl: `http://127.0.0.1:${port}`,
      token: 'token',
      userAgent: 'test',
      timeoutMs: 20_000,
      signal: new AbortController().signal,
      sleep: async () => {
        pauses += 1;
      },
    });
    const reply = client.send({ method: 'GET', path: '/' });
    await once(server, 'request');
    client.close();
    await assert.rejects(reply, { name: 'AbortError' });
    assert.equal(pauses, 0);
    server.closeAllConnections();
    server.close();
  });
});

describe('a retry', () => {
  it('doubles its longest pause each time, up to a fifth of the timeout', () => {
    const { random } = Math;
    Math.random = () => 1;
    try {
      const pauses = [1, 2, 3, 4, 5].map(number => retryDelay({ isRetriable: true }, number, 20_000));
      assert.deepEqual(pauses, [500, 1000, 2000, 4000, 4000]);
    } finally {
      Math.random = random;
    }
  });

  it('waits as long as the platform asks, up to 30 seconds', () => {
    const waits = [0, 30_000, 30_001].map(retryAfterMs => retryDelay({ isRetriable: true, retryAfterMs }, 1, 20_000));
    assert.deepEqual(waits, [0, 30_000, undefined]);
  });
});
