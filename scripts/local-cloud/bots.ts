import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { type AddressInfo, connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { StartBot } from './generic.ts';

/** How long a bot may take until it listens, in milliseconds. */
const PATIENCE_MS = 180_000;

/** Unpacks the files of a build into an empty directory. */
export function unpack(context: Buffer, directory: string): void {
  mkdirSync(directory, { recursive: true });
  const { status, stderr } = spawnSync('tar', ['-xzf', '-'], { cwd: directory, input: context });
  if (status !== 0) throw new Error(`The files can't be unpacked: ${stderr}`);
}

/**
 * Runs each session's bot in a process of its own, as the cloud does: from the files that were built, with uv. Its
 * variables are those of this process and `env`, because the local cloud keeps no values of secrets.
 */
export function realBots(env: NodeJS.ProcessEnv = process.env) {
  let root: string | undefined;
  const built = new Map<string, Promise<string>>();
  const running = new Set<ChildProcess>();
  const kill = (child: ChildProcess) => {
    running.delete(child);
    try {
      process.kill(-(child.pid as number), 'SIGKILL');
    } catch {
      // It has ended.
    }
  };
  const install = async (context: Buffer, hash: string) => {
    root ??= mkdtempSync(join(tmpdir(), 'local-cloud-'));
    const directory = join(root, hash);
    unpack(context, directory);
    // As the image does.
    const sync = ['sync', '--no-install-project', '--no-dev', '--compile-bytecode'];
    await promisify(execFile)('uv', sync, { cwd: directory, env });
    return directory;
  };
  /** Installs what a bot needs, once, and returns its directory. */
  const build = (context: Buffer): Promise<string> => {
    const hash = createHash('md5').update(context).digest('hex');
    const work = built.get(hash) ?? install(context, hash);
    built.set(hash, work);
    return work;
  };
  const start: StartBot = async context => {
    const directory = await build(context);
    const port = await freePort();
    const words = ['run', '--no-sync', 'bot.py', '--host', '127.0.0.1', '--port', `${port}`];
    const own = { LOGURU_LEVEL: 'WARNING', ...env };
    const child = spawn('uv', words, {
      cwd: directory,
      env: own,
      detached: true,
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    running.add(child);
    let isGone = false;
    for (const event of ['error', 'exit']) child.once(event, () => (isGone = true));
    for (const end = Date.now() + PATIENCE_MS; !(await listens(port)); await sleep(100)) {
      if (!isGone && Date.now() < end) continue;
      kill(child);
      throw new Error('The bot ended before it was ready');
    }
    return { url: `ws://127.0.0.1:${port}/ws`, stop: async () => kill(child) };
  };
  return {
    build,
    start,
    close() {
      for (const child of running) kill(child);
      if (root !== undefined) rmSync(root, { recursive: true, force: true });
    },
  };
}

const freePort = (): Promise<number> =>
  new Promise((resolve, reject) => {
    const server = createServer().once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as AddressInfo;
      server.close(() => resolve(port));
    });
  });

const listens = (port: number): Promise<boolean> =>
  new Promise(resolve => {
    const socket = connect(port, '127.0.0.1', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
