import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import type { Happening } from '../../../src/dev/talk/conversation.ts';
import { beginConversation } from '../../../src/dev/talk/conversation.ts';
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
        ...{ url: `ws://localhost:${port}/ws`, settles: true, isVoiced: false, patience: 30_000 },
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

describe('a conversation in text', () => {
  itTalks('gives up on a bot that is silent for 30 seconds, and goes on', async ({ conversation, pass }) => {
    await conversation.say();
    const silent = conversation.say('silence');
    await new Promise(resolve => setImmediate(resolve));
    assert.equal(pass(), 30_000);
    assert.deepEqual(await silent, { calls: [], answer: '', written: '', last: '', end: 'silent' });
    assert.equal((await conversation.say('hello')).answer, 'You said: hello');
  });

  itTalks(
    'waits longer than that for a tool, and takes its result',
    async ({ conversation, waitsFor, until, tell }) => {
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
    },
  );

  itTalks(
    'is over at once if it is interrupted, and the late rest is not a part of the next answer',
    async ({ conversation, until, tell }) => {
      const answered = conversation.say('slow');
      await until('→ think');
      conversation.interrupt();
      assert.equal((await answered).end, 'interrupted');
      tell();
      const { answer } = await conversation.say('hello');
      assert.match(answer, /You said: hello$/);
    },
  );

  itTalks(
    'shows what was said before an interruption once, and nothing of the late rest',
    async ({ conversation, happenings, until, tell }) => {
      const answered = conversation.say('drawl');
      await until('Well,');
      conversation.interrupt();
      assert.deepEqual(await answered, {
        calls: [],
        answer: 'Well,',
        written: 'Well,',
        last: 'Well,',
        end: 'interrupted',
      });
      tell();
      await conversation.say('hello');
      const said = happenings.flatMap(one => (one.kind === 'bot' ? one.text : []));
      assert.deepEqual(said, ['Well,', 'You said: hello']);
    },
  );

  itTalks('notices that the bot has ended it', async ({ conversation }) => {
    assert.deepEqual(await conversation.say('bye'), {
      calls: [],
      answer: 'Bye!',
      written: 'Bye!',
      last: 'Bye!',
      end: 'left',
    });
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
