import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Call, readCall, type Turn } from '../../src/calls/call.ts';
import { failuresOf, statsOf, whenOf } from '../../src/calls/command.ts';
import {
  answerOf,
  causeOf,
  costOf,
  howItEnded,
  moneyOf,
  partsLine,
  slowestOf,
  summaryLines,
  timeOf,
  toolTime,
  usageOf,
  wordsOf,
} from '../../src/calls/explain.ts';
import { pageOf } from '../../src/calls/page.ts';

/** A call that a bot with the real framework wrote down. */
const recorded = (name: string): Call => {
  const call = readCall(name, readFileSync(join(import.meta.dirname, 'recorded', `${name}.jsonl`), 'utf8'));
  assert(call);
  return call;
};

type Event = [at: number, event: string, facts?: object];

/** A call with these events after its start. */
const callOf = (start: object, ...events: Event[]): Call => {
  const lines = events.map(([at, event, facts = {}]) => ({ event, at, ...facts }));
  const text = [{ event: 'start', at: 0, time: '2026-11-27T14:05:09Z', by: 'browser', ...start }, ...lines];
  const call = readCall('a-call', text.map(line => JSON.stringify(line)).join('\n'));
  assert(call);
  return call;
};

const answer = (seconds: number, ...parts: [key: string, owner: string, seconds: number][]) => ({
  seconds,
  start: 'user_silence',
  parts: parts.map(([key, owner, took]) => ({ key, owner, seconds: took })),
});

/** An event with the answer that took so long, in these parts. */
const answered = (...given: Parameters<typeof answer>): Event => [2, 'answer', answer(...given)];

const summary = ({ you, bot, seconds }: Turn) => [
  you,
  bot,
  seconds === undefined ? undefined : Math.round(seconds * 10) / 10,
];

describe('the file of a call', () => {
  it('has the time of a tool during which a phone bot asked for patience', () => {
    const call = recorded('phone-with-a-tool');
    assert.deepEqual(
      [call.by, call.number, call.isFirst, howItEnded(call)],
      ['phone', '..11', true, 'the caller hung up'],
    );
    assert.deepEqual(call.turns.map(summary), [
      [undefined, "Hello! I'm your assistant. It's good to hear from you.", 6.9],
      ['Are you open?', 'You said: Are you open?', 3.3],
      ['Please find parking', 'The answer is {"found": "behind the house"}.', 6.3],
    ]);
    const [greeting, , tool] = call.turns;
    assert(greeting && tool);
    assert.equal(causeOf(tool, 2, call), 'the tool find_parking, 2.9 of 6.3s');
    assert.match(
      partsLine(tool.parts),
      / · find_parking 2\.9s \(your code\) · voice 0\.1s · asking for patience 1\.0s$/,
    );
    assert.match(causeOf(greeting, 0, call) ?? '', /^the first call after a start of the bot/);
    for (const { seconds = 0, parts } of call.turns) {
      const sum = parts.reduce((total, part) => total + part.seconds, 0);
      assert(Math.abs(sum - seconds) < 0.005, `${sum} of ${seconds}`);
    }
  });

  it('of a speech-to-speech bot has the words after the answer, and the time of the model', () => {
    const call = recorded('speech-to-speech');
    assert.deepEqual(
      call.turns.map(turn => summary(turn).slice(0, 2)),
      [
        [undefined, "Hello! I'm your assistant. It's good to hear from you."],
        ['Are you open?', 'You said: Are you open?'],
        ['And tomorrow?', 'You said: And tomorrow?'],
      ],
    );
    assert.match(partsLine(call.turns[1]?.parts ?? []), /^endpointing 0\.2s \(setting\) · OpenAI Realtime 0\.\ds$/);
  });

  it('of a conversation in text has the time until the answer was written', () => {
    const call = recorded('text-with-a-tool');
    assert.deepEqual([call.by, call.startedBy], ['text', 'talk']);
    const turn = call.turns.find(({ you }) => you === 'Please find parking');
    assert.equal(turn && slowestOf(call)?.turn, turn);
    assert.match(causeOf(turn as Turn, 1, call) ?? '', /^the tool find_parking, 2\.9 of \d\.\ds$/);
  });

  it('may be cut off anywhere, and says what happened before', () => {
    const text = readFileSync(join(import.meta.dirname, 'recorded/phone-with-a-tool.jsonl'), 'utf8');
    for (let length = 0; length < text.length; length += 97) {
      const call = readCall('cut', text.slice(0, length));
      if (!call) assert(!text.slice(0, length).includes('\n'));
      else assert.equal(howItEnded(call), 'it goes on, or the bot was killed');
    }
  });

  it('means nothing by words that every object has', () => {
    const call = callOf(
      { by: 'constructor' },
      [1, '__proto__'],
      [1, 'user', { text: 'x' }],
      [2, 'answer', answer(1, ['constructor', 'X#0', 1])],
      [2, 'error', { processor: 'X#0', category: 'toString', usable: true }],
      [3, 'end', { left: false }],
    );
    assert.equal(howItEnded(call), 'error: X failed');
    assert.deepEqual(call.turns[0]?.parts, [{ label: 'X', seconds: 1, owner: 'service', key: 'constructor' }]);
  });

  for (const text of ['', 'no JSON', '[]', '{"event": "user"}', '{"event":"start","time":"never"}', 'null\n1\n"x"']) {
    it(`isn't ${JSON.stringify(text)}`, () => assert.equal(readCall('x', text), undefined));
  }
});

