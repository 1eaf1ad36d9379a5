import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import valid from 'semver/functions/valid.js';
import { withOwnPrograms } from '../search-path.ts';
import type { Terminal } from '../shell/terminal.ts';

/** What the checks ask of a machine. Tests pass their own. */
export interface Machine {
  /** The version of Node.js, without a `v`. */
  readonly node: string;
  /** The version of uv on the PATH; empty if it doesn't say, undefined if there is no uv. */
  uvVersion(): Promise<string | undefined>;
  /** Whether there is something at this path below the home directory. */
  hasAtHome(path: string): boolean;
  /** Whether a program can listen on a port of this machine. */
  isFree(port: number): Promise<boolean>;
}

/** How long uv may take, in milliseconds. */
const PATIENCE = 5000;
const LARGEST_PORT = 65_535;

/** The machine that botcli runs on. */
export const thisMachine = ({ env }: Pick<Terminal, 'env'>): Machine => ({
  node: process.versions.node,
  uvVersion: () =>
    new Promise(resolve => {
      // Windows looks in the working directory first, which may hold a program of somebody else.
      const settings = {
        env: withOwnPrograms(env),
        cwd: dirname(process.execPath),
        timeout: PATIENCE,
        windowsHide: true,
      };
      execFile('uv', ['--version'], settings, (error, stdout) => {
        resolve(error ? undefined : (valid(/^uv (\S+)/.exec(stdout)?.[1]) ?? ''));
      });
    }),
  hasAtHome: path => [env.HOME, env.USERPROFILE].some(home => home && existsSync(join(home, path))),
  isFree: port =>
    new Promise(resolve => {
      const server = createServer();
      server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'EADDRINUSE'));
      if (port > LARGEST_PORT) return resolve(true);
      server.listen({ port, host: '127.0.0.1', exclusive: true }, () => server.close(() => resolve(true)));
    }),
});
