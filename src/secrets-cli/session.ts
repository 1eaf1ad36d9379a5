import { UserError, usageError } from '../errors.ts';
import { printable } from '../printable.ts';
import { watchInterruption } from '../shell/interruption.ts';
import type { Terminal } from '../shell/terminal.ts';
import { VERSION } from '../version.ts';
import { type Account, readAccount } from './account/account.ts';
import { type Location, listCommand } from './input/location.ts';
import type { Cloud } from './platform/cloud.ts';
import { hasUnknownOutcome } from './platform/cloud-error.ts';

/** A command's time with the platform. */
export interface CloudSession {
  account: Account;
  cloud: Cloud;
}

/** The options of a command that a session depends on. */
export interface SessionOptions {
  readonly organization?: string;
  readonly debug?: boolean;
}

/**
 * Opens the platform for a command, and closes it afterwards. What a request needs is loaded here, once the command knows
 * that it will send some. Ctrl-C ends the request under way.
 *
 * @param account Who talks to the platform. Default: the account in use.
 */
export async function withCloud<Result>(
  options: SessionOptions,
  terminal: Terminal,
  use: (session: CloudSession) => Promise<Result>,
  account?: Account,
): Promise<Result> {
  const known = account ?? (await readAccount(terminal, options.organization));
  const { Cloud, proxyFor } = await import('./platform/cloud.ts');
  const proxy = proxyFor(known.apiUrl);
  const interruption = watchInterruption('Interrupted.');
  const cloud = new Cloud({
    apiUrl: known.apiUrl,
    token: known.token,
    proxy,
    userAgent: `botcli/${VERSION}`,
    timeoutMs: timeoutOf(terminal.env),
    signal: interruption.signal,
    sleep: terminal.sleep,
    onTry: options.debug ? line => terminal.note(terminal.noteStyle.dim(printable(line))) : undefined,
  });
  try {
    return await use({ account: known, cloud });
  } finally {
    terminal.progress.clear();
    cloud.close();
    interruption.ignore();
  }
}

/** `BOTCLI_HTTP_TIMEOUT`: seconds for one try of a request. In milliseconds. */
function timeoutOf({ BOTCLI_HTTP_TIMEOUT: seconds }: Terminal['env']): number {
  if (!seconds) return 20_000;
  const timeout = Number(seconds) * 1000;
  if (timeout >= 100 && timeout <= 600_000) return timeout;
  throw usageError('BOTCLI_HTTP_TIMEOUT must be a number of seconds from 0.1 to 600');
}

/** Makes a change. When it's interrupted, nobody knows whether it came about, and the error says so. */
export async function change<Result>(what: string, location: Location, make: () => Promise<Result>): Promise<Result> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof UserError) || !hasUnknownOutcome(error)) throw error;
    const hint = [`It's unclear whether ${what}. To check, run: ${listCommand(location)}`, error.hint ?? '']
      .join('\n')
      .trim();
    throw error.withMessage(error.message, { hint });
  }
}
