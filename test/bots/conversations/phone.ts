import { DEFAULT_TRANSCRIPT } from '../../support/local-ai.ts';
import { textOf } from '../../support/local-ai-answers.ts';
import { audible, chatsOf, expect, expectChat } from '../expect.ts';
import type { RunningBot } from '../running-bot.ts';
import { patient, waitFor } from '../slowness.ts';
import { type Conversation, callAtOnce, delaysIn, isDropped, phone } from '../talk.ts';
import { SPOKEN } from './realtime.ts';
import { expectInterruption, LONG_QUESTION, QUESTION } from './spoken.ts';

const WAIT_MS = 20_000;
const PHONE_RATE = 8000;
export const CALLER = '+15550001111';

/** The providers that send the caller's number. Plivo doesn't. */
const TELLING = ['twilio', 'telnyx', 'exotel'];

export const NEXT_QUESTION = 'And of Spain?';

/** A call with two turns in a provider's own protocol, until the caller hangs up. */
export const callBy =
  (provider: string): Conversation =>
  async bot => {
    bot.ai.say(QUESTION, NEXT_QUESTION);
    const { sounds } = await phone(bot, provider, { turns: 2 });
    const [greeting, ...replies] = sounds.map((sound, at) => audible(sound, at === 0 ? 'greeting' : `reply ${at}`));
    expectChat(bot.ai, NEXT_QUESTION);
    expect(JSON.stringify(chatsOf(bot.ai).at(-1)).includes(QUESTION), 'the first turn is not in the conversation');
    const heard = bot.ai.journal.filter(({ path }) => path.endsWith('/transcriptions')).map(({ sound }) => sound?.rate);
    expect(heard.length === 2 && heard.every(rate => rate === PHONE_RATE), `heard at ${heard.join(' and ')} Hz`);
    const caller = TELLING.includes(provider) ? CALLER : 'an unknown number';
    expect(bot.log().includes(`Call from ${caller}`), `the caller is not ${caller}`, bot.log());
    return `greeting ${greeting}, replies ${replies.join(' and ')}, heard at ${PHONE_RATE} Hz; ${await expectEnd(bot)}`;
  };

/** The caller interrupts a long reply. The bot drops the sound that wasn't played yet, and answers. */
export const interruptBy =
  (provider: string): Conversation =>
  async bot => {
    bot.ai.say(LONG_QUESTION, QUESTION);
    const { sounds, clears } = await phone(bot, provider, { turns: 2, interrupt: true });
    expect(clears > 0, 'the provider was not asked to drop its sound');
    return `${expectInterruption(bot, sounds)}; the provider drops the remaining sound`;
  };

const CALLS = 3;

/**
 * Three people call at once. Each of them gets an answer. How many more a bot can serve depends on the machine: one that
 * can't analyze sound as fast as it comes falls behind, and answers nobody. See `npm run bench:calls`.
 */
export async function callThreeAtOnce(bot: RunningBot): Promise<string> {
  const calls = await callAtOnce(bot, CALLS, { speak: [0], patience: patient(30), brief: true });
  expect(!calls.some(isDropped), 'a call was dropped', JSON.stringify(calls));
  const heard = chatsOf(bot.ai).filter(chat => chat.some(message => textOf(message).includes(DEFAULT_TRANSCRIPT)));
  expect(heard.length >= CALLS, `${heard.length} callers were heard`, JSON.stringify(calls));
  const slowest = Math.max(...calls.map(call => delaysIn(call).first ?? Infinity));
  return `three answers; all greeted within ${slowest.toFixed(1)} s`;
}

/** A call with two turns with a speech-to-speech service. */
export async function callInRealtime(bot: RunningBot): Promise<string> {
  const { sounds } = await phone(bot, 'twilio', { turns: SPOKEN.length });
  const heard = sounds.map(sound => audible(sound, 'sound')).join(', ');
  const said = bot.journal().flatMap(entry => entry.said ?? []);
  expect(said.length === SPOKEN.length + 1, `it said ${said.join('|')}`);
  return `on a stand-in of the service: heard ${heard}; ${await expectEnd(bot)}`;
}

/** The session ends with the call. */
async function expectEnd(bot: RunningBot): Promise<string> {
  const hasEnded = () => /Client disconnected: ending the session.*finished running/s.test(bot.log());
  expect((await waitFor(hasEnded, WAIT_MS)) === true, 'the session went on after the call', bot.log());
  return 'the session ends with the call';
}
