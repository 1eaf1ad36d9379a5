import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { isFree } from '../../src/check/this-machine.ts';
import type { RawConfig } from '../../src/config/options.ts';
import { processesWith } from './left.ts';
import { BIN, watch } from './program.ts';
import { projectSaying, TOOLS } from './tools.ts';
import { inTree, type Tree } from './trees.ts';

// `botcli dev` in processes of its own, with stand-ins for uv, npm and cloudflared. All use ports of their own, so that
// they can run at the same time as other tests.

// Below those that systems give to connections, which may be in use at any moment.
const BLOCKS = Array.from({ length: 60 }, (_, at) => 20_000 + ((process.pid + at) % 60) * 200);

/** The first port of a block that is this process's own, because it listens there for as long as it runs. */
async function claimBlock(): Promise<number> {
  for (const first of BLOCKS) {
    const claim = createServer().unref();
    const isOurs = new Promise<boolean>(resolve => {
      claim.once('error', () => resolve(false)).listen(first, '127.0.0.1', () => resolve(true));
    });
    if (await isOurs) return first;
  }
  throw new Error('Other tests use all blocks of ports');
}

let lastPort = await claimBlock();

/** A port that no other test uses. */
export const nextPort = (): number => ++lastPort;

/** A run of `botcli dev` without a terminal. */
export interface Run {
  child: ChildProcess;
  out(): string;
  until(expected: string | RegExp, from?: number): Promise<void>;
  readonly ended: Promise<number>;
  hasEnded(): boolean;
  port: number;
  directory: string;
}

/** A project, and how `botcli dev` runs in it. */
export interface Scene {
  /** What files of the project say about how the stand-ins behave. */
  saying?: Record<string, string>;
  config?: RawConfig;
  change?: (files: Tree) => Tree;
  /** Its options. It has a port of its own. */
  line?: string;
  env?: Record<string, string>;
}

export const treeOf = async ({ saying, config, change = files => files }: Scene): Promise<Tree> =>
  change(await projectSaying(saying, config));

/** Runs `botcli dev` in a project, for as long as `use` takes. Afterwards, nothing of it may be left. */
export const withDev = (scene: Scene, use: (run: Run) => Promise<void>) => async () =>
  inTree(await treeOf(scene), async directory => {
    const { line = '', env } = scene;
    const port = nextPort();
    const args = [BIN, 'dev', '--port', String(port), '--no-open', ...line.split(' ').filter(Boolean)];
    const child = spawn(process.execPath, args, { cwd: directory, env: environment(directory, env) });
    let text = '';
    let hasEnded = false;
    const { notify, until } = watch(
      () => text,
      () => hasEnded,
    );
    const onData = (chunk: unknown) => {
      text += chunk;
      notify();
    };
    child.stdout.setEncoding('utf8').on('data', onData);
    child.stderr.setEncoding('utf8').on('data', onData);
    const ended = new Promise<number>(resolve =>
      child.once('close', (code, signal) => {
        hasEnded = true;
        notify();
        resolve(code ?? (signal ? -1 : -2));
      }),
    );
    try {
      await use({ child, out: () => text, until, ended, hasEnded: () => hasEnded, port, directory });
    } finally {
      if (!hasEnded) child.kill('SIGKILL');
    }
    await assertNothingLeft(directory, port);
  });

export const environment = (directory: string, env: Record<string, string> = {}) => ({
  PATH: `${TOOLS}:${process.env.PATH}`,
  HOME: directory,
  FAKE_JOURNAL: join(directory, 'journal'),
  ...env,
});

/** No process has the project for its home, and the bot's port is free. */
export async function assertNothingLeft(directory: string, port: number): Promise<void> {
  assert.deepEqual(processesWith(`HOME=${directory}`), []);
  assert(await isFree(port), `something listens on ${port}`);
}

export const readIfThere = (path: string): string => (existsSync(path) ? readFileSync(path, 'utf8') : '');
