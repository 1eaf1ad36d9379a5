import type { ChosenService } from '../variables/environment.ts';

// Regular expressions of Python and JavaScript, without case, for errors that no retry fixes. Many services report them
// only as text.

/** The service refuses the key. */
export const REFUSED = String.raw`\b40[123]\b|unauthori[sz]ed|forbidden|denied|credential|security token|api.?key`;

/** The account has no credit. */
export const NO_CREDIT = 'quota|credit|billing|payment';

/** A service without a connection of its own can't be reached. Others reconnect. */
export const UNREACHABLE = String.raw`connection error\.$|connection attempts failed|connect call failed|cannot connect|refused`;

/** The expression as the first argument of a Python call, line by line. */
export function finalErrorLines(services: readonly ChosenService[], isCascade: boolean): string[] {
  const own = services.flatMap(({ row }) => row.finalErrors ?? []);
  const parts = [REFUSED, NO_CREDIT, ...(isCascade ? [UNREACHABLE] : []), ...own];
  return parts.map((part, at) => (at < parts.length - 1 ? `r"${part}|"` : `r"${part}",`));
}
