import type { Terminal } from '../shell/terminal.ts';
import { onOneLine } from '../text.ts';

/**
 * Warns that npx has written a secret from the command line to its log, which other users can read and CI often keeps.
 * Only the person can remove it.
 *
 * @param what The secret: "These values".
 * @param instead How to pass it next time.
 */
export function warnAboutNpmLog(what: string, instead: string, { env, note }: Pick<Terminal, 'env' | 'note'>): void {
  if (env.npm_command !== 'exec' || env.npm_lifecycle_event !== 'npx') return;
  const folder = `${env.npm_config_cache ?? '~/.npm'}/_logs`;
  note(
    `${what} are now in npm's log: npx writes its command line to ${onOneLine(folder)}. Delete that log. ${instead}`,
  );
}
