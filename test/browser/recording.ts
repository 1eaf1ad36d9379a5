import { readFileSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { patient } from '../bots/slowness.ts';
import { SPEECH } from '../bots/talk.ts';
import { WORKSHOP } from './clients.ts';

const WAV = readFileSync(SPEECH);
/** Where its samples begin. */
const SAMPLES = WAV.indexOf('data') + 8;
const RATE = WAV.readUInt32LE(24);
const BEFORE_SECONDS = 12;
/** A pause long enough to mute the microphone between two sentences. */
const BETWEEN_SECONDS = 3;
const TIMES = 15;

/**
 * A recording of a person who is silent while the call connects, and then repeats the same sentence. Chromium plays it
 * from the start each time the microphone opens. The page's microphone button controls when the bot hears it.
 */
export async function recordPerson(name: string): Promise<string> {
  const speech = WAV.subarray(SAMPLES);
  const wait = (seconds: number) => silence(Math.round(patient(seconds)));
  const said = Array.from({ length: TIMES }, () => [speech, wait(BETWEEN_SECONDS)]).flat();
  return writeWav(name, Buffer.concat([wait(BEFORE_SECONDS), ...said]));
}

/** A recording of nobody. Chromium's own stand-in for a microphone beeps, and each beep moves the page. */
export const recordNobody = (): Promise<string> => writeWav('nobody', silence(1));

const silence = (seconds: number): Buffer => Buffer.alloc(seconds * RATE * 2);

/** Writes sound with the header of the recorded voice, which is of the same kind: 16-bit PCM, mono. */
async function writeWav(name: string, pcm: Buffer): Promise<string> {
  const path = join(WORKSHOP, `${name}.wav`);
  const header = Buffer.from(WAV.subarray(0, SAMPLES));
  header.writeUInt32LE(SAMPLES - 8 + pcm.length, 4);
  header.writeUInt32LE(pcm.length, SAMPLES - 4);
  await mkdir(WORKSHOP, { recursive: true });
  await writeFile(path, Buffer.concat([header, pcm]));
  return path;
}
