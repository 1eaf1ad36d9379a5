import { readFileSync } from 'node:fs';
import { UserError } from '../errors.ts';
import { Commit } from './commit.ts';
import { modeOf } from './disk.ts';
import { explainingDiskErrors } from './disk-error.ts';
import { findDestination, findTarget } from './target.ts';

/** Why a file below a directory can't be changed or created; undefined if it can. */
export function obstacleTo(directory: string, name: string): string | undefined {
  const destination = findDestination(findTarget(directory).root, name);
  return 'why' in destination ? `${destination.name} ${destination.why}` : undefined;
}

/**
 * Changes or creates one file that only its owner may read: all of it or nothing, and never through a link that leaves the
 * directory.
 *
 * @param change The new content, from the old one if the file exists.
 */
export function changePrivateFile(directory: string, name: string, change: (old?: Buffer) => Buffer): void {
  const { root } = findTarget(directory);
  const destination = findDestination(root, name);
  if ('why' in destination) {
    throw new UserError(`${obstacleTo(directory, name)}. It was not changed.`, { reason: 'conflict' });
  }
  const { path, isFree } = destination;
  const [before, mode] = explainingDiskErrors(`read ${name}`, () =>
    isFree ? [undefined, OWNER_ONLY] : [readFileSync(path), modeOf(path) & OWNER_ONLY],
  );
  const commit = new Commit({ root, changes: [{ path, before, after: change(before), mode }] });
  commit.write();
  commit.finish();
}

const OWNER_ONLY = 0o600;
