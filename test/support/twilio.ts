import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

// Stands in for Twilio's phone numbers, as its documents describe them:
// https://www.twilio.com/docs/phone-numbers/api/incomingphonenumber-resource

export const ACCOUNT = `AC${'a'.repeat(32)}`;
export const TOKEN = 'the-token-that-nobody-may-see';
export const NUMBER = '+15551234567';
export const BEFORE = 'https://voice.example.com/answer';
const SID = `PN${'1'.repeat(32)}`;

/** What happens to a request, instead of a response: only the last one also does what it asks. */
export type Fault = 'closed' | 'busy' | 'broken' | 'lost' | 'held';

interface StandIn {
  origin: string;
  /** The number, by the names of its properties. */
  settings: Record<string, unknown>;
  /** What to do with requests, by their position. */
  faults: Map<number, Fault>;
  /** How Twilio writes an address. */
  spell(url: string): string;
  /** Each request: method, path and form. */
  requests: string[];
  /** Resolves once so many requests came. */
  until(count: number): Promise<void>;
  /** Lets requests that are held go on. */
  release(): void;
}

/** Runs `use` with an account that has a number. */
export async function withTwilio(use: (twilio: StandIn) => Promise<void>, settings: Record<string, unknown> = {}) {
  const held: (() => void)[] = [];
  const number: Record<string, unknown> = {
    sid: SID,
    account_sid: ACCOUNT,
    phone_number: NUMBER,
    friendly_name: '(555) 123-4567',
    voice_url: BEFORE,
    voice_method: 'GET',
    voice_fallback_url: 'https://voice.example.com/fallback',
    voice_application_sid: '',
    trunk_sid: null,
    voice_receive_mode: 'voice',
    sms_url: 'https://sms.example.com',
    capabilities: { voice: true, sms: true, mms: false, fax: false },
    ...settings,
  };
  const others = [{ ...number, sid: `PN${'2'.repeat(32)}`, phone_number: `${NUMBER}8` }];

  const answer = (request: IncomingMessage, form: URLSearchParams): [status: number, body: object] => {
    const known = `Basic ${Buffer.from(`${ACCOUNT}:${TOKEN}`).toString('base64')}`;
    if (request.headers.authorization !== known) return [401, { code: 20003, message: 'Authenticate' }];
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://localhost');
    const base = `/api.twilio.com/2010-04-01/Accounts/${ACCOUNT}/IncomingPhoneNumbers`;
    if (pathname === `${base}.json`) {
      const wanted = searchParams.get('PhoneNumber') ?? '';
      const list = [...others, number].filter(one => String(one.phone_number).includes(wanted));
      return [200, { incoming_phone_numbers: list, page: 0, page_size: 50, next_page_uri: null }];
    }
    if (pathname !== `${base}/${SID}.json`) return [404, { code: 20404, message: 'Not found' }];
    if (request.method === 'POST') {
      const url = form.get('VoiceUrl');
      const method = form.get('VoiceMethod');
      if (url && !/^https?:/.test(url)) return [400, { code: 21402, message: 'VoiceUrl is not valid' }];
      if (url !== null) number.voice_url = standIn.spell(url);
      if (method !== null) number.voice_method = method;
    }
    return [200, number];
  };

  const server = createServer(async (request: IncomingMessage, response: ServerResponse) => {
    let text = '';
    for await (const chunk of request.setEncoding('utf8')) text += chunk;
    const fault = standIn.faults.get(standIn.requests.length);
    standIn.requests.push([request.method, request.url, text].join(' ').trim());
    if (fault === 'closed') return void response.destroy();
    if (fault === 'broken') return void response.end('<html>A network that you must log in to</html>');
    if (fault === 'busy') return void response.writeHead(503).end('{}');
    if (fault === 'held') await new Promise<void>(resolve => held.push(resolve));
    const [status, body] = answer(request, new URLSearchParams(text));
    if (fault === 'lost') return void response.destroy();
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  }).listen(0, '127.0.0.1');
  await new Promise(resolve => server.once('listening', resolve));

  const standIn: StandIn = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    settings: number,
    faults: new Map(),
    requests: [],
    spell: url => url,
    async until(count) {
      while (standIn.requests.length < count) await sleep(5);
    },
    release: () => {
      for (const go of held.splice(0)) go();
    },
  };
  try {
    await use(standIn);
  } finally {
    standIn.release();
    server.closeAllConnections();
    server.close();
  }
}
