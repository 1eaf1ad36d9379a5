import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Ending, Environment } from '../bots/processes.ts';
import { startReport } from '../bots/report.ts';
import { openTerminal, type PersonalTerminal } from '../support/pty.ts';
import { growTree, type Tree } from '../support/trees.ts';

export const project = fileURLToPath(new URL('../..', import.meta.url));
/** The temporary directory for everything in this test. */
export const place = mkdtempSync(join(tmpdir(), 'botcli-package-'));
/** The prefix for npm's global packages. */
export const prefix = join(place, 'prefix');
export const installed = join(prefix, 'lib/node_modules');

const env = {
  ...process.env,
  HOME: join(place, 'home'),
  PATH: `${join(prefix, 'bin')}:${process.env.PATH}`,
  CI: 'true',
};

// yo drops root privileges, so everyone must be able to read and write these files.
process.umask(0);
chmodSync(place, 0o777);
for (const directory of [env.HOME, prefix]) mkdirSync(directory);

/** Creates a directory that everyone may write to, with files. */
export function makeDirectory(name: string, files: Tree = {}): string {
  const directory = join(place, name);
  mkdirSync(directory, { recursive: true });
  growTree(directory, files);
  return directory;
}

const report = startReport();

/** Runs a part of the test, and prints the result. */
export const check = (name: string, body: () => unknown): Promise<boolean> =>
  report.check('package', name, async () => {
    await body();
    return '';
  });

/** Prints the summary, and deletes all files. Returns the exit code. */
export function finish(): number {
  rmSync(place, { recursive: true, force: true });
  return report.close();
}

/** A package, packed as for publishing. */
export interface Packed {
  path: string;
  files: string[];
  manifest: { name: string; version: string };
}

export function pack(directory: string, ...options: string[]): Packed {
  const [packed] = JSON.parse(run('npm', ['pack', '--json', ...options, '--pack-destination', place], directory));
  return {
    path: join(place, packed.filename),
    files: packed.files.map(({ path }: { path: string }) => path),
    manifest: JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8')),
  };
}

export function attempt(command: string, args: readonly string[], cwd: string, added: Environment = {}): Ending {
  const surroundings = { cwd, env: { ...env, ...added }, encoding: 'utf8', timeout: 300_000 } as const;
  const { status, stdout, stderr } = spawnSync(command, args, { ...surroundings, stdio: ['ignore', 'pipe', 'pipe'] });
  return { code: status, stdout, stderr };
}

/** Runs a command that must succeed, and returns its stdout. */
export function run(command: string, args: readonly string[], cwd: string, added: Environment = {}): string {
  const { code, stdout, stderr } = attempt(command, args, cwd, added);
  if (code !== 0) throw new Error(`${command} ${args.join(' ')}: exit code ${code}\n${stdout}${stderr}`);
  return stdout;
}

export function installGlobally(...packages: string[]): void {
  run('npm', ['install', '--global', '--silent', '--prefix', prefix, ...packages], place);
}

export function openAt(words: readonly [string, ...string[]], cwd: string, added: Environment = {}): PersonalTerminal {
  const all = Object.entries<string | undefined>({ ...env, CI: '', ...added });
  const surroundings = Object.fromEntries(all.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])));
  return openTerminal(words, { cwd, env: surroundings, cols: 80, patience: 120_000 });
}
