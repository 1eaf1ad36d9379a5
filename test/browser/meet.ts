import type { RunningBot } from '../bots/running-bot.ts';
import type { ClientPage } from './client-page.ts';
import { ask, greet, type } from './speak.ts';

/** A whole conversation, spoken and typed, and then another one. */
export async function meet(page: ClientPage, bot: RunningBot): Promise<string> {
  const greeted = await greet(page);
  await ask(page, bot);
  await type(page, bot);
  await page.look('muted');
  await page.press('Hang up');
  await page.waitForStatus('Not connected');
  await page.expectDevicesOff();
  await page.call();
  await page.waitForSpeaking(true);
  await page.press('Hang up');
  await page.waitForStatus('Not connected');
  await page.expectDevicesOff();
  await page.expectClean();
  return `greeted after ${greeted}; called twice`;
}
