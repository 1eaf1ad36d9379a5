import { type Ending, type Environment, run } from '../bots/processes.ts';

/** A private network with nobody else on it: WebRTC needs one more address than that of loopback. */
const ALONE = `
  ip link set lo up &&
  ip link add alone type veth peer name nobody &&
  ip address add 10.7.7.7/24 dev alone &&
  ip link set alone up &&
  ip link set nobody up &&
  exec "$@"
`;

interface Options {
  cwd: string;
  env: Environment;
  deadline: number;
}

/**
 * Runs a command that can reach nothing but this machine. Where that takes rights that this process doesn't have, the
 * command runs with the network, and what it hands back says so.
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
