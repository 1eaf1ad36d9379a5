import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { explainSystemError, hasCode, isSystemError, UserError } from '../errors.ts';
import type { Terminal } from '../shell/terminal.ts';
import { configPath, readUserConfig, type UserConfig } from './user-config.ts';

interface ChangeOptions {
  /** Whether to replace an invalid file. Default: it is an error. */
  replacesBroken?: boolean;
  /** What to do if the file can't be written. */
  hint?: string;
}

/**
 * Changes the config file. It is read again right before, so that the rest of it stays. Of two changes in the same
 * instant, the later one wins. Only the owner can read the file afterwards. A symbolic link to it stays one.
 *
 * @param change Returns the new content, or undefined to leave the file as it is.
 * @returns The content before the change.
 */
export function changeUserConfig(
  terminal: Terminal,
  change: (config: UserConfig) => UserConfig | undefined,
  {
    replacesBroken = false,
    hint = 'Set BOTCLI_CONFIG to use another file, or set BOTCLI_TOKEN and BOTCLI_ORG to use none.',
  }: ChangeOptions = {},
): ReturnType<typeof readUserConfig> {
  const path = configPath(terminal);
  const stored = readUserConfig(terminal);
  if (stored.broken && !replacesBroken) throw stored.broken;
  const next = change(stored.config) ?? (stored.broken ? {} : undefined);
  if (!next) return stored;
  try {
    const target = followLinks(path);
    for (const file of [path, target]) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    if (!terminal.env.BOTCLI_CONFIG) chmodSync(dirname(path), 0o700);
    replaceFile(target, `${JSON.stringify(next, null, 2)}\n`);
    return stored;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    const message = `${path} can't be written: ${explainSystemError(error)}`;
    throw new UserError(message, { reason: 'account-file', hint });
  }
}

/** The file that a path leads to, through symbolic links. A link to a missing file leads to where that would be. */
function followLinks(path: string): string {
  try {
    return realpathSync(path);
  } catch (error) {
    if (!hasCode(error, ['ENOENT']) || !lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink()) return path;
    return followLinks(resolve(realpathSync(dirname(path)), readlinkSync(path)));
  }
}

/** Replaces a whole file, readable only by its owner: it has either the old or the new content, never a part of it. */
export function replaceFile(path: string, text: string): void {
  const staged = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`);
  const file = openSync(staged, 'wx', 0o600);
  try {
    try {
      // Unlike `writeSync`, this continues after a short write, such as on a disk that fills up.
      writeFileSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(staged, path);
  } catch (error) {
    rmSync(staged, { force: true });
    throw error;
  }
}
