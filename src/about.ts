import type { Environment } from './shells.ts';
import { VERSION } from './version.ts';

/** The name of this package. Shorter names are aliases. */
export const PACKAGE = 'generator-botcli';

/**
 * Whether npm has a version of botcli. One with a suffix, such as 0.2.0-dev, is on no registry, and a botcli in
 * development can't tell which others are. Anyone who registered a missing package of our name could run code, with
 * people's keys. So botcli neither names nor fetches one.
 */
export const isPublished = (version: string, running = VERSION): boolean =>
  [version, running].every(one => /^\d+\.\d+\.\d+$/.test(one));

/** How to run a version of botcli that isn't installed; undefined if it may not be on npm. */
export const npxOf = (version: string, running = VERSION): string | undefined =>
  isPublished(version, running) ? `npx botcli@${version}` : undefined;

/** The program, as generated documents call it. They name the release that wrote them: it does what they say. */
export const PROGRAM = npxOf(VERSION) ?? 'botcli';

/** The same in CI, where npx can't ask. */
export const PROGRAM_IN_CI = PROGRAM.replace('npx', 'npx --yes');

/** What runs a package without installing it, by how it calls itself in `npm_config_user_agent`. */
const RUNNERS: readonly [agent: RegExp, command: string][] = [
  [/^pnpm\//, 'pnpm dlx'],
  // Yarn 1 has no such command.
  [/^yarn\/(?![01]\.)/, 'yarn dlx'],
  [/^bun\//, 'bunx'],
];

/** How the user runs botcli: npx, `npm create` and the like don't put it on the PATH. */
export function programIn(env: Environment, program = PROGRAM): string {
  const { npm_command: command = '', npm_lifecycle_event: script, npm_config_user_agent: agent = '' } = env;
  const [, runner] = RUNNERS.find(([name]) => name.test(agent)) ?? [];
  // Only scripts have an event, and that of bunx. Other package managers don't set the command.
  const isOnce = ['exec', 'init'].includes(command) || (/^(?:pnpm|yarn|bun)\//.test(agent) && !script);
  if (!isOnce) return 'botcli';
  return runner ? program.replace(/^npx/, runner) : program;
}

/** Returns a function that names the program in a message's command lines as the user runs it. */
export function asRunIn(env: Environment, commands: readonly string[], program = PROGRAM): (message: string) => string {
  // No word boundary, because the letter that ends a color may come before the name.
  const calls = new RegExp(`(?<!npx |dlx |bunx |[@/-])botcli (?=(?:${commands.join('|')})\\b)`, 'g');
  return message => message.replace(calls, `${programIn(env, program)} `);
}
