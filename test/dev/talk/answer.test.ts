import assert from 'node:assert/strict';
import { createAnswer, readMessage } from '../../../src/dev/talk/conversation.ts';
import { readLine } from '../../../src/dev/talk/session.ts';

type Step = [ms: number, type: string, data?: Record<string, unknown>];

/** What comes of messages at these times. */
function follow(...steps: Step[]) {
  let now = 0;
  const answer = createAnswer(() => now);
  const happenings = steps.flatMap(([ms, type, data = {}]) => {
    now = ms;
    return answer.take({ type, data });
  });
  return {
    happenings: [...happenings, ...answer.end()],
    text: answer.text,
    written: answer.written,
    last: answer.last,
    calls: answer.calls,
  };
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

  const outputs: [about: string, steps: Step[], text: string, written: string][] = [
    [
      "what the model said isn't said again",
      [
        [0, 'bot-llm-text', { text: '**Hi**, 2 rooms.' }],
        [0, 'bot-output', { text: 'Hi, 2 rooms.' }],
      ],
      '**Hi**, 2 rooms.',
      '**Hi**, 2 rooms.',
    ],
    [
      'nor what is spelled in another way',
      [
        [0, 'bot-llm-text', { text: 'We open at 9 on Mondays.' }],
        [0, 'bot-output', { text: 'We open at nine on Mondays.' }],
      ],
      'We open at 9 on Mondays.',
      'We open at 9 on Mondays.',
    ],
    [
      'what the bot says without it is',
      [[0, 'bot-output', { text: 'Please hold the line.' }]],
      'Please hold the line.',
      '',
    ],
    [
      'once, although it is reported twice',
      [
        [0, 'bot-output', { text: 'Hold on.' }],
        [0, 'bot-output', { text: 'Hold on.', spoken_status: 'completed' }],
      ],
      'Hold on.',
      '',
    ],
    [
      'both count, but only one of them is written',
      [
        [0, 'bot-output', { text: 'Welcome.' }],
        [0, 'bot-llm-text', { text: 'We are open.' }],
        [0, 'bot-llm-stopped'],
        [0, 'bot-output', { text: 'We are open.' }],
      ],
      'Welcome. We are open.',
      'We are open.',
    ],
    [
      'what it had begun to say counts',
      [
        [0, 'bot-llm-started'],
        [0, 'bot-llm-text', { text: 'I thi' }],
      ],
      'I thi',
      'I thi',
    ],
    [
      'nothing is nothing',
      [
        [0, 'bot-llm-started'],
        [0, 'bot-llm-stopped'],
      ],
      '',
      '',
    ],
  ];
  for (const [about, steps, text, written] of outputs) {
    it(`${about}`, () => {
      const answer = follow(...steps);
      assert.deepEqual({ text: answer.text, written: answer.written }, { text, written });
    });
  }
});

describe('a message of the protocol', () => {
  const read: (readonly [about: string, raw: string, data: object | undefined])[] = [
    ['is JSON', '{"label":"rtvi-ai","type":"x","data":{"a":1}}', { a: 1 }],
    [
      'has numbers that only Python writes, as text',
      '{"label":"rtvi-ai","type":"x","data":{"a":[NaN,-Infinity,1],"b":"say \\"NaN, Infinity\\""}}',
      { a: ['NaN', '-Infinity', 1], b: 'say "NaN, Infinity"' },
    ],
    ['may belong to another protocol', '{"label":"other","type":"x"}', undefined],
    ...['{', '[]', 'null', '{"label":"rtvi-ai"}'].map(raw => [`may be none: ${raw}`, raw, undefined] as const),
  ];
  for (const [about, raw, data] of read) it(about, () => assert.deepEqual(readMessage(raw)?.data, data));
});

describe('a typed line', () => {
  const said: [typed: string, said: string][] = [
    ['hello', 'hello'],
    ['  /help', '  /help'],
    ['//help', '/help'],
    ['///', '//'],
    ['1/2', '1/2'],
  ];
  for (const [typed, expected] of said) {
    it(`"${typed}" says "${expected}"`, () => assert.deepEqual(readLine(typed), { say: expected }));
  }

  const commands: [typed: string, command: string][] = [
    ['/again', 'again'],
    ['/quit ', 'quit'],
    ['/keep booking', 'keep'],
    ['/quit now', 'unknown'],
    ['/constructor', 'unknown'],
    ['/', 'unknown'],
  ];
  it('/keep asks for a name', () =>
    assert.deepEqual(readLine('/keep '), { command: 'unknown', word: '', help: 'Give it a name: /keep booking' }));

  for (const [typed, command] of commands) {
    it(`"${typed}" is ${command}`, () => {
      const line = readLine(typed);
      assert.equal('command' in line && line.command, command);
    });
  }
});
