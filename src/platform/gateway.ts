import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { type AddressInfo, isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import WebSocket, { WebSocketServer } from 'ws';
import { type ErrorCode, UserError } from '../errors.ts';
import { type HttpProxy, proxyFor } from '../network/requests.ts';
import { isObject, parsedJson } from '../std.ts';
import { badAnswer, CloudError, failureOf, unreachable } from './errors.ts';
import type { HttpOptions } from './http.ts';
import { isRegion } from './names.ts';

const LARGEST = 2 ** 20;

/** How long to wait for the other side to agree to the end, in milliseconds. */
const GOODBYE_MS = 2000;

export interface Line {
  /** Settles once the connection has ended, with the code of its end, if it has one. */
  readonly ended: Promise<number | undefined>;
  send(message: object): void;
  /** Passes a message on as it is, if the connection hasn't ended. */
  relay(data: WebSocket.RawData, isBinary: boolean): void;
  /** Ends the connection, and waits a moment for the other side to agree. */
  close(): Promise<void>;
}

interface LineOptions extends Pick<HttpOptions, 'userAgent' | 'timeoutMs' | 'signal'> {
  /** What the connection is for. */
  purpose: 'call' | 'session';
  /** The token of a session. Phone providers have none. */
  token?: string | undefined;
  onFrame(data: WebSocket.RawData, isBinary: boolean): void;
}

/**
 * The address at which the gateway takes calls or sessions, such as `generic/AGENT.ORGANIZATION`. Its host is known
 * only for the platform's own API (`apiUrl` undefined); any other one plays the gateway, too.
 */
export function gatewayUrl(route: string, region: string, apiUrl: string | undefined): URL {
  if (apiUrl === undefined) {
    if (!isRegion(region)) throw badAnswer("The agent's region can't be part of an address");
    return new URL(`wss://${region}.api.pipecat.daily.co/ws/${route}`);
  }
  const url = new URL(apiUrl);
  return new URL(`${url.protocol === 'http:' ? 'ws' : 'wss'}://${url.host}/ws/${route}`);
}

/** Connects to the gateway, without the token of the login. Throws a `CloudError`, or the reason of `signal`. */
export async function openLine(url: URL, options: LineOptions): Promise<Line> {
  const { signal, timeoutMs } = options;
  const address = new URL(url);
  address.protocol = url.protocol === 'ws:' ? 'http:' : 'https:';
  const proxy = proxyFor(address.href);
  signal.throwIfAborted();
  // A call ends with a goodbye, so only the connecting is aborted.
  const connecting = new AbortController();
  const stop = () => connecting.abort();
  const timer = setTimeout(stop, timeoutMs);
  signal.addEventListener('abort', stop);
  try {
    const tunnel = proxy && (await openTunnel(address, proxy, connecting.signal));
    return await connect(url, options, connecting.signal, tunnel);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CloudError) throw error;
    throw unreachable(url.host, failureOf(error, connecting.signal.aborted).code, { proxy });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

function openTunnel(address: URL, { settings }: HttpProxy, signal: AbortSignal): Promise<Duplex> {
  const { protocol, host, port, auth } = settings;
  const path = `${address.hostname}:${address.port || 443}`;
  const sent = auth && Buffer.from(`${auth.username}:${auth.password}`).toString('base64');
  const headers = { host: path, ...(sent ? { 'Proxy-Authorization': `Basic ${sent}` } : {}) };
  const request = protocol === 'https:' ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    request({ method: 'CONNECT', host, port, path, headers, signal })
      .once('error', reject)
      .once('connect', ({ statusCode }: IncomingMessage, socket: Duplex) => {
        if (statusCode === 200) return resolve(socket);
        socket.destroy();
        reject(Object.assign(new Error(), { code: `proxy-${statusCode}` }));
      })
      .end();
  });
}

