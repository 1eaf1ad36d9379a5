import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import tls from 'node:tls';
import { fileURLToPath } from 'node:url';
import { CloudError } from '../../src/platform/errors.ts';
import { openLine } from '../../src/platform/gateway.ts';
import { acceptance, goodbyeFrame, textFrame } from '../support/frames.ts';
import { startProxy } from '../support/proxy.ts';

const pem = (name: string) => readFileSync(fileURLToPath(new URL(`../support/tls/${name}.pem`, import.meta.url)));

/** A gateway with TLS on this machine, in front of which a proxy forwards all tunnels, or refuses them. */
async function withProxy(
  { refusal, credentials = '' }: { refusal?: string; credentials?: string },
  use: (url: URL, seen: { tunnels: string[]; bytes: string }) => Promise<void>,
): Promise<void> {
  const gateway = tls.createServer({ key: pem('key'), cert: pem('certificate') }, socket => {
    socket.on('error', () => socket.destroy());
    socket.once('data', data => {
      socket.write(acceptance(data));
      socket.write(textFrame('{"a":1}'));
      socket.end(goodbyeFrame(1011));
    });
  });
  await once(gateway.listen(0, '127.0.0.1'), 'listening');
  const proxy = await startProxy((gateway.address() as AddressInfo).port, refusal);
  const { https_proxy: before } = process.env;
  process.env.https_proxy = `http://${credentials}127.0.0.1:${proxy.port}`;
  try {
    // Only the proxy can find this host.
    await use(new URL('wss://cloud.test/ws/twilio'), proxy.seen);
  } finally {
    if (before === undefined) delete process.env.https_proxy;
    else process.env.https_proxy = before;
    proxy.close();
    gateway.close();
  }
}

/** Opens a line whose end the gateway sends. Returns its messages, and the code of its end. */
async function listen(url: URL): Promise<[messages: unknown[], code: number | undefined]> {
  const messages: unknown[] = [];
  const { signal } = new AbortController();
  const onFrame = (data: unknown) => messages.push(JSON.parse(String(data)));
  const line = await openLine(url, { userAgent: 'test', timeoutMs: 60_000, signal, purpose: 'call', onFrame });
  return [messages, await line.ended];
}

const failsWith = (reason: string, message: RegExp) => (error: unknown) => {
  assert(error instanceof CloudError);
  assert.equal(error.reason, reason);
  assert.match(error.message, message);
  assert.doesNotMatch(`${error.message}${error.hint}`, /swordfish/);
  return true;
};

const http = (status: number) => `HTTP/1.1 ${status} No\r\ncontent-length: 0\r\n\r\n`;

describe('a line to the gateway through a proxy', () => {
  // A process learns of more certificates only at its start, so here every connection gets this one.
  const { createSecureContext } = tls;
  afterEach(() => {
    tls.createSecureContext = createSecureContext;
  });

  it('is opened over TLS, so that the proxy reads nothing', () =>
    withProxy({}, async (url, seen) => {
      tls.createSecureContext = options => createSecureContext({ ...options, ca: pem('certificate') });
      assert.deepEqual(await listen(url), [[{ a: 1 }], 1011]);
      assert.deepEqual(seen.tunnels, ['cloud.test:443 undefined']);
      assert.ok(seen.bytes.length > 0);
      assert.doesNotMatch(seen.bytes, /websocket|twilio/i);
    }));

  it('is not opened to a gateway whose certificate is not trusted', () =>
    withProxy({}, async (url, seen) => {
      await assert.rejects(listen(url), failsWith('certificate', /^The certificate of cloud\.test can't be trusted/));
      assert.doesNotMatch(seen.bytes, /websocket|twilio/i);
    }));

  it('sends credentials only to the proxy, decoded', () =>
    withProxy({ refusal: http(407), credentials: 'me:sword%40fish@' }, async (url, { tunnels }) => {
      await assert.rejects(listen(url), failsWith('proxy', /requires a username and password \(HTTP 407\)/));
      assert.deepEqual(tunnels, [`cloud.test:443 Basic ${Buffer.from('me:sword@fish').toString('base64')}`]);
    }));

  it('names the proxy that refuses it', () =>
    withProxy({ refusal: http(403) }, async url => {
      const refusal = /^The proxy 127\.0\.0\.1:\d+ \(from https_proxy\) refuses to connect to cloud\.test \(HTTP 403\)/;
      await assert.rejects(listen(url), failsWith('proxy', refusal));
    }));
});
