import { spawn } from 'node:child_process';
import { text } from 'node:stream/consumers';
import { BIN } from './program.ts';
import type { Outcome } from './session.ts';

/** Longer than any command takes, and shorter than mocha's patience. */
const DEADLINE_MS = 25_000;

/**
 * Runs a line of a real shell in which `botcli` is the real program. Its stdin is a pipe that stays open and brings
 * nothing, as that of a coding agent, unless the line says otherwise. A line that hangs is ended, and has code -1.
 */
export async function runShell(
  line: string,
  { cwd, env = {} }: { cwd: string; env?: Record<string, string> },
): Promise<Outcome> {
  const shell = spawn('sh', ['-c', `botcli() { "$NODE" "$BIN" "$@"; }\n${line}`], {
    cwd,
    detached: true,
    // Nothing of the surroundings of this test run, neither its colours nor its home.
    env: { PATH: process.env.PATH, HOME: cwd, NODE: process.execPath, BIN, ...env },
  });
  // The whole group: a shell that ends leaves its children.
  const timer = setTimeout(() => process.kill(-(shell.pid as number)), DEADLINE_MS);
  const ended = new Promise<number>(resolve => shell.on('close', code => resolve(code ?? -1)));
  const [stdout, stderr, code] = await Promise.all([text(shell.stdout), text(shell.stderr), ended]);
  clearTimeout(timer);
  return { code, stdout, stderr };
}
