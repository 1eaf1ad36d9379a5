import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { place, run } from './workshop.ts';

/** A package, packed as for publishing. */
export interface Packed {
  /** The tarball. */
  path: string;
  /** The paths of its files. */
  files: string[];
  manifest: { name: string; version: string };
}

/** Packs the package in a directory. */
export function pack(directory: string): Packed {
  const [packed] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', place], directory));
  return {
    path: join(place, packed.filename),
    files: packed.files.map(({ path }: { path: string }) => path),
    manifest: JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')),
  };
}
