// axios would read these variables by itself, but doesn't say which of them it went by.
import type { AxiosProxyConfig, AxiosResponse } from 'axios';
import isWithoutProxy from 'axios/unsafe/helpers/shouldBypassProxy.js';
import { usageError } from '../../errors.ts';
import { isLoopback } from './loopback.ts';

/** What stands between us and the platform. */
export interface HttpProxy {
  /** With its user and password: never shown. */
  url: URL;
  /** The variable that names it. */
  variable: string;
}

/**
 * The proxy for an address, by the variables that curl goes by. Without a scheme it's `http`, as for curl. This machine
 * is never reached through one, which would see what was meant for the machine alone.
 *
 * @throws {UserError} Exit code 2: what the variable holds can't be a proxy. It's not quoted.
 */
export function proxyFor(address: string): HttpProxy | undefined {
  const url = new URL(address);
  const names = [`${url.protocol.slice(0, -1)}_proxy`, 'all_proxy'].flatMap(name => [name, name.toUpperCase()]);
  const variable = names.find(name => process.env[name]?.trim());
  if (variable === undefined || isLoopback(url) || isWithoutProxy(address)) return undefined;
  const text = process.env[variable]?.trim() ?? '';
  const whole = text.includes('://') ? text : `http://${text}`;
  const proxy = URL.canParse(whole) ? new URL(whole) : undefined;
  if (proxy?.hostname && /^https?:$/.test(proxy.protocol)) return { url: proxy, variable };
  throw usageError(`The proxy in ${variable} isn't valid`, {
    hint: 'Use an http or https URL, such as http://proxy.example.com:3128. NO_PROXY lists hosts to reach without a proxy.',
  });
}

/** How a message calls it. */
export const nameProxy = ({ url, variable }: HttpProxy): string => `proxy ${url.host} (from ${variable})`;

/** The proxy, as axios takes it. */
export const settingsOf = ({ url: { protocol, hostname, port, username, password } }: HttpProxy): AxiosProxyConfig => ({
  protocol,
  host: hostname,
  port: Number(port) || (protocol === 'https:' ? 443 : 80),
  ...(username ? { auth: { username: decode(username), password: decode(password) } } : {}),
});

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** Whether an answer is the proxy's own: what comes from the platform comes encrypted. */
export const isFromProxy = ({ request }: AxiosResponse): boolean => request.socket?.encrypted !== true;
