// axios could read these variables itself, but doesn't report which one it used.
import type { AxiosProxyConfig, AxiosResponse } from 'axios';
import isWithoutProxy from 'axios/unsafe/helpers/shouldBypassProxy.js';
import { usageError } from '../errors.ts';
import { orElse } from '../std.ts';
import { isLoopback } from '../this-computer.ts';

/** The proxy between us and the platform. */
export interface HttpProxy {
  /** Contains the username and password, so it is never shown. */
  url: URL;
  /** The environment variable that sets it. */
  variable: string;
}

/**
 * The proxy for an address, according to the variables that curl uses. Requests to this machine never use one. Throws a
 * `UserError` with exit code 2 if the variable isn't valid, and never quotes it.
 */
export function proxyFor(address: string): HttpProxy | undefined {
  const url = new URL(address);
  const names = [`${url.protocol.slice(0, -1)}_proxy`, 'all_proxy'].flatMap(name => [name, name.toUpperCase()]);
  const variable = names.find(name => process.env[name]?.trim());
  if (variable === undefined || isLoopback(url) || isExcluded(url)) return undefined;
  const text = process.env[variable]?.trim() ?? '';
  const whole = text.includes('://') ? text : `http://${text}`;
  const proxy = URL.canParse(whole) ? new URL(whole) : undefined;
  if (proxy?.hostname && /^https?:$/.test(proxy.protocol)) return { url: proxy, variable };
  throw usageError(`The proxy in ${variable} isn't valid`, {
    hint: 'Use an http or https URL, such as http://proxy.example.com:3128. NO_PROXY lists hosts to reach without a proxy.',
  });
}

/** Whether `NO_PROXY` lists a host, or a domain above it. axios wants a dot before a domain; curl never does. */
function isExcluded({ protocol, hostname, host }: URL): boolean {
  const isAddress = /^[\d.]+$|:/.test(hostname);
  const labels = host.split('.');
  const domains = isAddress ? [host] : labels.map((_, start) => labels.slice(start).join('.'));
  return domains.some(domain => isWithoutProxy(`${protocol}//${domain}`));
}

export const nameProxy = ({ url, variable }: HttpProxy): string => `proxy ${url.host} (from ${variable})`;

export const settingsOf = ({ url: { protocol, hostname, port, username, password } }: HttpProxy): AxiosProxyConfig => ({
  protocol,
  host: hostname,
  port: Number(port) || (protocol === 'https:' ? 443 : 80),
  ...(username ? { auth: { username: decode(username), password: decode(password) } } : {}),
});

const decode = (text: string): string => orElse(() => decodeURIComponent(text), text);

/** Whether the proxy itself sent a response: responses from the platform are encrypted. */
export const isFromProxy = ({ request }: AxiosResponse): boolean => request.socket?.encrypted !== true;
