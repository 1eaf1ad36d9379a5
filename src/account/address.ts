import { usageError } from '../errors.ts';
import { isSafe } from '../network/loopback.ts';
import type { Terminal } from '../shell/terminal.ts';
import type { UserConfig } from './user-config.ts';
import { configPath } from './user-config.ts';

const DEFAULT_URL = 'https://api.pipecat.daily.co';

const VARIABLE = 'BOTCLI_API_URL';

/** Where requests go. */
export interface Address {
  /** Without a trailing slash. */
  url: string;
  /** Where it is set: `BOTCLI_API_URL`, or the path of the config file. Absent for the default address. */
  source?: string;
}

/**
 * The API's address: from the environment, else the stored one, else the default.
 *
 * @throws {UserError} Exit code 2: it isn't a valid address, or it isn't safe to send secrets to.
 */
export function addressOf(terminal: Pick<Terminal, 'env' | 'cwd'>, config: UserConfig): Address {
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
export const storedUrl = ({ apiUrl }: UserConfig): string | undefined => safeUrl(apiUrl ?? DEFAULT_URL);

/** Whether an address comes from the config file. */
export const isStored = ({ source }: Address): boolean => source !== undefined && source !== VARIABLE;

/** Names an address, and where it is set unless it is the default. */
export const describeAddress = ({ url, source }: Address): string => (source ? `${url} (from ${source})` : url);

/** The address in one notation, or undefined if it isn't safe to send secrets to. */
function safeUrl(address: string): string | undefined {
  const url = URL.canParse(address) ? new URL(address) : undefined;
  if (!url || !isSafe(url) || url.username || url.password || url.search || url.hash) return undefined;
  return url.href.replace(/(?<!\/)\/+$/, '');
}
