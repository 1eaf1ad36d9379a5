import { styleText } from 'node:util';
import { printable } from '../../printable.ts';

const COLORS = ['bold', 'dim', 'red', 'green', 'yellow', 'cyan', 'magenta'] as const;
type Color = (typeof COLORS)[number];

/** The colors of a stream. Each function returns its text unchanged if the stream doesn't support color. */
export type Style = Readonly<Record<Color, (text: string) => string>>;

/** Creates a style from one function for all colors, or one without colors if `enabled` is false. */
function createStyleOf(enabled: boolean, paint: (color: Color, text: string) => string): Style {
  const paints = COLORS.map(color => [color, (text: string) => (enabled ? paint(color, text) : text)]);
  return Object.fromEntries(paints) as Style;
}

/** A style that adds escape sequences, for text that goes straight to a stream. */
export const createStyle = (enabled: boolean): Style => createStyleOf(enabled, escapeText);

/** A style that adds marks, which `toTerminalText` replaces. */
export const createMarkedStyle = (enabled: boolean): Style => createStyleOf(enabled, markText);

// By default, `styleText` only checks stdout.
const escapeText = (color: Color, text: string) => styleText(color, text, { validateStream: false });

/** Unicode reserves 32 code points from here on for use within a program. Text from elsewhere has no use for them. */
const FIRST_MARK = 0xfdd0;
const MARKS = /[\ufdd0-\ufddd]/g;

function markText(color: Color, text: string): string {
  const begin = FIRST_MARK + 2 * COLORS.indexOf(color);
  return String.fromCharCode(begin) + text + String.fromCharCode(begin + 1);
}

function escapeFor(mark: string): string {
  const at = mark.charCodeAt(0) - FIRST_MARK;
  const color = COLORS[at >> 1];
  return (color && escapeText(color, '|').split('|')[at % 2]) ?? '';
}

/** The text as it goes to a terminal: no control characters but tabs, and the colors of `createMarkedStyle`. */
export const toTerminalText = (text: string): string =>
  text.split('\t').map(printable).join('\t').replace(MARKS, escapeFor);
