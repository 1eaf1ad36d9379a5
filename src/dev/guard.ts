import { spawn } from 'node:child_process';
import { isWindows, MARK } from './process-tree.ts';

/**
 * Waits for a line on stdin. If that ends without one, the group gets what Ctrl-C sends. What is left of the tree after
 * five seconds is killed; where the system shows no variables, what is left of the group.
 */
const SCRIPT = `read -r _ && exit
kill -s INT -- "-$1"
marked() { grep -ls "${MARK}=$2" /proc/[0-9]*/environ | tr -cd '0-9\\n'; }
for _ in 1 2 3 4 5; do
  kill -s 0 -- "-$1" || [ -n "$(marked "$@")" ] || exit
  sleep 1
done
kill -s KILL -- "-$1" $(marked "$@")`;

/**
 * Ends a tree once botcli is gone without having ended it, as after `kill -9`: then the system closes a pipe,
 * on which a small shell waits. On Windows, nothing does.
 *
 * @param mark Its value of `BOTCLI_PART`.
 * @returns A function to call once the tree has ended: its number may then be given to another.
 */
export function guardTree(pid: number | undefined, mark: string): () => void {
  if (isWindows || pid === undefined) return () => {};
  const guard = spawn('/bin/sh', ['-c', SCRIPT, 'botcli', String(pid), mark], {
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
