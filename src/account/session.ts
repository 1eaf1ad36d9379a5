import { type ErrorCode, explaining, hintOf, UserError, usageError } from '../errors.ts';
import { checkNodeSettings } from '../network/node-settings.ts';
import type { Cloud } from '../platform/cloud.ts';
import { hasUnknownOutcome } from '../platform/cloud-error.ts';
import { type Location, listCommand } from '../platform/location.ts';
import { watchInterruption } from '../shell/interruption.ts';
import type { Terminal } from '../shell/terminal.ts';
import { printable } from '../text.ts';
import { VERSION } from '../version.ts';
import { readAccount } from './account.ts';
import { type Address, describeAddress } from './address.ts';

/** A command's connection to the platform. */
export interface CloudSession {
  account: ReturnType<typeof readAccount>;
  cloud: Cloud;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
}

export interface SessionOptions {
  readonly organization?: string;
  readonly debug?: boolean;
}

/**
 * Connects a command to the platform, and disconnects afterwards. The HTTP client is loaded only here, once the command
 * needs it. Ctrl-C ends the current request.
 *
 * @param account The account to use. Default: the current account.
 */
export async function withCloud<Result>(
  options: SessionOptions,
  terminal: Terminal,
  use: (session: CloudSession) => Promise<Result>,
  account: CloudSession['account'] = readAccount(terminal, options.organization),
): Promise<Result> {
  checkNodeSettings(account.address.url, terminal.env);
  const { Cloud, proxyFor } = await import('../platform/cloud.ts');
  const proxy = proxyFor(account.address.url);
  const interruption = watchInterruption('Interrupted.');
  const cloud = new Cloud({
    apiUrl: account.address.url,
    token: account.token,
    proxy,
    userAgent: `botcli/${VERSION}`,
    timeoutMs: timeoutOf(terminal.env),
    signal: interruption.signal,
    hidden: terminal.hidden,
    sleep: terminal.sleep,
    onSlow: sayOnce(terminal),
    onTry: options.debug ? line => terminal.note(terminal.noteStyle.dim(printable(line))) : undefined,
  });
  try {
    return await use({ account, cloud, signal: interruption.signal });
  } catch (error) {
    throw error instanceof UserError ? nameAddress(error, account.address) : error;
  } finally {
    terminal.progress.clear();
    cloud.close();
    interruption.ignore();
  }
}

/** Says once what a command waits for: a request may take a minute. */
function sayOnce({ note, progress }: Terminal): (host: string) => void {
  let isSaid = false;
  return host => {
    if (isSaid) return;
    isSaid = true;
    progress.clear();
    note(`Waiting for ${host} to respond.`);
  };
}

/** Errors that are the same whichever API is used. */
const ANYWHERE: ReadonlySet<ErrorCode> = new Set(['declined', 'interrupted', 'cannot-ask', 'account-file']);

/** Adds to an error which API it is about, unless that is the default one. */
function nameAddress(error: UserError, address: Address): UserError {
  if (!address.source || ANYWHERE.has(error.reason)) return error;
  return error.withMessage(error.message, { hint: hintOf(error.hint, `The API is ${describeAddress(address)}.`) });
}

/** Prints which API a command is about to change something in, unless that is the default one. */
export function noteAddress({ account: { address } }: CloudSession, { note }: Pick<Terminal, 'note'>): void {
  if (address.source) note(`API: ${describeAddress(address)}`);
}

/** `BOTCLI_HTTP_TIMEOUT`, the seconds for one attempt of a request, in milliseconds. */
function timeoutOf({ BOTCLI_HTTP_TIMEOUT: seconds }: Terminal['env']): number {
  if (!seconds) return 20_000;
  const timeout = Number(seconds) * 1000;
  if (timeout >= 100 && timeout <= 600_000) return timeout;
  throw usageError('BOTCLI_HTTP_TIMEOUT must be a number of seconds from 0.1 to 600');
}

/** Makes a change. If it is unclear whether a failed change took effect, the error says so. */
export const change = <Result>(what: string, location: Location, changing: Promise<Result>): Promise<Result> =>
  changing.catch(
    explaining(error => {
      if (!hasUnknownOutcome(error)) return error;
      const check = `It's unclear whether ${what}. To check, run: ${listCommand(location)}`;
      return error.withMessage(error.message, { hint: hintOf(check, error.hint) });
    }),
  );
