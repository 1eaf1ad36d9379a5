import axios, { type AxiosResponse } from 'axios';
import type { KeyCheck } from '../catalog/key-checks.ts';
import { parsedJson } from '../json.ts';
import { isFromProxy, proxyFor } from '../network/proxy.ts';
import { plainRequest } from '../network/request.ts';
import { VERSION } from '../version.ts';

/** How to reach providers. Tests have their own. */
export interface ProviderAccess {
  /** The longest time for a response, in milliseconds. */
  deadlineMs: number;
  /** Sends all requests to this address instead: the provider's host becomes the first part of the path. */
  origin?: string;
}

type Trial = { result: 'accepted'; why?: undefined } | { result: 'refused' | 'unknown'; why: string };

interface Credentials {
  key: string;
  id: string | undefined;
}

const LARGEST_ANSWER = 5 * 2 ** 20;

/** Sends the request that tries a key. Errors of axios never leave this function: they contain the key. */
export async function tryKey(row: KeyCheck, credentials: Credentials, access: ProviderAccess): Promise<Trial> {
  const url = addressOf(row, credentials, access);
  const proxy = proxyFor(url);
  const deadline = AbortSignal.timeout(access.deadlineMs);
  try {
    const reply = await axios.request<string>({
      ...plainRequest(proxy),
      method: 'GET',
      url,
      headers: { ...headersOf(row, credentials), 'User-Agent': `botcli/${VERSION}`, Accept: 'application/json' },
      maxContentLength: LARGEST_ANSWER,
      signal: deadline,
    });
    return proxy && isFromProxy(reply)
      ? unknown(`the proxy responded with HTTP ${reply.status}`)
      : resultOf(row, reply);
  } catch (error) {
    return unknown(deadline.aborted ? 'it did not respond in time' : explain((error as { code?: unknown }).code));
  }
}

function addressOf({ url }: KeyCheck, { id = '' }: Credentials, { origin }: ProviderAccess): string {
  const filled = url.replace('<id>', encodeURIComponent(id));
  return origin ? filled.replace('https:/', origin) : filled;
}

function headersOf({ headers }: KeyCheck, { key, id }: Credentials): Record<string, string> {
  const basic = Buffer.from(`${id}:${key}`).toString('base64');
  const fill = (text: string) => text.replace(/<(key|basic)>/, (_, what) => (what === 'key' ? key : basic));
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, fill(value)]));
}

const unknown = (why: string): Trial => ({ result: 'unknown', why });

/** A key that may do less than others: the provider knows it, and it may do all that the bot needs. */
const RESTRICTED = /permission|scope/i;

/** Judges a response. Its text is never shown, since it may quote the key. */
function resultOf({ refusal }: KeyCheck, { status, data }: AxiosResponse<string>): Trial {
  if (status === 429) return unknown('it received too many requests (HTTP 429)');
  if (status >= 300 && status < 400) return unknown(`something redirects the request (HTTP ${status})`);
  if (/^\s*</.test(data)) return unknown(`the response is a web page, perhaps of a network that you must log in to`);
  if (status === 401 || status === 403) {
    return RESTRICTED.test(data)
      ? unknown(`the key may not be used for this check (HTTP ${status})`)
      : { result: 'refused', why: `HTTP ${status}` };
  }
  if (status === 400 && refusal?.test(data)) return { result: 'refused', why: `HTTP ${status}` };
  if (status >= 200 && status < 300) {
    // A provider sends an object or a list.
    return typeof parsedJson(data) === 'object' ? { result: 'accepted' } : unknown("the response isn't JSON");
  }
  return unknown(`HTTP ${status}`);
}

const REASONS: Readonly<Record<string, string>> = {
  ENOTFOUND: "its address wasn't found; are you offline?",
  EAI_AGAIN: "its address wasn't found; are you offline?",
  ECONNREFUSED: 'it refused the connection',
  ECONNRESET: 'the connection was closed',
  ETIMEDOUT: 'it did not respond in time',
  ECONNABORTED: 'it did not respond in time',
  ENETUNREACH: 'there is no network',
  EHOSTUNREACH: 'there is no route to it',
};

function explain(code: unknown): string {
  const name = typeof code === 'string' && /^[A-Z][A-Z0-9_]*$/.test(code) ? code : 'the request failed';
  const isCertificate = /CERT|TLS|SSL|SIGNED|ISSUER/.test(name);
  return isCertificate ? `its certificate can't be trusted (${name})` : (REASONS[name] ?? name);
}
