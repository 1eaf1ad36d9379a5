import { randomUUID } from 'node:crypto';
import { isObject } from '../../json.ts';
import { MULAW, PCM } from './ear.ts';

/** What a phone provider and the platform's gateway say to each other during one call. Based on the providers' documents. */
interface PhoneStream {
  codec: typeof MULAW;
  /** What the address needs to find the agent. */
  query: Readonly<Record<string, string>>;
  /** The messages before the first sound. */
  greeting: readonly object[];
  /** A piece of the caller's sound, in base64. Its number counts from 1. */
  media(number: number, payload: string): object;
  /** The caller hangs up. */
  stop(number: number): object;
  /** The sound in a message of the bot's, in base64; undefined if it has none for this call. */
  soundIn(message: unknown): string | undefined;
}

type Message = Readonly<Record<string, unknown>>;

const fieldsOf = (value: unknown): Message => (isObject(value) ? value : {});

/** The payload of a message about this stream. */
const soundOf = (event: string, stream: Message) => (message: unknown) => {
  const fields = fieldsOf(message);
  const isOurs = Object.entries(stream).every(([name, id]) => fields[name] === id);
  const { payload } = fieldsOf(fields.media);
  return fields.event === event && isOurs && typeof payload === 'string' ? payload : undefined;
};

const FROM = '+15550001111';
const TO = '+15550002222';
/** The caller's sound so far, in milliseconds. */
const timeOf = (number: number): string => `${number * 20}`;
const hex = (): string => randomUUID().replaceAll('-', '');
const inbound = (number: number, payload: string) => ({
  track: 'inbound',
  chunk: `${number}`,
  timestamp: timeOf(number),
  payload,
});

/** Numbered messages of a stream. */
const eventsOf =
  (stream: Message, numbered: (number: number) => object) =>
  (event: string, number: number, more: object): object => ({ event, ...numbered(number), ...stream, ...more });

function twilio(host: string): PhoneStream {
  const [stream, call] = [{ streamSid: `MZ${hex()}` }, { accountSid: `AC${hex()}`, callSid: `CA${hex()}` }];
  const customParameters = { _pipecatCloudServiceHost: host, from_number: FROM, to_number: TO };
  const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000, channels: 1 };
  const start = { ...stream, ...call, tracks: ['inbound'], mediaFormat, customParameters };
  const event = eventsOf(stream, number => ({ sequenceNumber: `${number}` }));
  return {
    codec: MULAW,
    query: {},
    greeting: [{ event: 'connected', protocol: 'Call', version: '1.0.0' }, event('start', 1, { start })],
    media: (number, payload) => event('media', number + 1, { media: inbound(number, payload) }),
    stop: number => event('stop', number + 1, { stop: call }),
    soundIn: soundOf('media', stream),
  };
}

function telnyx(host: string): PhoneStream {
  const [stream, user] = [{ stream_id: randomUUID() }, { user_id: randomUUID() }];
  const call = { ...user, call_control_id: `v3:${hex()}` };
  const media_format = { encoding: 'PCMU', sample_rate: 8000, channels: 1 };
  const event = eventsOf(stream, number => ({ sequence_number: `${number}` }));
  return {
    codec: MULAW,
    query: { serviceHost: host },
    greeting: [
      { event: 'connected', version: '1.0.0' },
      event('start', 1, { start: { ...call, from: FROM, to: TO, media_format } }),
    ],
    media: (number, payload) => event('media', number + 1, { media: inbound(number, payload) }),
    stop: number => event('stop', number + 1, { stop: call }),
    soundIn: soundOf('media', {}),
  };
}

function plivo(host: string): PhoneStream {
  const stream = { streamId: randomUUID() };
  const mediaFormat = { encoding: 'audio/x-mulaw', sampleRate: 8000 };
  const start = { callId: randomUUID(), accountId: 'MA0', tracks: ['inbound'], mediaFormat, ...stream };
  const event = (name: string, number: number, more: object) => ({ sequenceNumber: number, event: name, ...more });
  return {
    codec: MULAW,
    query: { serviceHost: host },
    greeting: [event('start', 0, { start, extra_headers: '{}' })],
    media: (number, payload) =>
      event('media', number, {
        ...stream,
        media: { track: 'inbound', timestamp: timeOf(number), chunk: number, payload },
        extra_headers: '{}',
      }),
    stop: number => event('stop', number + 1, stream),
    soundIn: soundOf('playAudio', {}),
  };
}

function exotel(host: string): PhoneStream {
  const [stream, call] = [{ stream_sid: hex() }, { call_sid: hex(), account_sid: 'botcli' }];
  const media_format = { encoding: 'base64', sample_rate: '8000', bit_rate: '128kbps' };
  const event = eventsOf(stream, number => ({ sequence_number: number }));
  return {
    codec: PCM,
    query: { serviceHost: host },
    greeting: [
      { event: 'connected' },
      event('start', 1, {
        start: { ...stream, ...call, from: FROM, to: TO, custom_parameters: {}, media_format },
      }),
    ],
    media: (number, payload) =>
      event('media', number + 1, { media: { chunk: number, timestamp: timeOf(number), payload } }),
    stop: number => event('stop', number + 1, { stop: { ...call, reason: 'callended' } }),
    soundIn: soundOf('media', stream),
  };
}

/** A new call of each provider, by the name that the gateway's address has for it. */
export const phoneStreams: Readonly<Record<string, (serviceHost: string) => PhoneStream>> = {
  twilio,
  telnyx,
  plivo,
  exotel,
};
