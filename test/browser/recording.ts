import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ROOT } from '../bots/workshop.ts';
import { WORKSHOP } from './clients.ts';

const RATE = 16_000;
const BEFORE_SECONDS = 12;
/** Long enough for the page to mute the person between two sentences. */
const BETWEEN_SECONDS = 3;
const TIMES = 15;

/**
 * A person who is silent while the call is set up and then says the same sentence again and again; Chromium plays it
 * from its start each time that the microphone is opened. When the bot hears it is up to the page's Mute button.
 */
export async function recordPerson(): Promise<string> {
  const wav = await readFile(join(ROOT, 'test/support/speech.wav'));
  const speech = wav.subarray(wav.indexOf('data') + 8);
  const silence = (seconds: number) => Buffer.alloc(seconds * RATE * 2);
  const said = Array.from({ length: TIMES }, () => [speech, silence(BETWEEN_SECONDS)]).flat();
  const pcm = Buffer.concat([silence(BEFORE_SECONDS), ...said]);
  const path = join(WORKSHOP, 'person.wav');
  await mkdir(WORKSHOP, { recursive: true });
  await writeFile(path, Buffer.concat([headerOf(pcm.length), pcm]));
  return path;
}

/** The head of a WAV of 16-bit mono PCM. */
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
