import { UserError, usageError } from '../../errors.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { isLoopback } from '../platform/loopback.ts';
import { configPath, readUserConfig, type UserConfig } from './user-config.ts';

const DEFAULT_API_URL = 'https://api.pipecat.daily.co';

/** The token to use with the platform, and the platform's address. */
export interface Account {
  apiUrl: string;
  token: string;
  /** The selected organization, if any. It is unchecked, and may not be a valid name. */
  organization: string | undefined;
  /** Where the organization is set. */
  organizationSource?: string;
}

/**
 * Reads the account from the command line, else from the environment, else from the config file. An invalid file is an
 * error only if it is needed.
 *
 * @param typed The organization from the command line.
 * @throws {UserError} There is no token, or a setting is invalid.
 */
export async function readAccount(terminal: Terminal, typed?: string): Promise<Account> {
  const { env } = terminal;
  const ownToken = env.BOTCLI_TOKEN?.trim();
  const ownOrganization = env.BOTCLI_ORG?.trim();
  const config = await readUserConfig(terminal).catch((error): UserConfig => {
    if (!(error instanceof UserError && ownToken && (typed ?? ownOrganization))) throw error;
    terminal.note(`${error.message}. This command doesn't need it.`);
    return {};
  });
  const token = ownToken || config.token;
  if (!token) throw notLoggedIn();
  const path = configPath(terminal);
  checkToken(token, `The token in ${ownToken ? 'BOTCLI_TOKEN' : path}`);
  return {
    apiUrl: apiUrlOf(terminal, config),
    token,
    organization: typed ?? (ownOrganization || config.organization),
    organizationSource: ownOrganization ? 'BOTCLI_ORG' : path,
  };
}

/**
 * The API's address, without a trailing slash.
 *
 * @throws {UserError} Exit code 2: it isn't a valid address, or it isn't safe to send secrets to.
 */
export function apiUrlOf(terminal: Pick<Terminal, 'env' | 'cwd'>, config: UserConfig): string {
  const own = terminal.env.BOTCLI_API_URL?.trim();
  const address = own || config.apiUrl || DEFAULT_API_URL;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isOwn = url !== undefined && isLoopback(url);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isOwn);
  if (url && isSafe && !url.username && !url.password && !url.search && !url.hash) return url.href.replace(/\/+$/, '');
  throw usageError(`The API address in ${own ? 'BOTCLI_API_URL' : configPath(terminal)} isn't valid`, {
    hint: 'Use an https URL without credentials or a query. http works only for this machine, as in http://127.0.0.1:4010.',
  });
}

/** Keys that aren't personal access tokens, with what each is for. */
const OTHER_KEYS: readonly [prefix: string, what: string][] = [
  ['sk_', 'a private API key (sk_…), which is for programs'],
  ['pk_', 'a public API key (pk_…), which only starts agents'],
];

export const WHERE_TOKENS_ARE =
  'A personal access token begins with pcc_pat_. Create one in the dashboard: https://pipecat.daily.co';

/** @throws {UserError} Exit code 2: this can't be a personal access token. The token is never quoted. */
export function checkToken(token: string, source = 'This'): void {
  const hint = WHERE_TOKENS_ARE;
  const other = OTHER_KEYS.find(([prefix]) => token.startsWith(prefix));
  if (other) throw usageError(`${source} is ${other[1]}, not a personal access token`, { hint });
  // HTTP would drop a line break, or reject the request with an error that contains the token.
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw usageError(`${source} isn't a token: it is empty, or contains spaces, line breaks, or non-ASCII characters`, {
      hint,
    });
  }
}

const notLoggedIn = () =>
  new UserError("You aren't logged in", {
    reason: 'not-logged-in',
    hint: [
      'Create a personal access token at https://pipecat.daily.co, then run: botcli cloud auth login',
      'In scripts, set BOTCLI_TOKEN to the token instead.',
    ].join('\n'),
  });
