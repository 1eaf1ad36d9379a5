import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const INSTALL_MS = 600_000;

/** The first of these files that exists. If none does, installs this Debian package, which needs root. */
export function ensureInstalled(paths: readonly string[], name: string): string {
  const found = () => paths.find(path => existsSync(path));
  if (!found()) {
    apt('update', '-qq');
    apt('install', '-y', '-qq', '--no-install-recommends', name);
  }
  const path = found();
  if (!path) throw new Error(`none of ${paths.join(', ')} exists, and the package ${name} doesn't contain one`);
  return path;
}

function apt(...words: string[]): void {
  const [program, ...args] = [...(process.getuid?.() === 0 ? [] : ['sudo', '-n']), 'apt-get', ...words] as [string];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  execFileSync(program, args, { env, stdio: 'pipe', timeout: INSTALL_MS });
}
