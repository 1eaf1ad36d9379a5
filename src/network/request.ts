import { type HttpProxy, settingsOf } from './proxy.ts';

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
