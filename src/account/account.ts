import { UserError, usageError } from '../errors.ts';
import type { Terminal } from '../shell/terminal.ts';
import { type Address, addressOf, describeAddress, isStored, storedUrl } from './address.ts';
import { configPath, readUserConfig, type UserConfig } from './user-config.ts';

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
 * Reads the account from the command line, else from the environment, else from the config file. What the file stores
 * about another address isn't used. An invalid file is an error only if it is needed.
 *
 * @param typed The organization from the command line.
 * @throws {UserError} There is no token for the address, or a setting is invalid.
 */
export function readAccount(terminal: Terminal, typed?: string): Account {
  const ownToken = terminal.env.BOTCLI_TOKEN?.trim();
  const ownOrganization = terminal.env.BOTCLI_ORG?.trim();
  const isNeeded = !(ownToken && (typed ?? ownOrganization));
  const config = readConfig(terminal, isNeeded);
  const address = addressOf(terminal, config);
  const isElsewhere = hasLoginElsewhere(config, address);
  if (!ownToken && isElsewhere) throw wrongAddress(config, address);
  if (ownToken && isStored(address)) terminal.note(`BOTCLI_TOKEN is used with ${describeAddress(address)}.`);
  const token = ownToken || config.token;
  if (!token) throw notLoggedIn(address);
  checkToken(token, address, `The token in ${ownToken ? 'BOTCLI_TOKEN' : configPath(terminal)}`);
  return {
    address,
    token,
    organization: typed ?? (ownOrganization || (isElsewhere ? undefined : config.organization)),
    organizationSource: ownOrganization || !isNeeded ? 'BOTCLI_ORG' : configPath(terminal),
  };
}

/** Whether the stored token was checked with another address than this one. */
export const hasLoginElsewhere = (config: UserConfig, { url }: Address): boolean =>
  config.token !== undefined && storedUrl(config) !== url;

function readConfig(terminal: Terminal, isNeeded: boolean): UserConfig {
  try {
    const { config, broken } = readUserConfig(terminal);
    if (broken) throw broken;
    return config;
  } catch (error) {
    if (isNeeded || !(error instanceof UserError)) throw error;
    terminal.note(`${error.message}. This command doesn't need it.`);
    return {};
  }
}

const notLoggedIn = (address: Address) =>
  new UserError(`You aren't logged in${address.source ? ` to ${describeAddress(address)}` : ''}`, {
    reason: 'not-logged-in',
    hint: [
      `${address.source ? 'Run' : 'Create a personal access token at https://pipecat.daily.co, then run'}: botcli cloud auth login`,
      'In scripts, set BOTCLI_TOKEN to the token instead.',
    ].join('\n'),
  });

const wrongAddress = (config: UserConfig, address: Address) =>
  new UserError(
    `You aren't logged in to ${describeAddress(address)}: the stored token is for ${storedUrl(config) ?? 'another address'}`,
    {
      reason: 'not-logged-in',
      hint: [
        'To use the stored token, unset BOTCLI_API_URL.',
        'To use this address, set BOTCLI_TOKEN, or replace the stored token: botcli cloud auth login',
      ].join('\n'),
    },
  );

/** Keys that aren't personal access tokens, with what each is for. */
const OTHER_KEYS: readonly [prefix: string, what: string][] = [
  ['sk_', 'a private API key (sk_…), which is for programs'],
  ['pk_', 'a public API key (pk_…), which only starts agents'],
];

/** Where to get a token for an address. Only the default address has a dashboard that we know. */
export const whereTokensAre = ({ source }: Address): string =>
  `A personal access token begins with pcc_pat_.${source ? '' : ' Create one in the dashboard: https://pipecat.daily.co'}`;

/** Why this can't be a personal access token, without quoting it; undefined if it can. */
export function tokenProblem(token: string, source = 'This'): string | undefined {
  const other = OTHER_KEYS.find(([prefix]) => token.startsWith(prefix));
  if (other) return `${source} is ${other[1]}, not a personal access token`;
  // HTTP would drop a line break, or reject the request with an error that contains the token.
  if (/^[\x21-\x7e]+$/.test(token)) return undefined;
  return `${source} isn't a token: it is empty, or contains spaces, line breaks, or non-ASCII characters`;
}

/** @throws {UserError} Exit code 2: this can't be a personal access token. */
export function checkToken(token: string, address: Address, source?: string): void {
  const problem = tokenProblem(token, source);
  if (problem) throw usageError(problem, { hint: whereTokensAre(address) });
}
