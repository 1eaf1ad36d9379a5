import { ANSWERS, SPOKEN } from '../bots/conversations/realtime.ts';
import { isCut, LONG_QUESTION, QUESTION } from '../bots/conversations/spoken.ts';
import { expect, expectChat } from '../bots/expect.ts';
import type { RunningBot } from '../bots/running-bot.ts';
import { patient, slowness } from '../bots/slowness.ts';
import type { AiPath, Refusal } from '../support/local-ai.ts';
import { GREETING, SIGHT } from '../support/local-ai-answers.ts';
import { SPEECH_RATE, speakText } from '../support/sound.ts';
import { AUDIBLE, type ClientPage, WIDE } from './client-page.ts';

const TYPED_QUESTION = 'What does it cost?';

/** Two turns, an interruption, hanging up, and a second call that switches to another microphone. */
export async function speak(page: ClientPage, bot: RunningBot): Promise<string> {
  await page.look('idle');
  const [idle] = page.signs;
  const greeted = await greet(page);
  await page.withSettings(() => page.look('settings'));
  await ask(page, bot);
  await type(page, bot);
  const cut = await interrupt(page, bot);
  await readBack(page);
  await page.page.getByLabel('Message').fill('Something that is not sent yet');
  await page.look('typing');
  await page.page.getByLabel('Message').clear();
  await page.look('muted');
  const muted = page.signs.at(-1);
  await openPanel(page);

  const place = await page.orb();
  await page.hangUp();
  expect((await page.orb()) === place, `the orb jumps from ${place} to ${await page.orb()}`);
  await copy(page);
  await page.look('ended');
  await page.call();
  await page.waitUntilSpoken();
  expect((await page.heard()) > AUDIBLE, 'nothing was heard in the second call');
  await page.page.locator('.transcript .page').filter({ hasText: 'New call, ' }).nth(1).waitFor();
  await page.mute(false);
  await page.look('talking');
  const states = new Set([idle, muted, page.signs.at(-1)]);
  expect(states.size === 3, 'in forced colors, two states look the same', [...states].join('\n'));
  await page.unplugMicrophone();
  const problem = await page.problem();
  expect(/^No microphone was found/.test(problem), `it says: ${problem}`);
  await page.takeOtherMicrophone();
  await page.hangUp();
  await page.expectClean();
  return `greeted after ${greeted}; ${cut}; called twice`;
}

/** Calls the bot, and hears its greeting. Returns the seconds until it began. */
export async function greet(page: ClientPage): Promise<string> {
  const began = Date.now();
  await page.call();
  await page.mute(true);
  await page.waitForWords('bot', GREETING);
  const greeted = Date.now() - began;
  await page.waitUntilSpoken();
  expect((await page.heard()) > AUDIBLE, 'the greeting was not heard');
  expect(await page.isPlaying(), 'the voice of the bot is not played');
  return `${(greeted / 1000).toFixed(1)} s`;
}

/** The person asks a question, and the bot answers. */
export async function ask(page: ClientPage, bot: Pick<RunningBot, 'ai'>): Promise<void> {
  await say(page, bot, QUESTION);
  await page.waitUntilSaid(`You said: ${QUESTION}`);
  expectChat(bot.ai, QUESTION);
}

/** Copies the transcript of the call. */
async function copy(page: ClientPage): Promise<void> {
  await page.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.press('Copy transcript');
  await page.button('Copied').waitFor();
  const text = await page.page.evaluate(() => navigator.clipboard.readText());
  const words = ['New call, ', `: ${GREETING}\n`, `You: ${QUESTION}\n`, ' (interrupted)\n', 'Call ended · '];
  for (const part of words) expect(text.includes(part), `not in the copied transcript: ${part}`, text);
}

/** The panel for developers shows the measurements of the call, and the events that contain a word. */
async function openPanel(page: ClientPage): Promise<void> {
  const panel = page.page.locator('.developer');
  await panel.getByText('Developer').click();
  // The page fills the panel once it has opened.
  await panel.getByText('First word').waitFor();
  const figures = (await panel.locator('.figures').innerText()).replaceAll('\n', ' ');
  expect(/First word \d+ ms Tokens [\d,]+ Characters spoken [\d,]+ .*LLM \d+ ms/.test(figures), figures);
  await page.look('developer');
  await panel.getByLabel('Filter events').fill('userTranscript');
  await panel.locator('li').filter({ hasNotText: 'userTranscript' }).first().waitFor({ state: 'detached' });
  expect((await panel.locator('li').count()) > 0, 'the filter finds nothing');
  await panel.getByText('Developer').click();
}

/** Types a question. Both sides are in the transcript, and the bot answers aloud. */
export async function type(page: ClientPage, bot: RunningBot): Promise<void> {
  await page.type(TYPED_QUESTION);
  await page.waitForWords('person', TYPED_QUESTION);
  await page.waitUntilSaid(`You said: ${TYPED_QUESTION}`);
  expectChat(bot.ai, TYPED_QUESTION);
}

/** The person scrolls up. New words leave their place alone, and a button leads to them. */
async function readBack(page: ClientPage): Promise<void> {
  const transcript = page.page.locator('.transcript');
  await page.page.setViewportSize({ width: 360, height: 640 });
  await transcript.evaluate(list => list.scrollTo({ top: 0 }));
  await page.type('Is anyone there?');
  await page.waitForWords('bot', 'You said: Is anyone there?');
  expect((await transcript.evaluate(list => list.scrollTop)) === 0, 'new words take the reader away');
  await page.press('↓ New');
  await page.button('↓ New').waitFor({ state: 'hidden' });
  expect((await transcript.evaluate(list => list.scrollTop)) > 0, 'the button does not lead to the new words');
  await page.waitUntilSaid('You said: Is anyone there?');
  await page.page.setViewportSize(WIDE);
}

