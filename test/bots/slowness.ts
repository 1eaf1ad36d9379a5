import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { performance } from 'node:perf_hooks';
import { setTimeout as sleep } from 'node:timers/promises';

/**
 * How many times as long everything takes as on a quiet machine. It's a variable of the environment, so that programs
 * know it, too: `turns.py` reads it, and so does a conversation in a browser.
 */
const NAME = 'TIMES_SLOWER';

/** Nobody waits longer than ten times as long as on a quiet machine. */
const MOST = 10;

/**
 * The yardstick: a new process, such as a bot's, that computes for a moment. It takes half as long if the machine has
 * nothing else to do, and so long next to other conversations and checks with a lower priority, which is quiet enough.
 */
const WORK =
  "const { createHash } = require('node:crypto'); let hash = 'x'; for (let i = 0; i < 20000; i++) hash = createHash('sha256').update(hash).digest();";
const QUIET_MS = 300;

/** How many times as long everything takes as on a quiet machine: 1 to 10. */
export const slowness = (): number => Number(process.env[NAME] ?? 1);

/** What takes so many milliseconds, or seconds, on a quiet machine takes this long at most. */
export const patient = (time: number): number => time * slowness();

/** What processes of a conversation get before others: see `nice`. */
export const PRIORITY = -10;

/**
 * Gives a process that leads a session the processor before others, with all that it starts, because sound can't wait.
 * Only root may. Linux gives each session a fair share, and counts niceness only within it, unless it's the session's.
 */
export function prefer<Child extends { pid?: number | undefined }>(child: Child): Child {
  try {
    setPriority(Number(child.pid), PRIORITY);
    writeFileSync(`/proc/${child.pid}/autogroup`, String(PRIORITY));
  } catch {
    // It takes its turn.
  }
  return child;
}

/** Measures how slow the machine is at present for a process of a conversation. A load comes and goes, so of the last time, half counts. */
export async function measureSlowness(): Promise<void> {
  const start = performance.now();
  const work = prefer(spawn(process.execPath, ['-e', WORK], { stdio: 'ignore', detached: true }));
  await new Promise(resolve => work.once('close', resolve));
  const now = (performance.now() - start) / QUIET_MS;
  process.env[NAME] = Math.min(MOST, Math.max(1, now, slowness() / 2)).toFixed(1);
}

/**
 * Waits for a fact, and returns it, or undefined if it doesn't come. The milliseconds are those of a quiet machine, and
 * become more if the machine becomes slower meanwhile.
 */
export async function waitFor<Fact>(find: () => Fact | Promise<Fact>, milliseconds: number, every = 50) {
  for (const start = Date.now(); ; await sleep(every)) {
    const fact = await find();
    if (fact) return fact;
    if (Date.now() - start > patient(milliseconds)) return undefined;
  }
}
