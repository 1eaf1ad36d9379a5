import { closeSync, fstatSync } from 'node:fs';
import { isatty } from 'node:tty';

// A person may close a terminal while a program runs in it.

/**
 * An input whose terminal may go away. It then takes no mode: trying would be an error event, which Node's readline
 * throws.
 */
export function outliveTerminal(input: NodeJS.ReadStream): NodeJS.ReadStream {
  const setRawMode = input.setRawMode.bind(input);
  process.once('exit', leaveLostTerminal);
  return Object.assign(input, {
    setRawMode: (mode: boolean) => (isatty((input as typeof process.stdin).fd) ? setRawMode(mode) : input),
  });
}

/**
 * Lets the process end in order, with its exit code, after its terminal went away. Node puts terminals back as they were
 * when it ends, and aborts where that fails; descriptors that are closed it passes over.
 */
export function leaveLostTerminal(): void {
  for (const descriptor of [0, 1, 2]) if (isLost(descriptor)) closeSync(descriptor);
}

/** Whether it was a terminal, or is a device such as /dev/null, which nobody misses at the end. */
function isLost(descriptor: number): boolean {
  try {
    return fstatSync(descriptor).isCharacterDevice() && !isatty(descriptor);
  } catch {
    // It is closed already.
    return false;
  }
}
