import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { CloudError } from '../../src/platform/cloud-error.ts';
import { encodeFrame, FrameReader, OPCODES } from '../../src/platform/frames.ts';
import { gatewayUrl, openLine } from '../../src/platform/gateway.ts';
import type { Line } from '../../src/platform/line.ts';

const text = (payload: string) => encodeFrame(OPCODES.text, Buffer.from(payload));
const MASK = Buffer.from([1, 2, 3, 4]);

describe('the frames of a WebSocket', () => {
  for (const length of [0, 5, 125, 126, 65_535, 65_536, 200_000]) {
    it(`of ${length} bytes arrive whole, whatever the pieces`, () => {
      const payload = Buffer.alloc(length, 'ab');
      for (const mask of [undefined, MASK]) {
        const bytes = encodeFrame(OPCODES.text, payload, mask);
        const reader = new FrameReader();
        const got = [1, 3, 60, bytes.length].flatMap((end, at, ends) =>
          reader.push(bytes.subarray(ends[at - 1] ?? 0, end)),
        );
        assert.deepEqual(got, [{ opcode: OPCODES.text, payload }]);
      }
    });
  }

  it('of a message are put together, also around a ping', () => {
    const part = (opcode: number, isLast: boolean, body: string) => {
      const frame = text(body);
      frame[0] = (isLast ? 0x80 : 0) | opcode;
      return frame;
    };
    const ping = encodeFrame(OPCODES.ping, Buffer.from('p'));
    const bytes = Buffer.concat([part(1, false, 'a'), ping, part(0, false, 'b'), part(0, true, 'c'), text('d')]);
    assert.deepEqual(
      new FrameReader().push(bytes).map(({ payload }) => payload.toString()),
      ['p', 'abc', 'd'],
    );
  });

  const wrong: [name: string, bytes: Buffer][] = [
    ['a part without a start', Buffer.from([0x80, 0])],
    ['a start in the middle', Buffer.from([0x01, 0, 0x81, 0])],
    ['an extension', Buffer.from([0xc1, 0])],
    ['a length of over 1 MiB', Buffer.from([0x81, 127, 0, 0, 0, 0, 0, 0x20, 0, 0])],
    ['a length of 2^63', Buffer.from([0x81, 127, 0x80, 0, 0, 0, 0, 0, 0, 0])],
  ];
  for (const [name, bytes] of wrong) {
    it(`are refused with ${name}`, () => assert.throws(() => new FrameReader().push(bytes), RangeError));
  }

  it('are refused if the parts of a message have over 1 MiB', () => {
    const reader = new FrameReader();
    const part = encodeFrame(OPCODES.text, Buffer.alloc(600_000));
    part[0] = 0x01;
    const next = Buffer.from(part);
    next[0] = 0x00;
    reader.push(part);
    assert.throws(() => reader.push(next), RangeError);
  });
});

/** A server that answers the first request like this, for a client that wants a line. */
async function withServer(
  answer: (socket: Socket, accept: string) => void,
  use: (open: (signal?: AbortSignal) => Promise<{ line: Line; messages: unknown[] }>) => Promise<void>,
): Promise<void> {
  const sockets = new Set<Socket>();
  const server = createServer(socket => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    socket.once('data', data => {
      const key = /sec-websocket-key: (\S+)/i.exec(data.toString())?.[1] ?? '';
      assert.doesNotMatch(data.toString(), /authorization/i);
      answer(socket, createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64'));
    });
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  const url = new URL(`ws://127.0.0.1:${(server.address() as AddressInfo).port}/ws/twilio`);
  try {
    await use(async (signal = new AbortController().signal) => {
      const messages: unknown[] = [];
      const line = await openLine(url, {
        userAgent: 'test',
        timeoutMs: 200,
        signal,
        onMessage: message => messages.push(message),
      });
      return { line, messages };
    });
  } finally {
    for (const socket of sockets) socket.destroy();
    await new Promise(resolve => server.close(resolve));
  }
}

const accepting = (socket: Socket, accept: string, more: Buffer = Buffer.alloc(0)) =>
  socket.write(
    Buffer.concat([
      Buffer.from(
        `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
      ),
      more,
    ]),
  );

describe('a line to the gateway', () => {
  const http = (status: string) => (socket: Socket) => socket.end(`HTTP/1.1 ${status}\r\ncontent-length: 0\r\n\r\n`);
  const refusals: [name: string, answer: Parameters<typeof withServer>[0], reason: string, message: RegExp][] = [
    ['a refusal', http('403 Forbidden'), 'forbidden', /doesn't take the call \(HTTP 403\)/],
    ['an error', http('502 Bad Gateway'), 'platform-problem', /HTTP 502/],
    ['a redirect', http('302 Found\r\nlocation: http://127.0.0.1:1/'), 'refused', /HTTP 302/],
    ['a page', http('200 OK'), 'refused', /HTTP 200/],
    ['silence', () => {}, 'timeout', /didn't send a complete response in time/],
    ['a lost connection', socket => socket.resetAndDestroy(), 'unreachable', /the connection was lost/],
    ['another protocol', socket => socket.end('SSH-2.0-x\r\n'), 'bad-answer', /doesn't respond like the platform/],
    ['a wrong key', socket => accepting(socket, 'wrong'), 'bad-answer', /doesn't respond like the platform's gateway/],
  ];
  for (const [name, answer, reason, message] of refusals) {
    it(`isn't opened by ${name}`, () =>
      withServer(answer, async open => {
        await assert.rejects(open(), error => {
          assert(error instanceof CloudError);
          assert.equal(error.reason, reason);
          assert.match(error.message, message);
          return true;
        });
      }));
  }

  it('outlives the time to connect, and gets what came with the answer', () =>
    withServer(
      (socket, accept) => {
        accepting(socket, accept, text('{"a":1}'));
        setTimeout(() => socket.write(text('no JSON')), 300);
        setTimeout(() => socket.end(encodeFrame(OPCODES.close, Buffer.from([3, 243]))), 320);
      },
      async open => {
        const { line, messages } = await open();
        assert.equal(await line.ended, 1011);
        assert.deepEqual(messages, [{ a: 1 }, undefined]);
        line.send({ late: true });
        await line.close();
      },
    ));

  it('ends with nonsense, and says goodbye after Ctrl-C', async () => {
    await withServer(
      (socket, accept) => accepting(socket, accept, Buffer.from([0xff, 0xff, 0xff])),
      async open => assert.equal(await (await open()).line.ended, undefined),
    );
    const said: Buffer[] = [];
    await withServer(
      (socket, accept) => {
        accepting(socket, accept);
        socket.on('data', data => said.push(data));
      },
      async open => {
        const controller = new AbortController();
        const { line } = await open(controller.signal);
        controller.abort(new Error('stop'));
        await line.close();
        await assert.rejects(open(controller.signal), /stop/);
      },
    );
    const goodbye = { opcode: OPCODES.close, payload: Buffer.from([3, 232]) };
    assert.deepEqual(new FrameReader().push(Buffer.concat(said)), [goodbye]);
  });

  it('closes even if the other side never agrees', () =>
    withServer(
      (socket, accept) => accepting(socket, accept),
      async open => {
        const { line } = await open();
        const start = Date.now();
        await line.close();
        assert(Date.now() - start < 5000);
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
