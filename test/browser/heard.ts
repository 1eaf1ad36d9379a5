/// <reference lib="dom" />
import type { Page } from 'playwright-core';
import type { Notes } from './page-scripts.ts';

/** The sound from the bot so far. */
export interface Sound {
  seconds: number;
  energy: number;
}

/** The energy of a sentence as the browser measures it. Silence has almost none. */
export const AUDIBLE = 0.01;

/** The sound that a page has received through its latest connection. `takeNotes` must have run in it. */
export const heardOn = (page: Page): Promise<Sound> =>
  page.evaluate(async () => {
    const { peers } = (window as unknown as { notes: Notes }).notes;
    const sound = { seconds: 0, energy: 0 };
    for (const report of (await peers.at(-1)?.getStats())?.values() ?? []) {
      if (report.type !== 'inbound-rtp' || report.kind !== 'audio') continue;
      sound.seconds = report.totalSamplesDuration;
      sound.energy = report.totalAudioEnergy;
    }
    return sound;
  });
