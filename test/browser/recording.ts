import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { patient } from '../bots/slowness.ts';
import { ROOT } from '../bots/workshop.ts';
import { WORKSHOP } from './clients.ts';

const RATE = 16_000;
const BEFORE_SECONDS = 12;
/** A pause long enough to mute the microphone between two sentences. */
const BETWEEN_SECONDS = 3;
const TIMES = 15;

/**
 * A recording of a person who is silent while the call connects, and then repeats the same sentence. Chromium plays it
 * from the start each time the microphone opens. The page's microphone button controls when the bot hears it.
 */
export async function recordPerson(name: string): Promise<string> {
  const wav = await readFile(join(ROOT, 'test/support/speech.wav'));
  const speech = wav.subarray(wav.indexOf('data') + 8);
  const wait = (seconds: number) => silence(Math.round(patient(seconds)));
  const said = Array.from({ length: TIMES }, () => [speech, wait(BETWEEN_SECONDS)]).flat();
  return writeWav(name, Buffer.concat([wait(BEFORE_SECONDS), ...said]));
}

/** A recording of nobody. Chromium's own stand-in for a microphone beeps, and each beep moves the page. */
export const recordNobody = (): Promise<string> => writeWav('nobody', silence(1));

const silence = (seconds: number): Buffer => Buffer.alloc(seconds * RATE * 2);

async function writeWav(name: string, pcm: Buffer): Promise<string> {
  const path = join(WORKSHOP, `${name}.wav`);
  await mkdir(WORKSHOP, { recursive: true });
  await writeFile(path, Buffer.concat([headerOf(pcm.length), pcm]));
  return path;
}

/** The header of a 16-bit mono PCM WAV. */
function headerOf(bytes: number): Buffer {
  const header = Buffer.alloc(44);
  header.write('RIFF', 0);
  header.writeUInt32LE(36 + bytes, 4);
  header.write('WAVEfmt ', 8);
  header.writeUInt32LE(16, 16);
  header.writeUInt16LE(1, 20);
  header.writeUInt16LE(1, 22);
  header.writeUInt32LE(RATE, 24);
  header.writeUInt32LE(RATE * 2, 28);
  header.writeUInt16LE(2, 32);
  header.writeUInt16LE(16, 34);
  header.write('data', 36);
  header.writeUInt32LE(bytes, 40);
  return header;
}
