import { expect } from '../bots/expect.ts';
import type { RunningBot } from '../bots/running-bot.ts';
import type { ClientPage } from './client-page.ts';

/** The bot ends in the middle of a call: the page says so, and releases the microphone. */
export async function lose(page: ClientPage, bot: RunningBot): Promise<string> {
  await page.press('Connect');
  await page.waitForStatus('Connected');
  await page.waitForSpeaking(true);
  await bot.stop();
  const said = await page.problem(LOST_MS);
  expect(/^The (bot ended the call|connection to the bot was lost)\.$/.test(said), `it says: ${said}`);
  await page.waitForStatus('Not connected');
  await page.expectDevicesOff();
  return said;
}

/** A browser takes its time until it gives a silent peer up. */
const LOST_MS = 60_000;
