import { statSync } from 'node:fs';
import { UserError } from '../../errors.ts';

/**
 * The working directory, absolute.
 *
 * @throws {UserError} It was deleted meanwhile, or no text is its name.
 */
export function findWorkingDirectory(ask: () => string): string {
  const path = unlessDeleted(ask);
  if (path.includes('\uFFFD') && !isHere(path)) throw unusable('has a name that is not UTF-8');
  return path;
}

function unlessDeleted(ask: () => string): string {
  try {
    return ask();
  } catch (error) {
    throw error instanceof Error && 'code' in error && error.code === 'ENOENT' ? unusable('was deleted') : error;
  }
}

/** Whether a path leads to the working directory: where its name's bytes are no text, it leads to another one. */
function isHere(path: string): boolean {
  const [here, there] = ['.', path].map(one => statSync(one, { throwIfNoEntry: false }));
  return here?.ino === there?.ino && here?.dev === there?.dev;
}

const unusable = (why: string) =>
  new UserError(`The working directory ${why}. Nothing was done.`, {
    reason: 'no-directory',
    hint: 'Change to another directory, for example with cd ~, and run this again.',
  });
