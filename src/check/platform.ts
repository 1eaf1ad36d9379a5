import type { Terminal } from '../shell/terminal.ts';
import type { PlatformFacts } from './checks/facts.ts';

/**
 * Asks the platform about a secret set and an agent. The program provides it, so that checks don't know how.
 *
 * @throws {UserError} There is no login, or no answer.
 */
export type AskPlatform = (
  asked: { readonly set: string | undefined; readonly agent: string | undefined },
  options: { readonly organization?: string; readonly debug?: boolean },
  terminal: Terminal,
) => Promise<PlatformFacts>;
