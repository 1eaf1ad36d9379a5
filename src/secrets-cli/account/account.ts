import { UserError, usageError } from '../../errors.ts';
import type { Terminal } from '../../shell/terminal.ts';
import { isLoopback } from '../platform/loopback.ts';
import { configPath, readUserConfig, type UserConfig } from './user-config.ts';

const DEFAULT_API_URL = 'https://api.pipecat.daily.co';

/** Who talks to the platform, and where that is. */
export interface Account {
  apiUrl: string;
  token: string;
  /** The organization in use, where one was chosen. As it was written: it may be no name. */
  organization: string | undefined;
  /** Where that is written. */
  organizationSource?: string;
}

/**
 * The account by the command line, else by the environment, else by the configuration file. A file that can't be used
 * is in nobody's way who needs none.
 *
 * @param typed The organization on the command line.
 * @throws {UserError} You aren't logged in, or what is set can't be used.
 */
export async function readAccount(terminal: Terminal, typed?: string): Promise<Account> {
  const { env } = terminal;
  const ownToken = env.BOTCLI_TOKEN?.trim();
  const ownOrganization = env.BOTCLI_ORG?.trim();
  const config = await readUserConfig(terminal).catch(error => {
    if (!(error instanceof UserError && ownToken && (typed ?? ownOrganization))) throw error;
    terminal.note(`${error.message}. This command doesn't need it.`);
    return {} as UserConfig;
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
 * The API's address, without a slash at its end.
 *
 * @throws {UserError} Exit code 2: it's no address, or its owner isn't certain.
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

/** The kinds of key that aren't an account's, with what each is for. */
const OTHER_KEYS: readonly [prefix: string, what: string][] = [
  ['sk_', 'a private API key (sk_…), which is for programs'],
  ['pk_', 'a public API key (pk_…), which only starts agents'],
];

export const WHERE_TOKENS_ARE =
  'A personal access token begins with pcc_pat_. Create one in the dashboard: https://pipecat.daily.co';

/** @throws {UserError} Exit code 2: this can't be a personal access token. It's never quoted. */
export function checkToken(token: string, source = 'This'): void {
  const hint = WHERE_TOKENS_ARE;
  const other = OTHER_KEYS.find(([prefix]) => token.startsWith(prefix));
  if (other) throw usageError(`${source} is ${other[1]}, not a personal access token`, { hint });
  // HTTP would drop a line break within, or refuse the request with the token in the message.
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
