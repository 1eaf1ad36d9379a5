import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { HttpClient } from '../../src/platform/http.ts';

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