/** Unmutes the person until their words are on the page. */
export async function say(page: ClientPage, bot: Pick<RunningBot, 'ai'>, words: string): Promise<void> {
  bot.ai.say(words);
  await page.mute(false);
  await page.waitForWords('person', words);
  await page.mute(true);
}

/** The person interrupts a long reply. It stops, and the bot answers. */
async function interrupt(page: ClientPage, bot: RunningBot): Promise<string> {
  await say(page, bot, LONG_QUESTION);
  await page.waitForSpeaking(true);
  const start = Date.now();
  bot.ai.say(QUESTION);
  await page.mute(false);
  await page.waitForLevel('person', true);
  // It's the sound that counts. Under load, the framework says up to three seconds too late that the bot has stopped.
  const seconds = ((await page.waitForSilence()) - start) / 1000;
  const planned = speakText(`You said: ${LONG_QUESTION}`).length / 2 / SPEECH_RATE;
  // On a slow machine, sound comes late. The transcript below says that the reply was interrupted.
  expect(
    slowness() > 1.5 || isCut(seconds, planned),
    `the reply was not cut short: ${seconds.toFixed(1)} s of ${planned.toFixed(1)} s`,
  );
  await page.waitForWords('person', QUESTION, 2);
  await page.mute(true);
  await page.waitForWords('bot', `You said: ${QUESTION}`, 2);
  const cut = page.page.locator('.transcript .bot', { has: page.page.locator('em', { hasText: 'interrupted' }) });
  await cut.filter({ hasText: LONG_QUESTION }).waitFor();
  return `a reply of ${planned.toFixed(1)} s stops after ${seconds.toFixed(1)} s`;
}

/** A whole conversation, spoken and typed, and then another one. */
export async function meet(page: ClientPage, bot: RunningBot): Promise<string> {
  const greeted = await greet(page);
  await ask(page, bot);
  await type(page, bot);
  await page.look('muted');
  await page.hangUp();
  await page.call();
  await page.waitForSpeaking(true);
  await page.hangUp();
  await page.expectClean();
  return `greeted after ${greeted}; called twice`;
}

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
  await page.hangUp();
  await page.expectClean();
  return `a picture of ${size}, and the bot sees the person`;
}

const [SPOKEN_QUESTION = ''] = SPOKEN;
const [SPOKEN_ANSWER = ''] = ANSWERS;
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
  expect((await page.heard()) - before > AUDIBLE, 'the answer was not heard');
  const written = bot.journal().filter(entry => entry.written === TYPED_QUESTION);
  expect(written.length === 1, `the service got ${written.length} typed messages`);
  // The bot begins to answer before the transcript of the question arrives.
  const turns = await page.page.locator('.transcript p').evaluateAll(all => all.map(({ className }) => className));
  expect(turns.join() === 'page,bot,person,bot,person,bot', `the order of the transcript: ${turns.join()}`);
  const unspoken = (await page.page.locator('.unspoken').allTextContents()).join('').trim();
  expect(unspoken === '', `words are marked as unspoken: ${unspoken}`);
  await page.hangUp();
  await page.expectClean();
  return `greeted after ${greeted}; a typed question is answered aloud`;
}

/** A browser takes half a minute to notice that its peer is gone. */
const NOTICED_MS = 3000;

/**
 * The bot hangs for a while, and is then killed in the middle of a call. The page soon says so and what to do, and
 * releases the microphone.
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

/** Where the provider issues keys. */
const KEYS_PAGE = 'https://platform.openai.com/api-keys';

const RESTART = "If the bot doesn't restart when you save, restart it.";

/** Errors of the provider, in each form that bots report, and what the page shows: see `provider-errors.test.ts`. */
const FAILURES: readonly { path: AiPath; refusal: Refusal; says: string }[] = [
  {
    path: 'chat/completions',
    refusal: { status: 401, error: { message: 'Incorrect API key provided: test.', code: 'invalid_api_key' } },
    says: `Incorrect API key provided. Check OPENAI_API_KEY in server/.env against ${KEYS_PAGE}. ${RESTART}`,
  },
  {
    path: 'chat/completions',
    refusal: { status: 503, error: { message: 'The engine is overloaded.' } },
    says: "The engine is overloaded. The provider isn't available right now. Try again in a moment.",
  },
  {
    path: 'audio/speech',
    refusal: { status: 400, error: { message: 'Unknown voice: bob.', param: 'voice' } },
    says: `Unknown voice: bob. Check the voice in server/.env. ${RESTART}`,
  },
];

/**
 * The provider refuses the bot's requests. The call goes on, and the page shows each reason and what to do. Until the
 * bot speaks again, it says that it can't answer.
 */
export async function fail(page: ClientPage, bot: RunningBot): Promise<string> {
  await page.call();
  await page.mute(true);
  await page.waitUntilSpoken();
  for (const { path, refusal, says } of FAILURES) {
    bot.ai.fail(path, refusal);
    await page.type('Are you there?');
    const said = await page.problem();
    expect(said === says, `it says: ${said}`);
    await page.waitForStatus('Connected');
    await page.page.locator('.activity').filter({ hasText: "Can't answer" }).waitFor();
    if (refusal === FAILURES[0]?.refusal) {
      await page.page.getByRole('link', { name: KEYS_PAGE }).waitFor();
      await page.look('refused');
    }
    await page.press('Dismiss');
    bot.ai.fail(path, undefined);
  }
  await page.noteVoice();
  await page.type('Are you there?');
  await page.waitUntilSpoken();
  await page.page.locator('.activity').filter({ hasText: 'Muted' }).waitFor();
  await page.hangUp();
  await page.expectClean();
  return `${FAILURES.length} errors of a provider`;
}
