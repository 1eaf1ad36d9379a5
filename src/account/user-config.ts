import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  readlinkSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, isAbsolute, join, resolve } from 'node:path';
import { explainSystemError, hasCode, isSystemError, UserError, usageError } from '../errors.ts';
import { decodeUtf8 } from '../formats/bytes.ts';
import { explainJsonFault } from '../formats/json.ts';
import type { Terminal } from '../shell/terminal.ts';
import { isWindows } from '../shells.ts';
import { isObject, parsedJson } from '../std.ts';

/**
 * `BOTCLI_CONFIG`, else `botcli/config.json` in the user's configuration directory.
 *
 * @throws {UserError} Exit code 2: `HOME` is relative, so the token would be stored below the working directory.
 */
export function configPath({ env, cwd }: Pick<Terminal, 'env' | 'cwd'>): string {
  if (env.BOTCLI_CONFIG) return resolve(cwd, env.BOTCLI_CONFIG);
  // Its specification says to ignore a relative XDG_CONFIG_HOME.
  const base = env.XDG_CONFIG_HOME && isAbsolute(env.XDG_CONFIG_HOME) ? env.XDG_CONFIG_HOME : undefined;
  return join(base ?? join(homeOf(env), '.config'), 'botcli', 'config.json');
}

function homeOf(env: Terminal['env']): string {
  // On Windows, a HOME such as /c/Users/me has no drive, so it would depend on the current one.
  const home = (isWindows(env) ? env.USERPROFILE : env.HOME) || homedir();
  if (isAbsolute(home)) return home;
  throw usageError("HOME isn't an absolute path", {
    reason: 'account-file',
    hint: 'botcli stores the login below HOME. Set HOME to your home directory, or BOTCLI_CONFIG to a file.',
  });
}

/** The largest config file to read, in bytes. */
const LIMIT = 2 ** 20;

/**
 * Reads the config file. The result is empty if there is none, or if it is invalid: `broken` says why. If it has a token
 * and other users can read it, it is restricted to its owner, with a note.
 *
 * @throws {UserError} It can't be read or restricted, or isn't a config file of botcli. Its content is never quoted.
 */
export function readUserConfig(terminal: Terminal): { config: UserConfig; broken?: UserError } {
  const path = configPath(terminal);
  const bytes = readBytes(path);
  if (bytes === undefined) return { config: {} };
  const { config, problem } = parseConfig(bytes);
  if (!isOurs(config, path, terminal))
    throw unusable(path, "isn't a botcli config file, so botcli leaves it unchanged");
  if (problem) restrictToOwner(path, 'knows its contents', terminal);
  else if (config?.token) restrictToOwner(path, 'has your token', terminal);
  if (config) return { config };
  const broken = usageError(`${path} isn't a valid botcli config file: ${problem}`, {
    reason: 'account-file',
    hint: 'Fix it, or log in again to replace it: botcli cloud auth login',
  });
  return { config: {}, broken };
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

/** Whether botcli may change a file. One that `BOTCLI_CONFIG` or a link names by mistake must stay as it is. */
function isOurs(config: UserConfig | undefined, path: string, { env }: Terminal): boolean {
  if (config && isTypical(config)) return true;
  return !env.BOTCLI_CONFIG && (config !== undefined || !lstatSync(path).isSymbolicLink());
}

const unusable = (path: string, why: string) =>
  usageError(`${path} ${why}`, {
    reason: 'account-file',
    hint: 'Move it away, or set BOTCLI_CONFIG to another path.',
  });

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

/** What the config file stores about an account. Unknown keys, perhaps from a newer release, are kept. */
export interface UserConfig {
  token?: string;
  organization?: string;
  /** The API that the token was checked with. */
  apiUrl?: string;
  [other: string]: unknown;
}

const KEYS = ['token', 'organization', 'apiUrl'] as const;

/** Reads the content of a config file. If it is invalid, `problem` says why, without quoting it. */
export function parseConfig(
  bytes: Uint8Array,
): { config: UserConfig; problem?: undefined } | { problem: string; config?: undefined } {
  const text = decodeUtf8(bytes);
  if (text === undefined) return { problem: "it isn't UTF-8 text" };
  if (text.trim() === '') return { config: {} };
  const config = parsedJson(text);
  if (config === undefined) return { problem: explainJsonFault(text) };
  if (!isObject(config)) return { problem: "it isn't a JSON object" };
  const wrong = knownKeys(config).filter(key => typeof config[key] !== 'string' || config[key] === '');
  if (wrong.length === 0) return { config };
  return { problem: `${wrong.map(key => JSON.stringify(key)).join(', ')} must be a non-empty string` };
}

/** Whether botcli may have written this. Any other object could be anything. */
const isTypical = (config: UserConfig): boolean => knownKeys(config).length > 0 || Object.keys(config).length === 0;

const knownKeys = (config: UserConfig) => KEYS.filter(key => Object.hasOwn(config, key));

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