function connect(
  url: URL,
  { userAgent, purpose, token, onFrame }: LineOptions,
  connecting: AbortSignal,
  tunnel: Duplex | undefined,
): Promise<Line> {
  connecting.throwIfAborted();
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const through = tunnel && {
    createConnection: () =>
      url.protocol === 'wss:' ? connectTls({ socket: tunnel, host, ...(!isIP(host) && { servername: host }) }) : tunnel,
  };
  const socket = new WebSocket(url, {
    headers: { 'User-Agent': userAgent, ...(token !== undefined && { Authorization: `Bearer ${token}` }) },
    perMessageDeflate: false,
    maxPayload: LARGEST,
    closeTimeout: GOODBYE_MS,
    ...through,
  } as WebSocket.ClientOptions);
  // Two codes stand for none.
  const ended = new Promise<number | undefined>(resolve => {
    socket.once('close', code => resolve([1005, 1006].includes(code) ? undefined : code));
  });
  socket.on('message', onFrame);
  return new Promise((resolve, reject) => {
    const stop = () => socket.terminate();
    connecting.addEventListener('abort', stop);
    socket.once('open', () => {
      connecting.removeEventListener('abort', stop);
      resolve({
        ended,
        send: message => socket.send(JSON.stringify(message)),
        relay: (data, binary) => socket.readyState === WebSocket.OPEN && socket.send(data, { binary }),
        async close() {
          socket.close(1000);
          await ended;
        },
      });
    });
    socket.once('unexpected-response', (_, { statusCode = 0 }) => {
      reject(refused(url.host, statusCode, purpose));
      stop();
    });
    // A lost connection is an end, like any other.
    socket.on('error', error => {
      const isForeign = !('code' in error) && !connecting.aborted;
      const message = `${url.host} doesn't respond like the platform's gateway`;
      reject(isForeign ? badAnswer(message, { isUnsure: false }) : error);
    });
  });
}

const HINTS: Readonly<Record<string, string>> = {
  'call 401': 'With websocket_auth = "token" in its deploy file, phone providers can\'t connect.',
  'call 403': 'With websocket_auth = "token" in its deploy file, phone providers can\'t connect.',
  'call 404': 'The agent may have been deleted.',
  'session 404': 'The agent may have been deleted.',
  'session 429': 'All instances may be busy. Raise max_agents, or try again later.',
};

function refused(host: string, status: number, purpose: LineOptions['purpose']): CloudError {
  const reasons: Readonly<Record<number, ErrorCode>> = { 403: 'forbidden', 404: 'not-found', 429: 'limit' };
  // A bot that crashes at its start looks like this.
  const problem = purpose === 'session' ? 'part-ended' : 'platform-problem';
  const reason = reasons[status] ?? (status >= 500 ? problem : 'refused');
  const message = `The gateway ${host} doesn't take the ${purpose} (HTTP ${status})`;
  return new CloudError(message, { reason, hint: HINTS[`${purpose} ${status}`], status });
}

type Frame = [data: WebSocket.RawData, isBinary: boolean];

interface Relay {
  url: string;
  /** In how many sessions the bot said that it's ready. */
  readonly ready: number;
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
  server.on('upgrade', (request: IncomingMessage, socket, head) => {
    const isOurs = request.url?.split('?')[0] === path && request.headers.origin === undefined;
    if (!isOurs) return socket.destroy();
    clients.handleUpgrade(request, socket, head, client => {
      const session = relaySession(client, open, () => ready++).catch(onRefusal);
      work.add(session);
      session.finally(() => work.delete(session));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
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
      if (!isReady && messageIn(frame).type === 'bot-ready') {
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
    hint: 'The bot may have crashed or taken too long to start, its image may be older than the eval row of bot.py, or the platform has reached a limit.',
  });

const messageIn = ([data, isBinary]: Frame): Record<string, unknown> => {
  const message = isBinary ? undefined : parsedJson(String(data));
  return isObject(message) && message.label === 'rtvi-ai' ? message : {};
};

const isEvalConnect = (frame: Frame): boolean => {
  const { type, data } = messageIn(frame);
  return type === 'client-message' && isObject(data) && data.t === 'eval-connect';
};
