import { readFileSync } from 'node:fs';

/** The sample rate of the stand-in model's speech, in Hz. */
export const SPEECH_RATE = 24_000;

const SECONDS_PER_LETTER = 0.05;

/** The recorded voice up to its last word, as samples at `SPEECH_RATE`. */
const VOICE = readVoice(1.56);

/**
 * "Speaks" a text: repeats a recorded voice without a pause, for a time in proportion to the text. Returns 16-bit mono
 * PCM at `SPEECH_RATE`. It's a real voice because the framework's VAD misses synthetic tones when it resets its model
 * just as they begin.
 */
export function speakText(text: string): Buffer {
  const pcm = Buffer.alloc(Math.round(text.length * SECONDS_PER_LETTER * SPEECH_RATE) * 2);
  for (let at = 0; at < pcm.length; at += VOICE.length) VOICE.copy(pcm, at);
  return pcm;
}

function readVoice(seconds: number): Buffer {
  const { pcm, bytesPerSecond } = readWav(readFileSync(new URL('speech.wav', import.meta.url)));
  const step = bytesPerSecond / 2 / SPEECH_RATE;
  const voice = Buffer.alloc(seconds * SPEECH_RATE * 2);
  for (let i = 0; i < voice.length / 2; i++) voice.writeInt16LE(pcm.readInt16LE(Math.floor(i * step) * 2), i * 2);
  return voice;
}

export interface Sound {
  seconds: number;
  /** Root mean square of the samples, at most 32767. It's in the hundreds or more for speech, near zero for silence. */
  rms: number;
  /** The sample rate of a WAV, in Hz. */
  rate?: number;
}

/** Measures a WAV of 16-bit PCM. */
export function measureWav(wav: Buffer): Sound {
  const { pcm, bytesPerSecond, channels } = readWav(wav);
  return { seconds: pcm.length / bytesPerSecond, rms: rootMeanSquare(pcm), rate: bytesPerSecond / 2 / channels };
}

/** Measures each channel of a WAV of 16-bit PCM. */
export function measureChannels(wav: Buffer): Sound[] {
  const { pcm, bytesPerSecond, channels } = readWav(wav);
  const seconds = pcm.length / bytesPerSecond;
  return Array.from({ length: channels }, (_, channel) => ({ seconds, rms: rootMeanSquare(pcm, channel, channels) }));
}

/** A WAV's samples, with its byte rate and number of channels. */
function readWav(wav: Buffer): { pcm: Buffer; bytesPerSecond: number; channels: number } {
  if (wav.toString('latin1', 0, 4) !== 'RIFF') throw new Error('not a WAV file');
  let [channels, bytesPerSecond] = [1, 0];
  for (let at = 12; at + 8 <= wav.length; ) {
    const name = wav.toString('latin1', at, at + 4);
    const size = wav.readUInt32LE(at + 4);
    const body = wav.subarray(at + 8, at + 8 + size);
    if (name === 'fmt ') [channels, bytesPerSecond] = [body.readUInt16LE(2), body.readUInt32LE(8)];
    if (name === 'data') return { pcm: body, bytesPerSecond, channels };
    at += 8 + size + (size % 2);
  }
  throw new Error('a WAV file without data');
}

/** The loudness of one channel of interleaved samples. */
function rootMeanSquare(pcm: Buffer, channel = 0, channels = 1): number {
  const samples = Math.floor(pcm.length / 2 / channels);
  let squares = 0;
  for (let i = 0; i < samples; i++) squares += pcm.readInt16LE((i * channels + channel) * 2) ** 2;
  return samples ? Math.sqrt(squares / samples) : 0;
}
