import type { RunningBot } from '../bots/running-bot.ts';
import { SIGHT } from '../support/local-ai-answers.ts';
import type { ClientPage } from './client-page.ts';
import { say } from './speak.ts';

/** The page shows the bot's picture. The person turns the camera on, the bot looks at them, and the camera goes off. */
export async function see(page: ClientPage, bot: RunningBot): Promise<string> {
  await page.press('Start talking');
  await page.waitForStatus('Connected');
  await page.mute(true);
  const size = await page.pictureSize('picture');
  await page.press('Camera');
  await page.pictureSize('self');
  await say(page, bot, 'Please look at me.');
  await page.waitForWords('bot', SIGHT);
  await page.look('video');
  await page.press('Camera');
  await page.page.locator('.self').waitFor({ state: 'hidden' });
  await page.page.getByRole('button', { name: 'Camera', pressed: false }).waitFor();
  await page.press('Hang up');
  await page.waitForStatus('Not connected');
  await page.expectDevicesOff();
  await page.expectClean();
  return `a picture of ${size}, and the bot sees the person`;
}
