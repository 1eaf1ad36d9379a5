import { audible, expect } from '../expect.ts';
import { KEY, type RunningBot } from '../running-bot.ts';
import { type Color, looksLike, talk } from '../talk.ts';

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
