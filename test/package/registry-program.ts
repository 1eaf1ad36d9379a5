/**
 * A registry on this machine, as a program of its own: it prints its address, and serves tarballs as if they had been
 * published. It has nothing else, so whatever is installed from it works offline.
 */
import { readFileSync } from 'node:fs';
import { startRegistry } from './registry.ts';
import type { Packed } from './workshop.ts';

const packed: Packed[] = JSON.parse(process.argv[2] ?? '[]');
const { url } = await startRegistry(packed.map(({ manifest, path }) => ({ manifest, tarball: readFileSync(path) })));
console.log(url);
