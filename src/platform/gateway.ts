import { createHash, randomBytes } from 'node:crypto';
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { Duplex } from 'node:stream';
import type { ErrorCode } from '../error-codes.ts';
import { type HttpProxy, proxyFor, settingsOf } from '../network/proxy.ts';
import { CloudError } from './cloud-error.ts';
import { badAnswer, failureOf, unreachable } from './errors.ts';
import { codeOf, type HttpOptions } from './http.ts';
import { Line } from './line.ts';
import { isRegion } from './location.ts';

interface LineOptions extends Pick<HttpOptions, 'userAgent' | 'timeoutMs' | 'signal'> {
  /** Called with each message: what JSON text says. Anything else isn't one of a phone provider's. */
  onMessage(message: unknown): void;
}

/**
 * The address at which the gateway takes a provider's calls. It may have another host than the API, which is known only
 * for the platform's own API; any other one plays the gateway, too.
 *
 * @param apiUrl Undefined for the platform's own API.
 */
export function gatewayUrl(provider: string, region: string, apiUrl: string | undefined): URL {
  if (apiUrl === undefined) {
    if (!isRegion(region)) throw badAnswer("The agent's region can't be part of an address");
    return new URL(`wss://${region}.api.pipecat.daily.co/ws/${provider}`);
  }
  const url = new URL(apiUrl);
  return new URL(`${url.protocol === 'http:' ? 'ws' : 'wss'}://${url.host}/ws/${provider}`);
}

/** RFC 6455 has every server append this to the client's key. */
const MAGIC = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/**
 * Connects to the gateway. No token is sent there: phone providers have none.
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
  // A request's signal ends what it became, too. But a call ends with a goodbye, so only the connecting is aborted.
  const connecting = new AbortController();
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = true;
    connecting.abort();
  }, timeoutMs);
  const stop = () => connecting.abort();
  signal.addEventListener('abort', stop);
  try {
    const tunnel = proxy && (await openTunnel(address, proxy, connecting.signal));
    const { socket, head } = await upgrade(address, options.userAgent, connecting.signal, tunnel);
    return new Line(socket, head, options.onMessage);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof CloudError) throw error;
    throw unreachable(url.host, failureOf(isLate ? 'timeout' : codeOf(error)), 1, false, proxy);
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
  }
}

async function openTunnel(address: URL, proxy: HttpProxy, signal: AbortSignal): Promise<Duplex> {
  const { protocol, host, port, auth } = settingsOf(proxy);
  const path = `${address.hostname}:${address.port || 443}`;
  const sent = auth && Buffer.from(`${auth.username}:${auth.password}`).toString('base64');
  const headers = { host: path, ...(sent ? { 'Proxy-Authorization': `Basic ${sent}` } : {}) };
  const request = (protocol === 'https:' ? requestHttps : requestHttp)({
    method: 'CONNECT',
    host,
    port,
    path,
    headers,
    signal,
  });
  const { reply, socket } = await settled(request, 'connect');
  if (reply.statusCode === 200) return socket;
  socket.destroy();
  throw Object.assign(new Error(), { code: `proxy-${reply.statusCode}` });
}

async function upgrade(address: URL, userAgent: string, signal: AbortSignal, tunnel: Duplex | undefined) {
  const key = randomBytes(16).toString('base64');
  const headers = {
    'User-Agent': userAgent,
    Connection: 'Upgrade',
    Upgrade: 'websocket',
    'Sec-WebSocket-Version': '13',
    'Sec-WebSocket-Key': key,
  };
  const request = (address.protocol === 'https:' ? requestHttps : requestHttp)(address, {
    headers,
    signal,
    agent: false,
    ...(tunnel ? { socket: tunnel } : {}),
  } as object);
  const { reply, socket, head } = await settled(request, 'upgrade');
  const expected = createHash('sha1')
    .update(key + MAGIC)
    .digest('base64');
  if (reply.headers['sec-websocket-accept'] === expected) return { socket, head };
  socket.destroy();
  throw badAnswer(`${address.host} doesn't respond like the platform's gateway`, { isUnsure: false });
}

/** Sends a request whose good response ends HTTP. */
function settled(request: ClientRequest, event: 'connect' | 'upgrade') {
  return new Promise<{ reply: IncomingMessage; socket: Duplex; head: Buffer }>((resolve, reject) => {
    request.once('error', reject);
    request.once(event, (reply: IncomingMessage, socket: Duplex, head: Buffer) => resolve({ reply, socket, head }));
    request.once('response', (reply: IncomingMessage) => {
      request.destroy();
      reject(refused(request.host, reply.statusCode ?? 0));
    });
    request.end();
  });
}

const REASONS: Readonly<Record<number, ErrorCode>> = { 403: 'forbidden', 404: 'not-found', 429: 'limit' };

function refused(host: string, status: number): CloudError {
  const reason = REASONS[status] ?? (status >= 500 ? 'platform-problem' : 'refused');
  const isKept = status === 401 || status === 403;
  const hint = isKept
    ? 'With websocket_auth = "token" in cloud-deploy.toml, phone providers can\'t connect.'
    : undefined;
  return new CloudError(`The gateway ${host} doesn't take the call (HTTP ${status})`, { reason, hint, status });
}
