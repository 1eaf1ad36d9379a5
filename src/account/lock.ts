import { randomBytes } from 'node:crypto';
import { closeSync, linkSync, openSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { UserError } from '../errors.ts';
import { watchInterruption } from '../shell/interruption.ts';
import type { Terminal } from '../shell/terminal.ts';
import { stagedPath } from './replace-file.ts';

const PAUSE_MS = 50;
/** A lock is held for milliseconds. If its holder stays the same for this long, it was killed. */
const STALE_AFTER_MS = 5000;

/**
 * Runs `work` while no other process runs it for the same file. The lock is a file next to it. One that was left behind
 * delays the next command once, and is then removed.
 *
 * @param work Receives a function to call right before the change, which throws if the lock was lost. `work` is
 *   synchronous, so that no signal can end it halfway.
 */
export async function withLock<Result>(
  path: string,
  sleep: Terminal['sleep'],
  work: (checkLock: () => void) => Result,
): Promise<Result> {
  const lock = stagedPath(path, 'lock');
  const own = randomBytes(8).toString('hex');
  const interruption = watchInterruption();
  try {
    await waitFor(lock, own, ms => sleep(ms, interruption.signal));
    return work(() => {
      if (read(lock) !== own) throw lostLock(path);
    });
  } finally {
    if (read(lock) === own) rmSync(lock, { force: true });
    interruption.ignore();
  }
}

async function waitFor(lock: string, own: string, sleep: (ms: number) => Promise<void>): Promise<void> {
  let holder: string | undefined;
  // Counts pauses instead of comparing times: the clock of a network drive may differ from ours.
  for (let unchanged = 0; !take(lock, own); unchanged += PAUSE_MS) {
    const current = read(lock);
    if (current !== holder) unchanged = 0;
    holder = current;
    if (holder !== undefined && unchanged >= STALE_AFTER_MS) remove(lock, holder);
    await sleep(PAUSE_MS);
  }
}

function take(lock: string, own: string): boolean {
  let file: number;
  try {
    file = openSync(lock, 'wx', 0o600);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
  try {
    writeFileSync(file, own);
  } catch (error) {
    rmSync(lock, { force: true });
    throw error;
  } finally {
    closeSync(file);
  }
  return true;
}

function read(lock: string): string | undefined {
  try {
    return readFileSync(lock, 'utf8');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Removes a lock, unless another process has just replaced it: then that one is put back. */
function remove(lock: string, holder: string): void {
  const aside = `${lock}.${randomBytes(6).toString('hex')}`;
  try {
    renameSync(lock, aside);
    if (read(aside) !== holder) linkSync(aside, lock);
  } catch (error) {
    // Another process removed or replaced it first.
    if (!['ENOENT', 'EEXIST'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  } finally {
    rmSync(aside, { force: true });
  }
}

const lostLock = (path: string) =>
  new UserError(`Another botcli command is changing ${path}. This one stored nothing`, {
    reason: 'account-file',
    hint: 'Run it again.',
  });
