import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { isIP } from 'node:net';
import type { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import WebSocket from 'ws';
import type { ErrorCode } from '../errors.ts';
import { type HttpProxy, proxyFor, settingsOf } from '../network/proxy.ts';
import { CloudError } from './cloud-error.ts';
import { badAnswer, failureOf, unreachable } from './errors.ts';
import { codeOf, type HttpOptions } from './http.ts';
import { isRegion } from './location.ts';

/** The largest message to take, in bytes. */
const LARGEST = 2 ** 20;

/** How long to wait for the other side to agree to the end, in milliseconds. */
const GOODBYE_MS = 2000;

/** The codes of a connection that ended without one. */
const NO_CODES: readonly number[] = [1005, 1006];

/** An open connection to the platform's gateway. */
export interface Line {
  /** Settles once the connection has ended, with the code of its end, if it has one. */
  readonly ended: Promise<number | undefined>;
  /** Sends a message, if the connection hasn't ended. */
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
  /** Called with each message. */
  onFrame(data: WebSocket.RawData, isBinary: boolean): void;
}

/**
 * The address at which the gateway takes a provider's calls, or sessions: `generic/AGENT.ORGANIZATION`. It may have another host than the API, which is known only
 * for the platform's own API; any other one plays the gateway, too.
 *
 * @param apiUrl Undefined for the platform's own API.
 */
export function gatewayUrl(route: string, region: string, apiUrl: string | undefined): URL {
  if (apiUrl === undefined) {
    if (!isRegion(region)) throw badAnswer("The agent's region can't be part of an address");
    return new URL(`wss://${region}.api.pipecat.daily.co/ws/${route}`);
  }
  const url = new URL(apiUrl);
  return new URL(`${url.protocol === 'http:' ? 'ws' : 'wss'}://${url.host}/ws/${route}`);
}

/**
 * Connects to the gateway. The token of the login is never sent there.
 *
 * @throws {CloudError} It can't be reached, or takes no call.
 * @throws The reason of `signal`, if that is aborted.
 */
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
    throw unreachable(url.host, failureOf(connecting.signal.aborted ? 'timeout' : codeOf(error)), 1, false, proxy);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

function openTunnel(address: URL, proxy: HttpProxy, signal: AbortSignal): Promise<Duplex> {
  const { protocol, host, port, auth } = settingsOf(proxy);
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
  const ended = new Promise<number | undefined>(resolve => {
    socket.once('close', code => resolve(NO_CODES.includes(code) ? undefined : code));
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

const REASONS: Readonly<Record<number, ErrorCode>> = { 403: 'forbidden', 404: 'not-found', 429: 'limit' };

function refused(host: string, status: number, purpose: LineOptions['purpose']): CloudError {
  // A bot that crashes at its start looks like this.
  const problem = purpose === 'session' ? 'part-ended' : 'platform-problem';
  const reason = REASONS[status] ?? (status >= 500 ? problem : 'refused');
  const isKept = purpose === 'call' && (status === 401 || status === 403);
  const isFull = purpose === 'session' && status === 429;
  const hint = isKept
    ? 'With websocket_auth = "token" in its deploy file, phone providers can\'t connect.'
    : isFull
      ? 'All instances may be busy. Raise max_agents, or try again later.'
      : undefined;
  return new CloudError(`The gateway ${host} doesn't take the ${purpose} (HTTP ${status})`, { reason, hint, status });
}
