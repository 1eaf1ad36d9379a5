import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '../expect.ts';
import type { RunningBot } from '../running-bot.ts';
import { patient } from '../slowness.ts';
import { type Caller, type Conversation, type Waited, wait } from '../talk.ts';
import { setMood, timesSaid } from './failures.ts';

const PROVIDERS = ['twilio', 'telnyx', 'plivo', 'exotel'];

/** Where people call from, if the noise ends after some seconds, and what they say meanwhile. */
const places = (seconds: number): readonly Caller[] => [
  { noise: ['crowd', 'hiss'], quiet: seconds },
  { noise: ['distant', 'coughs'], quiet: seconds },
  // Somebody on hold, who then says nothing.
  { noise: ['music'], quiet: seconds / 2 },
  // Somebody who hears themselves.
  { echo: true, speakAt: [8, 16] },
];

/**
 * When callers ask after the noise: some in two parts with six seconds between them, as of a number. Their clocks begin
 * when they call, some time after ours, and in between the stand-ins begin to hear words.
 */
const ASK_AFTER = 5;
const PAUSE = 8;
const PAUSING = [1, 3];
const PATIENCE = 30;

/** What the framework logs when noise has cut the bot short, and it lets the bot go on. */
const RESUMED = /Empty user turn \(interrupted\), running LLM/g;

/**
 * Four people call at once, each by another provider and from another place. Noise is no failure: nobody is hung up on,
 * the bot begins to speak at most once a minute meanwhile, and it answers their question afterwards.
 *
 * @param seconds - how long the places are noisy
 * @param shift - which provider the first place has; the others follow
 */
export const surviveNoise =
  (seconds: number, shift = 0): Conversation =>
  async bot => {
    const ask = seconds + patient(ASK_AFTER);
    const patience = ask + patient(PATIENCE);
    const called = places(seconds).map(async (place, at) => {
      const provider = PROVIDERS[(at + shift) % PROVIDERS.length] as string;
      const asks = PAUSING.includes(at) ? [ask, ask + patient(PAUSE)] : [ask];
      const caller = { ...place, provider, speakAt: [...(place.speakAt ?? []), ...asks], patience };
      return { provider, waited: await wait(bot, caller) };
    });
    hearNothing(bot, true);
    await sleep((ask - 1) * 1000);
    // A slow machine keeps callers waiting, who are told so.
    const excused = (bot.log().match(RESUMED)?.length ?? 0) + timesSaid(bot, 'WAIT');
    hearNothing(bot, false);
    const calls = await Promise.all(called);
    const spoken = calls.reduce((sum, { waited }) => sum + wordsBefore(ask, waited), 0);
    expect(spoken <= calls.length * Math.ceil(ask / 60) + excused, `it spoke ${spoken} times in all calls`, bot.log());
    return calls.map(({ provider, waited }) => `${provider}: ${judge(provider, waited, ask, excused)}`).join('; ');
  };

/** The stand-in for each kind of service that hears. */
function hearNothing(bot: RunningBot, isNoise: boolean): void {
  bot.ai.hearNothing(isNoise);
  setMood(bot, isNoise ? 'ignores' : '');
}

/** How often a bot spoke after its greeting. */
const wordsBefore = (ask: number, { sounds }: Waited): number =>
  sounds.slice(1).filter(({ from }) => from < ask).length;

function judge(provider: string, waited: Waited, ask: number, excused: number): string {
  const seen = JSON.stringify(waited);
  expect(waited.hung_up_at === null, `${provider}: it hung up`, seen);
  expect(waited.sounds[0] !== undefined, `${provider}: no greeting`, seen);
  const length = wordsBefore(ask, waited);
  expect(length <= Math.ceil(ask / 60) + excused, `${provider}: it spoke ${length} times`, seen);
  const isAnswered = waited.sounds.some(({ from }) => from > ask + 1);
  expect(isAnswered, `${provider}: the question wasn't answered`, seen);
  return `${length} times words in ${ask} s`;
}
