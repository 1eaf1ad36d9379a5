import { existsSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import valid from 'semver/functions/valid.js';
import { findProgram, onlyIn, shortAnswer, withOwnPrograms } from '../programs.ts';
import type { Terminal } from '../shell/terminal.ts';
import type { Facts } from './checks/facts.ts';
import { refusedByPython } from './python.ts';

/** What the checks ask of a machine. Tests pass their own. */
export type Machine = ReturnType<typeof thisMachine>;

/** How long uv may take, in milliseconds. */
const PATIENCE = 30_000;

/** @param signal Ends what is asked. */
export const thisMachine = ({ env }: Pick<Terminal, 'env'>, signal?: AbortSignal) => ({
  /** The version of Node.js, without a `v`. */
  node: process.versions.node,
  /**
   * The version of uv on the PATH; empty if it doesn't say, or is in the project at `root`, where botcli runs nothing.
   * Undefined if there is no uv.
   */
  async uvVersion(root: string): Promise<Facts['machine']['uv']> {
    const program = findProgram('uv', env, root);
    if (!program) return onlyIn('uv', env, root) ? '' : undefined;
    const settings = { env: withOwnPrograms(env, root), patience: PATIENCE, signal };
    const answer = await shortAnswer([program, '--version'], settings);
    return 'output' in answer ? (valid(/^uv (\S+)/.exec(answer.output)?.[1]) ?? '') : answer;
  },
  /** The Python files of a project that Python can't compile. */
  refusedByPython: (root: string, paths: readonly string[]) => refusedByPython(root, paths, { env, signal }),
  /** Whether there is something at this path below the home directory. */
  hasAtHome: (path: string) => [env.HOME, env.USERPROFILE].some(home => home && existsSync(join(home, path))),
  isFree,
  /** The models that an Ollama at this address has; undefined if none answers. */
  ollamaModels: async (address: URL) => (await import('./ollama.ts')).ollamaModels(address),
});

/** The addresses that `localhost` may mean. */
const LOOPBACK = ['127.0.0.1', '::1'];

/** Whether a program can listen on a port of this machine. */
export async function isFree(port: number): Promise<boolean> {
  for (const host of LOOPBACK) if (!(await canListen(port, host))) return false;
  return true;
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise(resolve => {
    const server = createServer();
    server.once('error', ({ code }: NodeJS.ErrnoException) => resolve(code !== 'EADDRINUSE'));
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
