import { createHmac } from 'node:crypto';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { textOf } from '../../support/local-ai-answers.ts';
import type { Sound } from '../../support/sound.ts';
import { audible, chatsOf, expect, expectChat } from '../expect.ts';
import { type CallServer, findPort, KEY, type RunningBot, startInVain, withCallServer } from '../running-bot.ts';
import { waitFor } from '../slowness.ts';
import type { StandInProgram } from '../stand-in.ts';
import { type Conversation, runScript, SPEECH } from '../talk.ts';
import { CALLER, NEXT_QUESTION } from './phone.ts';
import { ANSWERS } from './realtime.ts';
import { QUESTION } from './spoken.ts';

const WAIT_MS = 60_000;
const CALLED = '+15550002222';
const PUBLIC_URL = 'https://calls.example.com';

/** The stand-in for Daily's rooms and Twilio's calls, with a person on the phone. */
export const rooms = (...args: string[]): StandInProgram => ({
  script: 'room_service.py',
  args: [SPEECH, '--key', KEY, ...args],
  env: url => ({ DAILY_API_URL: url, PYTHONPATH: join(import.meta.dirname, '../stand_ins') }),
});

/** The person answers the third attempt. */
export const refusingRooms = rooms('--refuse-dialouts', '2');

/** The same, but the person waits for the caller to speak. */
export const roomsThatListen = rooms('--refuse-dialouts', '2', '--listen');

type Entry = Record<string, unknown>;

/** Waits until the journal contains a matching entry. */
async function find(bot: RunningBot, key: string): Promise<Entry> {
  const entry = await waitFor(() => bot.journal().find(one => key in one), WAIT_MS);
  expect(entry !== undefined, `${key} did not happen`, JSON.stringify(bot.journal()));
  return entry;
}

/** Checks everything that the person heard, and that the session ended when they hung up. */
async function expectSounds(bot: RunningBot, count: number): Promise<string> {
  const { unheard } = await find(bot, 'unheard');
  expect(unheard === 0, `${unheard} s of sound with nobody in the room`);
  const heard = (await find(bot, 'sounds')).sounds as Sound[];
  const sounds = heard.map((sound, at) => audible(sound, `sound ${at + 1}`));
  expect(sounds.length === count, `${sounds.length} sounds`, JSON.stringify(heard));
  await find(bot, 'left');
  return `heard ${sounds.join(', ')}; the session ends with the call`;
}

/** The same for a bot with separate speech-to-text, which must hear the person at the room's sample rate. */
async function expectTalk(bot: RunningBot, count: number): Promise<string> {
  const heard = await expectSounds(bot, count);
  const rates = bot.ai.journal.flatMap(({ path, sound }) =>
    path.endsWith('/transcriptions') ? (sound?.rate ?? 0) : [],
  );
  expect(rates.length > 0 && rates.every(rate => rate === 16_000), `heard at ${rates.join(' and ')} Hz`);
  return heard;
}

/** Two turns with a caller, who is greeted first. */
async function expectAnsweredCall(bot: RunningBot): Promise<string> {
  const talk = await expectTalk(bot, 3);
  expectChat(bot.ai, NEXT_QUESTION);
  expect(bot.log().includes(`Call from ${CALLER}`), 'the caller is not in the log', bot.log());
  return talk;
}

/** Sends Daily's webhook to the framework's runner, which moves the call on hold into the bot's room. */
export async function takeDailyCall(bot: RunningBot): Promise<string> {
  bot.ai.say(QUESTION, NEXT_QUESTION);
  const webhook = { From: CALLER, To: CALLED, callId: 'call-1', callDomain: 'domain-1' };
  const { status, body } = await post(`${bot.url}/daily-dialin-webhook`, webhook);
  expect(status === 200, `the webhook answered ${status}`, body);
  const { pinless } = await find(bot, 'pinless');
  const { callId, callDomain } = pinless as Entry;
  expect(callId === 'call-1' && callDomain === 'domain-1', 'another call', JSON.stringify(pinless));
  return `by Daily's webhook: ${await expectAnsweredCall(bot)}`;
}

const FORM = { CallSid: 'CA1', From: CALLER, To: CALLED };

