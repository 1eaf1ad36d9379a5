import { ANSWERS, SPOKEN } from '../bots/conversations/realtime.ts';
import { expect } from '../bots/expect.ts';
import type { RunningBot } from '../bots/running-bot.ts';
import type { ClientPage } from './client-page.ts';
import { greet } from './speak.ts';

const [SPOKEN_QUESTION = ''] = SPOKEN;
const [SPOKEN_ANSWER = ''] = ANSWERS;
const TYPED_QUESTION = 'What does it cost?';

/** The person speaks with a speech-to-speech service, and then types. Both sides of both turns are on the page. */
export async function write(page: ClientPage, bot: RunningBot): Promise<string> {
  const greeted = await greet(page);
  await page.mute(false);
  await page.waitForWords('person', SPOKEN_QUESTION);
  await page.mute(true);
  await page.waitForWords('bot', SPOKEN_ANSWER);
  await page.waitForSpeaking(false);
  const before = await page.heard();
  await page.noteVoice();
  await page.type(TYPED_QUESTION);
  await page.waitForWords('person', TYPED_QUESTION);
  await page.waitForWords('bot', `You said: ${TYPED_QUESTION}`);
  await page.waitUntilSpoken();
  const spoken = (await page.heard()).energy - before.energy;
  expect(spoken > 0.01, 'the answer was not heard');
  const written = bot.journal().filter(entry => entry.written === TYPED_QUESTION);
  expect(written.length === 1, `the service got ${written.length} typed messages`);
  // The bot begins to answer before the transcript of the question arrives.
  const turns = await page.page.locator('.transcript p').evaluateAll(all => all.map(({ className }) => className));
  expect(turns.join() === 'page,bot,person,bot,person,bot', `the order of the transcript: ${turns.join()}`);
  const unspoken = (await page.page.locator('.unspoken').allTextContents()).join('').trim();
  expect(unspoken === '', `words are marked as unspoken: ${unspoken}`);
  await page.press('Hang up');
  await page.waitForStatus('Not connected');
  await page.expectDevicesOff();
  await page.expectClean();
  return `greeted after ${greeted}; a typed question is answered aloud`;
}
