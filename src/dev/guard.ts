import { spawn } from 'node:child_process';
import { isWindows } from './process-tree.ts';

/**
 * Waits for a line on stdin. If that ends without one, the group gets what Ctrl-C sends, and is killed after five
 * seconds.
 */
const SCRIPT = `read -r _ && exit
kill -s INT -- "-$1" || exit
for _ in 1 2 3 4 5; do sleep 1; kill -s 0 -- "-$1" || exit; done
kill -s KILL -- "-$1"`;

/**
 * Ends a process group once botcli is gone without having ended it, as after `kill -9`: then the system closes a pipe,
 * on which a small shell waits. On Windows, nothing does.
 *
 * @returns A function to call once the group has ended: its number may then be given to another.
 */
export function guardGroup(pid: number | undefined): () => void {
  if (isWindows || pid === undefined) return () => {};
  const guard = spawn('/bin/sh', ['-c', SCRIPT, 'botcli', String(pid)], {
    ...{ cwd: '/', env: { PATH: '/usr/bin:/bin' }, stdio: ['pipe', 'ignore', 'ignore'] },
    // The signals of the terminal are for botcli.
    detached: true,
  });
  guard.on('error', () => {});
  guard.stdin.on('error', () => {});
  guard.unref();
  (guard.stdin as typeof guard.stdin & { unref(): void }).unref();
  return () => void guard.stdin.end('\n');
}
