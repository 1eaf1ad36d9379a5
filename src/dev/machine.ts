import { dirname } from 'node:path';
import { type Machine, thisMachine } from '../check/this-machine.ts';
import { findProgram, isOnlyInside, withOwnPrograms } from '../search-path.ts';
import type { Terminal } from '../shell/terminal.ts';
import type { Stop } from './stop.ts';
import { runProcess } from './supervise.ts';

/** How long uv may take to print its version, in milliseconds. */
const PATIENCE_MS = 5000;

/**
 * This machine, as the checks ask it. Its uv ends with botcli, like all that runs here. If it prints no version, that is
 * left to `uv sync`, whose failure shows why.
 */
export const machineFor = (terminal: Terminal, { signal }: Pick<Stop, 'signal'>): Machine => ({
  ...thisMachine(terminal),
  async uvVersion(root) {
    const program = findProgram('uv', terminal.env, root);
    if (!program) return isOnlyInside('uv', terminal.env, root) ? '' : undefined;
    const env = withOwnPrograms(terminal.env, root);
    const end = AbortSignal.any([signal, AbortSignal.timeout(PATIENCE_MS)]);
    let first: string | undefined;
    const take = ([line]: readonly string[]) => {
      first ??= line;
      return undefined;
    };
    // Windows looks in the working directory first, which may hold a program of somebody else.
    const command = { words: [program, '--version'] as const, cwd: dirname(process.execPath), env };
    await runProcess(command, take, { signal: end, hurry: end }).catch(() => {});
    return /^uv (\d+\.\d+\.\d+)\b/.exec(first ?? '')?.[1] ?? '';
  },
});
