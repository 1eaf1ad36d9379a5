const RATE = 8000;
/** Sound is judged in windows of 20 ms. */
const WINDOW = RATE / 50;
/** The loudest line noise, as the root mean square of 16-bit samples. Speech is in the hundreds or more. */
const NOISE = 200;
/** So much sound is speech, in samples: 200 ms. */
const ENOUGH = RATE / 5;
/** A longer silence begins anew, in samples: clicks aren't speech. */
const PAUSE = RATE / 2;

/** How a provider writes sound, 8000 samples a second. */
interface Codec {
  /** The bytes of a sample. */
  bytes: number;
  /** A byte of silence. */
  silence: number;
  sampleAt(sound: Buffer, number: number): number;
}

export const MULAW: Codec = {
  bytes: 1,
  silence: 0xff,
  sampleAt: (sound, number) => fromMulaw(sound[number] as number),
};
export const PCM: Codec = { bytes: 2, silence: 0, sampleAt: (sound, number) => sound.readInt16LE(number * 2) };

/** Listens until somebody speaks. The function hears a piece of sound, and returns whether somebody has spoken so far. */
export function createEar(codec: Codec): (piece: Buffer) => boolean {
  const bytes = WINDOW * codec.bytes;
  let rest = Buffer.alloc(0);
  let [loud, quiet] = [0, 0];
  const judge = (loudness: number): void => {
    if (loudness > NOISE) {
      loud += WINDOW;
      quiet = 0;
      return;
    }
    quiet += WINDOW;
    if (quiet > PAUSE) loud = 0;
  };
  return piece => {
    rest = Buffer.concat([rest, piece]);
    for (; rest.length >= bytes; rest = rest.subarray(bytes)) {
      if (loud < ENOUGH) judge(loudnessOf(rest.subarray(0, bytes), codec));
    }
    return loud >= ENOUGH;
  };
}

/** The root mean square, without a constant offset, which is no sound. */
function loudnessOf(window: Buffer, codec: Codec): number {
  const samples = Array.from({ length: WINDOW }, (_, number) => codec.sampleAt(window, number));
  const mean = samples.reduce((sum, one) => sum + one, 0) / WINDOW;
  return Math.sqrt(samples.reduce((sum, one) => sum + (one - mean) ** 2, 0) / WINDOW);
}

/** G.711: the inverted bits are a sign, an exponent and a mantissa. */
function fromMulaw(byte: number): number {
  const bits = ~byte & 0xff;
  const magnitude = ((((bits & 0x0f) << 3) + 132) << ((bits >> 4) & 7)) - 132;
  return bits & 0x80 ? -magnitude : magnitude;
}

/** 20 ms of silence. */
export const silenceIn = ({ bytes, silence }: Codec): Buffer => Buffer.alloc(WINDOW * bytes, silence);
