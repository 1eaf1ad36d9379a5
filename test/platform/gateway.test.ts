import assert from 'node:assert/strict';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { gatewayUrl, openLine } from '../../src/platform/gateway.ts';
import { acceptance, goodbyeFrame, textFrame } from '../support/frames.ts';

type How = { signal?: AbortSignal; timeoutMs?: number };

/** A server that answers the first request like this, for a client that wants a line. */
async function withServer(
  answer: (socket: Socket, request: Buffer) => void,
  use: (
    open: (how?: How) => Promise<{ line: Awaited<ReturnType<typeof openLine>>; messages: unknown[] }>,
  ) => Promise<void>,
): Promise<void> {
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('data', data => {
      assert.doesNotMatch(data.toString(), /authorization/i);
      answer(socket, data);
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws/twilio`);
  try {
    await use(async ({ signal = new AbortController().signal, timeoutMs = 60_000 } = {}) => {
      const messages: unknown[] = [];
      const line = await openLine(url, {
        userAgent: 'test',
        timeoutMs,
        signal,
        purpose: 'call',
        onFrame: (data, isBinary) => messages.push([String(data), isBinary]),
      });
      return { line, messages };
    });
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise(resolve => server.close(resolve));
  }
}

const accepting = (socket: Socket, request: Buffer, ...more: Buffer[]) =>
  socket.write(Buffer.concat([acceptance(request), ...more]));

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

describe('a line to the gateway', () => {
  const http = (status: string) => (socket: Socket) => socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`);
  const wrong = (socket: Socket, request: Buffer) => socket.write(acceptance(request, 'wrong'));
  const refusals: [name: string, answer: Parameters<typeof withServer>[0], reason: string, message: RegExp][] = [
    ['a refusal', http('403 Forbidden'), 'forbidden', /doesn't take the call \(HTTP 403\)/],
    ['an error', http('502 Bad Gateway'), 'platform-problem', /HTTP 502/],
    ['a redirect', http('302 Found\r\nlocation: http://127.0.0.1:1/'), 'refused', /HTTP 302/],
    ['a page', http('200 OK'), 'refused', /HTTP 200/],
    // Whatever is not held would be collected, such as the time limit.
    ['silence', () => setTimeout(collectGarbage, 50), 'timeout', /didn't send a complete response in time/],
    ['a lost connection', socket => socket.resetAndDestroy(), 'unreachable', /the connection was lost/],
    ['another protocol', socket => socket.end('SSH-2.0-x\r\n'), 'bad-answer', /doesn't respond like the platform/],
    ['a wrong key', wrong, 'bad-answer', /doesn't respond like the platform's gateway/],
  ];
  for (const [name, answer, reason, message] of refusals) {
    it(`isn't opened by ${name}`, () =>
      withServer(answer, async open => {
        const opened = open(reason === 'timeout' ? { timeoutMs: 200 } : {});
        await assert.rejects(opened, { reason, message });
      }));
  }

  it('outlives the time to connect, and gets what came with the answer', () =>
    withServer(
      (socket, request) => {
        accepting(socket, request, textFrame('{"a":1}'));
        setTimeout(() => socket.write(textFrame('no JSON')), 2100);
        setTimeout(() => socket.end(goodbyeFrame(1011)), 2120);
      },
      async open => {
        const { line, messages } = await open({ timeoutMs: 2000 });
        assert.equal(await line.ended, 1011);
        assert.deepEqual(messages, [
          ['{"a":1}', false],
          ['no JSON', false],
        ]);
        line.send({ late: true });
        await line.close();
      },
    ));

  it('ends with nonsense, and says goodbye after Ctrl-C', async () => {
    const tooLong = [0x81, 127, 0, 0, 0, 0, 0, 0x20, 0, 0];
    for (const bytes of [[0xff, 0xff, 0xff], tooLong]) {
      await withServer(
        (socket, request) => accepting(socket, request, Buffer.from(bytes)),
        async open => assert.equal(await (await open()).line.ended, undefined),
      );
    }
    const said: Buffer[] = [];
    await withServer(
      (socket, request) => {
        accepting(socket, request);
        socket.on('data', data => said.push(data));
      },
      async open => {
        const controller = new AbortController();
        const { line } = await open({ signal: controller.signal });
        controller.abort(new Error('stop'));
        await line.close();
        await assert.rejects(open({ signal: controller.signal }), /stop/);
      },
    );
    // A client masks what it sends.
    const [opcode, length, ...rest] = Buffer.concat(said);
    const code = rest.slice(4).map((byte, at) => byte ^ (rest[at] as number));
    assert.deepEqual([opcode, length, code], [0x88, 0x82, [...goodbyeFrame(1000).subarray(2)]]);
  });

  it('closes even if the other side never agrees', () =>
    withServer(
      (socket, request) => accepting(socket, request),
      async open => {
        const { line } = await open();
        const start = Date.now();
        await line.close();
        // The library itself gives up after 30 seconds.
        assert(Date.now() - start < 25_000);
      },
    ));

  it('leads to the region of the agent, or to the host of another API', () => {
    assert.equal(gatewayUrl('plivo', 'eu-central', undefined).href, 'wss://eu-central.api.pipecat.daily.co/ws/plivo');
    assert.equal(gatewayUrl('plivo', 'x', 'http://127.0.0.1:4010/api').href, 'ws://127.0.0.1:4010/ws/plivo');
    assert.equal(gatewayUrl('plivo', 'x', 'https://cloud.test').href, 'wss://cloud.test/ws/plivo');
    for (const region of ['evil.test/', 'a.b', '', 'x@y', 'unknown\n', 'unknown', '-']) {
      assert.throws(() => gatewayUrl('plivo', region, undefined), /region can't be part of an address/);
    }
  });
});
