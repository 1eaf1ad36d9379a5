import { PACKAGE } from './package-name.ts';
import type { Environment } from './shells.ts';
import { VERSION } from './version.ts';

/**
 * The program, as generated documents call it. They name the release that wrote them: it does what they say, and no
 * later one reads people's keys.
 */
export const PROGRAM = `npx botcli@${VERSION}`;

/** How the user runs botcli: npx and `npm create` don't put it on the PATH. In a clone, the short name is enough for npx. */
export function programIn({ npm_command: command, npm_package_name: project }: Environment): string {
  if (command === 'exec' && project === PACKAGE) return 'npx botcli';
  return ['exec', 'init'].includes(command ?? '') ? PROGRAM : 'botcli';
}

/** Returns a function that names the program in a message's command lines as the user runs it. */
export function asRunIn(env: Environment, commands: readonly string[]): (message: string) => string {
  // No word boundary, because the letter that ends a color may come before the name.
  const calls = new RegExp(`(?<!npx |[@/-])botcli (?=(?:${commands.join('|')})\\b)`, 'g');
  return message => message.replace(calls, `${programIn(env)} `);
}
