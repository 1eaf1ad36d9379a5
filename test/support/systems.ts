import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';

const ON_WINDOWS = process.platform === 'win32';

/** `it` for what Windows doesn't have, such as POSIX modes, named pipes and `sh`. There, mocha lists it as pending. */
export const posixIt = (title: string, check: Mocha.Func | Mocha.AsyncFunc): Mocha.Test =>
  ON_WINDOWS ? it.skip(title) : it(title, check as Mocha.Func);

/** `it` for what only Linux has, such as `/proc`. */
export const linuxIt = (title: string, check: Mocha.Func | Mocha.AsyncFunc): Mocha.Test =>
  process.platform === 'linux' ? it(title, check as Mocha.Func) : it.skip(title);

/** `it` for what only Windows has, such as its shell. */
export const windowsIt = (title: string, check: Mocha.Func | Mocha.AsyncFunc): Mocha.Test =>
  ON_WINDOWS ? it(title, check as Mocha.Func) : it.skip(title);

/** Asserts the mode of a file or directory. Windows has none: there, what is around it decides who may read it. */
export function assertMode(path: string, mode: '600' | '700'): void {
  if (!ON_WINDOWS) assert.equal((statSync(path).mode & 0o777).toString(8), mode, path);
}

/** Writes a program of one line, which the shell of the system runs. */
export function writeProgram(path: string, line: string): void {
  if (ON_WINDOWS) writeFileSync(`${path}.cmd`, `@${line}\r\n`);
  else writeFileSync(path, `#!/bin/sh\n${line}\n`, { mode: 0o755 });
}

/** Sends this process a signal. On Windows that would end it without its handlers, so they are called instead. */
export function raise(signal: NodeJS.Signals): void {
  if (ON_WINDOWS) process.emit(signal, signal);
  else process.kill(process.pid, signal);
}
