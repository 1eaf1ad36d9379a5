import { printable } from '../text.ts';

/**
 * A text of the platform on one line, safe to show. Invisible characters are replaced as well: a name with one looks
 * like another name.
 */
export const oneLine = (text: string): string =>
  printable(text)
    .replaceAll('\n', ' ')
    .replace(/[\p{Cf}\p{Zl}\p{Zp}]/gu, '\uFFFD');

/** A text of several lines, safe to show, without the colors that programs write to their logs. */
export const lines = (text: string): string => printable(stripColors(text)).trimEnd();

const stripColors = (text: string): string =>
  text.replace(/\p{Cc}\[[\d;]*[A-Za-z]|\r(?=\n)/gu, '').replaceAll('\t', '    ');
