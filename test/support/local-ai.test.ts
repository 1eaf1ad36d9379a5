import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { DEFAULT_TRANSCRIPT, type LocalAi, startLocalAi } from './local-ai.ts';
import { ABILITIES, type ChatMessage, GREETING, QUESTION, SIGHT } from './local-ai-answers.ts';
import { rootMeanSquare, SPEECH_RATE } from './sound.ts';

const KEY = 'never-in-the-journal';
const speechFile = new URL('speech.wav', import.meta.url);

describe('the local AI services', () => {
  let ai: LocalAi;

  before(async () => {
    ai = await startLocalAi();
  });
  after(() => ai.close());

  const post = (path: string, body: object | FormData): Promise<Response> =>
    fetch(ai.url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${KEY}`,
        ...(body instanceof FormData ? {} : { 'content-type': 'application/json' }),
      },
      body: body instanceof FormData ? body : JSON.stringify(body),
    });

  async function chat(messages: ChatMessage[], more: object = {}) {
    const response = await post('/chat/completions', { model: 'm', messages, ...more });
    return JSON.parse(await response.text()).choices[0];
  }

  async function transcribe(wav: Buffer): Promise<string> {
    const form = new FormData();
    form.set('model', 'm');
    form.set('file', new Blob([new Uint8Array(wav)]), 'audio.wav');
    return JSON.parse(await (await post('/audio/transcriptions', form)).text()).text;
  }

  const conversations: [string, ChatMessage[], string][] = [
    ['introduces itself when asked', [{ role: 'developer', content: 'Introduce yourself.' }], GREETING],
    ['says what it can do', [{ role: 'user', content: 'What can you help me with?' }], ABILITIES],
    [
      'echoes anything else',
      [{ role: 'user', content: [{ type: 'text', text: 'The sky is blue' }] }],
      'You said: The sky is blue',
    ],
    [
      'says that it sees a picture',
      [{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'data:image/jpeg;base64,' } }] }],
      SIGHT,
    ],
    ['reports the result of a tool', [{ role: 'tool', content: 'rain' }], 'The answer is rain.'],
  ];
  for (const [name, messages, text] of conversations) {
    it(name, async () => assert.equal((await chat(messages)).message.content, text));
  }

  it('plays a person who asks what the bot can do, and hangs up after the answer', async () => {
    const role = { role: 'system', content: 'You are playing a person on a phone call with a voice assistant.' };
    assert.equal((await chat([role, { role: 'user', content: GREETING }])).message.content, QUESTION);
    const choice = await chat([role, { role: 'user', content: ABILITIES }]);
    const { name, arguments: given } = choice.message.tool_calls[0].function;
    assert.deepEqual([name, JSON.parse(given).success], ['end_call', true]);
  });

  it('calls the tool that the user names', async () => {
    const parameters = { properties: { place: {}, unit: {} }, required: ['place'] };
    const tools = [{ type: 'function', function: { name: 'get_weather', parameters } }];
    const choice = await chat([{ role: 'user', content: 'Please get weather data' }], { tools });
    const called = choice.message.tool_calls[0].function;
    assert.deepEqual(called, { name: 'get_weather', arguments: '{"place":"Please get weather data"}' });
    assert.equal(choice.finish_reason, 'tool_calls');
  });

  it('streams words, then the usage, then the end', async () => {
    const messages = [{ role: 'user', content: 'Hi' }];
    const body = { model: 'm', stream: true, stream_options: { include_usage: true }, messages };
    const events = (await (await post('/chat/completions', body)).text()).trim().split('\n\n');
    assert.equal(events.at(-1), 'data: [DONE]');
    const chunks = events.slice(0, -1).map(event => JSON.parse(event.replace('data: ', '')));
    assert.equal(chunks.map(chunk => chunk.choices[0]?.delta.content ?? '').join(''), 'You said: Hi');
    assert.ok(chunks.at(-1).usage.total_tokens > 0);
    assert.ok(chunks.slice(0, -1).every(chunk => !chunk.usage));
  });

  const verdicts: [string, string, 'yes' | 'no'][] = [
    ['the bot opens the conversation (a greeting)', GREETING, 'yes'],
    ['the bot opens the conversation (a greeting)', 'Forty-two.', 'no'],
    ['the bot answers, describing what it can do', ABILITIES, 'yes'],
    ['the bot says anything', '', 'no'],
  ];
  for (const [criterion, reply, verdict] of verdicts) {
    it(`judges "${reply}" by "${criterion}": ${verdict}`, async () => {
      const choice = await chat([{ role: 'user', content: judgeRequest(criterion, reply) }], {
        response_format: VERDICT,
      });
      const answer = JSON.parse(choice.message.content).verdict;
      assert.equal(answer.choice, verdict);
      assert.ok(answer.probabilities[verdict] > 0.9);
    });
  }

  it('speaks longer for longer text, and never silence', async () => {
    const short = await speech('One word');
    const long = await speech('One word and then many, many more words');
    assert.ok(long.length > 2 * short.length);
    assert.ok(short.length / 2 / SPEECH_RATE > 0.3);
    assert.ok(rootMeanSquare(short) > 1000);

    async function speech(input: string): Promise<Buffer> {
      const response = await post('/audio/speech', { model: 'm', input, voice: 'alloy', response_format: 'pcm' });
      return Buffer.from(await response.arrayBuffer());
    }
  });

  it('transcribes the scripted sentence, then the default, and silence as nothing', async () => {
    const speech = await readFile(speechFile);
    ai.say('First');
    assert.equal(await transcribe(speech), 'First');
    assert.equal(await transcribe(speech), DEFAULT_TRANSCRIPT);
    assert.equal(await transcribe(Buffer.concat([speech.subarray(0, 44), Buffer.alloc(speech.length - 44)])), '');
    const { seconds, rms } = ai.journal.find(({ sound }) => sound)?.sound ?? { seconds: 0, rms: 0 };
    assert.ok(Math.abs(seconds - 1.9) < 0.2);
    assert.ok(rms > 1000);
  });

  it('begins anew: no journal, no transcripts to come, no failures', async () => {
    ai.say('Never said');
    ai.fail('audio/transcriptions', 'drops');
    ai.renew();
    assert.deepEqual(ai.journal, []);
    assert.equal(await transcribe(await readFile(speechFile)), DEFAULT_TRANSCRIPT);
    assert.equal(ai.journal.length, 1);
  });

  it('rejects a request without a key, and records no key', async () => {
    assert.equal((await fetch(`${ai.url}/models`)).status, 401);
    assert.equal(ai.journal.at(-1)?.authorized, false);
    assert.equal((await post('/nowhere', {})).status, 404);
    assert.equal(ai.journal.at(-1)?.authorized, true);
    assert.doesNotMatch(JSON.stringify(ai.journal), new RegExp(KEY));
  });
});

/** The request that the framework's judge sends for one reply. */
function judgeRequest(criterion: string, reply: string): string {
  const state = JSON.stringify({ conversation: [], latest_bot_reply: reply }, null, 2);
  const question = `Question "verdict": Does \`latest_bot_reply\` satisfy this criterion? Criterion: ${criterion}.`;
  return `Input:\n${state}\n\n${question}\nOptions:\n- yes\n- no\n\nReply with one JSON object`;
}

const options = { type: 'object', properties: { yes: { type: 'number' }, no: { type: 'number' } } };
const verdict = { type: 'object', properties: { choice: { type: 'string' }, probabilities: options } };
const VERDICT = {
  type: 'json_schema',
  json_schema: { name: 'response', schema: { type: 'object', properties: { verdict } } },
};
