import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyAs } from '../support/program.ts';
import type { Published } from './registry.ts';
import { makeDirectory, pack } from './workshop.ts';

/** The program in a package. */
export const BIN = 'dist/src/bin/botcli.js';

/** A change to a file of a package. */
export type Change = (text: string) => string;

const BOT_TEMPLATE = 'dist/generators/bot/templates/server/bot.py.ejs';

/** The templates of the older release. Here, they say "cheerful" and pin an older framework. */
export const cheerful: Record<string, Change> = {
  [BOT_TEMPLATE]: text => text.replace('friendly', 'cheerful').replace('READY = 3', 'READY = 2'),
};

/** Another package that says it is the same release. */
export const gloomy: Record<string, Change> = { [BOT_TEMPLATE]: text => text.replace('friendly', 'gloomy') };

/** A release that doesn't run on this Node. */
export const broken: Record<string, Change> = {
  [BIN]: () => '#!/usr/bin/env node\nconsole.error("error: botcli needs Node.js 18");\nprocess.exitCode = 1;\n',
};

/** Makes an older release from this one, and packs it. */
export function packOlder(
  name: string,
  version: string,
  changes: Record<string, Change>,
): Published & { directory: string } {
  const directory = makeDirectory(name);
  copyAs(version, directory);
  const change = (path: string, make: Change) => {
    const before = readFileSync(join(directory, path), 'utf8');
    writeFileSync(join(directory, path), make(before));
    return make(before) !== before;
  };
  for (const [path, make] of Object.entries(changes)) assert(change(path, make), `${path} is the same`);
  const { path, manifest } = pack(directory, '--ignore-scripts');
  const published = { ...manifest, scripts: undefined, devDependencies: undefined };
  return { directory, manifest: published, tarball: readFileSync(path) };
}
