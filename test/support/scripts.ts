import { mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { rolldown } from 'rolldown';
import { parts } from '../../scripts/trim.ts';
import { BIN } from './program.ts';

/** A directory inside the package, because its code looks for package.json in its parent directories. */
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/botcli', import.meta.url));

/** A test's own program, bundled into one JavaScript file so that its processes start much faster. */
export interface Script {
  path: string;
  remove(): void;
}

/** Bundles a script with everything it imports, in the same way as the published program. */
export async function bundleScript(name: string, from: string): Promise<Script> {
  mkdirSync(CACHE, { recursive: true });
  const directory = mkdtempSync(join(CACHE, 'script-'));
  // The published program loads late packages from files next to it.
  symlinkSync(join(BIN, '../../late'), join(directory, 'late'));
  const build = await rolldown({ input: fileURLToPath(new URL(name, from)), platform: 'node', plugins: [parts] });
  await build.write({ dir: directory, entryFileNames: 'script.mjs' });
  await build.close();
  return { path: join(directory, 'script.mjs'), remove: () => rmSync(directory, { recursive: true, force: true }) };
}
