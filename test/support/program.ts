import { execFileSync } from 'node:child_process';
import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The built `botcli`, for Node to run. */
export const BIN = join(ROOT, 'dist/src/bin/botcli.js');

/** Builds the program before the tests, unless nothing has changed since it was built. */
export function mochaGlobalSetup(): void {
  const sources = ['src', 'generators', 'scripts', 'package.json'].flatMap(name => filesIn(join(ROOT, name)));
  const built = statSync(BIN, { throwIfNoEntry: false })?.mtimeMs ?? 0;
  if (sources.every(path => statSync(path).mtimeMs < built)) return;
  execFileSync(process.execPath, ['--import', 'tsx/esm', 'scripts/build.ts'], { cwd: ROOT, stdio: 'inherit' });
}

function filesIn(path: string): string[] {
  if (!statSync(path).isDirectory()) return [path];
  const entries = readdirSync(path, { recursive: true, withFileTypes: true });
  return entries.filter(entry => entry.isFile()).map(entry => join(entry.parentPath, entry.name));
}
