import { type Browser, chromium } from 'playwright-core';
import { ensureInstalled } from '../support/debian.ts';

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'];

/** The options that keep Chromium from making its own requests, and that replace devices. */
const QUIET = ['--disable-background-networking', '--disable-component-update', '--disable-sync', '--no-first-run'];
const DEVICES = ['--use-fake-device-for-media-stream'];

/** How the browser answers when the page asks for the microphone. */
export type Answer = 'allow' | 'deny';

const ANSWERS: Record<Answer, string> = { allow: '--use-fake-ui-for-media-stream', deny: '--deny-permission-prompts' };

/** Runs Chromium for as long as `use` takes. Its microphone plays the recording, a WAV. */
export async function withChromium<Result>(
  { answer = 'allow', recording }: { answer?: Answer; recording?: string },
  use: (browser: Browser) => Promise<Result>,
): Promise<Result> {
  const voice = recording ? [`--use-file-for-fake-audio-capture=${recording}`] : [];
  const browser = await chromium.launch({
    executablePath: ensureChromium(),
    args: [...QUIET, ...DEVICES, ...voice, ANSWERS[answer]],
    chromiumSandbox: process.getuid?.() !== 0,
  });
  try {
    return await use(browser);
  } finally {
    await browser.close();
  }
}

/** The path of Chromium on this machine. */
export const ensureChromium = (): string => ensureInstalled(PATHS, 'chromium');