/** Sends Twilio's signed webhook. The bot moves the caller into its room. */
export async function takeSipCall(bot: RunningBot): Promise<string> {
  bot.ai.say(QUESTION, NEXT_QUESTION);
  await setPublicUrl(bot.server);
  return withCallServer(bot.server, bot.url, async calls => {
    const { CallSid: _, ...rest } = FORM;
    await expectRefused(bot, [
      ['an unsigned call', [403], postForm(calls, FORM, 'wrong')],
      ['a forged one', [403], postForm(calls, { ...FORM, From: CALLED }, signatureOf(FORM))],
      ['a call without a CallSid', [400], postForm(calls, rest)],
    ]);
    const { status, body } = await postForm(calls, FORM);
    expect(status === 200 && /<Pause/.test(body), `the call: ${status}`, body);
    const { twiml, call } = await find(bot, 'twiml');
    expect(call === 'CA1' && /<Dial><Sip>sip:\w+@sip\.example\.com<\/Sip><\/Dial>/.test(String(twiml)), String(twiml));
    return `through server.py: ${await expectAnsweredCall(bot)}; unsigned, forged and incomplete calls refused`;
  });
}

/** The bot isn't running, so the caller hears an apology. */
export async function apologize(server: string): Promise<string> {
  await setPublicUrl(server);
  return withCallServer(server, `http://127.0.0.1:${await findPort()}`, async calls => {
    const { status, body } = await postForm(calls, FORM);
    expect(status === 200 && /<Say>Sorry/.test(body) && !/<Pause/.test(body), `${status}`, body);
    expect(calls.log().split('retrying').length === 4, 'no three more attempts', calls.log());
    return 'after four attempts, with an apology';
  });
}

