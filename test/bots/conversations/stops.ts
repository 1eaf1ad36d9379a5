import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { measureChannels } from '../../support/sound.ts';
import { audible, expect } from '../expect.ts';
import type { RunningBot } from '../running-bot.ts';
import { type Conversation, listen } from '../talk.ts';

const SESSIONS = 3;

/** Ctrl-C, once or twice, ends a bot with open sessions, after each session's recording is written. */
export const stopWith =
  (signals: number): Conversation =>
  async bot => {
    const recordings = join(bot.server, 'recordings');
    await rm(recordings, { recursive: true, force: true });
    const sessions = Array.from({ length: SESSIONS }, () => listen(bot, 40));
    await sleep(8000);
    const start = Date.now();
    for (let sent = 0; sent < signals; sent++) {
      bot.interrupt();
      await sleep(300);
    }
    await expectEnd(bot);
    const seconds = (Date.now() - start) / 1000;
    const ended = (await Promise.all(sessions)).filter(session => session.ended).length;
    expect(ended === SESSIONS, `${ended} sessions ended`);
    const files = await readdir(recordings);
    expect(files.length === SESSIONS, `${files.length} recordings`, bot.log());
    for (const file of files) audible(measureChannels(await readFile(join(recordings, file)))[1], 'bot');
    return `${SESSIONS} sessions end in ${seconds.toFixed(1)} s, each with its recording`;
  };

async function expectEnd(bot: RunningBot): Promise<void> {
  for (const end = Date.now() + 20_000; Date.now() < end; await sleep(50)) if (bot.ended()) return;
  throw new Error('the bot still runs');
}
