import { randomUUID } from 'node:crypto';
import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import { Readable } from 'node:stream';
import axios, { type AxiosResponse } from 'axios';
import type { HiddenValues } from '../hidden-values.ts';
import { type HttpProxy, isFromProxy, plainRequest, proxyFor } from '../network/requests.ts';
import { parsedJson } from '../std.ts';
import { isLoopback, isSafe } from '../this-computer.ts';
import type { Answer } from './answers.ts';
import { badAnswer, CloudError, failureOf, unreachable } from './errors.ts';

const TRIES = 4;
const SOCKETS = 3;
const LARGEST_ANSWER = 5 * 2 ** 20;

export interface HttpOptions {
  /** The API's address, without a trailing slash. */
  apiUrl: string;
  token: string;
  userAgent: string;
  proxy?: HttpProxy | undefined;
  /** The limit for one attempt; half of it for a response to start. All attempts together have three times as long. */
  timeoutMs: number;
  signal: AbortSignal;
  /** What isn't shown of responses. */
  hidden?: HiddenValues;
  /** Called for each attempt, with its method, path, status and time. */
  onTry?(line: string): void;
  /** Called if a request, with all its attempts, takes longer than a response may take to start. */
  onSlow?(host: string): void;
  /** Waits between attempts, in milliseconds. Throws the reason of `signal` if that is aborted. */
  sleep(ms: number, signal: AbortSignal): Promise<void>;
}

interface HttpRequest {
  method: 'GET' | 'PUT' | 'DELETE' | 'POST';
  path: string;
  body?: object;
  /** The request isn't safe to repeat: it's only retried if it had no effect. */
  isOnce?: boolean;
  /** The largest response to read, in bytes. Default: 5 MiB. */
  largest?: number | undefined;
}

interface HttpReply {
  status: number;
  /** The parsed JSON; undefined if there is no body. It may be nested deeply, and contain control characters. */
  data: unknown;
  retryAfterMs: number | undefined;
  /** Whether an earlier attempt may have taken effect. */
  wasUnsure: boolean;
}

/** What came of an attempt: a response, or else why there is none. */
interface Attempt {
  /** The code of a failure, or the status. */
  code: string;
  /** Whether it may have taken effect. */
  isUnsure: boolean;
  isRetriable: boolean;
  retryAfterMs?: number | undefined;
  reply?: AxiosResponse<string>;
}

/** Sends requests over kept-alive connections. Errors of axios never leave this class: they contain token and body. */
export class HttpClient {
  private readonly options: HttpOptions;
  private readonly closing = new AbortController();
  private readonly signal: AbortSignal;
  private readonly agents = {
    httpAgent: new HttpAgent({ keepAlive: true, maxSockets: SOCKETS }),
    httpsAgent: new HttpsAgent({ keepAlive: true, maxSockets: SOCKETS }),
  };

  constructor(options: HttpOptions) {
    this.options = options;
    this.signal = AbortSignal.any([options.signal, this.closing.signal]);
  }

  get host(): string {
    return new URL(this.options.apiUrl).host;
  }

  /**
   * Sends a request, with up to four attempts. Returns JSON responses of any status. Throws a `CloudError` if there is
   * no response, or it isn't JSON, and the reason of `signal`, if that is aborted.
   */
  async send(request: HttpRequest): Promise<HttpReply> {
    const { timeoutMs, sleep } = this.options;
    let left = 3 * timeoutMs;
    let wasUnsure = false;
    for (let number = 1; ; number += 1) {
      // `performance` would make Node load modules that nothing else here needs.
      const start = process.uptime();
      const attempt = await this.attempt(request, Math.min(left, timeoutMs));
      const time = (process.uptime() - start) * 1000;
      left -= time;
      const again = number > 1 ? ` (try ${number})` : '';
      this.options.onTry?.(`${request.method} ${request.path} ${attempt.code} ${time.toFixed(0)} ms${again}`);
      const delay = retryDelay(attempt, number, timeoutMs);
      const isFinal = delay === undefined || number === TRIES || (request.isOnce && attempt.isUnsure);
      if (isFinal || left <= delay) return this.conclude(attempt, number, wasUnsure);
      left -= delay;
      wasUnsure ||= attempt.isUnsure;
      await sleep(delay, this.signal);
    }
  }

