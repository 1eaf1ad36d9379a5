import { chmodSync, mkdirSync, rmSync } from 'node:fs';
import { dirname } from 'node:path';
import { UserError } from '../errors.ts';
import type { Terminal } from '../shell/terminal.ts';
import { explainSystemError, isSystemError } from '../system-errors.ts';
import type { UserConfig } from './config-content.ts';
import { configPath } from './config-path.ts';
import { withLock } from './lock.ts';
import { brokenCopies, copyBroken, followLinks, removeLeftovers, replaceFile } from './replace-file.ts';
import { isConfigCopy, readUserConfig, type Stored } from './user-config.ts';

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
  const copies = brokenCopies(target).filter(copy => isConfigCopy(copy, path, terminal));
  for (const copy of copies) rmSync(copy, { force: true });
  return copies;
}
