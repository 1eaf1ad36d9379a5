import { expect } from '../bots/expect.ts';
import type { RunningBot } from '../bots/running-bot.ts';
import type { ClientPage } from './client-page.ts';

/** The bot exits in the middle of a call. The page says so, and releases the microphone. */
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

/** It takes a while until a browser gives up on a silent peer. */
const LOST_MS = 60_000;
