import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { UserError, usageError } from '../../errors.ts';
import { explainJsonFault } from '../../json-position.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { explainSystemError } from '../../system-errors.ts';

/** What the config file stores about an account. Unknown keys, perhaps from a newer release, are kept. */
export interface UserConfig {
  token?: string;
  organization?: string;
  apiUrl?: string;
  [other: string]: unknown;
}

/** `BOTCLI_CONFIG`, else `botcli/config.json` in the user's configuration directory. */
export function configPath({ env, cwd }: Pick<Terminal, 'env' | 'cwd'>): string {
  if (env.BOTCLI_CONFIG) return resolve(cwd, env.BOTCLI_CONFIG);
  // Its specification says to ignore a relative XDG_CONFIG_HOME.
  const base = env.XDG_CONFIG_HOME && isAbsolute(env.XDG_CONFIG_HOME) ? env.XDG_CONFIG_HOME : undefined;
  return join(base ?? join(env.HOME || homedir(), '.config'), 'botcli', 'config.json');
}

/**
 * Reads the config file; a missing file counts as empty. A file that other users can read is restricted to the owner,
 * with a note.
 *
 * @param onBroken Called if the content is invalid, by commands that replace it. The content then counts as empty.
 * @throws {UserError} It can't be read, is invalid, or can't be restricted. Its content is never quoted.
 */
export async function readUserConfig(terminal: Terminal, onBroken?: (error: UserError) => void): Promise<UserConfig> {
  const path = configPath(terminal);
  let text: string;
  try {
    if (!statSync(path).isFile()) throw notAFile(path);
    text = readFileSync(path, 'utf8').replace(/^\uFEFF/, '');
  } catch (error) {
    if (error instanceof UserError) throw error;
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return {};
    throw new UserError(`${path} can't be read: ${explainSystemError(error)}`, { reason: 'account-file' });
  }
  if (text.trim() === '') return {};
  const { config, problem } = await readContent(text);
  if (config?.token) restrictToOwner(path, 'has your token', terminal);
  if (problem) restrictToOwner(path, 'knows its contents', terminal);
  if (config) return config;
  const error = usageError(`${path} isn't a valid botcli config file: ${problem}`, {
    reason: 'account-file',
    hint: 'Fix it, or log in again to replace it: botcli cloud auth login',
  });
  if (!onBroken) throw error;
  onBroken(error);
  return {};
}

/** Parses the text of the file, or explains why it is invalid, without quoting it. */
async function readContent(text: string): Promise<{ config?: UserConfig; problem?: string }> {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch {
    return { problem: explainJsonFault(text) };
  }
  const { wrongKeys } = await import('./config-shape.ts');
  const wrong = wrongKeys(content);
  if (wrong === undefined) return { problem: "it isn't a JSON object" };
  if (wrong.length === 0) return { config: content as UserConfig };
  return { problem: `${wrong.map(key => JSON.stringify(key)).join(', ')} must be a non-empty string` };
}

/** Replaces the whole file, readable only by its owner. Keeps a symbolic link to it. */
export function writeUserConfig(config: UserConfig, terminal: Pick<Terminal, 'env' | 'cwd'>): void {
  const path = configPath(terminal);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if (!terminal.env.BOTCLI_CONFIG) chmodSync(dirname(path), 0o700);
    const target = realPath(path);
    if (target !== path || statSync(path, { throwIfNoEntry: false })) {
      // Renaming onto a device or a directory would put a file in its place.
      if (!statSync(target).isFile()) throw notAFile(path);
    }
    replaceFile(target, `${JSON.stringify(config, null, 2)}\n`);
  } catch (error) {
    if (error instanceof UserError) throw error;
    throw new UserError(`${path} can't be written: ${explainSystemError(error)}`, {
      reason: 'account-file',
      hint: 'Set BOTCLI_CONFIG to use another file, or set BOTCLI_TOKEN and BOTCLI_ORG to use none.',
    });
  }
}

const notAFile = (path: string) =>
  usageError(`${path} isn't a regular file`, {
    reason: 'account-file',
    hint: 'Move it away, or set BOTCLI_CONFIG to another path.',
  });

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}

function replaceFile(path: string, text: string): void {
  const staged = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`);
  const file = openSync(staged, 'wx', 0o600);
  try {
    writeSync(file, text);
    fsyncSync(file);
    closeSync(file);
    renameSync(staged, path);
  } catch (error) {
    rmSync(staged, { force: true });
    throw error;
  }
}

function restrictToOwner(path: string, reader: string, { note }: Terminal): void {
  // Windows doesn't use these permission bits.
  if (process.platform === 'win32' || (statSync(path).mode & 0o077) === 0) return;
  try {
    chmodSync(path, 0o600);
  } catch {
    throw new UserError(`${path} may contain a token and is readable by other users`, {
      reason: 'account-file',
      hint: "botcli couldn't restrict it. Run chmod 600 on it, and consider creating a new token.",
    });
  }
  note(`${path} was readable by other users. Now only you can read it. Anyone who read it before ${reader}.`);
}
