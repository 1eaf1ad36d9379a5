import { chatsOf, expect } from '../expect.ts';
import type { RunningBot } from '../running-bot.ts';
import { listen } from '../talk.ts';

/** Clients that report that they're ready: never, once, and twice. */
const READY = [0, 1, 2];

/** Greets everyone, once. */
export async function greetOnce(bot: RunningBot): Promise<string> {
  const seen: string[] = [];
  for (const ready of READY) {
    const before = chatsOf(bot.ai).length;
    const { seconds, errors } = await listen(bot, 8, ready);
    const greetings = chatsOf(bot.ai).length - before;
    expect(greetings === 1, `${greetings} greetings for a client that is ready ${ready} times`, JSON.stringify(errors));
    expect(seconds > 1, `${seconds} s of sound for a client that is ready ${ready} times`);
    seen.push(`ready ${ready} times: ${seconds.toFixed(1)} s`);
  }
  return seen.join(', ');
}
