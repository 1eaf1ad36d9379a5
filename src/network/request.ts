import { debuglog } from 'node:util';
import { usageError } from '../errors.ts';
import type { Environment } from '../shells.ts';
import { type HttpProxy, settingsOf } from './proxy.ts';

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
    proxy: proxy ? settingsOf(proxy) : (false as const),
    maxRedirects: 0,
    responseType: 'text' as const,
    transformRequest: [],
    transformResponse: [],
    validateStatus: () => true,
  };
}