describe('a turn', () => {
  it('has all that the person said before the answer', () => {
    const said: Event[] = [
      [1, 'user', { text: 'And' }],
      [2, 'user', { text: 'now?' }],
      [3, 'bot', { text: 'Yes.' }],
    ];
    assert.deepEqual(callOf({}, ...said).turns.map(summary), [['And now?', 'Yes.', undefined]]);
  });

  it('is not that of the words before, if the model answered those without a word or with a tool', () => {
    const usage = { kind: 'llm', processor: 'OpenAILLMService#0', prompt_tokens: 9, completion_tokens: 0 };
    const call = callOf(
      {},
      [1, 'user', { text: 'One' }],
      [2, 'usage', usage],
      [3, 'user', { text: 'Two' }],
      [4, 'calls', { id: '1', tool: 'find' }],
      [5, 'called', { id: '1', seconds: 1, result: 'cancelled' }],
      [6, 'user', { text: 'Three' }],
      [7, 'bot'],
      [8, 'user', { text: 'Four' }],
    );
    assert.deepEqual(
      call.turns.map(({ you, tools }) => [you, tools.length]),
      [
        ['One', 0],
        ['Two', 1],
        ['Three', 0],
        ['Four', 0],
      ],
    );
  });

  it('is the first one if the bot waits for the person to speak', () => {
    const heard = { kind: 'ttfb', processor: 'OpenAISTTService#0', seconds: 0.2 };
    const call = callOf({}, [1, 'wait', heard], [2, 'user', { text: 'x' }], [3, 'bot', { text: 'y' }]);
    assert.deepEqual(call.turns.map(summary), [['x', 'y', undefined]]);
    const model: Event = [2, 'wait', { kind: 'ttfb', processor: 'OpenAIRealtimeLLMService#0', seconds: 0.2 }];
    const late: Event[] = [
      [3, 'user', { text: 'x' }],
      [4, 'bot', { text: 'y' }],
    ];
    for (const [start, seconds] of [
      ['user_silence', 0.5],
      ['client_connected', undefined],
    ] as const) {
      const measured: Event = [2, 'answer', { ...answer(0.5), start }];
      assert.deepEqual(callOf({}, model, measured, ...late).turns.map(summary), [['x', 'y', seconds]]);
    }
  });

  it('has the tool that a speech-to-speech service calls before it reports the words', () => {
    const call = callOf(
      {},
      [1, 'wait', { kind: 'ttfb', processor: 'OpenAIRealtimeLLMService#0', seconds: 0.2 }],
      [2, 'bot', { text: 'Hello' }],
      [3, 'calls', { id: '1', tool: 'find' }],
      [3.1, 'user', { text: 'x' }],
      [4, 'bot', { text: 'y' }],
    );
    assert.deepEqual(
      call.turns.map(({ you, bot, tools }) => [you, bot, tools.length]),
      [
        [undefined, 'Hello', 0],
        ['x', 'y', 1],
      ],
    );
  });

  it('in which tools run at once counts until the last one ends, and names one of them', () => {
    const call = callOf(
      { by: 'phone' },
      [10, 'user', { text: 'x' }],
      [10, 'calls', { id: '1', tool: 'long' }],
      [10, 'calls', { id: '2', tool: 'find' }],
      [11, 'called', { id: '2', seconds: 1, result: 'completed' }],
      [12.5, 'speaks'],
      answered(2.7, ['endpointing_wait', 'config: x', 0.2], ['function_handler', 'find +1', 1], ['pipeline', 'x', 1.5]),
      [16, 'called', { id: '1', seconds: 6, result: 'completed' }],
      [16.1, 'speaks'],
    );
    const line = 'endpointing 0.2s (setting) · find 1.0s (your code) · long 5.1s (your code)';
    assert.deepEqual([call.turns[0]?.seconds?.toFixed(1), partsLine(call.turns[0]?.parts ?? [])], ['6.3', line]);
  });

  it('whose tool runs while a phone bot asks for patience has the time of the tool until then', () => {
    const call = callOf(
      { by: 'phone' },
      [10, 'user', { text: 'x' }],
      [10, 'calls', { id: '1', tool: 'long' }],
      [12.5, 'speaks'],
      answered(2.7, ['endpointing_wait', 'config: x', 0.2], ['pipeline', 'pipecat', 2.5]),
      [13, 'called', { id: '1', seconds: 3, result: 'cancelled' }],
    );
    assert.equal(causeOf(call.turns[0] as Turn, 0, call), 'long, 2.5 of 2.7s');
  });

  it("isn't measured by what is no time", () => {
    const call = callOf({}, [1, 'user', { text: 'x' }], [2, 'answer', { ...answer(1), seconds: '1.2' }]);
    assert.deepEqual(call.turns.map(summary), [['x', '', undefined]]);
  });

  it("isn't measured from the beginning of the call if the framework forgot when the person had spoken", () => {
    const call = callOf(
      { by: 'phone' },
      [1, 'answer', { ...answer(0.5, ['first_request', 'bot', 0.5]), start: 'client_connected' }],
      [2, 'bot', { text: 'Hello' }],
      [17.3, 'user', { text: 'Are you open?' }],
      [17.4, 'speaks'],
      [17.4, 'answer', { ...answer(17.4, ['pipeline', 'pipecat', 17.4]), start: 'client_connected' }],
      [18, 'answer', { seconds: 0, parts: [] }],
    );
    assert.deepEqual(call.turns.map(summary), [
      [undefined, 'Hello', 0.5],
      ['Are you open?', '', undefined],
    ]);
    assert.deepEqual(call.turns[1]?.parts, []);
    assert.equal(
      howItEnded({ ...call, end: { left: false, reason: 'runner exiting' } }),
      'the bot hung up without an answer',
    );
  });

  it('with a model during which a phone bot asked for patience counts until the real answer', () => {
    const call = callOf(
      { by: 'phone' },
      [1, 'bot', { text: 'Hello' }],
      [10, 'user', { text: 'Are you open?' }],
      [12.5, 'speaks'],
      [12.5, 'answer', answer(2.7, ['endpointing_wait', 'config: x', 0.2], ['pipeline', 'pipecat', 2.5])],
      [15, 'wait', { kind: 'ttfb', processor: 'OpenAILLMService#0', seconds: 5 }],
      [15.2, 'wait', { kind: 'ttfb', processor: 'CartesiaTTSService#0', seconds: 0.2 }],
      [15.2, 'speaks'],
      [17, 'speaks'],
      [18, 'bot', { text: 'Yes.' }],
    );
    assert.deepEqual(call.turns.map(summary)[1], ['Are you open?', 'Yes.', 5.4]);
    assert.equal(partsLine(call.turns[1]?.parts ?? []), 'endpointing 0.2s (setting) · OpenAI 5.0s · Cartesia 0.2s');
  });

  it('without words is answered once the bot has spoken', () => {
    const call = callOf(
      { by: 'phone' },
      [1, 'user'],
      [2, 'speaks'],
      [2, 'answer', answer(1, ['pipeline', 'pipecat', 1])],
      [3, 'bot'],
      [4, 'error', { processor: 'OpenAILLMService#0', category: 'server', usable: true }],
      [20, 'wait', { kind: 'ttfb', processor: 'OpenAILLMService#0', seconds: 0.6 }],
      [21, 'speaks'],
      [22, 'bot'],
      [23, 'user'],
    );
    assert.deepEqual(
      call.turns.map(({ seconds, failed }) => [seconds, failed]),
      [
        [1, []],
        [undefined, ['OpenAI (model)']],
      ],
    );
    const end = { left: false, reason: 'runner exiting' };
    assert.equal(howItEnded({ ...call, errors: [], end }), 'the bot hung up');
  });

  it("that isn't measured has only what its first words needed, and says of how much", () => {
    const wait = (processor: string, seconds: number) => ({ kind: 'ttfb', processor, seconds });
    const call = callOf(
      { by: 'phone' },
      [2, 'user', { text: 'Are you open?' }],
      [3, 'wait', wait('OpenAILLMService#0', 0.5)],
      [3.2, 'wait', wait('CartesiaTTSService#0', 0.3)],
      [3.3, 'answer', { ...answer(3.3), start: 'client_connected' }],
      [4, 'wait', wait('CartesiaTTSService#0', 0.3)],
    );
    const [turn] = call.turns;
    assert(turn);
    assert.equal(partsLine(turn.parts), 'OpenAI 0.5s · Cartesia 0.3s');
    assert.equal(causeOf(turn, 0, call), 'OpenAI, 0.5 of 0.8s');
    assert.match(pageOf(call, [], undefined), /margin-left:62\.5%;width:max\(2px,37\.5%\)/);
  });

  it('whose words got lost is a turn of its own, with the error', () => {
    const error = { processor: 'OpenAISTTService#0', category: 'unknown', message: 'Error code: 500', usable: true };
    const call = callOf(
      { by: 'phone' },
      [1, 'user', { text: 'First' }],
      [2, 'bot', { text: 'Yes.' }],
      [3, 'error', error],
      [4, 'answer', answer(1.4, ['endpointing_wait', 'config: x', 0.2], ['pipeline', 'pipecat', 1.2])],
      [9, 'user', { text: 'Second' }],
      [10, 'bot', { text: 'No.' }],
    );
    assert.deepEqual(call.turns.map(summary), [
      ['First', 'Yes.', undefined],
      [undefined, '', 1.4],
      ['Second', 'No.', undefined],
    ]);
    assert.deepEqual(
      call.turns.map(({ failed }) => failed),
      [[], ['OpenAI (speech-to-text)'], []],
    );
  });

  it('has each error once in the summary, in the words of its service', () => {
    const error = { processor: 'OpenAILLMService#0', category: 'server', message: 'Error code: 500' };
    const call = callOf({}, [1, 'error', error], [2, 'error', error], [3, 'error', { ...error, message: undefined }]);
    assert.deepEqual(summaryLines(call, []), [
      'Error in turn 1: OpenAI (model) failed: Error code: 500',
      'Error in turn 1: OpenAI (model) failed',
    ]);
  });

  const used = { kind: 'llm', processor: 'OpenAILLMService#0', completion_tokens: 9 };
  const patience = (seconds: number): Event => [
    7,
    'answer',
    answer(seconds, ['endpointing_wait', 'config: x', 0.2], ['pipeline', 'pipecat', seconds - 0.2]),
  ];
  const SAID = '. It only said something like "One moment, please."';
  const silences: [about: string, bot: string, why: string | undefined, ...Event[]][] = [
    ['whose model sends nothing', '(no answer: the model sent no words)', 'the model sent no words'],
    [
      'in which the bot only asks for patience',
      `(no answer: the model sent no words${SAID})`,
      'the model sent no words',
      [7, 'speaks'],
      patience(2.5),
    ],
    [
      'whose answer is not spoken',
      '(no answer: the model answered, but the bot said nothing)',
      'the model answered, but the bot said nothing',
      [6, 'usage', used],
    ],
    ['whose answer is cut off', '(spoke, but its words were cut off)', undefined, [6, 'usage', used], [7, 'speaks']],
    [
      'whose tool returns nothing',
      `(no answer: the tool find returned nothing${SAID})`,
      'the tool find returned nothing',
      [6, 'calls', { id: '1', tool: 'find' }],
      [7, 'speaks'],
      patience(2.5),
    ],
    [
      'that is interrupted',
      "(interrupted after 1.4s, its words aren't known)",
      undefined,
      [6, 'interrupted', { seconds: 1.4 }],
    ],
    ['whose words are not written down', '(words not written down)', undefined, [6, 'bot']],
  ];
  for (const [about, bot, why, ...events] of silences) {
    it(`${about} says so`, () => {
      const call = callOf({ by: 'phone' }, [5, 'user', { text: 'x' }], ...events, [9, 'end', { left: true }]);
      assert.equal(answerOf(call.turns[0] as Turn, call), bot);
      const lines = summaryLines(call, []).filter(line => line.startsWith('No answer'));
      assert.deepEqual(lines, why === undefined ? [] : [`No answer (${why}): turn 1.`]);
    });
  }

  it('in which the bot has said nothing says whether it still may', () => {
    const words: Event = [1, 'user', { text: 'x' }];
    const failed: Event = [1, 'error', { processor: 'OpenAILLMService#0', category: 'authentication', usable: false }];
    const end: Event = [2, 'end', { left: true }];
    for (const [events, said] of [
      [[words], '(nothing yet)'],
      [[failed, end], '(said nothing)'],
    ] as [Event[], string][]) {
      const call = callOf({}, ...events);
      const [turn] = call.turns;
      assert(turn);
      assert.deepEqual([answerOf(turn, call), timeOf(turn)], [said, '']);
    }
  });

  it('whose words got lost says so, and names the service and the turns', () => {
    const call = callOf({ by: 'phone' }, [1, 'bot', { text: 'Hello' }], patience(3.7), patience(3.7), [
      19,
      'end',
      { left: false, reason: "OpenAISTTService#0 doesn't answer" },
    ]);
    const [, turn] = call.turns;
    assert(turn);
    assert.deepEqual(
      [wordsOf(turn), answerOf(turn, call), timeOf(turn)],
      ['(spoke, but no words were recognized)', `(no answer: speech-to-text sent no words${SAID})`, '3.7s'],
    );
    assert.equal(partsLine(turn.parts), 'endpointing 0.2s (setting) · waiting for the words 3.5s');
    assert.equal(summaryLines(call, [])[0], 'No answer (speech-to-text sent no words): turns 2, 3.');
    assert.deepEqual(failuresOf([call]), { calls_with_errors: 1, turns: 3, without_an_answer: 2, interrupted: 0 });
  });

  it('that waits for a model until the bot asks for patience says so', () => {
    const call = callOf({ by: 'phone' }, [1, 'user', { text: 'x' }], [7, 'speaks'], patience(2.7));
    const [turn] = call.turns;
    assert(turn);
    assert.equal(causeOf(turn, 0, call), 'waiting for the model, 2.5 of 2.7s');
    // The answer may still come.
    assert.deepEqual(summaryLines(call, []).slice(0, -1), []);
    assert.equal(failuresOf([call]).without_an_answer, 0);
    assert.match(pageOf(call, [], undefined), /<p>The file stops here: the call goes on, or the bot was killed\.<\/p>/);
  });

  it('whose voice is late says so, without what only the framework knows', () => {
    const message = 'TTS context 68e0583a-1320-40dd-8e1a-6037ff843555 completed with no audio';
    const call = callOf({}, [
      1,
      'error',
      { processor: 'OpenAITTSService#0', category: 'unknown', message, usable: true },
    ]);
    assert.deepEqual(summaryLines(call, []), ['Error in turn 1: OpenAI (voice) sent no sound in time']);
  });

  it('is interrupted, which the summary says', () => {
    const call = callOf({}, [1, 'user', { text: 'x' }], [2, 'bot', { text: 'y' }], [3, 'interrupted', { seconds: 1 }]);
    assert.equal(answerOf(call.turns[0] as Turn, call), '(interrupted after 1.0s) y');
    assert.deepEqual(summaryLines(call, []), ['Interrupted by the person: turn 1.']);
  });

  it('never shows a key that its provider quotes in an error', () => {
    for (const key of ['sk-proj-Zm9vYmFyMTIzNDU2Nzg5MA', 'a8Kd93Lm2Qx7Vb5Tn1Rw6Yz4']) {
      for (const message of [
        `Invalid API key: '${key}'.`,
        `Incorrect API key provided: ${key}. Find yours`,
        `key=${key}`,
      ]) {
        const error = { processor: 'OpenAILLMService#0', category: 'authentication', message };
        const said = summaryLines(callOf({}, [1, 'error', error]), []).join();
        assert.match(said, /refused the key: /);
        assert(!said.includes(key.slice(3)), said);
      }
    }
  });

  it('shows of a phone number in an error only the last two digits', () => {
    for (const number of ['+15550001111', '15550001111', '+4930111']) {
      const error = { processor: 'OpenAILLMService#0', category: 'server', message: `from ${number}: 20000000 tokens` };
      assert.deepEqual(summaryLines(callOf({}, [1, 'error', error]), []), [
        'Error in turn 1: OpenAI (model) failed: from ..11: 20000000 tokens',
      ]);
    }
  });

  it('blames no setting for a call in which something failed', () => {
    const words: Event = [5, 'user', { text: 'x' }];
    const error: Event = [9, 'error', { processor: 'X#0', category: 'server' }];
    const slow = (key: string): Event => [8, 'answer', answer(3, [key, 'X#0', 3])];
    const said: Event = [8, 'bot', { text: 'y' }];
    const setting = 'turn detection (deciding whether the person has finished)';
    const blamed = (...events: Event[]) =>
      summaryLines(callOf({}, words, ...events), []).find(line => line.startsWith('Slowest'));
    assert.equal(blamed(slow('turn_detection'), said), `Slowest: turn 1, ${setting}, 3.0 of 3.0s.`);
    assert.equal(blamed(slow('turn_detection'), said, error), undefined);
    assert.equal(blamed(slow('turn_detection'), [9, 'end', { left: false }]), undefined);
    assert.equal(blamed(slow('llm_inference'), said, error), 'Slowest: turn 1, X, 3.0 of 3.0s.');
    const again = 'Slowest: turn 1, an error of X, after which it tried again.';
    assert.equal(blamed(error, slow('turn_detection'), said), again);
  });

  it('is not slow because of an error of a tool, or of a voice that is only slow', () => {
    const call = callOf(
      {},
      [1, 'user', { text: 'x' }],
      [2, 'error', { processor: 'OpenAILLMService#0', category: 'application', message: 'x', usable: true }],
      [3, 'error', { processor: 'X#0', category: 'unknown', message: 'TTS context 1 completed with no audio' }],
      [4, 'end', { left: false, reason: 'runner exiting' }],
    );
    assert.deepEqual(call.turns[0]?.failed, []);
    assert.equal(howItEnded(call), 'error: your code failed');
  });

  for (const [result, text] of [
    ['cancelled', 'interrupted after 5.0s'],
    ['failed', 'failed after 5.0s'],
    ['timed_out', 'timed out after 5.0s'],
    ['missing', "doesn't exist"],
    ['completed', '5.0s'],
    [undefined, 'not done'],
  ]) {
    it(`says of a tool: ${text}`, () => {
      const end: Event[] = result ? [[7, 'called', { id: '1', seconds: 5, result }]] : [];
      const [turn] = callOf({}, [1, 'user', { text: 'x' }], [2, 'calls', { id: '1', tool: 'find' }], ...end).turns;
      assert(turn?.tools[0]);
      assert.equal(toolTime(turn.tools[0]), text);
    });
  }

  it('in text takes until the bot speaks, if it does so after a tool', () => {
    const call = callOf(
      { by: 'text' },
      [1, 'bot', { text: 'Hello' }],
      [2, 'user', { text: 'Find parking' }],
      [2.1, 'calls', { id: '1', tool: 'find', arguments: {} }],
      [2.2, 'called', { id: '1', seconds: 0.1, result: 'completed' }],
      [2.4, 'speaks'],
      [2.4, 'answer', { ...answer(2.3, ['first_request', 'bot', 2.1]), start: 'client_connected' }],
      [4.6, 'bot', { text: 'Behind the house' }],
    );
    assert.deepEqual(call.turns.map(summary), [
      [undefined, 'Hello', undefined],
      ['Find parking', 'Behind the house', 0.4],
    ]);
    assert.equal(partsLine(call.turns[1]?.parts ?? []), 'find 0.1s (your code)');
  });

  it('in text has the time of a tool once, if the bot says something before', () => {
    const call = callOf(
      { by: 'text' },
      [1, 'user', { text: 'Find parking' }],
      [1.1, 'calls', { id: '1', tool: 'find', arguments: {} }],
      [2, 'bot', { text: 'Let me see.' }],
      [3, 'called', { id: '1', seconds: 1.9, result: 'completed' }],
      [3.2, 'speaks'],
      [3.5, 'bot', { text: 'Behind the house' }],
    );
    assert.deepEqual(call.turns.map(summary), [['Find parking', 'Let me see. Behind the house', 2.2]]);
    assert.equal(partsLine(call.turns[0]?.parts ?? []), 'find 1.9s (your code)');
  });

  it('in text has no part of the answer before, and no voice if none was waited for', () => {
    const wait = (processor: string, seconds: number) => ({ kind: 'ttfb', processor, seconds });
    const call = callOf(
      { by: 'text' },
      [2, 'calls', { id: '1', tool: 'find', arguments: {} }],
      [3, 'user', { text: 'x' }],
      [3, 'called', { id: '1', seconds: 1, result: 'cancelled' }],
      [3.1, 'wait', wait('OpenAILLMService#0', 1)],
      [3.5, 'wait', wait('OpenAILLMService#0', 0.4)],
      [3.6, 'wait', wait('OpenAITTSService#0', 0.5)],
      [3.6, 'bot', { text: 'y' }],
    );
    assert.equal(partsLine(call.turns[1]?.parts ?? []), 'OpenAI 0.4s');
  });

  it('knows when it was interrupted', () => {
    const cut: Event[] = [
      [1, 'bot', { text: 'We are' }],
      [2, 'interrupted', { seconds: 1.1 }],
      [3, 'user', { text: 'x' }],
    ];
    const [first, second] = callOf({}, ...cut).turns;
    assert.deepEqual([first?.interruptedAfter, second?.interruptedAfter], [1.1, undefined]);
  });

  it('names services by their provider, or by what they do if one provider has several', () => {
    const model = 'OpenAILLMService#0';
    const of = (stt: string) => {
      const parts = answered(
        1.5,
        ['transcription', `${stt}#0`, 0.5],
        ['llm_inference', model, 0.6],
        ['llm_tool_call', model, 0.4],
      );
      return partsLine(callOf({}, [1, 'user', { text: 'x' }], parts).turns[0]?.parts ?? []);
    };
    assert.equal(of('DeepgramSTTService'), 'Deepgram 0.5s · OpenAI 1.0s');
    assert.equal(of('OpenAISTTService'), 'speech-to-text 0.5s · model 1.0s');
  });

  const model = (seconds: number): [string, string, number] => ['llm_inference', 'X#0', seconds];
  const retry = { processor: 'OpenAILLMService#0', category: 'server', usable: true };
  const pause = 'endpointing (the pause after which the person counts as finished, stop_secs), 0.8 of 1.2s';
  const causes: [about: string, cause: string | undefined, ...events: Event[]][] = [
    ['a tool', 'the tool find, 2.9 of 4.1s', answered(4.1, ['function_handler', 'find', 2.9], model(1.2))],
    ['the pause', pause, answered(1.2, ['endpointing_wait', 'config: x', 0.8], model(0.4))],
    [
      'a whole sentence',
      'first sentence (the voice waits for a whole one), 1.5 of 2.0s',
      answered(2, ['sentence_aggregation', 'config: x', 1.5], model(0.5)),
    ],
    [
      'a model that thinks',
      'the model thought for 1.5 of 2.0s',
      [1.5, 'wait', { kind: 'ttfat', processor: 'X#0', seconds: 1.6, thinking: 1.5 }],
      answered(2, model(2)),
    ],
    ['a retry', 'an error of OpenAI (model), after which it tried again', [1.5, 'error', retry], answered(2, model(2))],
    [
      'a slow voice',
      'Cartesia, 1.5 of 2.0s',
      answered(2, model(0.5), ['speech_synthesis', 'CartesiaTTSService#0', 1.5]),
    ],
    ['what is not measured', undefined, answered(0.7, model(0.02))],
    ['what takes no time', undefined, answered(0.03, model(0.02))],
    ['no measurement', undefined, [2, 'bot', { text: 'x' }]],
  ];
  for (const [about, cause, ...events] of causes) {
    it(`is slow because of ${about}`, () => {
      const call = callOf({}, [1, 'user', { text: 'x' }], ...events);
      assert.equal(causeOf(call.turns[0] as Turn, 0, call), cause);
    });
  }
});

