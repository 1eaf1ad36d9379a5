import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { measureChannels } from '../../support/sound.ts';
import { audible, expect, isAudible } from '../expect.ts';
import type { RunningBot } from '../running-bot.ts';
import { patient, waitFor } from '../slowness.ts';
import { type Conversation, listen } from '../talk.ts';
import { findInLog, SPEAKS } from './records.ts';

const SESSIONS = 3;

/** Ctrl-C, once or twice, ends a bot with open sessions, after each session's recording is written. */
export const stopWith =
  (signals: number): Conversation =>
  async bot => {
    const recordings = join(bot.server, 'recordings');
    await rm(recordings, { recursive: true, force: true });
    const sessions = Array.from({ length: SESSIONS }, () => listen(bot, 40));
    await findInLog(bot, SPEAKS, SESSIONS);
    await sleep(patient(1000));
    const start = Date.now();
    for (let sent = 0; sent < signals; sent++) {
      bot.signal('SIGINT');
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
  expect((await waitFor(bot.ended, 20_000)) === true, 'the bot still runs');
}

/** A bot that is killed leaves a valid recording of all but the last seconds. */
export async function survivesKill(bot: RunningBot): Promise<string> {
  const recordings = join(bot.server, 'recordings');
  await rm(recordings, { recursive: true, force: true });
  const session = listen(bot, 30);
  await findInLog(bot, SPEAKS, 1);
  const voiceOnDisk = async () => {
    const [file] = await readdir(recordings).catch(() => []);
    const [, voice] = file ? measureChannels(await readFile(join(recordings, file))) : [];
    return voice;
  };
  // A part of ten seconds is written at once. Meanwhile, the file may be incomplete.
  await waitFor(async () => isAudible(await voiceOnDisk().catch(() => undefined)), 20_000);
  bot.signal('SIGKILL');
  await session;
  const voice = await voiceOnDisk();
  return `a killed bot leaves ${voice?.seconds.toFixed(0)} s, with its ${audible(voice, 'bot')} of words`;
}
