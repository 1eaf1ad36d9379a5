import { readdirSync, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { basename } from 'node:path';
import { orElse } from './or-else.ts';

/** A program that listens on a port. */
interface Listener {
  pid: number;
  /** The name of its file. */
  name: string;
  /** Its working directory. */
  cwd: string;
}

const LISTENING = '0A';

/** The addresses that `localhost` reaches, as Linux writes them: 127.x.x.x, ::1, and those that mean all. */
const LOCAL = /^(0{8}|[\dA-F]{6}7F|0{32}|0{24}01000000|0{16}FFFF0000[\dA-F]{6}7F)$/;

/** The inodes of the sockets that listen on a port, in the text of `/proc/net/tcp` or `/proc/net/tcp6`. */
export const socketsIn = (table: string, port: number): string[] =>
  table.split('\n').flatMap(line => {
    const [, local = '', , state, , , , , , inode] = line.trim().split(/\s+/);
    const [address = '', hex = ''] = local.split(':');
    const isMeant = state === LISTENING && Number.parseInt(hex, 16) === port && LOCAL.test(address);
    return isMeant && inode !== undefined ? [inode] : [];
  });

/** The sockets that listen on a port of this machine. None if the system doesn't say: only Linux does. */
const socketsOn = (port: number): string[] =>
  ['tcp', 'tcp6'].flatMap(name =>
    socketsIn(
      orElse(() => readFileSync(`/proc/net/${name}`, 'latin1'), ''),
      port,
    ),
  );

/** The sockets of a process; undefined if the system doesn't say. */
function socketsOf(pid: number): string[] | undefined {
  const directory = `/proc/${pid}/fd`;
  const socketIn = (name: string) => {
    const link = orElse(() => readlinkSync(`${directory}/${name}`), '');
    return /^socket:\[(\d+)\]$/.exec(link)?.[1] ?? [];
  };
  return orElse(() => readdirSync(directory).flatMap(socketIn), undefined);
}

/** Whether all that listens on a port belongs to some of these processes. Undefined if the system doesn't say. */
export function ownPort(pids: readonly number[], port: number): boolean | undefined {
  const listening = socketsOn(port);
  if (listening.length === 0) return undefined;
  const known = pids.map(socketsOf);
  const own = new Set(known.flatMap(sockets => sockets ?? []));
  if (listening.every(socket => own.has(socket))) return true;
  return known.includes(undefined) ? undefined : false;
}

/** The program that listens on a port. Undefined if there is none, or the system doesn't say. */
export function listenerOn(port: number): Listener | undefined {
  const listening = socketsOn(port);
  if (listening.length === 0) return undefined;
  const pids = readdirSync('/proc').filter(name => /^\d+$/.test(name));
  const pid = pids.map(Number).find(one => socketsOf(one)?.some(socket => listening.includes(socket)));
  if (pid === undefined) return undefined;
  const [exe, cwd] = ['exe', 'cwd'].map(name => orElse(() => readlinkSync(`/proc/${pid}/${name}`), ''));
  return exe && cwd ? { pid, name: basename(exe.replace(/ \(deleted\)$/, '')), cwd } : undefined;
}

/** Whether a program was started in a directory. */
export const runsIn = ({ cwd }: Listener, directory: string): boolean =>
  cwd === orElse(() => realpathSync(directory), directory);