describe('how a call ended', () => {
  const error = { processor: 'CartesiaTTSService#0', category: 'authentication', message: 'secret', usable: false };
  for (const [start, events, how] of [
    [{ by: 'phone' }, [[2, 'end', { left: true, reason: 'runner exiting' }]], 'the caller hung up'],
    [{}, [[2, 'end', { left: true }]], 'the person left'],
    [{ by: 'phone' }, [[2, 'end', { left: false, reason: 'runner exiting' }]], 'the bot hung up'],
    [{ started_by: 'dev' }, [[2, 'end', { reason: 'the bot was stopped' }]], 'stopped by botcli dev'],
    [{}, [[2, 'end', { reason: 'the bot was stopped' }]], 'the bot was stopped'],
    [{}, [[2, 'end', { reason: 'idle timeout' }]], 'nobody said anything'],
    [
      {},
      [
        [1, 'error', error],
        [2, 'end', { left: true }],
      ],
      'error: Cartesia (voice) refused the key',
    ],
    ...[
      ['unknown', 'Error code: 401 - Incorrect API key', 'refused the key'],
      ['unknown', 'Error code: 403', 'refused the access'],
      ['rate_limit', 'Error code: 429 - You exceeded your current quota', 'has no credit left'],
      ['unknown', 'Error code: 500 - request req_4011', 'failed'],
    ].map(([category, message, what]) => [
      {},
      [
        [1, 'error', { ...error, category, message, usable: true }],
        [2, 'end', { left: false, reason: 'CartesiaTTSService#0 failed' }],
      ],
      `error: Cartesia (voice) ${what}`,
    ]),
    [
      { by: 'phone' },
      [[2, 'end', { left: false, reason: "OpenAISTTService#0 doesn't answer a ping" }]],
      "error: OpenAI (speech-to-text) didn't answer",
    ],
    [{}, [[1, 'bot', { text: 'x' }]], 'it goes on, or the bot was killed'],
  ] as [object, Event[], string][]) {
    it(how, () => assert.equal(howItEnded(callOf(start, ...events)), how));
  }
});

