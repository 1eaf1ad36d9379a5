import { attempt, type ErrorCode, explaining, hintOf, UserError, usageError } from '../errors.ts';
import { checkNodeSettings } from '../network/requests.ts';
import type { Cloud } from '../platform/cloud.ts';
import { hasUnknownOutcome } from '../platform/errors.ts';
import { isName, type Location, listCommand } from '../platform/names.ts';
import type { OptionSpec } from '../shell/command-line.ts';
import { watchInterruption } from '../shell/interruption.ts';
import type { Terminal } from '../shell/terminal.ts';
import { printable } from '../text.ts';
import { isSafe } from '../this-computer.ts';
import { VERSION } from '../version.ts';
import { changeUserConfig, configPath, readUserConfig, type UserConfig } from './user-config.ts';

// Options shared by several commands.

export const organization = {
  flag: 'organization',
  short: 'o',
  kind: 'text',
  placeholder: 'name',
  help: 'Organization to use (default: the one selected with botcli cloud organizations select)',
} as const satisfies OptionSpec;

export const region = {
  flag: 'region',
  short: 'r',
  kind: 'text',
  placeholder: 'code',
  help: "Region to store it in, such as eu-central (default: the organization's, usually us-west)",
} as const satisfies OptionSpec;

export const skip = {
  flag: 'skip',
  short: 's',
  kind: 'switch',
  help: 'Skip the confirmation',
} as const satisfies OptionSpec;

export const common = [
  { flag: 'json', kind: 'switch', help: 'Print the result or the error as JSON' },
  { flag: 'debug', kind: 'switch', help: 'Log requests (method, path, status, time) to stderr' },
] as const satisfies readonly OptionSpec[];

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

