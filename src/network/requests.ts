import { debuglog } from 'node:util';
import type { AxiosProxyConfig, AxiosResponse } from 'axios';
import isWithoutProxy from 'axios/unsafe/helpers/shouldBypassProxy.js';
import { usageError } from '../errors.ts';
import type { Environment } from '../shells.ts';
import { orElse } from '../std.ts';
import { isLoopback } from '../this-computer.ts';

/** The proxy between us and the platform. axios could find it, too, but doesn't report which variable names it. */
export interface HttpProxy {
  /** Contains the username and password, so it is never shown. */
  url: URL;
  /** The environment variable that sets it. */
  variable: string;
  /** How messages call it. */
  name: string;
  settings: AxiosProxyConfig;
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
  if (proxy?.hostname && /^https?:$/.test(proxy.protocol)) {
    return { url: proxy, variable, name: `proxy ${proxy.host} (from ${variable})`, settings: settingsOf(proxy) };
  }
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

const settingsOf = ({ protocol, hostname, port, username, password }: URL): AxiosProxyConfig => ({
  protocol,
  host: hostname,
  port: Number(port) || (protocol === 'https:' ? 443 : 80),
  ...(username ? { auth: { username: decode(username), password: decode(password) } } : {}),
});

const decode = (text: string): string => orElse(() => decodeURIComponent(text), text);

/** Whether the proxy itself sent a response: responses from the platform are encrypted. */
export const isFromProxy = ({ request }: AxiosResponse): boolean => request.socket?.encrypted !== true;

/** Throws a `UserError` with exit code 2 if a variable is set with which Node.js itself would give secrets away. */
export function checkNodeSettings(apiUrl: string, env: Environment): void {
  if (debuglog('http').enabled) {
    throw usageError('NODE_DEBUG makes Node.js print every request, with your token', {
      hint: 'Unset it. To see the requests without secrets, pass --debug.',
    });
  }
  if (env.NODE_TLS_REJECT_UNAUTHORIZED === '0' && apiUrl.startsWith('https:')) {
    throw usageError('NODE_TLS_REJECT_UNAUTHORIZED=0 lets anyone on the network pose as the platform', {
      hint: 'Unset it. If your proxy uses its own certificate, set NODE_EXTRA_CA_CERTS to that file.',
    });
  }
}

/**
 * What all our requests have in common, for axios: text goes out and comes back unchanged, a response of any status is
 * one, and no redirect is followed, because it would send a secret to another address.
 */
export function plainRequest(proxy: HttpProxy | undefined) {
  // With it, the package that talks to proxies prints the proxy's password.
  if (proxy) delete process.env.DEBUG;
  return {
    adapter: 'http' as const,
    proxy: proxy ? proxy.settings : (false as const),
    maxRedirects: 0,
    responseType: 'text' as const,
    transformRequest: [],
    transformResponse: [],
    validateStatus: () => true,
  };
}
