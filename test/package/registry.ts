/**
 * A registry on this machine, as a program of its own: it prints its address, and serves tarballs as if they had been
 * published. It has nothing else, so whatever is installed from it works offline.
 */
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename } from 'node:path';
import type { Packed } from './packing.ts';

const packed: Packed[] = JSON.parse(process.argv[2] ?? '[]');

const server = createServer(({ url = '' }, response) => {
  const tarball = packed.find(({ path }) => url === `/${basename(path)}`);
  if (tarball) return response.end(readFileSync(tarball.path));
  const found = packed.find(({ manifest }) => url === `/${manifest.name}`);
  if (!found) return response.writeHead(404).end('{}');
  return response.end(JSON.stringify(packumentOf(found)));
});

/** What a registry says about a package with one version. */
function packumentOf({ path, integrity, manifest }: Packed) {
  const { port } = server.address() as AddressInfo;
  const dist = { tarball: `http://127.0.0.1:${port}/${basename(path)}`, integrity };
  const { name, version } = manifest;
  return { name, 'dist-tags': { latest: version }, versions: { [version]: { ...manifest, dist } } };
}

server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
