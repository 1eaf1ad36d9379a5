import { get } from 'node:http';
import { createServer } from 'node:net';
import { isFree } from '../check/this-machine.ts';
import { LARGEST_PORT } from '../std.ts';

/** How long a part may take to answer, in milliseconds. The first start compiles packages. */
export const PATIENCE_MS = 120_000;
const POLL_MS = 100;

/** Whether a web server answers on this port, whatever it says. */
function answers(port: number): Promise<boolean> {
  return new Promise(resolve => {
    const request = get({ host: 'localhost', port, path: '/', timeout: 2000, agent: false });
    request.once('response', response => {
      response.destroy();
      resolve(true);
    });
    request.once('timeout', () => request.destroy());
    request.once('error', () => resolve(false));
    request.once('close', () => resolve(false));
  });
}

/** What to wait for, and how. */
interface Wait {
  port: number;
  /** Whether waiting makes no sense anymore. */
  isOver(): boolean;
  sleep(ms: number): Promise<void>;
}

/** Waits until the part's web server answers. False if that makes no sense anymore, or takes too long. */
export async function untilReady({ port, isOver, sleep }: Wait): Promise<boolean> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end && !isOver(); await sleep(POLL_MS)) {
    if (await answers(port)) return !isOver();
  }
  return false;
}

/** The first port from this one on that nothing listens on, and that isn't in `taken`. */
export async function freePort(first: number, taken: readonly number[] = []): Promise<number> {
  for (let port = first; port <= LARGEST_PORT; port++) {
    if (!taken.includes(port) && (await isFree(port))) return port;
  }
  return first;
}

/** A port that nothing listens on. */
export function anyPort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      const port = typeof address === 'object' && address ? address.port : 0;
      server.close(() => resolve(port));
    });
  });
}
