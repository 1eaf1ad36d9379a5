import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { parts } from '../../scripts/trim.ts';
import { BIN } from './program.ts';

/** Inside the package, where its code looks for package.json. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/botcli', import.meta.url));

/** A test's own program, as one file of JavaScript: each of its processes starts in a fraction of the time. */
export interface Script {
  path: string;
  remove(): void;
}

/** Bundles a script with all that it imports, the way that the published program is bundled. */
export async function bundleScript(name: string, from: string): Promise<Script> {
  mkdirSync(CACHE, { recursive: true });
  const directory = mkdtempSync(join(CACHE, 'script-'));
  // Packages that the published program reads late are in files next to it.
  symlinkSync(join(BIN, '../../late'), join(directory, 'late'));
  const build = await rolldown({
    input: fileURLToPath(new URL(name, from)),
    platform: 'node',
    plugins: [parts],
  });
  await build.write({ dir: directory, entryFileNames: 'script.mjs' });
  await build.close();
  return { path: join(directory, 'script.mjs'), remove: () => rmSync(directory, { recursive: true, force: true }) };
}
