import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer as createProxy } from 'node:http';
import { type AddressInfo, connect, type Server, type Socket } from 'node:net';
import tls, { type TLSSocket } from 'node:tls';
import { fileURLToPath } from 'node:url';
import { CloudError } from '../../src/platform/errors.ts';
import { openLine } from '../../src/platform/gateway.ts';
import { acceptance, goodbyeFrame, textFrame } from '../support/frames.ts';

const pem = (name: string) => readFileSync(fileURLToPath(new URL(`../support/tls/${name}.pem`, import.meta.url)));
const portOf = (server: Server) => (server.address() as AddressInfo).port;

/** What the proxy saw. */
interface Seen {
  /** The targets and credentials of its requests. */
  connects: [target: string | undefined, credentials: string | undefined][];
  /** The bytes that went to the gateway. */
  bytes: string;
  /** What the gateway got after its response. */
  said: Buffer[];
}

/** A gateway with TLS on this machine, behind a proxy that sends all tunnels there, or answers with another status. */
async function withProxy(
  { status = 200, credentials = '', stays = false },
  use: (url: URL, seen: Seen) => Promise<void>,
): Promise<void> {
  const sockets = new Set<Socket>();
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
  };
  const gateway = tls
    .createServer({ key: pem('key'), cert: pem('certificate') }, (socket: TLSSocket) => {
      keep(socket);
      socket.once('data', data => {
        socket.write(acceptance(data));
        socket.write(textFrame('{"a":1}'));
        if (!stays) socket.end(goodbyeFrame(1011));
        socket.on('data', data => {
          seen.said.push(data);
          socket.end();
        });
      });
    })
    .listen(0, '127.0.0.1');
  gateway.on('tlsClientError', () => {});
  const seen: Seen = { connects: [], bytes: '', said: [] };
  const proxy = createProxy().listen(0, '127.0.0.1');
  proxy.on('connect', (request, socket: Socket) => {
    keep(socket);
    seen.connects.push([request.url, request.headers['proxy-authorization']]);
    if (status !== 200) return socket.end(`HTTP/1.1 ${status} No\r\nContent-Length: 0\r\n\r\n`);
    const onward = connect(portOf(gateway), '127.0.0.1');
    keep(onward);
    socket.write('HTTP/1.1 200 OK\r\n\r\n');
    socket.on('data', data => {
      seen.bytes += data.toString('latin1');
    });
    socket.pipe(onward).pipe(socket);
  });
  await Promise.all([once(gateway, 'listening'), once(proxy, 'listening')]);
  const { https_proxy: before } = process.env;
  process.env.https_proxy = `http://${credentials}127.0.0.1:${portOf(proxy)}`;
  try {
    // Only the proxy can find this host.
    await use(new URL('wss://cloud.test/ws/twilio'), seen);
  } finally {
    if (before === undefined) delete process.env.https_proxy;
    else process.env.https_proxy = before;
    for (const socket of sockets) socket.destroy();
    await Promise.all([gateway, proxy].map(server => new Promise(resolve => server.close(resolve))));
  }
}

/** Opens a line whose end the gateway sends. Returns its messages, and the code of its end. */
async function listen(url: URL): Promise<[messages: unknown[], code: number | undefined]> {
  const messages: unknown[] = [];
  const line = await open(url, new AbortController().signal, message => messages.push(message));
  return [messages, await line.ended];
}

const open = (url: URL, signal: AbortSignal, onMessage: (message: unknown) => void = () => {}) =>
  openLine(url, {
    userAgent: 'test',
    timeoutMs: 60_000,
    signal,
    purpose: 'call',
    onFrame: data => onMessage(JSON.parse(String(data))),
  });

const failsWith = (reason: string, message: RegExp) => (error: unknown) => {
  assert(error instanceof CloudError);
  assert.equal(error.reason, reason);
  assert.match(error.message, message);
  assert.doesNotMatch(`${error.message}${error.hint}`, /swordfish/);
  return true;
};

describe('a line to the gateway through a proxy', () => {
  // A process learns of more certificates only at its start, so here every connection gets this one.
  const { createSecureContext } = tls;
  const trust = () => {
    tls.createSecureContext = options => createSecureContext({ ...options, ca: pem('certificate') });
  };
  afterEach(() => {
    tls.createSecureContext = createSecureContext;
  });

  it('is opened over TLS, so that the proxy reads nothing', () =>
    withProxy({}, async (url, seen) => {
      trust();
      assert.deepEqual(await listen(url), [[{ a: 1 }], 1011]);
      assert.deepEqual(seen.connects, [['cloud.test:443', undefined]]);
      assert.ok(seen.bytes.length > 0);
      assert.doesNotMatch(seen.bytes, /websocket|twilio/i);
    }));

  it('says goodbye after Ctrl-C', () =>
    withProxy({ stays: true }, async (url, { said }) => {
      trust();
      const controller = new AbortController();
      const line = await open(url, controller.signal);
      controller.abort(new Error('stop'));
      await line.close();
      assert.equal(Buffer.concat(said)[0], goodbyeFrame(1000)[0]);
    }));

  it('is not opened to a gateway whose certificate is not trusted', () =>
    withProxy({}, async (url, seen) => {
      await assert.rejects(listen(url), failsWith('certificate', /^The certificate of cloud\.test can't be trusted/));
      assert.doesNotMatch(seen.bytes, /websocket|twilio/i);
    }));

  it('sends credentials only to the proxy, decoded', () =>
    withProxy({ status: 407, credentials: 'me:sword%40fish@' }, async (url, seen) => {
      await assert.rejects(listen(url), failsWith('proxy', /requires a username and password \(HTTP 407\)/));
      assert.deepEqual(seen.connects, [['cloud.test:443', `Basic ${Buffer.from('me:sword@fish').toString('base64')}`]]);
    }));

  it('names the proxy that refuses it', () =>
    withProxy({ status: 403 }, async url => {
      const refusal = /^The proxy 127\.0\.0\.1:\d+ \(from https_proxy\) refuses to connect to cloud\.test \(HTTP 403\)/;
      await assert.rejects(listen(url), failsWith('proxy', refusal));
    }));
});
