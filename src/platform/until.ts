import { UserError } from '../errors.ts';

export type Sleeper = { sleep(ms: number, signal?: AbortSignal): Promise<void> };

interface Waiting<State> {
  isDone(state: State): boolean;
  /** The pause between looks, in milliseconds. */
  everyMs: number;
  /** The most looks. Default: no limit. */
  looks?: number;
  /** When to give up, as in `Date.now()`. Default: never. */
  deadline?: number;
  /** Whether to look again after this error. Default: after none. */
  survives?(error: UserError): boolean;
  /** Called after each look, with what it saw, or with why it saw nothing. */
  each?(state: State | undefined, problem?: UserError): void;
  signal?: AbortSignal;
}

/**
 * Looks every few seconds until something is so. Returns the last state; whether it's so; and why the last look saw
 * nothing, if it didn't. Throws the error of a look that waiting doesn't change. Looks are counted from 1.
 */
export async function until<State>(
  look: (number: number) => Promise<State>,
  { isDone, everyMs, looks = Infinity, deadline = Infinity, survives, each, signal }: Waiting<State>,
  { sleep }: Sleeper,
): Promise<{ state: State | undefined; isDone: boolean; problem: UserError | undefined }> {
  let state: State | undefined;
  for (let number = 1; ; number += 1) {
    let problem: UserError | undefined;
    let isOver = false;
    try {
      state = await look(number);
      each?.(state);
      isOver = isDone(state);
    } catch (error) {
      if (!(error instanceof UserError) || !survives?.(error)) throw error;
      problem = error;
      each?.(undefined, error);
    }
    if (isOver || number >= looks || Date.now() > deadline) return { state, isDone: isOver, problem };
    await sleep(everyMs, signal);
  }
}
