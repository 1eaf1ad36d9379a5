import { randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type WebSocket, WebSocketServer } from 'ws';
import { UserError } from '../errors.ts';
import { isObject, parsedJson } from '../std.ts';
import type { Line } from './gateway.ts';

type Frame = [data: WebSocket.RawData, isBinary: boolean];

/** A local address for a deployed bot. Each connection to it is a session. */
interface Relay {
  url: string;
  /** In how many sessions the bot said that it's ready. */
  readonly ready: number;
  /** Ends all sessions. */
  close(): Promise<void>;
}

interface Sessions {
  /** Starts a session. `left` is aborted if nobody waits for it anymore. */
  open(onFrame: (...frame: Frame) => void, left: AbortSignal): Promise<Line>;
  /** Called if a session can't begin, or ends before the bot is ready: what the platform refuses is no conversation. */
  onRefusal(error: unknown): void;
}

/**
 * Opens a local address. The framework's evals know only addresses, so they can't send a token, nor use a proxy. Only
 * programs that know the address get through, and no page in a browser does.
 */
export async function openRelay({ open, onRefusal }: Sessions): Promise<Relay> {
  const path = `/${randomUUID()}`;
  const server = createServer((_, response) => response.writeHead(404).end());
  const clients = new WebSocketServer({ noServer: true, perMessageDeflate: false });
  const work = new Set<Promise<void>>();
  let ready = 0;
  const onReady = () => {
    ready += 1;
  };
  server.on('upgrade', (request: IncomingMessage, socket, head) => {
    const isOurs = request.url?.split('?')[0] === path && request.headers.origin === undefined;
    if (!isOurs) return socket.destroy();
    clients.handleUpgrade(request, socket, head, client => {
      const session = relaySession(client, open, onReady).catch(onRefusal);
      work.add(session);
      session.finally(() => work.delete(session));
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `ws://127.0.0.1:${(server.address() as AddressInfo).port}${path}`,
    get ready() {
      return ready;
    },
    async close() {
      for (const client of clients.clients) client.terminate();
      await Promise.all(work);
      await new Promise(resolve => server.close(resolve));
    },
  };
}

/** Relays one session, as it is, until one side ends it. */
async function relaySession(client: WebSocket, open: Sessions['open'], onReady: () => void): Promise<void> {
  const early: Frame[] = [];
  let line: Line | undefined;
  let isReady = false;
  client.on('error', () => client.terminate());
  const leaving = new AbortController();
  const left = new Promise<'left'>(resolve => client.once('close', () => resolve('left')));
  left.then(() => leaving.abort());
  const first = new Promise<Frame>(resolve => {
    client.on('message', (...frame: Frame) => {
      resolve(frame);
      if (line) line.relay(...frame);
      else early.push(frame);
    });
  });
  try {
    const begun = await Promise.race([first, left]);
    if (begun === 'left') return;
    // Anything else would be a session with a bot that takes it for a caller's.
    if (!isEvalConnect(begun)) throw new UserError("The project's pipecat-ai can't talk to deployed bots", TOO_OLD);
    const opened = await open((...frame) => {
      if (!isReady && typeIn(frame) === 'bot-ready') {
        isReady = true;
        onReady();
      }
      if (client.readyState === client.OPEN) client.send(frame[0], { binary: frame[1] });
    }, leaving.signal);
    for (const frame of early) opened.relay(...frame);
    line = opened;
    const code = await Promise.race([opened.ended, left]);
    if (code === 'left') await opened.close();
    else if (!isReady) throw closedEarly(code);
  } finally {
    client.close(isReady ? 1000 : 1011);
  }
}

const TOO_OLD = { reason: 'part-ended', hint: 'It needs 1.13 or newer: run botcli update.' } as const;

const closedEarly = (code: number | undefined): UserError =>
  new UserError(`The session ended before the bot was ready${code === undefined ? '' : ` (code ${code})`}`, {
    reason: 'part-ended',
    hint: 'The bot may have crashed, its image may be older than the eval row of bot.py, or the platform has reached a limit.',
  });

/** What a frame says in the framework's protocol. */
const messageIn = ([data, isBinary]: Frame): Record<string, unknown> => {
  const message = isBinary ? undefined : parsedJson(String(data));
  return isObject(message) && message.label === 'rtvi-ai' ? message : {};
};

const typeIn = (frame: Frame): unknown => messageIn(frame).type;

const isEvalConnect = (frame: Frame): boolean => {
  const { type, data } = messageIn(frame);
  return type === 'client-message' && isObject(data) && data.t === 'eval-connect';
};
