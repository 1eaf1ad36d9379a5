import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Published {
  manifest: { name: string; version: string };
  tarball: Buffer;
}

/** A stand-in for the npm registry, on loopback: it serves these packages, and nothing else. */
export async function startRegistry(published: readonly Published[]) {
  /** The paths of all requests so far. */
  const requests: string[] = [];
  const server = createServer(({ url: path = '' }, response) => {
    requests.push(path);
    const tarball = published.find(({ manifest }) => path === pathOf(manifest))?.tarball;
    const versions = published.filter(({ manifest }) => path === `/${manifest.name}`);
    if (tarball) response.end(tarball);
    else if (versions.length > 0) response.end(JSON.stringify(describe(versions, url())));
    else response.writeHead(404).end('{}');
  });
  const url = () => `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return { url: url(), requests, close: () => server.close() };
}

const pathOf = ({ name, version }: Published['manifest']): string => `/${name}/-/${name}-${version}.tgz`;

/** What npm asks for about a package. */
function describe(versions: readonly Published[], url: string) {
  const entries = versions.map(({ manifest, tarball }) => {
    const integrity = `sha512-${createHash('sha512').update(tarball).digest('base64')}`;
    return [manifest.version, { ...manifest, dist: { tarball: url + pathOf(manifest), integrity } }] as const;
  });
  const [latest] = entries.at(-1) ?? [];
  return { name: versions[0]?.manifest.name, 'dist-tags': { latest }, versions: Object.fromEntries(entries) };
}
