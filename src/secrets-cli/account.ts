import { UserError, usageError } from '../errors.ts';
import type { Terminal } from '../terminal.ts';
import { isLoopback } from './loopback.ts';
import { isName } from './place.ts';
import { configPath, readUserConfig, type UserConfig } from './user-config.ts';

const DEFAULT_API_URL = 'https://api.pipecat.daily.co';

/** Who talks to the platform, and where that is. */
export interface Account {
  apiUrl: string;
  token: string;
  /** The organization in use, where one was chosen. */
  organization: string | undefined;
  config: UserConfig;
}

/**
 * The account by the environment, else by the configuration file.
 *
 * @throws {UserError} Nobody is logged in, or what is set can't be used.
 */
export async function readAccount(terminal: Terminal): Promise<Account> {
  const { env } = terminal;
  const config = await readUserConfig(terminal);
  const token = env.BOTCLI_TOKEN?.trim() || config.token;
  if (!token) throw notLoggedIn();
  const source = env.BOTCLI_TOKEN?.trim() ? 'The token in BOTCLI_TOKEN' : `The token in ${configPath(terminal)}`;
  checkToken(token, source);
  const organization = env.BOTCLI_ORG?.trim() || config.organization;
  if (organization && !isName(organization)) {
    throw usageError('The organization in BOTCLI_ORG is not the name of one', {
      hint: 'It has letters, digits and hyphens.',
    });
  }
  return { apiUrl: apiUrlOf(env, config), token, organization, config };
}

/**
 * The API's address, without a slash at its end.
 *
 * @throws {UserError} Exit code 2: it's no address, or its owner isn't certain.
 */
export function apiUrlOf(env: Terminal['env'], config: UserConfig): string {
  const address = env.BOTCLI_API_URL?.trim() || config.apiUrl || DEFAULT_API_URL;
  const url = URL.canParse(address) ? new URL(address) : undefined;
  const isOwn = url !== undefined && isLoopback(url);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isOwn);
  if (url && isSafe && !url.username && !url.password && !url.search && !url.hash) return url.href.replace(/\/+$/, '');
  throw usageError("The API's address in BOTCLI_API_URL can't be used", {
    hint: 'It is an https URL without user or query; http only goes to this machine, as in http://127.0.0.1:4010.',
  });
}

/** The kinds of key that aren't an account's, with what each is for. */
const OTHER_KEYS: readonly [prefix: string, what: string][] = [
  ['sk_', 'a private API key (sk_…), which is for programs'],
  ['pk_', 'a public API key (pk_…), which only starts agents'],
];

/** @throws {UserError} Exit code 2: this can't be a personal access token. It's never quoted. */
export function checkToken(token: string, source = 'This'): void {
  const hint = 'A personal access token begins with pcc_pat_. Make one in the dashboard: https://pipecat.daily.co';
  const other = OTHER_KEYS.find(([prefix]) => token.startsWith(prefix));
  if (other) throw usageError(`${source} is ${other[1]}, not an account's`, { hint });
  // HTTP would drop a line break within, or refuse the request with the token in the message.
  if (!/^[\x21-\x7e]+$/.test(token)) {
    throw usageError(`${source} is no token: it is empty, or has spaces, line breaks or other signs`, { hint });
  }
}

const notLoggedIn = () =>
  new UserError('Nobody is logged in', {
    reason: 'not-logged-in',
    hint: [
      'With a personal access token (https://pipecat.daily.co):   botcli cloud auth login',
      'In scripts, set the environment variable BOTCLI_TOKEN to it.',
    ].join('\n'),
  });