describe('what a call cost', () => {
  const llm = { kind: 'llm', processor: 'OpenAILLMService#0', model: 'gpt-4.1-2025-04-14', prompt_tokens: 1_000_000 };
  const speech = { kind: 'tts', processor: 'CartesiaTTSService#0', model: 'sonic-3.6', characters: 640 };

  it('is the sum of the prices that are known, with their date', () => {
    const call = callOf({}, [1, 'usage', llm], [2, 'usage', { ...llm, completion_tokens: 1000 }], [3, 'usage', speech]);
    const cost = costOf(call);
    assert.deepEqual(cost, { dollars: 4.008, date: '2026-06-21', unknown: ['sonic-3.6'] });
    assert.deepEqual([moneyOf(cost), usageOf(call)], ['>$4.00', '2000000 tokens in, 1000 out, 640 characters spoken']);
  });

  it('counts cached tokens and those of audio at their own prices', () => {
    const audio = {
      input_audio_tokens: 500_000,
      cache_read_input_tokens: 300_000,
      cache_read_input_audio_tokens: 100_000,
    };
    const usage = {
      ...llm,
      model: 'gpt-realtime-2.1',
      completion_tokens: 100_000,
      output_audio_tokens: 100_000,
      ...audio,
    };
    // 300,000 tokens of text, 200,000 cached ones, 400,000 of audio, 100,000 cached ones, and 100,000 that were spoken
    const expected = 0.3 * 4 + 0.2 * 0.4 + 0.4 * 32 + 0.1 * 0.4 + 0.1 * 64;
    assert(Math.abs(costOf(callOf({}, [1, 'usage', usage])).dollars - expected) < 1e-9);
  });

  it("isn't known if a price is missing, and the user's prices count more", () => {
    const call = callOf({}, [1, 'usage', speech]);
    assert.deepEqual([moneyOf(costOf(call)), costOf(call).unknown], ['', ['sonic-3.6']]);
    const own = [
      { model: 'sonic-3.6', characters: 50, date: '2026-11-01' },
      { model: 'gpt-4.1', input: 1 },
    ];
    assert.deepEqual(costOf(call, own), { dollars: 0.032, date: '2026-11-01', unknown: [] });
    assert.equal(costOf(callOf({}, [1, 'usage', llm]), own).dollars, 1);
  });
});

it('the usual times are the median and the 90th percentile', () => {
  const turns = Array.from({ length: 10 }, (_, at): Event[] => [
    [2 * at, 'user', { text: 'x' }],
    [2 * at + 1, 'answer', answer(at + 1, ['llm_inference', 'OpenAILLMService#0', at + 1])],
  ]).flat();
  assert.deepEqual(statsOf([callOf({}, ...turns)]), [
    { label: 'whole answer', count: 10, median: 5, p90: 9 },
    { label: 'OpenAI', count: 10, median: 5, p90: 9 },
  ]);
});

it('a time is named as people do', () => {
  const now = new Date(2026, 10, 27, 9, 0);
  const times = [new Date(2026, 10, 27, 0, 5), new Date(2026, 10, 26, 23, 59), new Date(2026, 9, 3, 14, 5)];
  assert.deepEqual(
    times.map(time => whenOf(time, now)),
    ['00:05 today', '23:59 yesterday', '14:05 3 Oct'],
  );
});
