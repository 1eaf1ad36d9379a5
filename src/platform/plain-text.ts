import { printable } from '../printable.ts';

/**
 * A text of the platform on one line, safe to show. Invisible characters are replaced as well: a name with one looks
 * like another name.
 */
export const oneLine = (text: string): string =>
  printable(text)
    .replaceAll('\n', ' ')
    .replace(/[\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD');
