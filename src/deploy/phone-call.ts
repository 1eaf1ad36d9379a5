import { randomUUID } from 'node:crypto';
import { UserError } from '../errors.ts';
import type { Cloud } from '../platform/cloud.ts';
import type { Terminal } from '../shell/terminal.ts';
import { isObject, parsedJson } from '../std.ts';

/** Sound is sent as providers do: a piece every 20 ms. */
const PIECE_MS = 20;
/** How long to wait for the bot to speak. Its first instance may have to start. In milliseconds. */
const PATIENCE_MS = 45_000;

/** Calls a bot as a phone provider does, and returns after how many seconds it speaks. `url` is the gateway's. */
export async function phoneCall(
  { url, provider, serviceHost }: { url: URL; provider: string; serviceHost: string },
  cloud: Cloud,
  { sleep, progress }: Pick<Terminal, 'sleep' | 'progress'>,
  signal: AbortSignal,
): Promise<number> {
  const stream = STREAMS[provider as keyof typeof STREAMS](serviceHost);
  const quiet = Buffer.alloc(WINDOW * stream.codec.bytes, stream.codec.silence).toString('base64');
  const hear = createEar(stream.codec);
  const [event, ids] = stream.sound;
  for (const [name, value] of Object.entries(stream.query)) url.searchParams.set(name, value);
  let spokeAt: number | undefined;
  const onFrame = (data: unknown, isBinary: boolean) => {
    // Anything but JSON text isn't a message of a phone provider's.
    const fields = fieldsOf(isBinary ? undefined : parsedJson(String(data)));
    const isOurs = Object.entries({ event, ...ids }).every(([name, value]) => fields[name] === value);
    const { payload } = fieldsOf(fields.media);
    if (isOurs && typeof payload === 'string' && hear(Buffer.from(payload, 'base64'))) spokeAt ??= Date.now();
  };
  const line = await cloud.line(url, { purpose: 'call', onFrame });
  const start = Date.now();
  let hungUpAt: number | undefined;
  void line.ended.then(() => {
    hungUpAt = Date.now();
  });
  let sent = 0;
  let end: number | undefined;
  try {
    for (const message of stream.greeting) line.send(message);
    while (spokeAt === undefined && hungUpAt === undefined && sent * PIECE_MS < PATIENCE_MS) {
      sent += 1;
      // A bot that greets proves the whole way, and callers' first words differ.
      line.send(stream.media(sent, quiet));
      if (sent % 50 === 0) progress.show(`Listening, ${(sent * PIECE_MS) / 1000}s`);
      await sleep(PIECE_MS, signal);
    }
    end = hungUpAt;
  } finally {
    progress.clear();
    line.send(stream.stop(sent));
    await line.close();
  }
  if (spokeAt !== undefined) return Math.max(0, spokeAt - start) / 1000;
  const why =
    end !== undefined
      ? `hung up after ${((end - start) / 1000).toFixed(1)} s, without a word`
      : `said nothing for ${PATIENCE_MS / 1000} s`;
  throw new UserError(`The bot took the call and ${why}`, { reason: 'call-failed' });
}

/** What a phone provider and the platform's gateway say during a call, according to the providers' documents. */
interface PhoneStream {
  codec: typeof MULAW;
  /** What the address needs to find the agent. */
  query: Readonly<Record<string, string>>;
  greeting: readonly object[];
  /** A piece of the caller's sound, in base64. Its number counts from 1. */
  media(number: number, payload: string): object;
  /** The caller hangs up. */
  stop(number: number): object;
  /** The event with the bot's sound, and what else such a message has if it is for this call. */
  sound: readonly [event: string, stream: object];
}

const [FROM, TO] = ['+15550001111', '+15550002222'];
/** The caller's sound so far, in milliseconds. */
const timeOf = (number: number): string => `${number * 20}`;
const hex = (): string => randomUUID().replaceAll('-', '');
const inbound = (number: number, payload: string) => {
  return { track: 'inbound', chunk: `${number}`, timestamp: timeOf(number), payload };
};

