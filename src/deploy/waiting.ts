import { ignoring, UserError } from '../errors.ts';
import type { Terminal } from '../shell/terminal.ts';
import type { Tools } from './job.ts';

/** Reasons that waiting doesn't change. */
const FINAL: ReadonlySet<string> = new Set(['unauthorized', 'forbidden', 'interrupted', 'certificate', 'build-failed']);

/**
 * Looks every few seconds until `isDone`. A look that fails says nothing about what it looks at, so it's repeated.
 * Returns the last state.
 *
 * @param each Called with each state, or with the problem of a look that failed.
 * @throws {UserError} `timeout` at the deadline, with the error of the last look, if that failed; or the platform refuses to be asked.
 */
export async function lookEvery<State>(
  ms: number,
  look: () => Promise<State>,
  { isDone, each }: { isDone(state: State): boolean; each(state: State | undefined, problem?: UserError): void },
  { signal, deadline }: Pick<Tools, 'signal' | 'deadline'>,
  { sleep }: Pick<Terminal, 'sleep'>,
): Promise<State> {
  for (;;) {
    let problem: UserError | undefined;
    try {
      const state = await look();
      each(state);
      if (isDone(state)) return state;
    } catch (error) {
      if (!(error instanceof UserError) || FINAL.has(error.reason)) throw error;
      problem = error;
      each(undefined, error);
    }
    if (Date.now() > deadline) {
      throw new UserError(problem?.message ?? '', { reason: 'timeout', facts: { unreadable: problem !== undefined } });
    }
    await sleep(ms, signal);
  }
}

/** How often to look whether a change whose response is lost took effect, and the pause, in milliseconds. */
const SEARCHES = 5;
const PAUSE_MS = 2000;

/**
 * Looks for what a change made of which no response came: the platform may need a while until it shows it. Undefined if
 * it doesn't show, or can't be asked.
 *
 * @throws {UserError} `interrupted`.
 */
export async function searchFor<Found>(
  look: () => Promise<Found | undefined>,
  { signal, terminal }: Tools,
): Promise<Found | undefined> {
  for (let number = 1; ; number += 1) {
    const found = await look().catch(ignoring(({ reason }) => reason !== 'interrupted'));
    if (found !== undefined || number === SEARCHES) return found;
    await terminal.sleep(PAUSE_MS, signal);
  }
}
