import { statSync } from 'node:fs';
import { isDamaged } from '../../damaged.ts';
import { UserError } from '../../errors.ts';
import { hasCode } from '../../system-errors.ts';

/**
 * The absolute path of the working directory.
 *
 * @throws {UserError} It was deleted, or its name isn't valid UTF-8.
 */
export function findWorkingDirectory(ask: () => string): string {
  const path = unlessDeleted(ask);
  if (isDamaged(path) && !isHere(path)) throw unusable('has a name that is not UTF-8');
  return path;
}

function unlessDeleted(ask: () => string): string {
  try {
    return ask();
  } catch (error) {
    throw hasCode(error, ['ENOENT']) ? unusable('was deleted') : error;
  }
}

/** Whether a path is the working directory. It isn't if the name's bytes aren't UTF-8, because decoding changed them. */
function isHere(path: string): boolean {
  const [here, there] = ['.', path].map(one => statSync(one, { throwIfNoEntry: false }));
  return here?.ino === there?.ino && here?.dev === there?.dev;
}

const unusable = (why: string) =>
  new UserError(`The working directory ${why}. Nothing was done.`, {
    reason: 'no-directory',
    hint: 'Change to another directory, for example with cd ~, and run this again.',
  });