/** Connects a command to the platform (only then, the HTTP client is loaded), and disconnects afterwards. */
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
  let isSlow = false;
  const cloud = new Cloud({
    apiUrl: account.address.url,
    token: account.token,
    proxy,
    userAgent: `botcli/${VERSION}`,
    timeoutMs: timeoutOf(terminal.env),
    signal: interruption.signal,
    hidden: terminal.hidden,
    sleep: terminal.sleep,
    // A request may take a minute.
    onSlow: host => {
      if (isSlow) return;
      isSlow = true;
      terminal.progress.clear();
      terminal.note(`Waiting for ${host} to respond.`);
    },
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

/**
 * The organization to use: from the command line, selected earlier, or the only one, which is then noted. Throws a
 * `UserError` with exit code 2 if there are several and none is selected, or the selected name is invalid.
 */
export async function organizationOf(
  { account, cloud }: CloudSession,
  terminal: Pick<Terminal, 'note'>,
): Promise<string> {
  const { organization, organizationSource } = account;
  if (organization !== undefined) {
    if (isName(organization)) return organization;
    throw usageError(`The organization in ${organizationSource} isn't a valid name`, {
      hint: 'Names contain only letters, digits, and hyphens. Select one with botcli cloud organizations select, or pass it with -o.',
    });
  }
  const names = (await cloud.organizations()).map(({ name }) => name);
  const [only] = names;
  if (only === undefined) throw new UserError('This account has no organizations', { reason: 'no-organization' });
  if (names.length > 1) {
    throw usageError(`No organization is selected; this account has ${names.join(', ')}`, {
      reason: 'no-organization',
      hint: 'Select one with botcli cloud organizations select, or pass it with -o.',
    });
  }
  terminal.note(`Organization: ${only}`);
  return only;
}

/** The token to use with the platform, and the platform's address. */
interface Account {
  address: Address;
  token: string;
  /** The selected organization, if any. It is unchecked, and may not be a valid name. */
  organization: string | undefined;
  /** Where the organization is set, unless it was typed. */
  organizationSource?: string;
}

/**
 * Reads the account from the command line (`typed` is the organization), else from the environment, else from the
 * config file. What that stores about another address isn't used. Throws a `UserError` if there is no token for the
 * address, or a setting is invalid.
 */
export function readAccount(terminal: Terminal, typed?: string): Account {
  const ownToken = terminal.env.BOTCLI_TOKEN?.trim();
  const ownOrganization = terminal.env.BOTCLI_ORG?.trim();
  const isNeeded = !(ownToken && (typed ?? ownOrganization));
  const errors: UserError[] = [];
  const config = attempt(() => readUserConfig(terminal), errors) ?? {};
  const [unreadable] = errors;
  if (unreadable && isNeeded) throw unreadable;
  if (unreadable) terminal.note(`${unreadable.message}. This command doesn't need it.`);
  const address = addressOf(terminal, config);
  const isElsewhere = hasLoginElsewhere(config, address);
  if (!ownToken && isElsewhere) {
    const stored = storedUrl(config) ?? 'another address';
    throw new UserError(`You aren't logged in to ${describeAddress(address)}: the stored token is for ${stored}`, {
      reason: 'not-logged-in',
      hint:
        'To use the stored token, unset BOTCLI_API_URL.\n' +
        'To use this address, set BOTCLI_TOKEN, or replace the stored token: botcli cloud auth login',
    });
  }
  if (ownToken && isStored(address)) terminal.note(`BOTCLI_TOKEN is used with ${describeAddress(address)}.`);
  const token = ownToken || config.token;
  if (!token) {
    const [where, first] = address.source
      ? [` to ${describeAddress(address)}`, 'Run']
      : ['', 'Create a personal access token at https://pipecat.daily.co, then run'];
    throw new UserError(`You aren't logged in${where}`, {
      reason: 'not-logged-in',
      hint: `${first}: botcli cloud auth login\nIn scripts, set BOTCLI_TOKEN to the token instead.`,
    });
  }
  checkToken(token, address, `The token in ${ownToken ? 'BOTCLI_TOKEN' : configPath(terminal)}`);
  return {
    address,
    token,
    organization: typed ?? (ownOrganization || (isElsewhere ? undefined : config.organization)),
    organizationSource: ownOrganization || !isNeeded ? 'BOTCLI_ORG' : configPath(terminal),
  };
}

/** @throws {UserError} The stored token is for another address than this one, so nothing else may be stored with it. */
export function expectLogin(config: UserConfig, address: Address, terminal: Terminal): void {
  if (!hasLoginElsewhere(config, address)) return;
  throw usageError(
    `The login in ${configPath(terminal)} isn't for ${describeAddress(address)}, so nothing was stored there`,
    { reason: 'account-file', hint: 'Pass the organization with -o, or set BOTCLI_ORG.' },
  );
}

/** Whether the stored token was checked with another address than this one. */
const hasLoginElsewhere = (config: UserConfig, { url }: Address): boolean =>
  config.token !== undefined && storedUrl(config) !== url;

/** Keys that aren't personal access tokens, with what each is for. */
const OTHER_KEYS: readonly [prefix: string, what: string][] = [
  ['sk_', 'a private API key (sk_…), which is for programs'],
  ['pk_', 'a public API key (pk_…), which only starts agents'],
];

/** Where to get a token for an address. Only the default address has a dashboard that we know. */
const whereTokensAre = ({ source }: Address): string =>
  `A personal access token begins with pcc_pat_.${source ? '' : ' Create one in the dashboard: https://pipecat.daily.co'}`;

/** Why this can't be a personal access token, without quoting it; undefined if it can. */
function tokenProblem(token: string, source = 'This'): string | undefined {
  const other = OTHER_KEYS.find(([prefix]) => token.startsWith(prefix));
  if (other) return `${source} is ${other[1]}, not a personal access token`;
  // HTTP would drop a line break, or reject the request with an error that contains the token.
  if (/^[\x21-\x7e]+$/.test(token)) return undefined;
  return `${source} isn't a token: it is empty, or contains spaces, line breaks, or non-ASCII characters`;
}

/** @throws {UserError} Exit code 2: this can't be a personal access token. */
function checkToken(token: string, address: Address, source?: string): void {
  const problem = tokenProblem(token, source);
  if (problem) throw usageError(problem, { hint: whereTokensAre(address) });
}

const DEFAULT_URL = 'https://api.pipecat.daily.co';

const VARIABLE = 'BOTCLI_API_URL';

interface Address {
  /** Without a trailing slash. */
  url: string;
  /** Where it is set: `BOTCLI_API_URL`, or the path of the config file. Absent for the default address. */
  source?: string;
}

/**
 * The API's address: from the environment, else the stored one, else the default. Throws a `UserError` with exit code 2
 * if it isn't valid, or isn't safe to send secrets to.
 */
function addressOf(terminal: Pick<Terminal, 'env' | 'cwd'>, config: UserConfig): Address {
  const own = terminal.env.BOTCLI_API_URL?.trim();
  const stored = config.apiUrl ?? DEFAULT_URL;
  const url = safeUrl(own || stored);
  if (url === DEFAULT_URL) return { url };
  const source = own ? VARIABLE : configPath(terminal);
  if (url) return { url, source };
  throw usageError(`The API address in ${source} isn't valid`, {
    hint: 'Use an https URL without credentials or a query. http works only for this machine, as in http://127.0.0.1:4010.',
  });
}

/** The address that the stored token was checked with; undefined if the stored one is invalid. */
const storedUrl = ({ apiUrl }: UserConfig): string | undefined => safeUrl(apiUrl ?? DEFAULT_URL);

/** Whether an address comes from the config file. */
const isStored = ({ source }: Address): boolean => source !== undefined && source !== VARIABLE;

/** Names an address, and where it is set unless it is the default. */
const describeAddress = ({ url, source }: Address): string => (source ? `${url} (from ${source})` : url);

/** The address in one notation, or undefined if it isn't safe to send secrets to. */
function safeUrl(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !isSafe(url) || url.username || url.password || url.search || url.hash) return undefined;
  return url.href.replace(/(?<!\/)\/+$/, '');
}

const TRIES = 3;

/**
 * Logs in: checks a token with one request, then stores it. Without `readToken`, asks for one, up to three times.
 * Returns its address, the organizations' names, and the one in use: the one that was selected before, or the only one.
 */
export async function logIn(
  options: SessionOptions,
  terminal: Terminal,
  readToken?: (address: Address) => Promise<string>,
) {
  const address = addressOf(terminal, readUserConfig(terminal));
  if (isStored(address)) {
    terminal.note(`This login is for ${describeAddress(address)}. To use the default API, log out first.`);
  }
  if (readToken) return tryToken(await readToken(address), address, options, terminal);
  for (let number = 1; ; number += 1) {
    const token = await askForToken(address, terminal);
    try {
      return await tryToken(token, address, options, terminal);
    } catch (error) {
      if (!(error instanceof UserError) || error.reason !== 'unauthorized' || number === TRIES) throw error;
      terminal.note(`${error.message}. Try again.`);
    }
  }
}

async function tryToken(token: string, address: Address, options: SessionOptions, terminal: Terminal) {
  checkToken(token, address);
  return withCloud(
    options,
    terminal,
    async ({ cloud }) => {
      const names = (await cloud.organizations().catch(explainRejection(address))).map(({ name }) => name);
      return { address, names, organization: store(token, address, names, terminal) };
    },
    { address, token, organization: undefined },
  );
}

/** Stores a login. Returns the organization in use. */
function store(token: string, address: Address, names: readonly string[], terminal: Terminal): string | undefined {
  const choose = (selected: string | undefined) =>
    names.find(name => name === selected) ?? (names.length === 1 ? names.find(isName) : undefined);
  const withLogin = ({ organization: selected, ...others }: UserConfig): UserConfig => {
    const organization = choose(selected);
    return { ...others, token, ...(organization ? { organization } : {}), apiUrl: address.url };
  };
  const config = changeUserConfig(terminal, withLogin);
  const before = storedUrl(config);
  if (config.token && before !== address.url) {
    terminal.note(`It replaced the stored token for ${before ?? 'another address'}.`);
  }
  return choose(config.organization);
}

/** Replaces the hint to log in, which makes no sense during a login. */
const explainRejection = (address: Address) =>
  explaining(error => {
    if (error.reason !== 'unauthorized') return error;
    return error.withMessage(error.message, { hint: `Nothing was stored. ${whereTokensAre(address)}` });
  });

async function askForToken(address: Address, terminal: Terminal): Promise<string> {
  const where = address.source ? `for ${describeAddress(address)}` : '(pcc_pat_…, from https://pipecat.daily.co)';
  const answer = await terminal.askHidden(`Personal access token ${where}`, {
    instead: 'Pipe the token into botcli cloud auth login --token-stdin, or set BOTCLI_TOKEN.',
    validate: answer => (answer.trim() === '' ? 'Enter a value' : tokenProblem(answer.trim())),
  });
  return answer.trim();
}
