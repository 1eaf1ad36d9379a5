/** How a provider writes sound: a byte or two for each of 8000 samples a second. */
export type Codec = 'mulaw' | 'pcm';

const RATE = 8000;
/** Sound is judged in windows of 20 ms. */
const WINDOW = RATE / 50;
/** The loudest line noise, as the root mean square of 16-bit samples. Speech is in the hundreds or more. */
const NOISE = 200;
/** So much sound is speech, in samples: 200 ms. */
const ENOUGH = RATE / 5;
/** A longer silence begins anew, in samples: clicks aren't speech. */
const PAUSE = RATE / 2;

/** Listens until somebody speaks. */
export class Ear {
  private readonly codec: Codec;
  private rest = Buffer.alloc(0);
  private loud = 0;
  private quiet = 0;

  constructor(codec: Codec) {
    this.codec = codec;
  }

  /** Hears a piece of sound. Returns whether somebody has spoken so far. */
  hear(piece: Buffer): boolean {
    const bytes = WINDOW * (this.codec === 'pcm' ? 2 : 1);
    this.rest = Buffer.concat([this.rest, piece]);
    for (; this.rest.length >= bytes; this.rest = this.rest.subarray(bytes)) {
      if (this.loud < ENOUGH) this.judge(loudnessOf(this.rest.subarray(0, bytes), this.codec));
    }
    return this.loud >= ENOUGH;
  }

  private judge(loudness: number): void {
    if (loudness > NOISE) {
      this.loud += WINDOW;
      this.quiet = 0;
      return;
    }
    this.quiet += WINDOW;
    if (this.quiet > PAUSE) this.loud = 0;
  }
}

/** The root mean square, without a constant offset, which is no sound. */
function loudnessOf(window: Buffer, codec: Codec): number {
  const samples = Array.from({ length: WINDOW }, (_, at) =>
    codec === 'pcm' ? window.readInt16LE(at * 2) : fromMulaw(window[at] as number),
  );
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
export const silence = (codec: Codec): Buffer =>
  codec === 'pcm' ? Buffer.alloc(WINDOW * 2) : Buffer.alloc(WINDOW, 0xff);
