import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { BIN, DEADLINE_MS } from './program.ts';

const ON_WINDOWS = process.platform === 'win32';

/** Windows gets one from Git. */
const SH = ON_WINDOWS ? join(process.env.ProgramFiles ?? 'C:\\Program Files', 'Git/bin/sh.exe') : 'sh';

/**
 * Runs a line in a real shell with the real `botcli`. Like a coding agent's, its stdin is a pipe that stays open and
 * empty, unless the line redirects it. A line that hangs is killed and returns code -1.
 */
export async function runShell(line: string, { cwd, env = {} }: { cwd: string; env?: Record<string, string> }) {
  const shell = spawn(SH, ['-c', `botcli() { "$NODE" "$BIN" "$@"; }\n${line}`], {
    cwd,
    detached: !ON_WINDOWS,
    // Don't inherit the environment of this test run, such as its colors or home directory.
    env: { PATH: process.env.PATH, HOME: cwd, NODE: process.execPath, BIN, ...env },
  });
  // Kills the whole group, because the shell's children would outlive it.
  const timer = setTimeout(() => process.kill((ON_WINDOWS ? 1 : -1) * (shell.pid as number)), DEADLINE_MS);
  const ended = new Promise<number>(resolve => shell.on('close', code => resolve(code ?? -1)));
  const [stdout, stderr, code] = await Promise.all([text(shell.stdout), text(shell.stderr), ended]);
  clearTimeout(timer);
  return { code, stdout, stderr };
}
