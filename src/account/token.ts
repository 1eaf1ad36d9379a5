import { usageError } from '../errors.ts';
import type { Address } from './address.ts';

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
