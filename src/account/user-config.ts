import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { homedir, userInfo } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { explainSystemError, hasCode, isSystemError, UserError, usageError } from '../errors.ts';
import { decodeUtf8 } from '../formats/bytes.ts';
import { explainJsonFault } from '../formats/json.ts';
import type { Terminal } from '../shell/terminal.ts';
import { isWindows } from '../shells.ts';
import { isObject, orElse, parsedJson } from '../std.ts';

/** What the config file stores about an account. Unknown keys, perhaps from a newer release, are kept. */
export interface UserConfig {
  token?: string;
  organization?: string;
  /** The API that the token was checked with. */
  apiUrl?: string;
  [other: string]: unknown;
}

const KEYS = ['token', 'organization', 'apiUrl'] as const;

/** The largest config file to read, in bytes. */
const LIMIT = 2 ** 20;

/** `BOTCLI_CONFIG`, else `botcli/config.json` in the user's configuration directory. */
export function configPath({ env, cwd }: Pick<Terminal, 'env' | 'cwd'>): string {
  if (env.BOTCLI_CONFIG) return resolve(cwd, env.BOTCLI_CONFIG);
  // On Windows, a HOME such as /c/Users/me has no drive. A relative one would put the token into the working directory.
  const home = (isWindows(env) ? env.USERPROFILE : env.HOME) || homedir();
  const usual = join(isAbsolute(home) ? home : userInfo().homedir, '.config');
  // Its specification says to ignore a relative XDG_CONFIG_HOME.
  const base = env.XDG_CONFIG_HOME && isAbsolute(env.XDG_CONFIG_HOME) ? env.XDG_CONFIG_HOME : usual;
  return join(base, 'botcli', 'config.json');
}

/**
 * Reads the config file; empty if there is none. If it has a token and other users can read it, it is restricted to its
 * owner, with a note. Throws a `UserError` if it isn't a config file of botcli. Its content is never quoted.
 */
export function readUserConfig(terminal: Terminal): UserConfig {
  const path = configPath(terminal);
  const bytes = readBytes(path);
  if (bytes === undefined) return {};
  const config = parseConfig(bytes);
  if (typeof config === 'string') throw unusable(path, `isn't a valid botcli config file: ${config}`);
  // BOTCLI_CONFIG may name a file of something else by mistake, which must not get a token.
  const isOurs = !terminal.env.BOTCLI_CONFIG || Object.keys(config).length === 0 || KEYS.some(key => key in config);
  if (!isOurs) throw unusable(path, "isn't a botcli config file");
  if (config.token) restrictToOwner(path, terminal);
  return config;
}

/** The bytes of the file; undefined if there is none. */
function readBytes(path: string): Uint8Array | undefined {
  try {
    const stat = statSync(path);
    // Renaming onto a device or a directory would put a file in its place.
    if (!stat.isFile()) throw unusable(path, "isn't a regular file");
    if (stat.size > LIMIT) throw unusable(path, "is larger than 1 MiB, so it isn't a botcli config file");
    return readFileSync(path);
  } catch (error) {
    if (error instanceof UserError) throw error;
    if (hasCode(error, ['ENOENT', 'ENOTDIR'])) return undefined;
    throw new UserError(`${path} can't be read: ${explainSystemError(error)}`, { reason: 'account-file' });
  }
}

const unusable = (path: string, why: string) =>
  usageError(`${path} ${why}`, {
    reason: 'account-file',
    hint: 'Fix it, move it away, or set BOTCLI_CONFIG to another path.',
  });

/** Reads the content of a config file, or says what is wrong with it, without quoting it. */
export function parseConfig(bytes: Uint8Array): UserConfig | string {
  const text = decodeUtf8(bytes);
  if (text === undefined) return "it isn't UTF-8 text";
  if (text.trim() === '') return {};
  const config = parsedJson(text);
  if (config === undefined) return explainJsonFault(text);
  if (!isObject(config)) return "it isn't a JSON object";
  const wrong = KEYS.filter(key => key in config && (typeof config[key] !== 'string' || config[key] === ''));
  return wrong.length > 0 ? `${wrong.map(key => `"${key}"`).join(', ')} must be a non-empty string` : config;
}

function restrictToOwner(path: string, { note }: Terminal): void {
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
  note(`${path} was readable by other users. Now only you can read it. Anyone who read it before has your token.`);
}

/**
 * Changes the config file, and returns what it had before. It is read again right before, so that its other keys stay.
 * If `change` returns undefined, nothing is written. Only the owner can read the file afterwards. A symbolic link to it
 * stays a link.
 */
export function changeUserConfig(
  terminal: Terminal,
  change: (config: UserConfig) => UserConfig | undefined,
): UserConfig {
  const path = configPath(terminal);
  const stored = readUserConfig(terminal);
  const next = change(stored);
  if (!next) return stored;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    if (!terminal.env.BOTCLI_CONFIG) chmodSync(dirname(path), 0o700);
    replaceFile(
      orElse(() => realpathSync(path), path),
      `${JSON.stringify(next, null, 2)}\n`,
    );
    return stored;
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(`${path} can't be written: ${explainSystemError(error)}`, {
      reason: 'account-file',
      hint: 'Set BOTCLI_CONFIG to use another file, or set BOTCLI_TOKEN and BOTCLI_ORG to use none.',
    });
  }
}

/** Replaces a whole file, readable only by its owner: it has either the old or the new content, never a part of it. */
export function replaceFile(path: string, text: string): void {
  const staged = join(dirname(path), `.${basename(path)}.${randomBytes(6).toString('hex')}`);
  try {
    writeFileSync(staged, text, { flag: 'wx', mode: 0o600, flush: true });
    renameSync(staged, path);
  } catch (error) {
    rmSync(staged, { force: true });
    throw error;
  }
}
