import { readdirSync, readFileSync } from 'node:fs';

/**
 * The command lines of the processes with this variable in their environment, such as `HOME=/tmp/x`, other than this
 * one. Only Linux shows them.
 */
export function processesWith(variable: string): string[] {
  if (process.platform !== 'linux') return [];
  return readdirSync('/proc').flatMap(name => {
    if (!/^\d+$/.test(name) || Number(name) === process.pid) return [];
    try {
      const variables = readFileSync(`/proc/${name}/environ`, 'utf8').split('\0');
      return variables.includes(variable) ? [readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')] : [];
    } catch {
      // It has just ended, or is another user's.
      return [];
    }
  });
}
