import { expect } from '../bots/expect.ts';
import type { RunningBot } from '../bots/running-bot.ts';
import { patient } from '../bots/slowness.ts';
import type { ClientPage } from './client-page.ts';

/** A browser takes half a minute to notice that its peer is gone. */
const NOTICED_MS = 3000;

/**
 * The bot hangs for a while, and is then killed in the middle of a call. The page soon says so and what to do, and releases
 * the microphone.
 */
export async function lose(page: ClientPage, bot: RunningBot): Promise<string> {
  await page.call();
  await page.waitForSpeaking(true);
  bot.signal('SIGSTOP');
  await page.waitForStatus('Reconnecting…');
  bot.signal('SIGCONT');
  await page.waitForStatus('Connected');
  bot.signal('SIGKILL');
  const gone = Date.now();
  const said = await page.problem();
  const seconds = ((Date.now() - gone) / 1000).toFixed(1);
  expect(Date.now() - gone < patient(NOTICED_MS), `the page noticed after ${seconds} s`);
  expect(/^The bot is gone, so the call ended\. Start it again with uv run bot\.py, /.test(said), `it says: ${said}`);
  await page.waitForStatus('Not connected');
  await page.expectDevicesOff();
  await page.look('lost');
  const unexpected = page.faults.filter(fault => !/\b50[02]\b/.test(fault));
  expect(unexpected.length === 0, 'the page has errors', unexpected.join('\n'));
  return `${seconds} s after its end: ${said}`;
}
