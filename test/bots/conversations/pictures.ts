import type { LocalAi } from '../../support/local-ai.ts';
import { GREETING, pictureOf, SIGHT, textOf } from '../../support/local-ai-answers.ts';
import { audible, chatsOf, expect } from '../expect.ts';
import { KEY, type RunningBot } from '../running-bot.ts';
import { type Color, type Heard, looksLike, runScript, talk } from '../talk.ts';
import { keepRecords } from './records.ts';

const WISH = 'Please look at me.';
export const WALL: Color = [200, 60, 40];

/** The colors that `picture.py` draws: the background inside the ring, and the disc. */
const BACKGROUND: Color = [0x0f, 0x17, 0x2a];
const DISC: Color = [0x38, 0xbd, 0xf8];

/** The user asks the bot to look at them. The camera's picture reaches the LLM, and the bot speaks the answer. */
async function see(bot: RunningBot): Promise<string> {
  bot.ai.say(WISH);
  const heard = await talk(bot, { camera: WALL });
  audible(heard.sounds[0], 'greeting');
  const replied = audible(heard.sounds[1], 'reply');
  expectSpoken(bot.ai, SIGHT);
  const wall = await expectWall(bot, chatsOf(bot.ai).at(-1)?.map(pictureOf).find(Boolean));
  return `the LLM sees ${wall}, reply ${replied}; ${expectPicture(heard)}`;
}

/** Checks that a picture from the bot shows what the camera sees. */
export async function expectWall({ server }: RunningBot, picture: string | undefined): Promise<string> {
  expect(picture !== undefined, 'the bot sent no picture');
  const { size, color } = await runScript<{ size: number[]; color: Color }>(server, 'picture_color.py', [], {
    input: picture,
  });
  expect(looksLike(color, WALL), `the picture's colour is ${color}, the camera's ${WALL}`);
  return `${size.join('x')} in rgb(${color})`;
}

/** A conversation with all features: video, recording, transcript and debugger. */
export function doEverything(bot: RunningBot): Promise<string> {
  const lines = [`bot: ${GREETING}`, `person: ${WISH}`, `bot: ${SIGHT}`];
  return keepRecords(bot, { converse: () => see(bot), lines });
}

/** The same with the camera off. The bot says so, and the conversation continues. */
export async function missCamera(bot: RunningBot): Promise<string> {
  const question = 'What is the capital of France?';
  bot.ai.say(WISH, question);
  const { sounds } = await talk(bot, { turns: 2 });
  audible(sounds[1], 'reply without a picture');
  audible(sounds[2], 'reply to the next question');
  const result = chatsOf(bot.ai)
    .at(-1)
    ?.find(({ role }) => role === 'tool');
  const output = result ? textOf(result) : 'nothing';
  expect(output.includes('error'), `the tool returned: ${output}`);
  expectSpoken(bot.ai, question);
  return `the tool returns: ${output}`;
}

/** Checks that the bot's picture has the right size, and shows when the bot speaks. */
export function expectPicture({ screen }: Heard): string {
  const { size, frames, quiet, speaking } = screen;
  const seen = JSON.stringify(screen);
  expect(size.join('x') === '1024x768', `the bot's picture is ${size.join('x')}`, seen);
  expect(looksLike(quiet, BACKGROUND), 'the picture of a quiet bot', seen);
  expect(looksLike(speaking, DISC), 'the picture of a speaking bot', seen);
  return `${frames} frames of ${size.join('x')}, rgb(${quiet}) quiet, rgb(${speaking}) speaking`;
}

function expectSpoken(ai: LocalAi, words: string): void {
  const spoken = ai.journal.filter(({ path }) => path.endsWith('/speech')).map(({ text = '' }) => text);
  const isSpoken = spoken.some(text => text.includes(words));
  expect(isSpoken, `not spoken: ${words}`, spoken.join('\n'));
}

/** The colors of the stand-in's picture: dark, and bright while the avatar speaks. */
const DARK: Color = [48, 80, 112];
const LIT: Color = [240, 208, 48];
const SIZE = '512x512';

/** Checks that the bot's speech reaches the avatar service, and the avatar's sound and picture reach the person. */
export async function appear(bot: RunningBot): Promise<string> {
  const { sounds, screen } = await talk(bot);
  const [session] = bot.journal();
  expect(session?.key === KEY && session.face === KEY, 'not the values of .env', JSON.stringify(session));
  const greeted = audible(sounds[0], 'greeting of the avatar');
  const replied = audible(sounds[1], 'reply of the avatar');
  const seen = JSON.stringify(screen);
  expect(screen.size.join('x') === SIZE, `the avatar is ${screen.size.join('x')}`, seen);
  expect(looksLike(screen.quiet, DARK), 'the picture of a quiet avatar', seen);
  // It takes the framework a few seconds to notice that an avatar has stopped speaking.
  const isLit = screen.seen.some(color => looksLike(color, LIT));
  expect(isLit, 'no picture of a speaking avatar', seen);
  return `on a stand-in of the provider: greeting ${greeted}, reply ${replied}, ${screen.frames} frames of ${SIZE}`;
}
