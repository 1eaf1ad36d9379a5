import type { Invocation } from './command-line.ts';
import type { Terminal } from './terminal.ts';

/** What a command does with what was typed. */
export interface Action {
  run(invocation: Invocation, terminal: Terminal): Promise<void>;
  /** What else is wrong in a line that has faults already, so that all of it is told at once. */
  diagnose?(invocation: Invocation, terminal: Terminal): Promise<readonly string[]>;
}
