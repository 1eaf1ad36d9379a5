import { closeSync, fstatSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { orElse } from '../../std.ts';

// A terminal may be closed while the program is running in it.

/** Whether a descriptor is a terminal. Loading Node's module for terminals takes time, so it's loaded only when needed. */
const isTerminal = (descriptor: number): boolean => process.getBuiltinModule('node:tty').isatty(descriptor);

/**
 * Makes an input survive the loss of its terminal. Setting its mode then does nothing: otherwise it would emit an
 * error, which Node's readline throws.
 */
export function outliveTerminal(input: NodeJS.ReadStream): NodeJS.ReadStream {
  const setRawMode = input.setRawMode.bind(input);
  outliveLostTerminal();
  return Object.assign(input, {
    setRawMode: (mode: boolean) => (isTerminal((input as typeof process.stdin).fd) ? setRawMode(mode) : input),
  });
}

/**
 * Lets the process exit cleanly, with its exit code, after its terminal was closed. On exit, Node restores the mode of
 * terminals and aborts if that fails, but it skips closed descriptors.
 */
export function outliveLostTerminal(): void {
  process.off('exit', closeLostTerminal).once('exit', closeLostTerminal);
}

function closeLostTerminal(): void {
  for (const descriptor of [0, 1, 2]) if (isLost(descriptor)) closeSync(descriptor);
}

/** Whether it was a terminal, or is a device such as /dev/null, which is safe to close on exit. False if it's closed already. */
const isLost = (descriptor: number): boolean =>
  orElse(() => fstatSync(descriptor).isCharacterDevice() && !isTerminal(descriptor), false);

/** How long the rest of a pasted text may take to arrive, in milliseconds. */
const PASTE_MS = 100;

/** Drops what was typed or pasted before now. Otherwise, it would answer the next question, or run in the shell. */
export async function dropInput(input: NodeJS.ReadStream): Promise<void> {
  input.setRawMode(true).resume();
  await sleep(PASTE_MS);
  input.pause().setRawMode(false);
}