  /**
   * Uploads a build context, without the token. The address and the fields are never shown. After a `CloudError` with the
   * reason `unreachable`, `timeout`, `platform-problem` or `rate-limited`, another address may help. Also throws the
   * reason of `signal`, or the error of the content. `deadline` is as in `Date.now()`.
   */
  async upload(
    { uploadUrl, uploadFields, expiresAt }: Answer<'upload'>,
    file: Upload,
    deadline = Infinity,
  ): Promise<void> {
    const { apiUrl, userAgent, signal } = this.options;
    checkAddress(uploadUrl, apiUrl);
    const boundary = `botcli-${randomUUID()}`;
    const { head, tail } = formAround(uploadFields, boundary);
    let problem: unknown;
    let moved = Date.now();
    async function* body() {
      yield head;
      try {
        for await (const chunk of file.content()) {
          moved = Date.now();
          yield chunk;
        }
      } catch (error) {
        problem = error;
        throw error;
      }
      yield tail;
    }
    const late = new AbortController();
    const end = Math.min(deadline, Date.parse(expiresAt ?? '') || Date.now() + 15 * 60_000);
    const watch = setInterval(() => {
      if (Date.now() > end || Date.now() - moved > IDLE_MS) late.abort();
    }, 1000);
    const proxy = proxyFor(uploadUrl);
    try {
      const reply = await axios.request<string>({
        ...plainRequest(proxy),
        method: 'POST',
        url: uploadUrl,
        data: Readable.from(body(), { objectMode: false, highWaterMark: 2 ** 18 }),
        headers: {
          'User-Agent': userAgent,
          'Content-Type': `multipart/form-data; boundary=${boundary}`,
          'Content-Length': head.length + file.bytes + tail.length,
        },
        maxBodyLength: Number.POSITIVE_INFINITY,
        maxContentLength: 2 ** 20,
        signal: AbortSignal.any([signal, late.signal]),
      });
      if (![200, 201, 204].includes(reply.status)) throw refused(reply);
    } catch (error) {
      signal.throwIfAborted();
      if (problem !== undefined) throw problem;
      if (error instanceof CloudError) throw error;
      throw unreachable(new URL(uploadUrl).host, failureOf(error, late.signal.aborted).code, { proxy });
    } finally {
      clearInterval(watch);
    }
  }

  /** Ends what is under way: after an error, nobody waits for the other responses. */
  close(): void {
    this.closing.abort();
    this.agents.httpAgent.destroy();
    this.agents.httpsAgent.destroy();
  }

  private async attempt({ method, path, body, largest }: HttpRequest, timeoutMs: number): Promise<Attempt> {
    const { apiUrl, token, userAgent, proxy } = this.options;
    const { signal } = this;
    signal.throwIfAborted();
    const deadline = AbortSignal.timeout(Math.ceil(timeoutMs));
    try {
      const reply = await axios.request<string>({
        ...plainRequest(proxy),
        ...this.agents,
        method,
        url: apiUrl + path,
        data: body && JSON.stringify(body),
        headers: {
          Authorization: `Bearer ${token}`,
          'User-Agent': userAgent,
          Accept: 'application/json',
          ...(body ? { 'Content-Type': 'application/json' } : {}),
        },
        maxContentLength: largest ?? LARGEST_ANSWER,
        timeout: this.options.timeoutMs / 2,
        signal: AbortSignal.any([deadline, signal]),
      });
      const { status } = reply;
      const retried = { isRetriable: isRetriable(status) };
      if (proxy && isFromProxy(reply)) return { ...retried, code: `proxy-${status}`, isUnsure: false };
      const retryAfterMs = readRetryAfter(reply.headers);
      return { ...retried, code: String(status), isUnsure: status >= 500, retryAfterMs, reply };
    } catch (error) {
      signal.throwIfAborted();
      return failureOf(error, deadline.aborted);
    }
  }

  private conclude({ code, isUnsure, reply, retryAfterMs }: Attempt, tries: number, wasUnsure: boolean): HttpReply {
    if (!reply)
      throw unreachable(this.host, code, { tries, isUnsure: wasUnsure || isUnsure, proxy: this.options.proxy });
    const { status } = reply;
    if (status >= 300 && status < 400) {
      const why = "botcli doesn't follow redirects, because they could leak what it sends";
      throw badAnswer(`${this.host} redirects (HTTP ${status}). ${why}`, { isUnsure: false });
    }
    const data = parsedJson(reply.data);
    if (data === undefined && reply.data !== '' && status < 400) {
      throw badAnswer(`${this.host} sent a response that isn't JSON (HTTP ${status})`);
    }
    return { status, data, retryAfterMs, wasUnsure };
  }
}

