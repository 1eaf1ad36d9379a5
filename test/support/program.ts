import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { setDefaultAutoSelectFamilyAttemptTimeout } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { VERSION } from '../../src/version.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** The next release, or this one. */
export const RELEASE = VERSION.replace(/-.*/, '');

/** The built `botcli`, for Node to run. */
export const BIN = join(ROOT, 'dist/src/bin/botcli.js');

/** In milliseconds: longer than any command takes, also on a busy machine, and shorter than mocha's timeout. */
export const DEADLINE_MS = 300_000;

// Otherwise, Node gives up `::1` for `127.0.0.1` if connecting takes 250 ms: a busy machine is enough for that.
setDefaultAutoSelectFamilyAttemptTimeout(DEADLINE_MS);

/** Waits for what a program prints: `notify` says that there is more, or that it has ended. */
export function watch(text: () => string, hasEnded: () => boolean) {
  const looks = new Set<() => void>();
  const shows = (expected: string | RegExp, from: number) =>
    typeof expected === 'string' ? text().includes(expected, from) : expected.test(text().slice(from));
  return {
    notify: () => {
      for (const look of looks) look();
    },
    /** Waits until the text after so many characters contains this. Fails if the program ends first. */
    until: (expected: string | RegExp, from = 0) =>
      new Promise<void>((resolve, reject) => {
        const look = () => {
          const isThere = shows(expected, from);
          if (!isThere && !hasEnded()) return;
          looks.delete(look);
          if (isThere) resolve();
          else reject(new Error(`The program ended without showing ${expected}:\n${text()}`));
        };
        looks.add(look);
        look();
      }),
  };
}

let released: string | undefined;

/** The built `botcli` as a release: one in development fetches no others. */
export function releasedBin(): string {
  if (!released) {
    const directory = mkdtempSync(join(tmpdir(), 'botcli-release-'));
    process.once('exit', () => rmSync(directory, { recursive: true, force: true }));
    copyAs(RELEASE, directory);
    released = join(directory, 'dist/src/bin/botcli.js');
  }
  return released;
}

/** Copies the built package into a directory, as another version. */
export function copyAs(version: string, directory: string): void {
  for (const part of ['dist', 'schema', 'package.json'])
    cpSync(join(ROOT, part), join(directory, part), { recursive: true });
  const scripts = filesIn(join(directory, 'dist')).filter(path => path.endsWith('.js'));
  for (const path of [join(directory, 'package.json'), ...scripts]) {
    const text = readFileSync(path, 'utf8');
    if (text.includes(`"${VERSION}"`)) writeFileSync(path, text.replaceAll(`"${VERSION}"`, `"${version}"`));
  }
}

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
