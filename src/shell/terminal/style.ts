import { styleText } from 'node:util';
import type { Environment } from '../../shells.ts';
import { printable } from '../../text.ts';

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

/** The symbols of questions: in Unicode, and in ASCII. */
const SYMBOLS = {
  active: ['◆', '*'],
  error: ['▲', 'x'],
  canceled: ['■', 'x'],
  done: ['◇', 'o'],
  bar: ['│', '|'],
  end: ['└', '-'],
  on: ['●', '>'],
  off: ['○', ' '],
  ticked: ['◼', '[x]'],
  unticked: ['◻', '[ ]'],
  pointer: ['›', '>'],
  cursor: ['█', '_'],
  dot: ['•', '*'],
  more: ['…', '...'],
  arrows: ['↑/↓', 'Up/Down'],
} as const;

export type Symbols = Readonly<Record<keyof typeof SYMBOLS, string>>;

/** The symbols for a terminal: plain ASCII if it, or its locale, has no others. */
export function symbolsFor(env: Environment, platform: NodeJS.Platform = process.platform): Symbols {
  const at = hasUnicode(env, platform) ? 0 : 1;
  return Object.fromEntries(Object.entries(SYMBOLS).map(([name, signs]) => [name, signs[at]])) as Symbols;
}

/** Names of Windows terminals that show Unicode, each in its variable. */
const WINDOWS: Readonly<Record<string, RegExp>> = {
  WT_SESSION: /./,
  TERMINUS_SUBLIME: /./,
  ConEmuTask: /^\{cmd::Cmder\}$/,
  TERM_PROGRAM: /^(?:Terminus-Sublime|vscode)$/,
  TERM: /^(?:xterm-256color|alacritty)$/,
  TERMINAL_EMULATOR: /^JetBrains-JediTerm$/,
};

function hasUnicode(env: Environment, platform: NodeJS.Platform): boolean {
  if (platform === 'win32') return Object.entries(WINDOWS).some(([name, known]) => known.test(env[name] ?? ''));
  // The console of the Linux kernel, and a locale that says so. Without one, as in containers, terminals know Unicode.
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || 'UTF-8';
  return env.TERM !== 'linux' && /utf-?8/i.test(locale);
}
