import { UserError, usageError } from '../errors.ts';
import { didYouMean } from '../nearest.ts';
import { printable } from '../printable.ts';
import type { Invocation } from '../shell/command-line.ts';
import { watchInterruption } from '../shell/interruption.ts';
import type { Terminal } from '../shell/terminal.ts';
import { VERSION } from '../version.ts';
import { type Account, readAccount } from './account/account.ts';
import { isName, type Place, seeing } from './location.ts';
import type { Cloud } from './platform/cloud.ts';
import type { CloudError } from './platform/errors.ts';

/** A command's time with the platform. */
export interface CloudSession {
  account: Account;
  cloud: Cloud;
}

/**
 * Opens the platform for a command, and closes it behind it. What a request needs is loaded here, once the command knows
 * that it will send some. Ctrl-C ends the request under way.
 */
export async function withCloud<Result>(
  { options }: Invocation,
  terminal: Terminal,
  use: (session: CloudSession) => Promise<Result>,
  account?: Account,
): Promise<Result> {
  const known = account ?? (await readAccount(terminal, options.organization as string | undefined));
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
  throw usageError('BOTCLI_HTTP_TIMEOUT is a number of seconds, from 0.1 to 600');
}

/**
 * The organization to work in: typed, chosen, or the only one there is, which is then named.
 *
 * @throws {UserError} Exit code 2: there are several, and none was chosen; or what was chosen is no name.
 */
export async function organizationOf({ account, cloud }: CloudSession, terminal: Terminal): Promise<string> {
  const { organization, organizationSource } = account;
  if (organization !== undefined) {
    if (isName(organization)) return organization;
    throw usageError(`The organization in ${organizationSource} is not the name of one`, {
      hint: 'It has letters, digits and hyphens. Choose another with botcli cloud organizations select, or name it with -o.',
    });
  }
  const names = (await cloud.organizations()).map(({ name }) => name);
  const [only] = names;
  if (only === undefined) throw new UserError('This account has no organization', { reason: 'no-organization' });
  if (names.length > 1) {
    throw usageError(`No organization is chosen; this account has ${names.join(', ')}`, {
      reason: 'no-organization',
      hint: 'Choose one with botcli cloud organizations select, or name it with -o.',
    });
  }
  terminal.note(`Organization: ${only}`);
  return only;
}

/** @throws {UserError} Exit code 2: the organization has no such region. */
export async function checkRegion(cloud: Cloud, organization: string, region: string | undefined): Promise<void> {
  if (region === undefined) return;
  const regions = await cloud.regions(organization);
  if (regions.includes(region)) return;
  const meant = didYouMean(region, regions);
  throw usageError(`Organization ${organization} has no region ${region}${meant ? `. ${meant}` : ''}`, {
    reason: 'region',
    hint: `Its regions: ${regions.join(', ')}`,
  });
}

/** What a command that asks needs: a terminal, or `--skip`. Told before anything is sent. */
export function checkCanAsk({ options }: Invocation, terminal: Terminal): void {
  const { whyUnasked } = terminal;
  if (options.skip || !whyUnasked) return;
  throw usageError(`This asks for confirmation. ${whyUnasked}`, {
    reason: 'cannot-ask',
    hint: 'Pass --skip to go ahead without a question.',
  });
}

/** Asks before something is changed, unless `--skip` was passed. */
export async function confirm(question: string, { options }: Invocation, terminal: Terminal): Promise<void> {
  if (options.skip) return;
  terminal.progress.clear();
  if (await terminal.confirm(question, { instead: 'Pass --skip to go ahead without a question.' })) return;
  throw new UserError('Declined. Nothing was changed.', { reason: 'declined' });
}

/** Makes a change, of which nobody knows whether it came about when it's interrupted. */
export async function change<Result>(what: string, place: Place, make: () => Promise<Result>): Promise<Result> {
  try {
    return await make();
  } catch (error) {
    if (!(error instanceof UserError)) throw error;
    const isUnsure = error.reason === 'interrupted' || (error as Partial<CloudError>).isUnsure;
    if (!isUnsure) throw error;
    const hint = [`It isn't known whether ${what}. See ${seeing(place)}`, error.hint ?? ''].join('\n').trim();
    throw error.retold(error.message, { hint });
  }
}

/** The error for a name that isn't there, with the nearest one that is. */
export async function notFound(cloud: Cloud, { organization, name }: Place): Promise<UserError> {
  const names = (await cloud.list(organization)).map(row => row.name);
  const meant = didYouMean(name, names);
  return new UserError(`There is no secret ${name} in organization ${organization}`, {
    reason: 'not-found',
    hint: `${meant ? `${meant} ` : ''}See all: botcli cloud secrets list -o ${organization}`,
  });
}
