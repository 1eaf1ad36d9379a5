import { mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { configPath, replaceFile } from '../account/user-config.ts';
import { callSetups } from '../catalog/call-setup.ts';
import type { TransportRow } from '../catalog/index.ts';
import { type Facts, valueFor } from '../check/checks/facts.ts';
import { explainSystemError, ignoring, UserError } from '../errors.ts';
import { checkNodeSettings } from '../network/requests.ts';
import type { Terminal } from '../shell/terminal.ts';
import { isObject, orElse, parsedJson } from '../std.ts';
import { onOneLine, textOf } from '../text.ts';
import { mayRun } from '../writing/scratch.ts';
import type { Surroundings } from './surroundings.ts';

/** Where Twilio asks what to do with a call to a number. The address is empty if it asks nobody. */
interface CallTarget {
  url: string;
  method: string;
}

interface TwilioNumber extends CallTarget {
  sid: string;
  /** With its country code: `+15551234567`. */
  number: string;
  /** Why its address makes no difference: a part of a sentence. */
  obstacle?: string | undefined;
}

/** A number that botcli has pointed at a bot. A file remembers it until its settings are back. */
interface Pointed {
  number: string;
  sid: string;
  /** The project whose `botcli dev` did it. */
  project: string;
  pid: number;
  before: CallTarget;
  /** The addresses that botcli has set. */
  set: readonly string[];
}

interface NumberPlan {
  facts: Facts;
  way: { transport: TransportRow | undefined; tunnel: boolean; host?: string | undefined; number: string | undefined };
  asks: boolean;
  /** `--skip`: whether to change the number without asking. */
  skip?: boolean | undefined;
  /** Where to send all requests, for tests. */
  origin?: string;
}

/** Next to the file with the login, as another project may have the same number. */
const folderOf = (terminal: Terminal): string => dirname(configPath(terminal));
const fileOf = (number: string, terminal: Terminal): string =>
  join(folderOf(terminal), `number${number.replace('+', '-')}.json`);

/** What a file remembers; undefined if it isn't the file of that number. */
function recall(path: string, terminal: Terminal): Pointed | undefined {
  const found = parsedJson(orElse(() => readFileSync(path, 'utf8'), ''));
  if (!isObject(found) || !isObject(found.before) || !Array.isArray(found.set)) return undefined;
  const isOurs = SID.test(textOf(found.sid)) && fileOf(textOf(found.number), terminal) === path;
  return isOurs ? (found as unknown as Pointed) : undefined;
}

/** Forgets a number, unless another `botcli dev` has pointed it elsewhere since. */
function forget({ number, set }: Pointed, terminal: Terminal): void {
  const path = fileOf(number, terminal);
  const known = recall(path, terminal);
  // If it can't be deleted, the next run finds that the number is back.
  if (known && known.set.at(-1) === set.at(-1)) orElse(() => rmSync(path), undefined);
}

function remember(pointed: Pointed, terminal: Terminal): void {
  const path = fileOf(pointed.number, terminal);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    replaceFile(path, `${JSON.stringify(pointed, null, 2)}\n`);
  } catch (error) {
    throw new Error(`${path} can't be written: ${explainSystemError(error)}`);
  }
}

