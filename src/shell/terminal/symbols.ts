import type { Environment } from '../../shells.ts';

/** The characters that prompts are drawn with. */
type Symbols = typeof UNICODE;

const UNICODE = {
  ...{ active: '◆', error: '▲', canceled: '■', done: '◇', bar: '│', end: '└' },
  ...{ on: '●', off: '○', ticked: '◼', unticked: '◻', pointer: '›', cursor: '█', dot: '•', more: '…', arrows: '↑/↓' },
};

const ASCII: Symbols = {
  ...{ active: '*', error: 'x', canceled: 'x', done: 'o', bar: '|', end: '-' },
  ...{ on: '>', off: ' ', ticked: '[x]', unticked: '[ ]', pointer: '>', cursor: '_', dot: '*', more: '...' },
  arrows: 'Up/Down',
};

/** The symbols for a terminal: plain ASCII if it, or its locale, has no others. */
export function symbolsFor(env: Environment, platform: NodeJS.Platform = process.platform): Symbols {
  return hasUnicode(env, platform) ? UNICODE : ASCII;
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
  // The console of the Linux kernel, and a locale that says so. Where none is set, as in containers, terminals know Unicode.
  const locale = env.LC_ALL || env.LC_CTYPE || env.LANG || 'UTF-8';
  return env.TERM !== 'linux' && /utf-?8/i.test(locale);
}
