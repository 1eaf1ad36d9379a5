import { join } from 'node:path';
import { expect, expectChat } from '../bots/expect.ts';
import { makeProject, OPENAI } from '../bots/projects.ts';
import type { Report } from '../bots/report.ts';
import { fillVariables, type RunningBot, withBot } from '../bots/running-bot.ts';
import { runUv } from '../bots/workshop.ts';
import { GREETING } from '../support/local-ai-answers.ts';
import { SPEECH_RATE, speakTones } from '../support/sound.ts';
import { withChromium } from './chromium.ts';
import { ClientPage } from './client-page.ts';
import { type Client, directoryOf, generateClient, installClient, npm, WORKSHOP, withServer } from './clients.ts';
import { recordPerson } from './recording.ts';

const QUESTION = 'What is the capital of France?';
const LONG_QUESTION =
  'Could you please explain to me, slowly and in great detail, everything that there is to know about bread?';

/** Level 3: a generated bot under the framework's own runner, and each generated client in a real browser. */
export async function holdConversations(report: Report, clients: readonly Client[]): Promise<void> {
  const config = { ...OPENAI, transports: ['rtc_local'] };
  const server = join(WORKSHOP, 'bot/server');
  const ready = await report.check('bot', 'generates and installs', async () => {
    await makeProject({ name: 'bot', config }, WORKSHOP);
    await runUv(['sync', '--quiet'], server);
    await fillVariables(server);
    return 'uv sync';
  });
  if (!ready) return;
  const recording = await recordPerson();
  for (const client of clients) {
    const built = await report.check(client.name, 'is built for its conversation', async () => {
      await installClient(client);
      await generateClient(client, { transports: ['rtc_local'] });
      await npm(directoryOf(client), ['run', 'build']);
      return 'npm install, npm run build';
    });
    if (!built) continue;
    await report.check(client.name, 'holds a conversation in Chromium', () =>
      withBot({ name: `browser-${client.name}`, server }, bot =>
        withServer(client, { how: 'built', botUrl: bot.url }, url =>
          withChromium({ recording }, async browser => converse(await ClientPage.open(browser, url, client.name), bot)),
        ),
      ),
    );
  }
}

/** Two turns, an interruption, hanging up, and a second call. */
async function converse(page: ClientPage, bot: RunningBot): Promise<string> {
  await page.takePicture('idle');
  const began = Date.now();
  await page.press('Connect');
  await page.waitForStatus('Connected');
  await page.press('Mute');
  await page.waitForWords('bot', GREETING);
  const greeted = Date.now() - began;
  await page.waitForSpeaking(true);
  await page.waitForSpeaking(false);
  const greeting = await page.heard();
  expect(greeting.energy > 0.01, 'the greeting was not heard', JSON.stringify(greeting));
  expect(await page.isPlaying(), 'the voice of the bot is not played');

  await say(page, bot, QUESTION);
  await page.waitForWords('bot', `You said: ${QUESTION}`);
  expectChat(bot.ai, QUESTION);
  await page.waitForSpeaking(false);

  const cut = await interrupt(page, bot);
  await page.takePicture('connected');
  await page.takePicture('connected', { dark: true });
  await page.takePicture('connected', { dark: true, narrow: true });
  await page.takePicture('connected', { narrow: true });

  await page.press('Disconnect');
  await page.waitForStatus('Not connected');
  await page.expectDevicesOff();
  await page.press('Connect');
  await page.waitForStatus('Connected');
  await page.waitForSpeaking(true);
  expect((await page.heard()).energy >= 0, 'nothing was heard in the second call');
  await page.press('Disconnect');
  await page.waitForStatus('Not connected');
  await page.expectDevicesOff();
  await page.expectClean();
  return `greeted after ${(greeted / 1000).toFixed(1)} s; ${cut}; called twice; nothing left the machine`;
}

/** Lets the bot hear the person until their words are on the page. */
async function say(page: ClientPage, bot: RunningBot, words: string): Promise<void> {
  bot.ai.say(words);
  await page.press('Unmute');
  await page.waitForWords('person', words);
  await page.press('Mute');
}

/** The person speaks into a long reply: it stops, and they are answered. */
async function interrupt(page: ClientPage, bot: RunningBot): Promise<string> {
  await say(page, bot, LONG_QUESTION);
  await page.waitForSpeaking(true);
  const start = Date.now();
  await page.page.waitForTimeout(1000);
  bot.ai.say(QUESTION);
  await page.press('Unmute');
  await page.waitForSpeaking(false);
  const seconds = (Date.now() - start) / 1000;
  const planned = speakTones(`You said: ${LONG_QUESTION}`).length / 2 / SPEECH_RATE;
  expect(seconds < planned / 2, `the reply went on: ${seconds.toFixed(1)} s of ${planned.toFixed(1)} s`);
  await page.waitForWords('person', QUESTION, 2);
  await page.press('Mute');
  await page.waitForWords('bot', `You said: ${QUESTION}`, 2);
  return `a reply of ${planned.toFixed(1)} s stops after ${seconds.toFixed(1)} s`;
}
