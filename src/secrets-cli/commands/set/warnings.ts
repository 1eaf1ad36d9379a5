import { basename, dirname, resolve } from 'node:path';
import { trackedFiles } from '../../../git.ts';
import type { Secret } from '../../../platform/secret.ts';
import { onOneLine } from '../../../printable.ts';
import type { Terminal } from '../../../shell/terminal.ts';

/** A longer variable leaves little room for the other variables of a process. In bytes. */
const LONG_VALUE = 64 * 1024;

/** How to pass values safely. */
export const SAFER_WAYS = 'use --file, KEY=-, or a bare KEY.';

/** Warnings to print after setting secrets, one per line. None in CI: nobody reads them, and there is no history. */
export async function warningsAbout(
  secrets: readonly Secret[],
  { file, hasTypedValues }: { file: string | undefined; hasTypedValues: boolean },
  { env, cwd }: Pick<Terminal, 'env' | 'cwd'>,
): Promise<string[]> {
  if (env.CI) return [];
  const unreadable = secrets.filter(({ key }) => !/^[A-Za-z_]\w*$/.test(key)).map(({ key }) => key);
  const long = secrets.filter(({ value }) => Buffer.byteLength(value) > LONG_VALUE).map(({ key }) => key);
  const warnings: [isDue: boolean, text: string][] = [
    [hasTypedValues, `Values on the command line stay in your shell history. To keep them out, ${SAFER_WAYS}`],
    [
      file !== undefined && file !== '-' && (await isTracked(resolve(cwd, file), env)),
      `git tracks ${onOneLine(file ?? '')}, so anyone with the repository can read these values. To untrack it, use git rm --cached.`,
    ],
    [unreadable.length > 0, `Shells can't read variables with these names, but programs can: ${unreadable.join(', ')}`],
    [long.length > 0, `Longer than 64 KiB, which may be too much for an environment variable: ${long.join(', ')}`],
  ];
  return warnings.filter(([isDue]) => isDue).map(([, text]) => text);
}

const isTracked = async (path: string, env: Terminal['env']): Promise<boolean> =>
  (await trackedFiles(dirname(path), [basename(path)], env)).size > 0;
