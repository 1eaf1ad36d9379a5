import { Agent as HttpAgent } from 'node:http';
import { Agent as HttpsAgent } from 'node:https';
import axios, { type AxiosResponse } from 'axios';
import type { HiddenValues } from '../hidden-values.ts';
import { type HttpProxy, isFromProxy, plainRequest } from '../network/requests.ts';
import { parsedJson } from '../std.ts';
import { badAnswer, failureOf, unreachable } from './errors.ts';

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

export interface HttpReply {
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
      const retryAfterMs = readRetryAfter(String(reply.headers['retry-after'] ?? ''), Date.now());
      return { ...retried, code: String(status), isUnsure: status >= 500, retryAfterMs, reply };
    } catch (error) {
      signal.throwIfAborted();
      return failureOf(deadline.aborted ? 'timeout' : codeOf(error));
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

/** The code of an error of axios or the system. */
export function codeOf(error: unknown): string {
  const { code, message } = error as { code?: unknown; message?: unknown };
  if (code === 'ECONNABORTED' || code === 'ETIMEDOUT') return 'timeout';
  if (String(message).startsWith('maxContentLength')) return 'too-long';
  // A response may end in the middle.
  if (/^(?:stream has been )?aborted$/.test(String(message)) || code === 'ERR_NETWORK') return 'ECONNRESET';
  return typeof code === 'string' ? code : 'unknown';
}

/** The longest `Retry-After` to wait for, in milliseconds. */
const LONGEST_WAIT_MS = 30_000;
const RETRIED = new Set([408, 409, 429]);

/** Whether a retry may give a different result than this status. */
export const isRetriable = (status: number): boolean => RETRIED.has(status) || status >= 500;

/**
 * How long to wait before the next attempt, in milliseconds: as long as the platform asks; else a random time, whose
 * limit doubles each time, up to 4 seconds with the default timeout. Undefined means not to retry.
 */
export function retryDelay(
  { isRetriable, retryAfterMs }: Pick<Attempt, 'isRetriable' | 'retryAfterMs'>,
  number: number,
  timeoutMs: number,
  random = Math.random(),
): number | undefined {
  if (!isRetriable) return undefined;
  if (retryAfterMs === undefined) return random * Math.min(timeoutMs / 5, (timeoutMs / 80) * 2 ** number);
  return retryAfterMs > LONGEST_WAIT_MS ? undefined : retryAfterMs;
}

/** `Retry-After`: seconds, or a date. In milliseconds from `now`. */
export function readRetryAfter(header: string, now: number): number | undefined {
  const asked = header.trim();
  if (/^\d+$/.test(asked)) return Number(asked) * 1000;
  // JavaScript takes `1.5` for a day in January.
  const date = /^[A-Z][a-z]+,? /.test(asked) ? Date.parse(asked) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}