/** The longest `Retry-After` to wait for, in milliseconds. */
const LONGEST_WAIT_MS = 30_000;
const RETRIED = new Set([408, 409, 429]);

/** Whether a retry may give a different result than this status. */
const isRetriable = (status: number): boolean => RETRIED.has(status) || status >= 500;

/**
 * How long to wait before the next attempt, in milliseconds: as long as the platform asks; else a random time, whose
 * limit doubles each time, up to 4 seconds with the default timeout. Undefined means not to retry.
 */
export function retryDelay(
  { isRetriable, retryAfterMs }: Pick<Attempt, 'isRetriable' | 'retryAfterMs'>,
  number: number,
  timeoutMs: number,
): number | undefined {
  if (!isRetriable) return undefined;
  if (retryAfterMs === undefined) return Math.random() * Math.min(timeoutMs / 5, (timeoutMs / 80) * 2 ** number);
  return retryAfterMs > LONGEST_WAIT_MS ? undefined : retryAfterMs;
}

/** `Retry-After`: seconds, or a date. In milliseconds from now. */
function readRetryAfter(headers: AxiosResponse['headers']): number | undefined {
  const asked = String(headers['retry-after'] ?? '').trim();
  if (/^\d+$/.test(asked)) return Number(asked) * 1000;
  // JavaScript takes `1.5` for a day in January.
  const date = /^[A-Z][a-z]+,? /.test(asked) ? Date.parse(asked) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now());
}

interface Upload {
  bytes: number;
  /** The content, from the start. It may throw: then nothing complete was sent, and that error is thrown. */
  content(): AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** How long nothing may move, in milliseconds. */
const IDLE_MS = 60_000;

/** Only if the API's address is on loopback may the upload's be, too. */
function checkAddress(uploadUrl: string, apiUrl: string): void {
  const address = URL.canParse(uploadUrl) ? new URL(uploadUrl) : undefined;
  const isForeign = (url: URL) => isLoopback(url) && !isLoopback(new URL(apiUrl));
  if (!address || !isSafe(address) || isForeign(address)) {
    throw badAnswer('The platform sent an address for the upload that is not https', { isUnsure: false });
  }
}

/** The form before and after the file. The fields keep their order: the storage insists on it. */
function formAround(fields: Readonly<Record<string, string>>, boundary: string): { head: Buffer; tail: Buffer } {
  const entries = Object.entries(fields);
  if (!Object.hasOwn(fields, 'Content-Type')) entries.push(['Content-Type', 'application/gzip']);
  const quoted = (name: string) => name.replace(/["\r\n]/g, character => encodeURIComponent(character));
  const parts = entries.map(
    ([name, value]) => `--${boundary}\r\nContent-Disposition: form-data; name="${quoted(name)}"\r\n\r\n${value}\r\n`,
  );
  const file =
    'Content-Disposition: form-data; name="file"; filename="context.tar.gz"\r\nContent-Type: application/gzip';
  return {
    head: Buffer.from(`${parts.join('')}--${boundary}\r\n${file}\r\n\r\n`),
    tail: Buffer.from(`\r\n--${boundary}--\r\n`),
  };
}

/** The storage answers in XML. Only its code is shown: the rest quotes the request. */
function refused({ status, data, headers }: AxiosResponse<string>): CloudError {
  const code = /<Code>([A-Za-z]{3,60})<\/Code>/.exec(data)?.[1];
  // S3 says so, with a status of 400, if it waited too long for the next bytes.
  const mayPass = isRetriable(status) || code === 'RequestTimeout';
  const facts = [`HTTP ${status}`, ...(code ? [code] : [])].join(', ');
  return new CloudError(`The cloud's storage rejected the upload (${facts})`, {
    reason: status === 429 ? 'rate-limited' : mayPass ? 'platform-problem' : 'refused',
    hint: 'Run the same command again. Nothing was deployed.',
    status,
    retryAfterMs: readRetryAfter(headers),
  });
}
