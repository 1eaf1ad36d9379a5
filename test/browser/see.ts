import { expect } from '../bots/expect.ts';
import type { RunningBot } from '../bots/running-bot.ts';
import { SIGHT } from '../support/local-ai-answers.ts';
import type { ClientPage } from './client-page.ts';
import { say } from './speak.ts';

/** The page shows the bot's picture. The person turns the camera on, the bot looks at them, and the camera goes off. */
export async function see(page: ClientPage, bot: RunningBot): Promise<string> {
  await page.press('Connect');
  await page.waitForStatus('Connected');
  await page.press('Mute');
  const size = await page.pictureSize('picture');
  await page.press('Camera on');
  await page.pictureSize('self');
  await say(page, bot, 'Please look at me.');
  await page.waitForWords('bot', SIGHT);
  await page.takePicture('video');
  await page.takePicture('video', { dark: true, narrow: true });
  await page.press('Camera off');
  await page.page.locator('.self').waitFor({ state: 'hidden' });
  expect(await page.button('Camera on').isEnabled(), 'the camera can not be turned on again');
  await page.press('Disconnect');
  await page.waitForStatus('Not connected');
  await page.expectDevicesOff();
  await page.expectClean();
  return `a picture of ${size}, and the bot sees the person`;
}
