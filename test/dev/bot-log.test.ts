import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gatherFacts, readFacts } from '../../src/check/gather.ts';
import { thisMachine } from '../../src/check/this-machine.ts';
import type { RawConfig } from '../../src/config/options.ts';
import { createBotLog } from '../../src/dev/bot-log.ts';
import { filledProject } from '../support/check.ts';
import { SECRET } from '../support/cloud-session.ts';
import { CASCADE, REALTIME } from '../support/projects.ts';
import { resolveFlags } from '../support/resolving.ts';
import { openRecorded } from '../support/session.ts';
import { inTree } from '../support/trees.ts';

const record = (level: string, module: string, text: string): string =>
  `2026-11-26 14:44:35.384 | ${level.padEnd(8)} | ${module}:push_error_frame:1023 - ${text}`;
const error = (text: string): string => record('ERROR', 'pipecat.processors.frame_processor', text);

const REFUSED = error(
  `OpenAILLMService#0 exception (/x/openai/_base_client.py:1870): Error during completion: Error code: 401 - Incorrect API key provided: ${SECRET}`,
);

/** A line of the journal's with the lines of a recorded call. */
const journal = (lines: readonly string[]) =>
  record('INFO', 'journal', `Call a-call: [${lines.join(', ')}]`).replace('push_error_frame', '_end_turn');

const KEY = 'OpenAI refuses OPENAI_API_KEY (HTTP 401)';

type Setting = { config?: RawConfig; env?: Record<string, string>; isQuiet?: boolean };

/** What a log shows of lines, and what it finds out. */
const reading = async (lines: readonly string[], { config = CASCADE, env = {}, isQuiet = true }: Setting = {}) =>
  inTree(await filledProject(resolveFlags(config)), async root => {
    const { terminal } = openRecorded(root, { env });
    const machine = { ...thisMachine(terminal), uvVersion: async () => '', refusedByPython: async () => new Map() };
    const facts = await gatherFacts(readFacts('.', terminal), machine, terminal, 'any');
    const { shown, found } = createBotLog(facts, isQuiet).read(lines, true);
    assert(!JSON.stringify(found).includes(SECRET));
    return { shown, causes: found.map(({ message }) => message), hints: found.map(({ hint }) => hint) };
  });

