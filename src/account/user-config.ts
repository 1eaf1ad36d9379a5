import { chmodSync, lstatSync, readFileSync, statSync } from 'node:fs';
import { UserError, usageError } from '../errors.ts';
import type { Terminal } from '../shell/terminal.ts';
import { explainSystemError, hasCode } from '../system-errors.ts';
import { isTypical, parseConfig, type UserConfig } from './config-content.ts';
import { configPath } from './config-path.ts';

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
