import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
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
  head: Buffer,
): { status: number } {
  const url = new URL(request.url ?? '', 'http://localhost');
  const name = /^\/ws\/(\w+)$/.exec(url.pathname)?.[1] ?? '';
  const provider = Object.hasOwn(PROVIDERS, name) ? PROVIDERS[name] : undefined;
  if (!provider || !request.headers['sec-websocket-key']) {
    socket.end('HTTP/1.1 404 Not Found\r\ncontent-length: 0\r\n\r\n');
    return { status: 404 };
  }
  new WebSocketServer({ noServer: true }).handleUpgrade(request, socket, head, line => {
    const call = new PhoneCall(organizations, provider, url.searchParams, line);
    line.on('message', data => call.hear(JSON.parse(String(data))));
    line.on('error', () => line.terminate());
    line.on('close', () => call.end());
  });
  return { status: 101 };
}

class PhoneCall {
  private readonly organizations: readonly Organization[];
  private readonly provider: Provider;
  private readonly query: URLSearchParams;
  private readonly line: WebSocket;
  private agent: StoredAgent | undefined;
  private session: StoredSession | undefined;
  private stream: unknown;
  private pieces = 0;

  constructor(organizations: readonly Organization[], provider: Provider, query: URLSearchParams, line: WebSocket) {
    this.organizations = organizations;
    this.provider = provider;
    this.query = query;
    this.line = line;
  }

  /** The call is over. */
  end(): void {
    if (!this.session || this.session.endedAt) return;
    this.session.endedAt = new Date().toISOString();
    this.session.endState = 'completed';
  }

  /** Takes a message of the provider's. */
  hear(message: Message): void {
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
    if (!this.session || this.session.endedAt) this.line.close(1000);
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
    this.line.send(JSON.stringify(this.provider.sound(this.stream, payload)));
  }
}
