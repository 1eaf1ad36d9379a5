import assert from 'node:assert/strict';
import { EventEmitter, getEventListeners, once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { beginConversation, createAnswer, type Happening } from '../../../src/dev/talk/conversation.ts';
import { openEditor } from '../../../src/shell/terminal/editor.ts';
import { createStyle } from '../../../src/shell/terminal/style.ts';
// @ts-expect-error: a program without types
import { takeConversations } from '../tools/talking-bot.js';

// The stand-in for a bot, in this process, and a clock that stands still.

interface Bench {
  conversation: Awaited<ReturnType<typeof beginConversation>>;
  happenings: Happening[];
  /** The time that somebody waits for now, in milliseconds. */
  waitsFor(): number | undefined;
  /** Resolves once the bot has said this, or its tool has begun. */
  until(progress: string): Promise<void>;
  /** Ends the slow tool. */
  tell(): void;
}

const withBot =
  (use: (bench: Bench) => Promise<void>, signal = new AbortController().signal) =>
  async () => {
    const bot = new EventEmitter();
    const server = createServer((_, response) => response.end());
    const told = once(bot, 'told');
    const nothing = () => undefined;
    takeConversations(server, nothing, () => told, nothing);
    await once(server.listen(0, 'localhost'), 'listening');
    const { port } = server.address() as AddressInfo;
    let waitsFor: number | undefined;
    const sleep = (ms: number, within?: AbortSignal) =>
      new Promise<void>((_, reject) => {
        waitsFor = ms;
        within?.addEventListener('abort', () => reject(within.reason), { once: true });
      });
    const happenings: Happening[] = [];
    let doing = '';
    const onProgress = (text: string) => {
      doing = text;
      bot.emit('progress');
    };
    const onHappening = (happening: Happening) => happenings.push(happening);
    const url = `ws://localhost:${port}/ws`;
    const manner = { url, settles: true, isVoiced: false, patience: 30_000, onHappening, onProgress };
    const conversation = await beginConversation(manner, signal, { sleep });
    const until = async (progress: string) => {
      while (!doing.startsWith(progress)) await once(bot, 'progress');
    };
    try {
      await use({ conversation, happenings, waitsFor: () => waitsFor, until, tell: () => bot.emit('told') });
    } finally {
      conversation.close();
      server.closeAllConnections();
      await new Promise(resolve => server.close(resolve));
    }
  };

const itTalks = (title: string, ...rest: Parameters<typeof withBot>) => it(title, withBot(...rest));

/** What came of a message that the bot answered with the words of its model, and nothing else. */
const answerOf = (answer: string, end: string) => ({ calls: [], answer, written: answer, last: answer, end });

describe('a conversation in text', () => {
  itTalks('waits longer for a tool, and takes its result', async ({ conversation, waitsFor, until, tell }) => {
    const answered = conversation.say('slow');
    await until('→ think');
    await new Promise(resolve => setImmediate(resolve));
    assert.equal(waitsFor(), 300_000);
    tell();
    const { end, calls, answer } = await answered;
    assert.deepEqual({ end, answer }, { end: 'complete', answer: 'At last.' });
    assert.deepEqual([calls.length, calls[0]?.name, calls[0]?.result], [1, 'think', 'done']);
  });

  for (const [message, progress] of Object.entries({ slow: '→ think', drawl: 'Well,' })) {
    const said = message === 'slow' ? '' : progress;
    itTalks(`is over at once if "${message}" is interrupted, without the late rest`, async bench => {
      const { conversation, happenings, until, tell } = bench;
      const answered = conversation.say(message);
      await until(progress);
      conversation.interrupt();
      assert.deepEqual(await answered, answerOf(said, 'interrupted'));
      tell();
      assert.match((await conversation.say('hello')).answer, /You said: hello$/);
      const words = happenings.flatMap(one => (one.kind === 'bot' && one.text !== 'At last.' ? one.text : []));
      assert.deepEqual(words, [...(said ? [said] : []), 'You said: hello']);
    });
  }

  it('survives 200 turns, and leaves nothing on its signal, nor does the editor', async () => {
    const { signal } = new AbortController();
    const count = () => getEventListeners(signal, 'abort').length;
    await withBot(async ({ conversation, happenings }) => {
      const before = count();
      const input = new PassThrough();
      const streams = { input, output: new PassThrough().resume(), style: createStyle(false), isPlain: true };
      const manner = { prompt: '', onInterrupt: () => false, onEnd: () => {} };
      const editor = openEditor(streams as unknown as Parameters<typeof openEditor>[0], manner);
      for (let turn = 0; turn < 200; turn++) {
        const next = editor.next(signal);
        input.write(`number ${turn}\n`);
        const { answer, end } = await conversation.say(await next);
        assert.deepEqual({ answer, end }, { answer: `You said: number ${turn}`, end: 'complete' });
        assert.equal(count(), before);
      }
      editor.close();
      assert.equal(happenings.filter(({ kind }) => kind === 'bot').length, 200);
    }, signal)();
  });
});

type Step = [ms: number, type: string, data?: Record<string, unknown>];

/** What comes of messages at these times. */
function follow(...steps: Step[]) {
  let now = 0;
  const answer = createAnswer(() => now);
  const happenings = steps.flatMap(([ms, type, data = {}]) => {
    now = ms;
    return answer.take({ type, data });
  });
  return { happenings: [...happenings, ...answer.end()], ...answer.result() };
}

const BEGUN = 'llm-function-call-in-progress';
const STOPPED = 'llm-function-call-stopped';

describe('an answer', () => {
  it('has the time of the first token, from the message or the last result on, and tokens', () => {
    const { happenings } = follow(
      [100, 'bot-llm-started'],
      [300, 'bot-llm-text', { text: 'One ' }],
      [400, 'bot-llm-text', { text: 'moment.' }],
      [450, 'metrics', { tokens: [{ prompt_tokens: 12, completion_tokens: 3 }] }],
      [500, BEGUN, { tool_call_id: '1', function_name: 'look', arguments: { at: 1 } }],
      [550, 'bot-llm-stopped'],
      [1500, STOPPED, { tool_call_id: '1', function_name: 'look', result: 'x' }],
      [1600, 'bot-llm-started'],
      [1700, 'bot-llm-text', { text: 'Done.' }],
      [1800, 'bot-llm-stopped'],
    );
    assert.deepEqual(happenings, [
      { kind: 'bot', text: 'One moment.', firstToken: 300, ms: 550, tokens: { prompt: 12, completion: 3 } },
      { kind: 'tool', call: { name: 'look', arguments: { at: 1 }, result: 'x', seconds: 1 }, isStopped: false },
      { kind: 'bot', text: 'Done.', firstToken: 200, ms: 300, tokens: undefined },
    ]);
  });

  const call: Step = [1, BEGUN, { tool_call_id: '1', function_name: 'look', arguments: {} }];
  const done: Step = [2, STOPPED, { tool_call_id: '1', function_name: 'look', result: 1 }];
  const say = (text: string): Step[] => [
    [0, 'bot-llm-text', { text }],
    [0, 'bot-llm-stopped'],
  ];
  const lasts: [about: string, steps: Step[], last: string][] = [
    ['after its last call', [...say('One moment.'), call, done, ...say('At'), ...say('six.')], 'At six.'],
    ['although the words before the call end late', [...say('Hm.').slice(0, 1), call, ...say(''), done], ''],
    ['nothing, if it said everything before', [...say('Bye!'), call, done], ''],
    ['everything, if there is no call', say('Hello!'), 'Hello!'],
  ];
  for (const [about, steps, last] of lasts) {
    it(`knows what was said last: ${about}`, () => assert.equal(follow(...steps).last, last));
  }

  it('has two calls at once, of which one is stopped', () => {
    const { calls, happenings } = follow(
      [0, BEGUN, { tool_call_id: '1', function_name: 'one', arguments: {} }],
      [0, BEGUN, { tool_call_id: '2', function_name: 'two', arguments: {} }],
      [1000, STOPPED, { tool_call_id: '2', function_name: 'two', cancelled: true }],
      [2000, STOPPED, { tool_call_id: '1', function_name: 'one', result: false }],
      [2000, STOPPED, { tool_call_id: '0', function_name: 'of-the-answer-before', result: 1 }],
    );
    assert.deepEqual([calls.length, calls[0]?.name, calls[0]?.result, calls[0]?.seconds], [1, 'one', false, 2]);
    const stopped = happenings.map(one => one.kind === 'tool' && one.isStopped);
    assert.deepEqual(stopped, [true, false]);
  });

  const output = (text: string, more = {}): Step => [0, 'bot-output', { text, ...more }];
  const begun: Step = [0, 'bot-llm-started'];
  const outputs: [about: string, steps: Step[], text: string, written?: string][] = [
    ["what the model said isn't said again", [...say('**Hi**, 2 rooms.'), output('Hi, 2 rooms.')], '**Hi**, 2 rooms.'],
    ['nor what is spelled in another way', [...say('Open at 9.'), output('Open at nine.')], 'Open at 9.'],
    ['what the bot says without it is', [output('Please hold the line.')], 'Please hold the line.', ''],
    ['once', [output('Hold on.'), output('Hold on.', { spoken_status: 'completed' })], 'Hold on.', ''],
    ['both count', [output('Hello.'), ...say('We open.'), output('We open.')], 'Hello. We open.', 'We open.'],
    ['what it had begun to say counts', [begun, [0, 'bot-llm-text', { text: 'I thi' }]], 'I thi'],
    ['nothing is nothing', [begun, [0, 'bot-llm-stopped']], ''],
  ];
  for (const [about, steps, text, written = text] of outputs) {
    it(about, () => {
      const { answer, written: own } = follow(...steps);
      assert.deepEqual([answer, own], [text, written]);
    });
  }
});
