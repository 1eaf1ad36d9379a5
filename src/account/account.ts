import { UserError } from '../errors.ts';
import type { Terminal } from '../shell/terminal.ts';
import { type Address, addressOf, describeAddress, isStored, storedUrl } from './address.ts';
import type { UserConfig } from './config-content.ts';
import { configPath } from './config-path.ts';
import { checkToken } from './token.ts';
import { readUserConfig } from './user-config.ts';

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