/** Numbered messages of a stream. */
const eventsOf =
  (numbered: (number: number) => object, stream: object) =>
  (event: string, number: number, more: object): object => ({ event, ...numbered(number), ...stream, ...more });

function twilio(host: string): PhoneStream {
  const [stream, call] = [{ streamSid: `MZ${hex()}` }, { accountSid: `AC${hex()}`, callSid: `CA${hex()}` }];
  const customParameters = { _pipecatCloudServiceHost: host, from_number: FROM, to_number: TO };
  const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 };
  const start = { ...stream, ...call, tracks: ['inbound'], mediaFormat, customParameters };
  const event = eventsOf(number => ({ sequenceNumber: `${number}` }), stream);
  return {
    codec: MULAW,
    query: {},
    greeting: [{ event: 'connected', protocol: 'Call', version: '1.0.0' }, event('start', 1, { start })],
    media: (number, payload) => event('media', number + 1, { media: inbound(number, payload) }),
    stop: number => event('stop', number + 1, { stop: call }),
    sound: ['media', stream],
  };
}

function telnyx(host: string): PhoneStream {
  const [stream, user] = [{ stream_id: randomUUID() }, { user_id: randomUUID() }];
  const call = { ...user, call_control_id: `v3:${hex()}` };
  const media_format = { encoding: 'PCMU', sample_rate: 8000, channels: 1 };
  const start = { ...call, from: FROM, to: TO, media_format };
  const event = eventsOf(number => ({ sequence_number: `${number}` }), stream);
  return {
    codec: MULAW,
    query: { serviceHost: host },
    greeting: [{ event: 'connected', version: '1.0.0' }, event('start', 1, { start })],
    media: (number, payload) => event('media', number + 1, { media: inbound(number, payload) }),
    stop: number => event('stop', number + 1, { stop: call }),
    sound: ['media', {}],
  };
}

function plivo(host: string): PhoneStream {
  const stream = { streamId: randomUUID() };
  const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000 };
  const start = { callId: randomUUID(), accountId: 'MA0', tracks: ['inbound'], mediaFormat, ...stream };
  const event = eventsOf(number => ({ sequenceNumber: number }), {});
  const extra_headers = '{}';
  return {
    codec: MULAW,
    query: { serviceHost: host },
    greeting: [event('start', 0, { start, extra_headers })],
    media: (number, payload) =>
      event('media', number, { ...stream, media: { ...inbound(number, payload), chunk: number }, extra_headers }),
    stop: number => event('stop', number + 1, stream),
    sound: ['playAudio', {}],
  };
}

function exotel(host: string): PhoneStream {
  const [stream, call] = [{ stream_sid: hex() }, { call_sid: hex(), account_sid: 'botcli' }];
  const media_format = { encoding: 'base64', sample_rate: '8000', bit_rate: '128kbps' };
  const start = { ...stream, ...call, from: FROM, to: TO, custom_parameters: {}, media_format };
  const event = eventsOf(number => ({ sequence_number: number }), stream);
  return {
    codec: PCM,
    query: { serviceHost: host },
    greeting: [{ event: 'connected' }, event('start', 1, { start })],
    media: (number, payload) =>
      event('media', number + 1, { media: { chunk: number, timestamp: timeOf(number), payload } }),
    stop: number => event('stop', number + 1, { stop: { ...call, reason: 'callended' } }),
    sound: ['media', stream],
  };
}

/** How each provider calls, by the name that the gateway's address has for it. */
const STREAMS = { twilio, telnyx, plivo, exotel };

const fieldsOf = (value: unknown) => (isObject(value) ? value : {});

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
  bytes: number;
  silence: number;
  sampleAt(sound: Buffer, number: number): number;
}

const MULAW: Codec = { bytes: 1, silence: 0xff, sampleAt: (sound, number) => fromMulaw(sound[number] as number) };
const PCM: Codec = { bytes: 2, silence: 0, sampleAt: (sound, number) => sound.readInt16LE(number * 2) };

/** Listens until somebody speaks: hears a piece of sound, and returns whether somebody has spoken so far. */
function createEar(codec: Codec): (piece: Buffer) => boolean {
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