/** What Twilio asks, for people. An address may have a password, or a key in its place. */
function shown({ url, method }: CallTarget): string {
  if (url === '') return 'no address';
  const address = onOneLine(url.replace(/^(https?:\/\/(?:[^/?#:]*:)?)[^/?#]*@/i, '$1…@'));
  return method ? `${address} (${onOneLine(method)})` : address;
}

const isSame = (one: CallTarget, other: CallTarget): boolean =>
  one.url === other.url && (!one.method || !other.method || one.method === other.method);

/** Offers to put back what an earlier run left. Then asks whether to change a number, and returns it unchanged. */
export async function prepareNumber(plan: NumberPlan, surroundings: Surroundings) {
  await offerLeft(plan, surroundings);
  const number = await chooseNumber(plan, surroundings);
  if (number === undefined) return undefined;
  const { skip, facts, way } = plan;
  const { stop, terminal } = surroundings;
  const twilio = openTwilio(plan, terminal);
  // Twilio also finds numbers that only contain this one.
  const found = await twilio.list(`PhoneNumber=${encodeURIComponent(number)}`, stop.signal);
  stop.signal.throwIfAborted();
  const now = found.find(one => one.number === number);
  if (!now) {
    throw new UserError(`The Twilio account of TWILIO_ACCOUNT_SID doesn't have the number ${number}`, {
      reason: 'not-found',
      hint: 'Its numbers: https://console.twilio.com',
    });
  }
  if (now.obstacle) {
    throw new UserError(`${number} can't be pointed at the bot: ${now.obstacle}`, {
      reason: 'conflict',
      hint: 'Change that in the Twilio console, or leave out --number: botcli prints the steps at the provider.',
    });
  }
  // What an earlier run left isn't what was there before.
  const left = recall(fileOf(number, terminal), terminal);
  const { before, set } = left?.set.includes(now.url)
    ? left
    : { before: { url: now.url, method: now.method }, set: [] };
  const { path, hidesCaller } = callSetups[way.transport?.id ?? '']?.twilio ?? { path: '/' };
  terminal.note(`For a call to ${number}, Twilio now asks ${shown(now)}.`);
  terminal.note(`While botcli dev runs, it would ask your bot. Then botcli sets ${shown(before)} again.`);
  if (hidesCaller) terminal.note("This way, the bot doesn't learn the caller's number; with a TwiML Bin, it does.");
  if (!skip && !(await terminal.confirm(`Point ${number} at your bot?`, { instead: 'Pass --skip.', isFresh: true }))) {
    terminal.note('The number stays as it is.');
    return undefined;
  }
  const pointed = { number, sid: now.sid, project: facts.project.root, pid: process.pid, before, set };
  return createNumber(pointed, path, twilio, surroundings);
}

/** The number of the command line, or one that a person chooses from the account's: by default, none of them. */
async function chooseNumber(plan: NumberPlan, { stop, terminal }: Surroundings): Promise<string | undefined> {
  const { asks, skip, facts, way } = plan;
  const isReachable = (way.tunnel || way.host !== undefined) && callSetups[way.transport?.id ?? '']?.twilio;
  const hasKeys = KEYS.every(name => valueFor(name, facts.env));
  if (way.number !== undefined || !asks || skip || !isReachable || !hasKeys) return way.number;
  const onError = ({ message }: UserError) => {
    terminal.note(`${terminal.noteStyle.yellow('!')} botcli can't offer your Twilio numbers. ${message}`);
    return true;
  };
  const asking = openTwilio(plan, terminal).list('PageSize=100', stop.signal);
  const numbers = (await asking.catch(ignoring(onError))) ?? [];
  stop.signal.throwIfAborted();
  const usable = numbers.filter(({ number, obstacle }) => !obstacle && /^\+\d+$/.test(number));
  if (usable.length === 0) return undefined;
  const none = { value: '', label: 'None: print the steps at the provider' };
  const choices = [none, ...usable.map(({ number }) => ({ value: number, label: number }))];
  const chosen = await terminal.choose('Which number should reach the bot?', { choices, instead: 'Pass --number.' });
  return chosen || undefined;
}

/** Says which numbers an earlier run of this project couldn't put back, and offers to do it. */
async function offerLeft(plan: NumberPlan, surroundings: Surroundings): Promise<void> {
  const { facts, way, asks } = plan;
  const { terminal, stop } = surroundings;
  const names = orElse(() => readdirSync(folderOf(terminal)), []).filter(name => /^number-\d+\.json$/.test(name));
  for (const left of names.flatMap(name => recall(join(folderOf(terminal), name), terminal) ?? [])) {
    // This run puts its own number back.
    if (left.project !== facts.project.root || left.number === way.number) continue;
    if (orElse(() => mayRun(left.pid, statSync(fileOf(left.number, terminal)).mtimeMs), false)) {
      terminal.note(`${left.number} is pointed at the bot of another botcli dev, process ${left.pid}.`);
      continue;
    }
    terminal.note(`${terminal.noteStyle.yellow('!')} An earlier botcli dev left ${left.number} pointed at a bot.`);
    terminal.note(`  Before that, Twilio asked ${shown(left.before)}.`);
    if (!asks) continue;
    if (!(await terminal.confirm('Put that back?', { instead: '', isFresh: true }))) {
      terminal.note(`It stays as it is. To forget it, delete ${fileOf(left.number, terminal)}`);
      continue;
    }
    await createNumber(left, '/', openTwilio(plan, terminal), surroundings).restore();
    stop.signal.throwIfAborted();
  }
}

/** A phone number whose calls reach the bot while `botcli dev` runs. */
function createNumber(
  pointed: Pointed,
  path: string,
  twilio: ReturnType<typeof openTwilio>,
  { stop, report, terminal }: Surroundings,
) {
  const { number, sid } = pointed;
  const { green, red, yellow } = terminal.style;
  const before = shown(pointed.before);
  let { set } = pointed;
  /** The change that Twilio is making. It isn't cut off, because nobody would know what came of it. */
  let changing: Promise<unknown> = Promise.resolve();
  /** Whether a change may still arrive at Twilio. */
  let isUnsure = false;
  let isOver = false;
  let isPointed = false;

  /** Remembers an address that is botcli's own. */
  const rememberOwn = (url: string) => {
    remember({ ...pointed, set: [...set, url] }, terminal);
    set = [...set, url];
  };

  /** Puts the settings back. Returns what the number has instead, if somebody else has changed it. */
  const putBack = async (): Promise<string | undefined> => {
    let now = await twilio.read(sid, stop.hurry);
    if (![...set, pointed.before.url].includes(now.url)) return shown(now);
    // A change that got no response may still arrive.
    if (isUnsure || !isSame(now, pointed.before)) now = await twilio.change(sid, pointed.before, stop.hurry);
    if (!isSame(now, pointed.before)) throw new Error(`Twilio has ${shown(now)}`);
    return now.obstacle;
  };

  return {
    number,
    get isPointed() {
      return isPointed;
    },

    /** Makes calls reach the bot at a public hostname. If that fails, says why. */
    async point(host: string): Promise<void> {
      const target = { url: `https://${host}${path}`, method: 'POST' };
      if (isOver || stop.signal.aborted) return;
      isPointed = false;
      try {
        // Whatever happens from here on, the next run knows.
        rememberOwn(target.url);
        const change = twilio.change(sid, target, stop.hurry);
        changing = change.catch(() => {});
        const now = await change;
        if (now.url === pointed.before.url && now.url !== target.url) throw new Error('Twilio left it as it was.');
        // Twilio may write it differently.
        if (now.url !== target.url) rememberOwn(now.url);
        isPointed = true;
        report.event('dev', 'number', { number, state: 'pointed', url: target.url });
      } catch (error) {
        isUnsure = true;
        const message = `Could not point ${number} at the bot. ${(error as Error).message}`;
        report.event('dev', 'problem', { message }, `${red('✗')} ${message}`);
      }
    },

    /** Puts the number back, if it's still what botcli has set, and says what it did. Never fails. */
    async restore(): Promise<void> {
      isOver = true;
      await changing;
      if (set.length === 0) return;
      report.say(`Putting ${number} back.`);
      const said = (state: string, text: string) => report.event('dev', 'number', { number, state, before }, text);
      try {
        const found = await putBack();
        forget({ ...pointed, set }, terminal);
        if (found)
          said('kept', `${yellow('!')} ${number} was changed meanwhile and stays: ${found}. It was ${before}.`);
        else said('restored', `${green('✓')} For a call to ${number}, Twilio asks ${before} again.`);
      } catch (error) {
        const message = `Could not put ${number} back. ${(error as Error).message}`;
        const hint = `Before, Twilio asked ${before}. Set that at https://console.twilio.com, or run botcli dev again.`;
        report.event('dev', 'problem', { message, hint }, `${red('✗')} ${message}\n  ${hint}`);
      }
    },
  };
}

const KEYS = ['TWILIO_ACCOUNT_SID', 'TWILIO_AUTH_TOKEN'];

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

/** Reads and changes the phone numbers of an account. Each method throws if a key is missing, or Twilio says no, or nothing. */
function openTwilio({ facts, origin }: NumberPlan, terminal: Terminal) {
  /** Sends a request. It sets what it sends, so repeating it does no harm. */
  const ask = async (path: string, signal: AbortSignal, form?: string): Promise<Record<string, unknown>> => {
    const { askProvider } = await import('../network/ask-provider.ts');
    checkNodeSettings('https://', terminal.env);
    const [account = '', token = ''] = KEYS.map(name => valueFor(name, facts.env));
    if (!account || !token) throw refusal(`The number needs ${KEYS.join(' and ')} in server/.env`);
    // Someone may have swapped the two, and a secret doesn't belong in an address.
    if (!/^AC[0-9a-f]{32}$/i.test(account)) {
      const hint = 'It is AC and 32 hexadecimal digits: https://console.twilio.com';
      throw refusal("TWILIO_ACCOUNT_SID isn't the SID of an account", hint);
    }
    const headers = { Authorization: `Basic ${Buffer.from(`${account}:${token}`).toString('base64')}` };
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
  return {
    async list(query: string, signal: AbortSignal): Promise<TwilioNumber[]> {
      const { incoming_phone_numbers: list } = await ask(`.json?${query}`, signal);
      return Array.isArray(list) ? list.filter(isObject).map(numberFrom) : [];
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

const refusal = (message: string, hint?: string) => new UserError(message, { reason: 'service-failed', hint });

const failed = (why: string) => refusal(`Twilio can't be asked about the number: ${why}`);

const SID = /^PN[0-9a-f]{32}$/i;

function numberFrom(found: Record<string, unknown>): TwilioNumber {
  const { sid, phone_number: number, voice_url: url, voice_method: method } = found;
  if (typeof sid !== 'string' || !SID.test(sid)) throw failed('it names no number in its response');
  const obstacle = OBSTACLES.find(([field, isSo]) => isSo(found[field]))?.[2];
  return { sid, number: textOf(number), url: textOf(url ?? ''), method: textOf(method ?? ''), obstacle };
}
