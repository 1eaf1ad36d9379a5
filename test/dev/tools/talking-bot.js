// What the stand-in for uv's bot says over the framework's protocol, as in `botcli talk`. The words of a message say how
// the bot behaves.
import { existsSync, readFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { WebSocketServer } from 'ws';

/**
 * Takes conversations on a web server. `fakes` returns what a line `# fake:` of bot.py says about a word. A slow tool
 * takes until `untilTold` resolves.
 */
export function takeConversations(server, fakes, untilTold = untilThere, note = console.log) {
  new WebSocketServer({ server, path: '/ws' }).on('connection', socket => {
    const send = (type, data, id) => socket.send(JSON.stringify({ label: 'rtvi-ai', type, id, data }));
    if (fakes('hangs up') !== undefined) {
      console.error(`  File "${process.cwd()}/bot.py", line 95, in run_bot\n    raise RuntimeError("x")`);
      console.error('RuntimeError: it is broken');
      return socket.close();
    }
    let last = Promise.resolve();
    socket.on('message', raw => {
      const { type, id, data } = JSON.parse(raw);
      if (type === 'client-ready') send('bot-ready', { version: '2.0.0' }, id);
      if (type === 'send-text') last = answer(data.content, { send, socket, fakes, untilTold, note }).catch(() => {});
      if (data?.t === 'botcli-settle') {
        if (data.d.greets) last = greet(send, fakes);
        last.then(isOver => isOver !== false && send('server-response', { t: data.t }, id));
      }
      if (data?.t === 'botcli-interrupt') note('interrupted');
    });
  });
}

/** Says what the model writes, or fixed words. */
async function greet(send, fakes) {
  const fixed = fakes('recites');
  if (fixed === undefined) return say(send, 'Hello!');
  send('bot-output', { text: fixed, spoken_status: 'new' });
}

async function say(send, text) {
  send('bot-llm-started');
  for (const word of text.split(/(?<= )/)) send('bot-llm-text', { text: word });
  send('metrics', { tokens: [{ prompt_tokens: 9, completion_tokens: 2 }], processing: [{ value: 0.5 }] });
  send('bot-llm-stopped');
}

const call = (send, name, own) =>
  send('llm-function-call-in-progress', { tool_call_id: name, function_name: name, arguments: own });
const result = (send, name, value, cancelled = false) =>
  send('llm-function-call-stopped', { tool_call_id: name, function_name: name, result: value, cancelled });

const log = (level, text) => console.error(`2026-01-01 10:00:00.000 | ${level}    | pipecat.frames:push:1 - ${text}`);

/** Waits until a test wants it to go on. */
async function untilThere() {
  while (!existsSync('go')) await sleep(20);
}

/** False if the answer never ends. */
async function answer(text, { send, socket, fakes, untilTold, note }) {
  const behaviors = {
    async tool() {
      send('bot-llm-started');
      call(send, 'check_day', { day: 'friday', people: 2 });
      send('bot-llm-stopped');
      result(send, 'check_day', { free: ['18:00'] });
      await say(send, fakes('answers') || 'At six.');
    },
    async tools() {
      call(send, 'one', {});
      call(send, 'two', { at: [1] });
      result(send, 'two', 'b');
      result(send, 'one', null);
      await say(send, 'Both.');
    },
    async slow() {
      call(send, 'think', {});
      note('thinking');
      await untilTold();
      result(send, 'think', 'done');
      await say(send, 'At last.');
    },
    async drawl() {
      send('bot-llm-started');
      send('bot-llm-text', { text: 'Well, ' });
      await untilTold();
      send('bot-llm-text', { text: 'later.' });
      send('bot-llm-stopped');
      send('bot-output', { text: 'Well,', spoken_status: 'new' });
    },
    async nan() {
      call(send, 'measure', {});
      const raw = '"type":"llm-function-call-stopped","data":{"tool_call_id":"measure","result":';
      socket.send(`{"label":"rtvi-ai",${raw}{"least": -Infinity, "why": "NaN"}}}`);
      await say(send, 'Unknown.');
    },
    silence: () => send('bot-llm-started') ?? false,
    async stream() {
      send('bot-llm-started');
      for (let at = 1; at <= 20; at++) {
        send('bot-llm-text', { text: `${at} ` });
        await sleep(30);
      }
      send('bot-llm-stopped');
    },
    wordless() {
      send('bot-llm-started');
      send('bot-llm-stopped');
    },
    async twice() {
      send('bot-llm-started');
      await say(send, 'Only once.');
    },
    refused() {
      send('bot-llm-started');
      send('bot-llm-stopped');
      const said = "Error code: 401 - {'message': 'Incorrect API key provided: sk-secret'}";
      log('ERROR', `OpenAILLMService#0 exception (/a/b.py:9): ${said}`);
      send('error', { error: said, fatal: false });
    },
    async speechless() {
      for (const [how, error] of [
        ['exception (/a/b.py:9)', 'connection error: [Errno -2] Name or service not known'],
        ['error', 'connection failed to stay up 3 times in a row'],
      ]) {
        send('error', { error, fatal: false });
        log('ERROR', `DeepgramSTTService#0 ${how}: ${error}`);
      }
      await say(send, 'I only read.');
    },
    odd() {
      send('bot-llm-started');
      send('bot-llm-stopped');
      send('error', { error: 'the moon is full', fatal: false });
    },
    leaks() {
      const [, key] = /^OPENAI_API_KEY=(.*)$/m.exec(readFileSync('.env', 'utf8'));
      const error = `The moon doesn't take ${key}, nor do ${'many '.repeat(30)}others.\nTraceback`;
      send('error', { error, fatal: false });
    },
    async canned() {
      await say(send, 'One moment.');
      send('bot-output', { text: 'One moment.', spoken_status: 'new' });
      send('bot-output', { text: 'Our line is busy today.', spoken_status: 'new' });
    },
    crash() {
      call(send, 'explode', {});
      log('DEBUG', 'a frame');
      console.error('MemoryError: too much');
      process.exit(7);
    },
    async bye() {
      await say(send, 'Bye!');
      socket.close();
      return false;
    },
    leave() {
      socket.close();
      return false;
    },
    hostile() {
      for (const raw of ['{', '[]', 'null', '{"label":"rtvi-ai"}', '{"label":"other","type":"bot-llm-text"}'])
        socket.send(raw);
      socket.send(Buffer.from([0xff, 0xfe]));
      const types = ['constructor', '__proto__', 'metrics', 'bot-output', 'llm-function-call-stopped', 'bot-llm-text'];
      for (const type of types) send(type, []);
      send('metrics', { tokens: 'many', processing: [7], characters: null });
      return say(send, 'Still \u001b[31mhere\u0007.\n\nReally.');
    },
  };
  return Object.hasOwn(behaviors, text) ? behaviors[text]() : say(send, fakes('answers') || `You said: ${text}`);
}
