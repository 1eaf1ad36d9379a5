import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { beginConversation, createAnswer, type Happening } from '../../../src/dev/talk/conversation.ts';
import { openEditor } from '../../../src/shell/terminal/editor.ts';
import { createStyle } from '../../../src/shell/terminal/style.ts';
// @ts-expect-error: a program without types
import { takeConversations } from '../tools/talking-bot.js';

// The stand-in for a bot, in this process, and a clock that only the tests move.

interface Bench {
  conversation: Awaited<ReturnType<typeof beginConversation>>;
  happenings: Happening[];
  /** Lets the time pass that somebody waits for now. Returns it in milliseconds. */
  pass(): number;
  /** The time that somebody waits for now. */
  waitsFor(): number | undefined;
  /** Resolves once the bot has said this, or its tool has begun. */
  until(progress: string): Promise<void>;
  /** Ends the slow tool. */
  tell(): void;
}

const withBot =
  (use: (bench: Bench) => Promise<void>, signal = new AbortController().signal) =>
  async () => {
    let tell = () => {};
    const told = new Promise<void>(resolve => {
      tell = resolve;
    });
    const server = createServer((_, response) => response.end());
    takeConversations(
      server,
      () => undefined,
      () => told,
      () => {},
    );
    await new Promise<void>(resolve => server.listen(0, 'localhost', resolve));
    const { port } = server.address() as AddressInfo;
    let waiting: { ms: number; pass: () => void } | undefined;
    const sleep = (ms: number, within?: AbortSignal) =>
      new Promise<void>((resolve, reject) => {
        waiting = { ms, pass: resolve };
        within?.addEventListener('abort', () => reject(within.reason), { once: true });
      });
    const happenings: Happening[] = [];
    const look = new Set<() => void>();
    let doing = '';
    const conversation = await beginConversation(
      {
        url: `ws://localhost:${port}/ws`,
        settles: true,
        isVoiced: false,
        patience: 30_000,
        onHappening: happening => happenings.push(happening),
        onProgress: text => {
          doing = text;
          for (const one of look) one();
        },
      },
      signal,
      { sleep },
    );
    const until = (progress: string) =>
      new Promise<void>(resolve => {
        const check = () => {
          if (doing.startsWith(progress)) resolve();
        };
        look.add(check);
        check();
      });
    const pass = () => {
      assert(waiting);
      waiting.pass();
      return waiting.ms;
    };
    try {
      await use({ conversation, happenings, pass, waitsFor: () => waiting?.ms, until, tell });
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
  itTalks('gives up on a bot that is silent for 30 seconds, and goes on', async ({ conversation, pass }) => {
    await conversation.say();
    const silent = conversation.say('silence');
    await new Promise(resolve => setImmediate(resolve));
    assert.equal(pass(), 30_000);
    assert.deepEqual(await silent, answerOf('', 'silent'));
    assert.equal((await conversation.say('hello')).answer, 'You said: hello');
  });

  itTalks('waits longer for a tool, and takes its result', async ({ conversation, waitsFor, until, tell }) => {
    const answered = conversation.say('slow');
    await until('→ think');
    await new Promise(resolve => setImmediate(resolve));
    assert.equal(waitsFor(), 300_000);
    tell();
    const { end, calls, answer } = await answered;
    assert.deepEqual({ end, answer }, { end: 'complete', answer: 'At last.' });
    assert.deepEqual(
      calls.map(({ name, result }) => [name, result]),
      [['think', 'done']],
    );
  });

  itTalks('is over at once if it is interrupted, without the late rest', async ({ conversation, until, tell }) => {
    const answered = conversation.say('slow');
    await until('→ think');
    conversation.interrupt();
    assert.equal((await answered).end, 'interrupted');
    tell();
    const { answer } = await conversation.say('hello');
    assert.match(answer, /You said: hello$/);
  });

  itTalks('shows what was said before an interruption once', async ({ conversation, happenings, until, tell }) => {
    const answered = conversation.say('drawl');
    await until('Well,');
    conversation.interrupt();
    assert.deepEqual(await answered, answerOf('Well,', 'interrupted'));
    tell();
    await conversation.say('hello');
    const said = happenings.flatMap(one => (one.kind === 'bot' ? one.text : []));
    assert.deepEqual(said, ['Well,', 'You said: hello']);
  });

  itTalks('notices that the bot has ended it', async ({ conversation }) => {
    assert.deepEqual(await conversation.say('bye'), answerOf('Bye!', 'left'));
    assert.equal((await conversation.say('hello')).end, 'left');
  });

  itTalks('survives 200 turns', async ({ conversation, happenings }) => {
    for (let turn = 0; turn < 200; turn++) {
      const { answer, end } = await conversation.say(`number ${turn}`);
      assert.deepEqual({ answer, end }, { answer: `You said: number ${turn}`, end: 'complete' });
    }
    assert.equal(happenings.filter(({ kind }) => kind === 'bot').length, 200);
  });

  it('leaves nothing on its signal, nor does the editor', async () => {
    const { signal } = new AbortController();
    const count = () => getEventListeners(signal, 'abort').length;
    await withBot(async ({ conversation }) => {
      const before = count();
      const input = new PassThrough();
      const output = new PassThrough().resume();
      const editor = openEditor(
        { input, output, style: createStyle(false), isPlain: true } as unknown as Parameters<typeof openEditor>[0],
        { prompt: '', onInterrupt: () => false, onEnd: () => {} },
      );
      for (let turn = 0; turn < 200; turn++) {
        const next = editor.next(signal);
        input.write('hello\n');
        await conversation.say(await next);
        assert.equal(count(), before);
      }
      editor.close();
    }, signal)();
  });

  it('throws the reason of its signal, during an answer, too', async () => {
    const stop = new AbortController();
    await withBot(async ({ conversation, until }) => {
      const answered = conversation.say('slow');
      await until('→ think');
      stop.abort(new Error('enough'));
      await assert.rejects(answered, /enough/);
      await assert.rejects(conversation.say('hello'), /enough/);
    }, stop.signal)();
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

describe('an answer', () => {
  it('has the time of the first token, from the message or the last result on, and tokens', () => {
    const { happenings } = follow(
      [100, 'bot-llm-started'],
      [300, 'bot-llm-text', { text: 'One ' }],
      [400, 'bot-llm-text', { text: 'moment.' }],
      [450, 'metrics', { tokens: [{ prompt_tokens: 12, completion_tokens: 3 }] }],
      [500, 'llm-function-call-in-progress', { tool_call_id: '1', function_name: 'look', arguments: { at: 1 } }],
      [550, 'bot-llm-stopped'],
      [1500, 'llm-function-call-stopped', { tool_call_id: '1', function_name: 'look', result: 'x' }],
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

  const call: Step = [1, 'llm-function-call-in-progress', { tool_call_id: '1', function_name: 'look', arguments: {} }];
  const done: Step = [2, 'llm-function-call-stopped', { tool_call_id: '1', function_name: 'look', result: 1 }];
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
      [0, 'llm-function-call-in-progress', { tool_call_id: '1', function_name: 'one', arguments: {} }],
      [0, 'llm-function-call-in-progress', { tool_call_id: '2', function_name: 'two', arguments: {} }],
      [1000, 'llm-function-call-stopped', { tool_call_id: '2', function_name: 'two', cancelled: true }],
      [2000, 'llm-function-call-stopped', { tool_call_id: '1', function_name: 'one', result: false }],
      [2000, 'llm-function-call-stopped', { tool_call_id: '0', function_name: 'of-the-answer-before', result: 1 }],
    );
    assert.deepEqual(
      calls.map(({ name, result, seconds }) => [name, result, seconds]),
      [['one', false, 2]],
    );
    assert.deepEqual(
      happenings.map(one => one.kind === 'tool' && one.isStopped),
      [true, false],
    );
  });

  const output = (text: string, more = {}): Step => [0, 'bot-output', { text, ...more }];
  const begun: Step = [0, 'bot-llm-started'];
  const outputs: [about: string, steps: Step[], text: string, written?: string][] = [
    ["what the model said isn't said again", [...say('**Hi**, 2 rooms.'), output('Hi, 2 rooms.')], '**Hi**, 2 rooms.'],
    ['nor what is spelled in another way', [...say('Open at 9.'), output('Open at nine.')], 'Open at 9.'],
    ['what the bot says without it is', [output('Please hold the line.')], 'Please hold the line.', ''],
    ['once', [output('Hold on.'), output('Hold on.', { spoken_status: 'completed' })], 'Hold on.', ''],
    [
      'both count',
      [output('Hello.'), ...say('We are open.'), output('We are open.')],
      'Hello. We are open.',
      'We are open.',
    ],
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
