import { type Facts, valueFor } from '../check/checks/facts.ts';
import { UserError } from '../errors.ts';
import { askProvider } from '../network/ask-provider.ts';
import { checkNodeSettings } from '../network/request.ts';
import type { Terminal } from '../shell/terminal.ts';
import { isObject, parsedJson } from '../std.ts';
import { textOf } from '../text.ts';

/** Where Twilio asks what to do with a call to a number. The address is empty if it asks nobody. */
interface CallTarget {
  url: string;
  method: string;
}

interface TwilioNumber extends CallTarget {
  sid: string;
  /** Why its address makes no difference: a part of a sentence. */
  obstacle?: string | undefined;
}

/** What keeps Twilio from asking an address, by the field that says so. */
const OBSTACLES: readonly [field: string, isSo: (value: unknown) => unknown, why: string][] = [
  ['trunk_sid', Boolean, 'a SIP trunk takes its calls'],
  ['voice_application_sid', Boolean, 'a TwiML App takes its calls'],
  ['voice_receive_mode', mode => mode === 'fax', 'it receives faxes'],
  ['capabilities', can => isObject(can) && can.voice === false, 'it takes no calls'],
];

const MOST_TRIES = 3;
const RETRY_MS = 1000;
/** How long Twilio may take for a response, in milliseconds. */
const DEADLINE_MS = 5000;

/** Reads and changes the phone numbers of an account. Each method throws if Twilio says no, or nothing. */
export function openTwilio(env: Facts['env'], terminal: Terminal, origin: string | undefined) {
  checkNodeSettings('https://', terminal.env);
  const [account = '', token = ''] = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'].map(name => valueFor(name, env));
  if (!account || !token) {
    throw new UserError('The number needs TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN in server/.env', {
      reason: 'service-failed',
    });
  }
  // Someone may have swapped the two, and a secret doesn't belong in an address.
  if (!/^AC[0-9a-f]{32}$/i.test(account)) {
    throw new UserError("TWILIO_ACCOUNT_SID isn't the SID of an account", {
      reason: 'service-failed',
      hint: 'It is AC and 32 hexadecimal digits: https://console.twilio.com',
    });
  }
  const headers = { Authorization: `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}` };

  /** Sends a request. It sets what it sends, so repeating it does no harm. */
  const ask = async (path: string, signal: AbortSignal, form?: string): Promise<Record<string, unknown>> => {
    const url = `https://api.twilio.com/2010-04-01/Accounts/${account}/IncomingPhoneNumbers${path}`;
    const request = { url, headers, ...(form !== undefined && { form }) };
    for (let tries = 1; ; tries++) {
      const reply = await askProvider(request, { deadlineMs: DEADLINE_MS, ...(origin && { origin }) }, signal);
      const isFinal = typeof reply !== 'string' && reply.status !== 429 && reply.status < 500;
      if (!isFinal && tries < MOST_TRIES && !signal.aborted) {
        await terminal.sleep(RETRY_MS);
        continue;
      }
      if (typeof reply === 'string') throw failed(reply);
      if (reply.status < 200 || reply.status >= 300)
        throw failed(STATUS[reply.status] ?? `it responded with HTTP ${reply.status}`);
      const found = parsedJson(reply.data);
      if (isObject(found)) return found;
      throw failed(`its response isn't a JSON object (HTTP ${reply.status})`);
    }
  };
  const listed = async (query: string, signal: AbortSignal) => {
    const { incoming_phone_numbers: list } = await ask(`.json?${query}`, signal);
    return Array.isArray(list) ? list.filter(isObject) : [];
  };
  return {
    async find(number: string, signal: AbortSignal): Promise<TwilioNumber> {
      // Twilio also finds numbers that only contain this one.
      const list = await listed(`PhoneNumber=${encodeURIComponent(number)}`, signal);
      const found = list.find(one => one.phone_number === number);
      if (found) return numberFrom(found);
      throw new UserError(`The Twilio account of TWILIO_ACCOUNT_SID doesn't have the number ${number}`, {
        reason: 'not-found',
        hint: 'Its numbers: https://console.twilio.com',
      });
    },

    async list(signal: AbortSignal): Promise<string[]> {
      const usable = (await listed('PageSize=100', signal)).filter(one => !obstacleOf(one));
      return usable.map(one => textOf(one.phone_number)).filter(number => /^\+\d+$/.test(number));
    },

    read: async (sid: string, signal: AbortSignal) => numberFrom(await ask(`/${sid}.json`, signal)),

    /** @returns The number as Twilio has it after the change. */
    async change(sid: string, { url, method }: CallTarget, signal: AbortSignal): Promise<TwilioNumber> {
      const form = new URLSearchParams({ VoiceUrl: url, ...(method && { VoiceMethod: method }) });
      return numberFrom(await ask(`/${sid}.json`, signal, String(form)));
    },
  };
}

const STATUS: Readonly<Record<number, string>> = {
  401: 'it refuses TWILIO_AUTH_TOKEN (HTTP 401)',
  403: 'TWILIO_AUTH_TOKEN may not do that (HTTP 403)',
  404: "the account doesn't have this number (HTTP 404)",
  429: 'it received too many requests (HTTP 429)',
};

const failed = (why: string) =>
  new UserError(`Twilio can't be asked about the number: ${why}`, { reason: 'service-failed' });

function numberFrom(found: Record<string, unknown>): TwilioNumber {
  const { sid, voice_url: url, voice_method: method } = found;
  if (typeof sid !== 'string' || !/^PN[0-9a-f]{32}$/i.test(sid)) throw failed('it names no number in its response');
  return { sid, url: textOf(url ?? ''), method: textOf(method ?? ''), obstacle: obstacleOf(found) };
}

const obstacleOf = (found: Record<string, unknown>): string | undefined =>
  OBSTACLES.find(([field, isSo]) => isSo(found[field]))?.[2];
