import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { encodeFrame, type Frame, FrameReader, OPCODES, type Opcode } from '../../src/platform/frames.ts';
import type { StoredAgent, StoredSession } from './agents.ts';
import { openSession } from './sessions.ts';
import type { Organization } from './store.ts';

type Message = Record<string, unknown> & { start?: Record<string, unknown> };

/** How a provider's messages name the stream, and how a bot's sound gets to it. */
interface Provider {
  /** The field with the stream's ID, in each message of the bot's. */
  stream: string;
  isPcm?: true;
  /** Where the caller says which agent they want. */
  hostIn(start: Message, query: URLSearchParams): unknown;
  sound(id: unknown, payload: string): object;
}

const inQuery = (_: Message, query: URLSearchParams) => query.get('serviceHost');
const named = (field: string) => (id: unknown, payload: string) => ({
  event: 'media',
  [field]: id,
  media: { payload },
});

const PROVIDERS: Readonly<Record<string, Provider>> = {
  twilio: {
    stream: 'streamSid',
    hostIn: ({ start }) => (start?.customParameters as Message | undefined)?._pipecatCloudServiceHost,
    sound: named('streamSid'),
  },
  telnyx: { stream: 'stream_id', hostIn: inQuery, sound: (_, payload) => ({ event: 'media', media: { payload } }) },
  plivo: {
    stream: 'streamId',
    hostIn: inQuery,
    sound: (_, payload) => ({
      event: 'playAudio',
      media: { contentType: 'audio/x-mulaw', sampleRate: 8000, payload },
    }),
  },
  exotel: { stream: 'stream_sid', isPcm: true, hostIn: inQuery, sound: named('stream_sid') },
};

/** Pieces of sound from a caller until the bot speaks. */
const PIECES = 5;
const WINDOW = 160;

/**
 * Takes a phone call, as the platform's gateway does. The bot speaks after some pieces of the caller's sound. An agent
 * whose name ends in `-mute` stays silent, and one in `-hangup` hangs up.
 *
 * @returns The status of the response.
 */
export function takeCall(
  organizations: readonly Organization[],
  request: IncomingMessage,
  socket: Duplex,
): { status: number } {
  const url = new URL(request.url ?? '', 'http://localhost');
  const name = /^\/ws\/(\w+)$/.exec(url.pathname)?.[1] ?? '';
  const provider = Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined;
  const key = request.headers['sec-websocket-key'];
  if (!provider || !key) {
    socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
    return { status: 404 };
  }
  const accept = createHash('sha1').update(`${key}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
  );
  const call = new PhoneCall(organizations, provider, url.searchParams, socket);
  const reader = new FrameReader();
  socket.on('data', (piece: Buffer) => {
    for (const frame of reader.push(piece)) call.take(frame);
  });
  socket.on('error', () => socket.destroy());
  socket.on('close', () => call.end());
  return { status: 101 };
}

class PhoneCall {
  private readonly organizations: readonly Organization[];
  private readonly provider: Provider;
  private readonly query: URLSearchParams;
  private readonly socket: Duplex;
  private agent: StoredAgent | undefined;
  private session: StoredSession | undefined;
  private stream: unknown;
  private pieces = 0;

  constructor(organizations: readonly Organization[], provider: Provider, query: URLSearchParams, socket: Duplex) {
    this.organizations = organizations;
    this.provider = provider;
    this.query = query;
    this.socket = socket;
  }

  take({ opcode, payload }: Frame): void {
    if (opcode === OPCODES.close) {
      this.write(OPCODES.close, payload);
      this.socket.end();
    } else if (opcode === OPCODES.text) this.hear(JSON.parse(payload.toString()));
  }

  /** The call is over. */
  end(): void {
    if (!this.session || this.session.endedAt) return;
    this.session.endedAt = new Date().toISOString();
    this.session.endState = 'completed';
  }

  private hear(message: Message): void {
    if (message.event === 'start') this.start(message);
    else if (message.event === 'stop') this.end();
    else if (message.event === 'media' && this.agent) {
      this.pieces += 1;
      if (this.pieces >= PIECES && !this.agent.name.endsWith('-mute')) this.speak();
    }
  }

  private start(message: Message): void {
    const [agent, organization] = String(this.provider.hostIn(message, this.query)).split('.');
    this.agent = this.organizations.find(({ name }) => name === organization)?.agents.get(agent ?? '');
    this.stream = message[this.provider.stream] ?? message.start?.[this.provider.stream];
    const isReady = this.agent?.ready !== undefined && this.agent.settings.websocketAuth !== 'token';
    if (this.agent && isReady && this.stream !== undefined) this.session = openSession(this.agent);
    if (!this.session || this.session.endedAt) this.hangUp();
  }

  private speak(): void {
    const samples = Array.from({ length: WINDOW }, (_, at) => Math.round(8000 * Math.sin((at * 2 * Math.PI) / 16)));
    const pcm = Buffer.alloc(WINDOW * 2);
    samples.forEach((sample, at) => {
      pcm.writeInt16LE(sample, at * 2);
    });
    // A square wave at half volume, in G.711.
    const mulaw = Buffer.from(samples.map(sample => (sample < 0 ? 0x1f : 0x9f)));
    const payload = (this.provider.isPcm ? pcm : mulaw).toString('base64');
    this.write(OPCODES.text, Buffer.from(JSON.stringify(this.provider.sound(this.stream, payload))));
  }

  private hangUp(): void {
    this.write(OPCODES.close, Buffer.from([0x03, 0xe8]));
    this.socket.end();
  }

  private write(opcode: Opcode, payload: Buffer): void {
    if (this.socket.writable) this.socket.write(encodeFrame(opcode, payload));
  }
}
