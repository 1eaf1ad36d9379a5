import { chmodSync, lstatSync, mkdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError, usageError } from '../../errors.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { explainSystemError, isSystemError } from '../../system-errors.ts';
import { type Content, parseConfig, type UserConfig } from './config-content.ts';

export type { UserConfig };

import { configPath } from './config-path.ts';
import { withLock } from './lock.ts';
import { brokenCopies, copyBroken, followLinks, removeLeftovers, replaceFile } from './replace-file.ts';

/** The largest config file to read, in bytes. */
const LIMIT = 2 ** 20;

/** What the config file stores. */
export interface Stored {
  /** Empty if the file is missing or invalid. */
  config: UserConfig;
  /** Why the file is invalid. */
  broken?: UserError;
}

/**
 * Reads the config file. One with a token that other users can read is restricted to its owner, with a note.
 *
 * @throws {UserError} It can't be read or restricted, or isn't a config file of botcli. Its content is never quoted.
 */
export function readUserConfig(terminal: Terminal): Stored {
  const path = configPath(terminal);
  const bytes = readBytes(path);
  if (bytes === undefined) return { config: {} };
  const content = parseConfig(bytes);
  if (!isOurs(content, path, terminal)) throw foreignFile(path);
  const { config, problem } = content;
  if (problem) restrictToOwner(path, 'knows its contents', terminal);
  else if (config?.token) restrictToOwner(path, 'has your token', terminal);
  if (config) return { config };
  const broken = usageError(`${path} isn't a valid botcli config file: ${problem}`, {
    reason: 'account-file',
    hint: 'Fix it, or log in again to replace it: botcli cloud auth login',
  });
  return { config: {}, broken };
}

/** How to treat a config file that is invalid: keep a copy of it, or remove it together with earlier copies. */
type Repair = 'copy' | 'remove';

/** A change of the config file. */
export interface Changed extends Stored {
  /** The content before the change. */
  config: UserConfig;
  /** Where a copy of the invalid file is. */
  copy?: string;
  /** The copies that were removed. */
  removed: string[];
}

/**
 * Changes the config file. It is read again right before, so that nothing that another command stored is lost; the rest
 * of it stays. Only the owner can read it afterwards. A symbolic link to it stays one.
 *
 * @param change Returns the new content, or undefined to leave the file as it is. May be called more than once.
 * @param repair Default: an invalid file is an error.
 */
export async function changeUserConfig(
  terminal: Terminal,
  change: (config: UserConfig) => UserConfig | undefined,
  repair?: Repair,
): Promise<Changed> {
  const path = configPath(terminal);
  const plan = () => {
    const stored = readUserConfig(terminal);
    if (stored.broken && !repair) throw stored.broken;
    return { stored, next: change(stored.config) ?? (stored.broken ? {} : undefined) };
  };
  try {
    const target = followLinks(path);
    const { stored, next } = plan();
    removeLeftovers(target);
    const removed = repair === 'remove' ? removeCopies(target, path, terminal) : [];
    if (!next) return { ...stored, removed };
    makeDirectories(path, target, terminal);
    return await withLock(target, terminal.sleep, checkLock => {
      const { stored, next } = plan();
      let copy: string | undefined;
      const beforeReplacing = () => {
        checkLock();
        if (stored.broken && repair === 'copy') copy = copyBroken(target);
      };
      if (next) replaceFile(target, `${JSON.stringify(next, null, 2)}\n`, beforeReplacing);
      return { ...stored, ...(copy ? { copy } : {}), removed };
    });
  } catch (error) {
    if (!isSystemError(error)) throw error;
    throw new UserError(`${path} can't be written: ${explainSystemError(error)}`, {
      reason: 'account-file',
      hint:
        repair === 'remove'
          ? 'To log out without it, delete this file.'
          : 'Set BOTCLI_CONFIG to use another file, or set BOTCLI_TOKEN and BOTCLI_ORG to use none.',
    });
  }
}

function makeDirectories(path: string, target: string, { env }: Terminal): void {
  for (const file of [path, target]) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (!env.BOTCLI_CONFIG) chmodSync(dirname(path), 0o700);
}

/** Removes the copies of invalid files, which may contain a token. Returns their paths. */
function removeCopies(target: string, path: string, terminal: Terminal): string[] {
  const isOurCopy = (copy: string) => {
    try {
      const bytes = readBytes(copy);
      return bytes !== undefined && isOurs(parseConfig(bytes), path, terminal);
    } catch {
      // botcli can read its own copies.
      return false;
    }
  };
  const copies = brokenCopies(target).filter(isOurCopy);
  for (const copy of copies) rmSync(copy, { force: true });
  return copies;
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
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw new UserError(`${path} can't be read: ${explainSystemError(error)}`, { reason: 'account-file' });
  }
}

/** Whether botcli may change a file. One that `BOTCLI_CONFIG` or a link names by mistake must stay as it is. */
function isOurs({ config, isTypical }: Content, path: string, { env }: Terminal): boolean {
  if (isTypical) return true;
  return !env.BOTCLI_CONFIG && (config !== undefined || !lstatSync(path).isSymbolicLink());
}

const foreignFile = (path: string) => unusable(path, "isn't a botcli config file, so botcli leaves it unchanged");

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
