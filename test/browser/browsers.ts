import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
// Version 1.63 drives Debian's Firefox ESR. Newer ones send a command that it lacks.
import { type Browser, chromium, firefox } from 'playwright-core';
import { PRIORITY } from '../bots/slowness.ts';
import { ensureInstalled } from '../support/debian.ts';

export type Answer = 'allow' | 'deny';

export interface Setup {
  answer?: Answer;
  recording?: string;
}

/** The browsers on this machine, each installed on first use. */
const BROWSERS = {
  chromium: (setup: Setup) =>
    chromium.launch({
      executablePath: preferred(ensureChromium()),
      args: [...QUIET, ...devicesOf(setup)],
      chromiumSandbox: process.getuid?.() !== 0,
    }),
  // Playwright drives its own build of Firefox, and Debian's through WebDriver BiDi.
  firefox: () =>
    firefox.launch({
      executablePath: preferred(ensureFirefox()),
      channel: 'moz-firefox',
      firefoxUserPrefs: FIREFOX_SETTINGS,
    }),
} satisfies Record<string, (setup: Setup) => Promise<Browser>>;

export type BrowserName = keyof typeof BROWSERS;

export const isBrowser = (name: string): name is BrowserName => name in BROWSERS;

export async function withBrowser<Result>(name: BrowserName, setup: Setup, use: (browser: Browser) => Promise<Result>) {
  const browser = await BROWSERS[name](setup);
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
}

const scripts = new Map<string, string>();

/** A script that starts a program before others, like `prefer`: Playwright starts browsers in sessions of their own. */
function preferred(program: string): string {
  const known = scripts.get(program);
  if (known) return known;
  const place = mkdtempSync(join(tmpdir(), 'botcli-browser-'));
  process.on('exit', () => rmSync(place, { recursive: true, force: true }));
  const path = join(place, 'browser');
  const text = `#!/bin/sh\n{ echo ${PRIORITY} >/proc/self/autogroup; renice -n ${PRIORITY} -p $$; } >/dev/null 2>&1\nexec ${program} "$@"\n`;
  writeFileSync(path, text, { mode: 0o755 });
  scripts.set(program, path);
  return path;
}

/** The options that keep Chromium from making its own requests. */
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];

const ANSWERS: Record<Answer, string> = { allow: '--use-fake-ui-for-media-stream', deny: '--deny-permission-prompts' };

const devicesOf = ({ answer = 'allow', recording }: Setup): string[] => [
  '--use-fake-device-for-media-stream',
  ...(recording ? [`--use-file-for-fake-audio-capture=${recording}`] : []),
  ANSWERS[answer],
];

/** Devices that need no hardware and no permission. The microphone can't play a recording: see `ClientPage`. */
const FIREFOX_SETTINGS = {
  'media.navigator.streams.fake': true,
  'media.navigator.permission.disabled': true,
  'media.autoplay.default': 0,
  'media.peerconnection.ice.obfuscate_host_addresses': false,
  // Playwright can't emulate it in Firefox.
  'ui.prefersReducedMotion': 1,
};

export const ensureChromium = (): string =>
  ensureInstalled(['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'], 'chromium');

export const ensureFirefox = (): string => ensureInstalled(['/usr/bin/firefox-esr', '/usr/bin/firefox'], 'firefox-esr');
