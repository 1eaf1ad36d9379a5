import { setTimeout as sleep } from 'node:timers/promises';

/** How long the rest of a pasted text may take to arrive, in milliseconds. */
const PASTE_MS = 100;

/** Drops what was typed or pasted before now. Otherwise, it would answer the next question, or run in the shell. */
export async function dropInput(input: NodeJS.ReadStream): Promise<void> {
  input.setRawMode(true).resume();
  await sleep(PASTE_MS);
  input.pause().setRawMode(false);
}
