import { type ChildProcess, spawn } from 'node:child_process';
import { closeSync, mkdirSync, openSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { patient, prefer } from './slowness.ts';

export type Environment = Record<string, string | undefined>;

interface Place {
  cwd: string;
  env?: Environment;
}

export interface Ending {
  code: number | null;
  stdout: string;
  stderr: string;
}

const LOG_LINES = 30;
const STOP_GRACE_MS = 5000;

const live = new Set<ChildProcess>();

/** Each child leads its own process group, so that stopping it also stops its children. */
function track<Child extends ChildProcess>(child: Child): Child {
  if (!isWatching) stopChildrenOnExit();
  live.add(child);
  child.once('exit', () => live.delete(child));
  return child;
}

function kill(child: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (child.pid) process.kill(-child.pid, signal);
  } catch {
    // The group has already exited.
  }
}

let isWatching = false;

/** Stops all children when this program exits, for any reason. */
function stopChildrenOnExit(): void {
  isWatching = true;
  process.on('exit', () => {
    for (const child of live) kill(child, 'SIGKILL');
  });
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => process.exit(130));
}

/** Runs a command until it exits. After the deadline, which is later on a slow machine, kills its group and fails.
 * `isLive` is for parts of a conversation. */
export function run(
  command: readonly string[],
  { input = '', deadline = 900_000, isLive, ...place }: Place & { input?: string; deadline?: number; isLive?: true },
): Promise<Ending> {
  return new Promise((resolve, reject) => {
    const [program = '', ...args] = command;
    const child = track(spawn(program, args, { ...place, detached: true }));
    if (isLive) prefer(child);
    const output = { stdout: '', stderr: '' };
    child.stdout.setEncoding('utf8').on('data', text => {
      output.stdout += text;
    });
    child.stderr.setEncoding('utf8').on('data', text => {
      output.stderr += text;
    });
    child.stdin.on('error', () => {}).end(input);
    const patience = patient(deadline);
    const timer = setTimeout(() => {
      kill(child, 'SIGKILL');
      reject(new Error(`${command.join(' ')}: not done after ${patience / 1000} s\n${lastLines(output.stderr)}`));
    }, patience);
    child.once('error', reject);
    child.once('close', code => {
      clearTimeout(timer);
      resolve({ code, ...output });
    });
  });
}

export async function runWell(command: readonly string[], options: Parameters<typeof run>[1]): Promise<Ending> {
  const ending = await run(command, options);
  if (ending.code === 0) return ending;
  throw new Error(`${command.join(' ')}: exit code ${ending.code}\n${lastLines(ending.stdout + ending.stderr)}`);
}

/** A program that runs until it's stopped. */
export interface Service {
  /** The group of its process and its children. */
  group: number | undefined;
  log(): string;
  ended(): boolean;
  stop(): Promise<void>;
  /** Sends a signal to it and its children. */
  signal(name: NodeJS.Signals): void;
}

/** Starts a part of a conversation, with stdout and stderr redirected to a file. */
export function startService(command: readonly string[], place: Place, logFile: string): Service {
  mkdirSync(dirname(logFile), { recursive: true });
  const log = openSync(logFile, 'w');
  const [program = '', ...args] = command;
  const child = prefer(track(spawn(program, args, { ...place, detached: true, stdio: ['ignore', log, log] })));
  closeSync(log);
  const ended = () => child.exitCode !== null || child.signalCode !== null;
  child.once('error', () => {});
  return {
    group: child.pid,
    log: () => readFileSync(logFile, 'utf8'),
    ended,
    signal: name => kill(child, name),
    async stop() {
      kill(child, 'SIGTERM');
      for (const end = Date.now() + STOP_GRACE_MS; !ended() && Date.now() < end; ) await sleep(50);
      kill(child, 'SIGKILL');
    },
  };
}

export function lastLines(text: string, count = LOG_LINES): string {
  return text.trimEnd().split('\n').slice(-count).join('\n');
}