describe("a bot's log", () => {
  const call = readFileSync(join(import.meta.dirname, '../calls/recorded/phone-with-a-tool.jsonl'), 'utf8');
  const [start = '', ...events] = call.trim().split('\n');
  const broken = record('INFO', 'journal', 'Call a-call: [{"event": "start"');
  const foreign = record('INFO', 'shop', 'Call a-call: []');

  it("has a line for each turn of the bot's journal, and for the end of a call", async () => {
    const { shown } = await reading([journal([start]), journal(events), foreign, broken]);
    assert.deepEqual(shown, [
      "bot Hello! I'm your assistant. It's good to hear from you. 6.9s (first request 6.2s)",
      'you Are you open? / bot You said: Are you open? 3.3s (turn detection 2.4s)',
      'you Please find parking / bot The answer is {"found": "behind the house"}. 6.3s (find_parking 2.9s)',
      'call over: the caller hung up',
      foreign,
      broken,
    ]);
  });

  it('has a line for a turn without an answer, once that is sure', async () => {
    const asked = '{"event": "user", "at": 30, "text": "Are you there?"}';
    const end = '{"event": "end", "at": 40, "left": true}';
    const { shown } = await reading([journal([start]), journal([asked]), journal([end])]);
    assert.deepEqual(shown, [
      'you Are you there? / (no answer: the model sent no words)',
      'call over: the caller hung up',
    ]);
    const empty = '{"event": "bot", "at": 31, "text": ""}';
    const { shown: once } = await reading([journal([start]), journal([asked]), journal([empty]), journal([end])]);
    assert.deepEqual(once, [
      'you Are you there? / (no answer: the model answered, but the bot said nothing)',
      'call over: the caller hung up',
    ]);
  });

  it('has what the person said once for an answer in two parts, and says so if no words are written down', async () => {
    const turn = (said: object) => [
      JSON.stringify({ event: 'user', at: 30, ...said }),
      JSON.stringify({ event: 'bot', at: 31, ...said }),
      JSON.stringify({ event: 'bot', at: 32, ...said }),
    ];
    const { shown } = await reading([journal([start]), journal(turn({ text: 'Hi' })), journal(turn({}))]);
    assert.deepEqual(shown, [
      'you Hi / bot Hi',
      'bot Hi',
      'you (words not written down) / bot (words not written down)',
      'bot (words not written down)',
    ]);
  });

  it('has a line for a turn in which the words of the bot were cut off, and no line breaks of words', async () => {
    const asked = '{"event": "user", "at": 30, "text": "Are you\\n\\nthere?"}';
    const used = '{"event": "usage", "at": 31, "kind": "llm", "processor": "OpenAILLMService#0"}';
    const cut = [used, '{"event": "speaks", "at": 31}', '{"event": "interrupted", "at": 32, "seconds": 1.4}'];
    const again = ['{"event": "user", "at": 34, "text": "Hi"}', '{"event": "bot", "at": 35, "text": "One:\\n- two"}'];
    const { shown } = await reading([journal([start]), journal([asked]), journal(cut), journal(again)]);
    assert.deepEqual(shown, [
      "you Are you there? / bot (interrupted after 1.4s, its words aren't known)",
      'you Hi / bot One: - two',
    ]);
  });

  const chatter = [
    record('DEBUG', 'pipecat.transports.base', 'WebSocket connection accepted'),
    '    and more of it',
    record('INFO', 'pipecat', 'Pipecat 1.14.0'),
    record('TRACE', 'pipecat.frames', 'a frame'),
    'INFO:     127.0.0.1:50004 - "GET / HTTP/1.1" 307 Temporary Redirect',
    '🚀 Bot ready!',
    '   → Open: http://localhost:7860',
    '',
  ];
  const matter = [
    record('WARNING', 'pipecat.services.tts', 'no voice'),
    record('INFO', '__main__', 'Client disconnected'),
    error('SomethingElse#0 error: it broke'),
    'Traceback (most recent call last):',
    '  File "bot.py", line 1, in <module>',
    'ValueError: no',
    'what the project prints',
    '  indented',
  ];

  it('shows what matters, and hides how the framework is doing', async () =>
    assert.deepEqual(await reading([...chatter, ...matter, ...chatter]), { shown: matter, causes: [], hints: [] }));

  it('shows everything if it is asked to, and finds the causes, too', async () => {
    const all = [...chatter, journal([start]), REFUSED];
    const { shown, causes } = await reading(all, { isQuiet: false });
    assert.deepEqual({ shown, causes }, { shown: all, causes: [KEY] });
  });

  it('says once what a provider refuses, instead of the errors that say so', async () => {
    const traceback = ['Traceback (most recent call last):', '  File "x.py", line 1, in <module>'];
    const over = error('PipelineWorker#0: OpenAILLMService#0 can no longer do its job');
    const hints = ['Replace it in server/.env. Get one at https://platform.openai.com/api-keys'];
    assert.deepEqual(await reading([REFUSED, ...traceback, over, REFUSED]), { shown: [], causes: [KEY], hints });
  });

  const OPENAI = (text: string) => error(`OpenAILLMService#0 error: ${text}`);
  const LIVE = (text: string) => error(`OpenAIRealtimeLLMService#0 error: ${text}`);
  const live = { config: REALTIME };
  const lacks = (model: string) => `doesn't have the model ${model}, or not for your account`;
  const MANY = 'says that there are too many requests, or no quota is left (HTTP 429)';
  const server = { env: { OPENAI_BASE_URL: 'http://a' } };
  const withModel = { ...live, env: { OPENAI_MODEL: 'gpt-x' } };
  const QUOTA = 'OpenAI says that your account has no credit or quota left';
  const found: [line: string, cause: string, more?: Setting][] = [
    [error('OpenAITTSService#0 error: Error code: 401 - Unauthorized'), KEY],
    [error('DeepgramSTTService#0 error: HTTP 401'), 'Deepgram refuses DEEPGRAM_API_KEY (HTTP 401)'],
    [LIVE('server rejected WebSocket connection: HTTP 403'), 'OpenAI Realtime refuses OPENAI_API_KEY (HTTP 403)', live],
    [REFUSED, 'The server at OPENAI_BASE_URL refuses OPENAI_API_KEY (HTTP 401)', server],
    [OPENAI('Error code: 429 - You exceeded your current quota'), QUOTA],
    [OPENAI('Error code: 429 - Rate limit reached for gpt-4.1. Add a payment method.'), `OpenAI ${MANY}`],
    [LIVE('server rejected WebSocket connection: HTTP 429'), `OpenAI Realtime ${MANY}`, live],
    [OPENAI("404 - {'message': 'The model `gpt-x` does not exist'}"), `OpenAI ${lacks('of the bot')}`],
    [LIVE("{'code': 'model_not_found'}"), `OpenAI Realtime ${lacks('in OPENAI_MODEL')}`, withModel],
    [OPENAI('Error code: 503 - try later'), 'OpenAI fails (HTTP 503)'],
    [OPENAI('The engine is currently overloaded'), 'OpenAI fails'],
    [OPENAI('Connection error.'), "The bot can't reach OpenAI"],
    [LIVE('[Errno -2] Name or service not known'), "The bot can't reach OpenAI Realtime", live],
  ];
  for (const [line, cause, more] of found)
    it(`is explained: ${cause}`, async () => assert.deepEqual((await reading([line], more)).causes, [cause]));

  const passing = [
    error('OpenAILLMService#0 exception (/x/client.py:401): Request timed out.'),
    error('OpenAILLMService#0 error: It took 502 ms, and the answer has 500 tokens'),
    record('WARNING', 'pipecat.services.openai.llm', 'OpenAILLMService#0 error: Error code: 401'),
    record('INFO', '__main__', 'HTTP 401'),
    'HTTP 401: what the project prints',
  ];
  it('is not explained where a retry may fix it, or something else speaks of it', async () =>
    assert.deepEqual(await reading(passing), { shown: passing, causes: [], hints: [] }));
});
