import axios, { type AxiosResponse } from 'axios';
import { VERSION } from '../version.ts';
import { isFromProxy, plainRequest, proxyFor } from './requests.ts';

export interface ProviderAccess {
  /** The longest time for a response, in milliseconds. */
  deadlineMs: number;
  /** Sends all requests to this address instead: the provider's host becomes the first part of the path. */
  origin?: string;
}

const LARGEST_ANSWER = 5 * 2 ** 20;

interface ProviderRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  /** What to send. Without it, the request only reads. */
  form?: string;
}

/** A provider's response, or why there is none. Errors of axios never leave this function: they contain the key. */
export async function askProvider(
  { url: address, headers, form }: ProviderRequest,
  { deadlineMs, origin }: ProviderAccess,
  signal?: AbortSignal,
): Promise<AxiosResponse<string> | string> {
  const url = origin ? address.replace('https:/', origin) : address;
  const proxy = proxyFor(url);
  const deadline = AbortSignal.timeout(deadlineMs);
  try {
    const reply = await axios.request<string>({
      ...plainRequest(proxy),
      method: form === undefined ? 'GET' : 'POST',
      url,
      headers: {
        ...headers,
        'User-Agent': `botcli/${VERSION}`,
        Accept: 'application/json',
        ...(form !== undefined && { 'Content-Type': 'application/x-www-form-urlencoded' }),
      },
      ...(form !== undefined && { data: form }),
      maxContentLength: LARGEST_ANSWER,
      signal: signal ? AbortSignal.any([deadline, signal]) : deadline,
    });
    return proxy && isFromProxy(reply) ? `the proxy responded with HTTP ${reply.status}` : reply;
  } catch (error) {
    if (signal?.aborted) return 'you stopped it';
    return deadline.aborted ? 'it did not respond in time' : explain((error as { code?: unknown }).code);
  }
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