/** A request makes the bot call. The person answers the third attempt, and speaks first. */
export const dialOut =
  (settings: Readonly<Record<string, string>>) =>
  (bot: RunningBot): Promise<string> => {
    bot.ai.say(QUESTION);
    return withCallServer(bot.server, bot.url, async calls => {
      await expectRefused(bot, [
        ['no key', [401, 403], post(`${calls.url}/dialout`, { dialout_settings: settings })],
        ['another key', [401], order(calls, settings, 'guess')],
        ['nobody to call', [422], order(calls, {})],
        ['no number', [422], order(calls, { phone_number: '911; rm', sip_uri: 'nonsense' })],
        ['an unknown setting', [422], order(calls, { ...settings, colour: 'red' })],
      ]);
      const { status, body } = await order(calls, settings);
      expect(status === 200, `the order: ${status}`, body);
      const talk = await expectTalk(bot, 1);
      const attempts = bot.journal().filter(entry => 'dialout' in entry);
      // Daily's library writes the names of settings in another way: `callerId`.
      const dialled = JSON.stringify(settings).replaceAll(/_([a-z])(?=\w*":)/g, (_, letter) => letter.toUpperCase());
      for (const { dialout } of attempts) expect(JSON.stringify(dialout) === dialled, JSON.stringify(dialout));
      const pauses = attempts.slice(1).map(({ at }, before) => Number(at) - Number(attempts[before]?.at));
      const [first = 0, second = 0] = pauses;
      expect(pauses.length === 2 && first > 1.9 && second > 3.9, `pauses of ${pauses.join(', ')} s`);
      expect((await find(bot, 'early')).early === 0, 'it spoke before the person did');
      expect(/The call ended: .*session/.test(bot.log()), 'the log does not mention the end', bot.log());
      const chat = chatsOf(bot.ai).at(-1) ?? [];
      const opening = chat.find(({ role, content }) => role === 'developer' && /You are calling/.test(String(content)));
      expect(opening !== undefined, 'no opening');
      const question = chat.find(message => textOf(message).includes(QUESTION));
      expect(question !== undefined, 'the person was not heard');
      const waits = pauses.map(seconds => `${seconds.toFixed(1)} s`).join(' and ');
      return `answered after 2 failures, ${waits} apart; ${talk}; requires the key`;
    });
  };

/** A speech-to-speech bot waits in its room until the person answers, speaks first, and replies to what they say. */
export function openCall(bot: RunningBot): Promise<string> {
  return withCallServer(bot.server, bot.url, async calls => {
    await order(calls, { phone_number: CALLED });
    const talk = await expectSounds(bot, 1 + ANSWERS.length);
    const journal = bot.journal();
    const told = journal.flatMap(({ written, said }) => written ?? said ?? []);
    const opening = String(told[0]);
    expect(/^You are calling/.test(opening), 'no opening', JSON.stringify(journal));
    const expected = [opening, `You said: ${opening}`, ...ANSWERS];
    expect(told.join('|') === expected.join('|'), `something else was said: ${told.join('|')}`);
    const words = [...bot.log().matchAll(/Transcript: bot: (.*)/g)].map(([, text]) => text);
    expect(words.join('|') === expected.slice(1).join('|'), `the transcript of it: ${words.join('|')}`);
    return `on a stand-in of the service: silent until the person answers, then speaks first; ${talk}`;
  });
}

/** Requests that are refused with one of these statuses, and start no bot. */
async function expectRefused(
  bot: RunningBot,
  tries: [why: string, status: number[], answer: Promise<{ status: number }>][],
): Promise<void> {
  for (const [why, expected, answer] of tries) {
    const { status } = await answer;
    expect(expected.includes(status), `${why}: ${status}`);
  }
  expect(bot.journal().length === 0, 'one of these started a bot');
}

/** A call that fails: the session ends, after so many attempts, and the log says why. */
const failWith =
  (attempts: number, logged: RegExp) =>
  (bot: RunningBot): Promise<string> =>
    withCallServer(bot.server, bot.url, async calls => {
      await order(calls, { phone_number: CALLED });
      await find(bot, 'left');
      const dialled = bot.journal().filter(entry => 'dialout' in entry).length;
      expect(dialled === attempts, `${dialled} attempts`);
      expect(logged.test(bot.log()), `the log does not mention ${logged}`, bot.log());
      return `${attempts} attempts`;
    });

/** Calls that fail, each with its own stand-in: the phone doesn't ring again once the person could have answered. */
export const FAILING_CALLS: Readonly<Record<string, [StandInProgram, Conversation]>> = {
  'gives up if no call can be placed': [rooms('--refuse-dialouts', '3'), failWith(3, /Couldn't place the call/)],
  'does not call a busy person again': [rooms('--busy'), failWith(1, /The call failed: .*busy/)],
  'does not call again after an answer': [rooms('--lose-answered'), failWith(1, /The call failed: .*lost/)],
};

/** With only the name of a deployed bot, the server requires the key at startup. */
export async function missKey(server: string): Promise<string> {
  const { code, stdout, stderr } = await startInVain(server, 'server.py', { PIPECAT_AGENT_NAME: 'my-agent' });
  const said = stdout + stderr;
  expect(code !== 0 && /Set these variables in \.env.*: PIPECAT_API_KEY$/m.test(said), `exit code ${code}`, said);
  return said.trim();
}

/** With the name of a deployed bot, the server starts that one, and retries when the cloud is busy. */
export async function startDeployed(server: string): Promise<string> {
  const asked = await runScript<{ path: string; key: string; order: Entry }[]>(server, 'start_deployed.py', []);
  expect(asked.length === 4, `${asked.length} requests`, JSON.stringify(asked));
  for (const { path, key, order: sent } of asked) {
    expect(path === '/v1/public/my-agent/start' && key === 'Bearer pk_test', path + key);
    expect(sent.createDailyRoom === true && JSON.stringify(sent.body) === '{"call":"one"}', JSON.stringify(sent));
  }
  return 'the third request, after 429 and 503; a bot that may be running is not started again';
}

/** Adds a line to `.env`, as the README says. The last line for a variable wins. */
const setPublicUrl = (server: string): Promise<void> => appendFile(join(server, '.env'), `PUBLIC_URL=${PUBLIC_URL}\n`);

/** Twilio's signature: an HMAC of the URL and the form's sorted fields, with the account's token as the key. */
function signatureOf(form: Record<string, string>): string {
  const fields = Object.entries(form).sort(([a], [b]) => (a < b ? -1 : 1));
  const signed = `${PUBLIC_URL}/call${fields.flat().join('')}`;
  return createHmac('sha1', KEY).update(signed).digest('base64');
}

const postForm = (calls: CallServer, form: Record<string, string>, signature = signatureOf(form)) =>
  send(`${calls.url}/call`, new URLSearchParams(form), { 'x-twilio-signature': signature });

const order = (calls: CallServer, settings: Entry, key = KEY) =>
  post(`${calls.url}/dialout`, { dialout_settings: settings }, { authorization: `Bearer ${key}` });

const post = (url: string, body: Entry, headers: Record<string, string> = {}) =>
  send(url, JSON.stringify(body), { 'content-type': 'application/json', ...headers });

async function send(url: string, body: string | URLSearchParams, headers: Record<string, string>) {
  const response = await fetch(url, { method: 'POST', body, headers });
  return { status: response.status, body: await response.text() };
}
