import { UserError } from '../errors.ts';
import { explainingDiskErrors } from '../paths/disk-error.ts';
import { findTarget, locate, locateEnvFile } from '../paths/locate.ts';
import { Commit } from './commit.ts';
import { modeOf, readWhole } from './disk.ts';

/** Why an env file of a project can't be changed or created; undefined if it can. */
export function obstacleTo(directory: string, name: string): string | undefined {
  const destination = locateEnvFile(findTarget(directory).root, name);
  return 'why' in destination ? `${destination.name} ${destination.why}` : undefined;
}

/**
 * Changes or creates an env file that only its owner may read: all of it or nothing, and never through a link.
 *
 * @param change The new content, from the old one if the file exists.
 */
export function changeEnvFile(directory: string, name: string, change: (old?: Buffer) => Buffer): void {
  const { root } = findTarget(directory);
  const destination = locateEnvFile(root, name);
  if ('why' in destination) {
    throw new UserError(`${obstacleTo(directory, name)}. It was not changed.`, { reason: 'conflict' });
  }
  const { path, isFree } = destination;
  const [before, mode] = explainingDiskErrors(`read ${name}`, () =>
    isFree ? [undefined, OWNER_ONLY] : [readWhole(path), modeOf(path) & OWNER_ONLY],
  );
  commitAll({ root, changes: [{ path, before, after: change(before), mode }] });
}

/**
 * Creates a file of a project: all of it or nothing.
 *
 * @throws {UserError} Nothing was written: it exists, botcli may not write there, or the disk refuses.
 */
export function createFile(directory: string, name: string, contents: string): void {
  const { root } = findTarget(directory);
  const destination = locate(root, name);
  if ('why' in destination) {
    throw new UserError(`${destination.name} ${destination.why}. Nothing was written.`, { reason: 'conflict' });
  }
  commitAll({ root, changes: [{ path: destination.path, before: undefined, after: Buffer.from(contents) }] });
}

/**
 * Writes, replaces or deletes files of a project, by their names: all of them or nothing.
 *
 * @throws {UserError} Nothing was changed: botcli may not write there, or the disk refuses.
 */
export function putFiles(directory: string, contents: Readonly<Record<string, string | undefined>>): void {
  const { root } = findTarget(directory);
  const changes = Object.entries(contents).map(([name, text]) => {
    const destination = locate(root, name);
    if ('why' in destination) {
      throw new UserError(`${destination.name} ${destination.why}. Nothing was changed.`, { reason: 'conflict' });
    }
    const { path, isFree } = destination;
    const before = isFree ? undefined : explainingDiskErrors(`read ${name}`, () => readWhole(path));
    return { path, before, after: text === undefined ? undefined : Buffer.from(text) };
  });
  commitAll({ root, changes });
}

function commitAll(work: ConstructorParameters<typeof Commit>[0]): void {
  const commit = new Commit(work);
  commit.write();
  commit.finish();
}

const OWNER_ONLY = 0o600;
