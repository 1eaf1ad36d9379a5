import { homedir } from 'node:os';
import { isAbsolute, join, resolve } from 'node:path';
import { usageError } from '../errors.ts';
import type { Terminal } from '../shell/terminal.ts';
import { isWindows } from '../shells.ts';

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
