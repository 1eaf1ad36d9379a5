import { type Ending, type Environment, run } from '../bots/processes.ts';

/** Sets up a private network. WebRTC needs another address in addition to loopback, and Firefox a route to it. */
const ALONE = `
  ip link set lo up &&
  ip link add alone type veth peer name nobody &&
  ip address add 10.7.7.7/24 dev alone &&
  ip link set alone up &&
  ip link set nobody up &&
  ip route add default via 10.7.7.1 dev alone &&
  exec "$@"
`;

interface Options {
  cwd: string;
  env: Environment;
  deadline: number;
  isLive: true;
}

/**
 * Runs a command that can reach only this machine. If this process isn't permitted to do that, the command runs with
 * the network, and the result says so.
 */
export async function runOffline(
  command: readonly string[],
  options: Options,
): Promise<{ ending: Ending; isAlone: boolean }> {
  const alone = ['unshare', '--net', 'sh', '-c', ALONE, 'sh'];
  const attempt = await run([...alone, 'true'], options).catch(() => undefined);
  const isAlone = attempt?.code === 0;
  return { ending: await run(isAlone ? [...alone, ...command] : command, options), isAlone };
}
