import { setTimeout as sleep } from 'node:timers/promises';
import { expect } from '../expect.ts';
import type { RunningBot } from '../running-bot.ts';
import { type Caller, type Waited, wait } from '../talk.ts';
import { setMood } from './failures.ts';

/** Four callers at once, each with another provider and in another place. */
const CALLERS: Readonly<Record<string, Caller>> = {
  twilio: { noise: ['crowd', 'hiss'] },
  telnyx: { noise: ['distant', 'coughs'] },
  plivo: { noise: ['music', 'crowd'] },
  // Somebody who hears themselves, and pauses in the middle of a number.
  exotel: { echo: true, speakAt: [8, 16] },
};

/** When the noise ends, when each caller then asks something, and when they hang up. */
const QUIET = 55;
const ASK = QUIET + 5;
const END = ASK + 25;

/** Noise is no failure: nobody is hung up on, the bot hardly speaks meanwhile, and it answers the question afterwards. */
export async function surviveNoise(bot: RunningBot): Promise<string> {
  const calls = Object.entries(CALLERS).map(([provider, caller]) =>
    wait(bot, { ...caller, provider, quiet: QUIET, speakAt: [...(caller.speakAt ?? []), ASK], patience: END }),
  );
  hearNothing(bot, true);
  await sleep((ASK - 1) * 1000);
  hearNothing(bot, false);
  const waited = await Promise.all(calls);
  return waited.map((one, at) => `${Object.keys(CALLERS)[at]}: ${judge(one, at)}`).join('; ');
}

/** The stand-in for each kind of service that hears. */
function hearNothing(bot: RunningBot, isNoise: boolean): void {
  bot.ai.hearNothing(isNoise);
  setMood(isNoise ? 'ignores' : '');
}

function judge(waited: Waited, at: number): string {
  const provider = Object.keys(CALLERS)[at];
  const seen = JSON.stringify(waited);
  const during = waited.sounds.slice(1).filter(({ from }) => from < ASK);
  expect(waited.hung_up_at === null, `${provider}: it hung up`, seen);
  expect(waited.sounds[0] !== undefined, `${provider}: no greeting`, seen);
  expect(
    waited.sounds.some(({ from }) => from > ASK + 1),
    `${provider}: the question wasn't answered`,
    seen,
  );
  return `${during.length} times words in ${QUIET} s of noise`;
}
