import { type ExecFileException, execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { startOf } from './search-path.ts';
import type { Environment } from './shells.ts';
import { explainSystemError } from './system-errors.ts';

/** What a program prints, or why it says nothing: words that follow its name, and what it printed about that. */
type ShortAnswer = { output: string } | { problem: string; errors?: string };

/** A list of many files, in bytes. */
const LONGEST = 2 ** 24;

/**
 * Runs a program that prints little, and may take `patience` milliseconds, until the signal comes. It never fails.
 *
 * @param input What it reads from stdin.
 */
export function shortAnswer(
  [program, ...words]: readonly [string, ...string[]],
  {
    env,
    patience,
    signal,
    input = '',
  }: { env: Environment; patience: number; signal?: AbortSignal | undefined; input?: string },
): Promise<ShortAnswer> {
  // Windows looks in the working directory first, which may hold a program of somebody else.
  const settings = {
    env,
    cwd: dirname(process.execPath),
    timeout: patience,
    maxBuffer: LONGEST,
    signal,
    windowsHide: true,
  };
  return new Promise<ShortAnswer>(done => {
    const { file, args, ...verbatim } = startOf(program, words, env);
    // Node throws some reasons why it can't start a program, and passes on others.
    const { stdin } = execFile(file, args, { ...settings, ...verbatim }, (error, stdout, errors) =>
      done(error ? { problem: whyIn(error), errors } : { output: stdout }),
    );
    // It may end without having read that.
    stdin?.on('error', () => {}).end(input);
  }).catch((error: unknown) => ({ problem: `can't be started: ${explainSystemError(error)}` }));
}

function whyIn(error: ExecFileException): string {
  if (error.killed) return "doesn't end";
  if (error.signal) return `ended because of ${error.signal}`;
  return typeof error.code === 'number'
    ? `ended with exit code ${error.code}`
    : `can't be started: ${explainSystemError(error)}`;
}
