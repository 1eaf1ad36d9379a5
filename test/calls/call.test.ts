import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Call, readCall, type Turn } from '../../src/calls/call.ts';
import { whenOf } from '../../src/calls/command.ts';
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

const textOf = (name: string): string => readFileSync(join(import.meta.dirname, 'recorded', `${name}.jsonl`), 'utf8');

/** A call that a bot with the real framework wrote down. */
const recorded = (name: string): Call => readCall(name, textOf(name)) ?? assert.fail();

type Event = [at: number, event: string, facts?: object];
type PartRow = [key: string, owner: string, seconds: number];

/** A call with these events after its start. */
const callOf = (start: object, ...events: Event[]): Call => {
  const lines = events.map(([at, event, facts = {}]) => ({ event, at, ...facts }));
  const text = [{ event: 'start', at: 0, time: '2026-11-27T14:05:09Z', by: 'browser', ...start }, ...lines];
  return readCall('a-call', text.map(line => JSON.stringify(line)).join('\n')) ?? assert.fail();
};

const MODEL = 'OpenAILLMService#0';
const VOICE = 'CartesiaTTSService#0';
const SPEAKER = 'OpenAIRealtimeLLMService#0';
const PAUSE: PartRow = ['endpointing_wait', 'config: x', 0.2];
const rest = (seconds: number): PartRow => ['pipeline', 'pipecat', seconds];

const user = (at: number, text?: string): Event => [at, 'user', { text }];
const bot = (at: number, text?: string): Event => [at, 'bot', { text }];
const speaks = (at: number): Event => [at, 'speaks'];
const calls = (at: number, tool = 'find'): Event => [at, 'calls', { id: tool, tool }];
const called = (at: number, seconds: number, tool = 'find', result = 'completed'): Event => [
  at,
  'called',
  { id: tool, seconds, result },
];
const wait = (at: number, processor: string, seconds: number): Event => [
  at,
  'wait',
  { kind: 'ttfb', processor, seconds },
];
const error = (at: number, processor: string, category: string, message?: string): Event => [
  at,
  'error',
  { processor, category, message, usable: true },
];
const end = (at: number, left: boolean, reason?: string): Event => [at, 'end', { left, reason }];

/** The answer that took so long, in these parts. */
const answered = (at: number, seconds: number, ...parts: PartRow[]): Event => [
  at,
  'answer',
  { seconds, start: 'user_silence', parts: parts.map(([key, owner, took]) => ({ key, owner, seconds: took })) },
];

/** The same event, as the framework measures it if it doesn't know when the person had spoken. */
const sinceStart = ([at, event, facts]: Event): Event => [at, event, { ...facts, start: 'client_connected' }];

/** Each turn on a line: the words and the answer, the seconds, their parts, the tools, and what failed. */
const turnsOf = ({ turns }: Call): string[] =>
  turns.map(({ you = '-', bot, seconds, parts, tools, failed }) =>
    [`${you} / ${bot}`, seconds?.toFixed(1), partsLine(parts), ...tools.map(({ name }) => name), ...failed]
      .filter(Boolean)
      .join(', '),
  );

const firstOf = (call: Call): Turn => call.turns[0] ?? assert.fail();

describe('the file of a call', () => {
  const GREETING = "- / Hello! I'm your assistant. It's good to hear from you.";

  it('has the time of a tool during which a phone bot asked for patience', () => {
    const call = recorded('phone-with-a-tool');
    assert.deepEqual(
      [call.by, call.number, call.isFirst, howItEnded(call)],
      ['phone', '..11', true, 'the caller hung up'],
    );
    assert.deepEqual(turnsOf(call), [
      `${GREETING}, 6.9, first request 6.2s (your code) · model 0.3s · voice 0.4s`,
      'Are you open? / You said: Are you open?, 3.3, endpointing 0.2s (setting) · speech-to-text 0.3s · ' +
        'turn detection 2.4s (setting) · model 0.1s · voice 0.2s · connection 0.1s',
      'Please find parking / The answer is {"found": "behind the house"}., 6.3, endpointing 0.2s (setting) · ' +
        'speech-to-text 0.1s · turn detection 1.8s (setting) · model 0.2s · find_parking 2.9s (your code) · ' +
        'voice 0.1s · asking for patience 1.0s, find_parking',
    ]);
    const causes = call.turns.map((turn, at) => causeOf(turn, at, call));
    assert.match(causes[0] ?? '', /^the first call after a start of the bot/);
    assert.equal(causes[2], 'the tool find_parking, 2.9 of 6.3s');
    for (const { seconds = 0, parts } of call.turns) {
      const sum = parts.reduce((total, part) => total + part.seconds, 0);
      assert(Math.abs(sum - seconds) < 0.005, `${sum} of ${seconds}`);
    }
  });

  it('of a speech-to-speech bot has the words after the answer, and the time of the model', () => {
    assert.deepEqual(turnsOf(recorded('speech-to-speech')), [
      `${GREETING}, 0.1, first request 0.1s (your code)`,
      'Are you open? / You said: Are you open?, 0.5, endpointing 0.2s (setting) · OpenAI Realtime 0.3s',
      'And tomorrow? / You said: And tomorrow?, 0.5, endpointing 0.2s (setting) · connection 0.1s · OpenAI Realtime 0.3s',
    ]);
  });

  it('of a conversation in text has the time until the answer was written', () => {
    const call = recorded('text-with-a-tool');
    assert.deepEqual([call.by, call.startedBy], ['text', 'talk']);
    const slowest = slowestOf(call)?.turn ?? assert.fail();
    assert.equal(slowest.you, 'Please find parking');
    assert.match(causeOf(slowest, 1, call) ?? '', /^the tool find_parking, 2\.9 of \d\.\ds$/);
  });

  it('may be cut off anywhere, and says what happened before', () => {
    const text = textOf('phone-with-a-tool');
    for (let length = 0; length < text.length; length += 97) {
      const call = readCall('cut', text.slice(0, length));
      if (!call) assert(!text.slice(0, length).includes('\n'));
      else assert.equal(howItEnded(call), 'it goes on, or the bot was killed');
    }
  });

  it('means nothing by words that every object has', () => {
    const odd = [error(2, 'X#0', 'toString'), end(3, false)];
    const call = callOf(
      { by: 'constructor' },
      [1, '__proto__'],
      user(1, 'x'),
      answered(2, 1, ['constructor', 'X#0', 1]),
      ...odd,
    );
    assert.equal(howItEnded(call), 'error: X failed');
    assert.deepEqual(firstOf(call).parts, [{ label: 'X', seconds: 1, owner: 'service', key: 'constructor' }]);
  });

  for (const text of ['', 'no JSON', '[]', '{"event": "user"}', '{"event":"start","time":"never"}', 'null\n1\n"x"']) {
    it(`isn't ${JSON.stringify(text)}`, () => assert.equal(readCall('x', text), undefined));
  }
});

describe('a turn', () => {
  const none = { kind: 'llm', processor: MODEL, prompt_tokens: 9, completion_tokens: 0 };
  const late = [wait(2, SPEAKER, 0.2), user(3, 'x'), bot(4, 'y')] as const;
  const TURNS: Record<string, [about: string, turns: string[], ...Event[]][]> = {
    browser: [
      [
        'has all that the person said before the answer',
        ['And now? / Yes.'],
        user(1, 'And'),
        user(2, 'now?'),
        bot(3, 'Yes.'),
      ],
      [
        'is not that of the words before, if the model answered those without a word or with a tool',
        ['One / ', 'Two / , find', 'Three / ', 'Four / '],
        ...[user(1, 'One'), [2, 'usage', none] as Event, user(3, 'Two'), calls(4), called(5, 1, 'find', 'cancelled')],
        ...[user(6, 'Three'), bot(7), user(8, 'Four')],
      ],
      [
        'is the first one if the bot waits for the person to speak',
        ['x / y'],
        ...[wait(1, 'OpenAISTTService#0', 0.2), user(2, 'x'), bot(3, 'y')],
      ],
      [
        'is the first one if speech-to-speech reports its words after the answer has begun',
        ['x / y, 0.5'],
        ...[late[0], answered(2, 0.5), late[1], late[2]],
      ],
      [
        "isn't measured as a greeting if speech-to-speech reports its words late",
        ['x / y'],
        ...[late[0], sinceStart(answered(2, 0.5)), late[1], late[2]],
      ],
      [
        'has the tool that a speech-to-speech service calls before it reports the words',
        ['- / Hello', 'x / y, find'],
        ...[wait(1, SPEAKER, 0.2), bot(2, 'Hello'), calls(3), user(3.1, 'x'), bot(4, 'y')],
      ],
      [
        "isn't measured by what is no time",
        ['x / '],
        ...[user(1, 'x'), [2, 'answer', { seconds: '1.2', start: 'user_silence', parts: [] }] as Event],
      ],
      [
        'names services by their provider',
        ['x / , 1.5, Deepgram 0.5s · OpenAI 1.0s'],
        user(1, 'x'),
        answered(
          2,
          1.5,
          ['transcription', 'DeepgramSTTService#0', 0.5],
          ['llm_inference', MODEL, 0.6],
          ['llm_tool_call', MODEL, 0.4],
        ),
      ],
      [
        'names services by what they do if one provider has several',
        ['x / , 1.5, speech-to-text 0.5s · model 1.0s'],
        ...[user(1, 'x'), answered(2, 1.5, ['transcription', 'OpenAISTTService#0', 0.5], ['llm_inference', MODEL, 1])],
      ],
    ],
    phone: [
      [
        'in which tools run at once counts until the last one ends, and names one of them',
        ['x / , 6.3, endpointing 0.2s (setting) · find 1.0s (your code) · long 5.1s (your code), long, find'],
        ...[user(10, 'x'), calls(10, 'long'), calls(10), called(11, 1), speaks(12.5)],
        answered(2, 2.7, PAUSE, ['function_handler', 'find +1', 1], rest(1.5)),
        ...[called(16, 6, 'long'), speaks(16.1)],
      ],
      [
        'whose tool runs while a phone bot asks for patience has the time of the tool until then',
        ['x / , 2.7, endpointing 0.2s (setting) · long 2.5s (your code), long'],
        ...[user(10, 'x'), calls(10, 'long'), speaks(12.5), answered(2, 2.7, PAUSE, rest(2.5))],
        called(13, 3, 'long', 'cancelled'),
      ],
      [
        "isn't measured from the beginning of the call if the framework forgot when the person had spoken",
        ['- / Hello, 0.5, first request 0.5s (your code)', 'Are you open? / '],
        ...[sinceStart(answered(1, 0.5, ['first_request', 'bot', 0.5])), bot(2, 'Hello'), user(17.3, 'Are you open?')],
        ...[
          speaks(17.4),
          sinceStart(answered(17.4, 17.4, rest(17.4))),
          [18, 'answer', { seconds: 0, parts: [] }] as Event,
        ],
      ],
      [
        'with a model during which a phone bot asked for patience counts until the real answer',
        ['- / Hello', 'Are you open? / Yes., 5.4, endpointing 0.2s (setting) · OpenAI 5.0s · Cartesia 0.2s'],
        ...[bot(1, 'Hello'), user(10, 'Are you open?'), speaks(12.5), answered(12.5, 2.7, PAUSE, rest(2.5))],
        ...[wait(15, MODEL, 5), wait(15.2, VOICE, 0.2), speaks(15.2), speaks(17), bot(18, 'Yes.')],
      ],
      [
        'without words is answered once the bot has spoken',
        [' / , 1.0, pipeline 1.0s', ' / , OpenAI (model)'],
        ...[user(1), speaks(2), answered(2, 1, rest(1)), bot(3), error(4, MODEL, 'server')],
        ...[wait(20, MODEL, 0.6), speaks(21), bot(22), user(23)],
      ],
      [
        'whose words got lost is a turn of its own, with the error',
        [
          'First / Yes.',
          '- / , 1.4, endpointing 0.2s (setting) · waiting for the words 1.2s, OpenAI (speech-to-text)',
          'Second / No.',
        ],
        ...[user(1, 'First'), bot(2, 'Yes.'), error(3, 'OpenAISTTService#0', 'unknown', 'Error code: 500')],
        ...[answered(4, 1.4, PAUSE, rest(1.2)), user(9, 'Second'), bot(10, 'No.')],
      ],
    ],
    text: [
      [
        'in text takes until the bot speaks, if it does so after a tool',
        ['- / Hello', 'Find parking / Behind the house, 0.4, find 0.1s (your code), find'],
        ...[bot(1, 'Hello'), user(2, 'Find parking'), calls(2.1), called(2.2, 0.1), speaks(2.4)],
        ...[sinceStart(answered(2.4, 2.3, ['first_request', 'bot', 2.1])), bot(4.6, 'Behind the house')],
      ],
      [
        'in text has the time of a tool once, if the bot says something before',
        ['Find parking / Let me see. Behind the house, 2.2, find 1.9s (your code), find'],
        ...[user(1, 'Find parking'), calls(1.1), bot(2, 'Let me see.'), called(3, 1.9), speaks(3.2)],
        bot(3.5, 'Behind the house'),
      ],
      [
        'in text has no part of the answer before, and no voice if none was waited for',
        ['- / , find', 'x / y, 0.6, OpenAI 0.4s'],
        ...[calls(2), user(3, 'x'), called(3, 1, 'find', 'cancelled'), wait(3.1, MODEL, 1), wait(3.5, MODEL, 0.4)],
        ...[wait(3.6, 'OpenAITTSService#0', 0.5), bot(3.6, 'y')],
      ],
    ],
  };
  for (const [by, rows] of Object.entries(TURNS))
    for (const [about, turns, ...events] of rows)
      it(about, () => assert.deepEqual(turnsOf(callOf({ by }, ...events)), turns));

  const PATIENCE = answered(7, 2.5, PAUSE, rest(2.3));
  const LATE = [speaks(7), PATIENCE] as const;
  const SAID = '. It only said something like "One moment, please."';
  const used: Event = [6, 'usage', { kind: 'llm', processor: MODEL, completion_tokens: 9 }];
  const SILENCES: [about: string, bot: string, isUnanswered: boolean, ...Event[]][] = [
    ['whose model sends nothing', 'the model sent no words', true],
    ['in which the bot only asks for patience', `the model sent no words${SAID}`, true, ...LATE],
    ['whose answer is not spoken', 'the model answered, but the bot said nothing', true, used],
    ['whose tool returns nothing', `the tool find returned nothing${SAID}`, true, calls(6), ...LATE],
    ['whose answer is cut off', '(spoke, but its words were cut off)', false, used, speaks(7)],
    [
      'that is interrupted',
      "(interrupted after 1.4s, its words aren't known)",
      false,
      [6, 'interrupted', { seconds: 1.4 }],
    ],
    ['whose words are not written down', '(words not written down)', false, bot(6)],
  ];
  for (const [about, why, isUnanswered, ...events] of SILENCES) {
    it(`${about} says so`, () => {
      const call = callOf({ by: 'phone' }, user(5, 'x'), ...events, end(9, true));
      assert.equal(answerOf(firstOf(call), call), isUnanswered ? `(no answer: ${why})` : why);
      const lines = summaryLines(call, []).filter(line => line.startsWith('No answer'));
      assert.deepEqual(lines, isUnanswered ? [`No answer (${why.replace(SAID, '')}): turn 1.`] : []);
    });
  }

  it('in which the bot has said nothing says whether it still may', () => {
    const failed: Event = [1, 'error', { processor: MODEL, category: 'authentication', usable: false }];
    for (const [said, ...events] of [
      ['(nothing yet)', user(1, 'x')],
      ['(said nothing)', failed, end(2, true)],
    ] as [string, ...Event[]][]) {
      const call = callOf({}, ...events);
      assert.deepEqual([answerOf(firstOf(call), call), timeOf(firstOf(call))], [said, '']);
    }
  });

  it('whose words got lost says so, and names the service and the turns', () => {
    const silent = end(19, false, "OpenAISTTService#0 doesn't answer");
    const call = callOf({ by: 'phone' }, bot(1, 'Hello'), PATIENCE, PATIENCE, silent);
    const [, turn = assert.fail()] = call.turns;
    const unanswered = `(no answer: speech-to-text sent no words${SAID})`;
    const shown = [wordsOf(turn), answerOf(turn, call), timeOf(turn)];
    assert.deepEqual(shown, ['(spoke, but no words were recognized)', unanswered, '2.5s']);
    assert.equal(turnsOf(call)[1], '- / , 2.5, endpointing 0.2s (setting) · waiting for the words 2.3s');
    assert.equal(summaryLines(call, [])[0], 'No answer (speech-to-text sent no words): turns 2, 3.');
  });

  it('that waits for a model until the bot asks for patience says so', () => {
    const call = callOf({ by: 'phone' }, user(1, 'x'), ...LATE);
    // The answer may still come.
    assert.deepEqual(summaryLines(call, []), ['Slowest: turn 1, waiting for the model, 2.3 of 2.5s.']);
    assert.match(pageOf(call, [], undefined), /<p>The file stops here: the call goes on, or the bot was killed\.<\/p>/);
  });

  it("that isn't measured has only what its first words needed, and says of how much", () => {
    const needed = [wait(3, MODEL, 0.5), wait(3.2, VOICE, 0.3), sinceStart(answered(3.3, 3.3)), wait(4, VOICE, 0.3)];
    const call = callOf({ by: 'phone' }, user(2, 'Are you open?'), ...needed);
    assert.deepEqual(turnsOf(call), ['Are you open? / , OpenAI 0.5s · Cartesia 0.3s']);
    assert.equal(causeOf(firstOf(call), 0, call), 'OpenAI, 0.5 of 0.8s');
    assert.match(pageOf(call, [], undefined), /margin-left:62\.5%;width:max\(2px,37\.5%\)/);
  });

  it('knows when it was interrupted', () => {
    const cut: Event = [2, 'interrupted', { seconds: 1.1 }];
    const greeting = callOf({}, bot(1, 'We are'), cut, user(3, 'x'));
    assert.deepEqual(
      greeting.turns.map(turn => turn.interruptedAfter),
      [1.1, undefined],
    );
    const call = callOf({}, user(1, 'x'), bot(2, 'y'), cut);
    assert.equal(answerOf(firstOf(call), call), '(interrupted after 1.1s) y');
    assert.deepEqual(summaryLines(call, []), ['Interrupted by the person: turn 1.']);
  });

  /** The lines about errors of a call with these. */
  const errorsIn = (...events: Event[]) => summaryLines(callOf({}, ...events), []);

  it('has each error once in the summary, in the words of its service', () => {
    const failed = error(1, MODEL, 'server', 'Error code: 500');
    assert.deepEqual(errorsIn(failed, failed, error(3, MODEL, 'server')), [
      'Error in turn 1: OpenAI (model) failed: Error code: 500',
      'Error in turn 1: OpenAI (model) failed',
    ]);
    const silent = 'TTS context 68e0583a-1320-40dd-8e1a-6037ff843555 completed with no audio';
    assert.deepEqual(errorsIn(error(1, 'OpenAITTSService#0', 'unknown', silent)), [
      'Error in turn 1: OpenAI (voice) sent no sound in time',
    ]);
  });

  it('never shows a key that its provider quotes in an error', () => {
    for (const key of ['sk-proj-Zm9vYmFyMTIzNDU2Nzg5MA', 'a8Kd93Lm2Qx7Vb5Tn1Rw6Yz4']) {
      for (const message of [
        `Invalid API key: '${key}'.`,
        `Incorrect API key provided: ${key}. Find it`,
        `key=${key}`,
      ]) {
        const said = errorsIn(error(1, MODEL, 'authentication', message)).join();
        assert.match(said, /refused the key: /);
        assert(!said.includes(key.slice(3)), said);
      }
    }
  });

  it('shows of a phone number in an error only the last two digits', () => {
    for (const number of ['+15550001111', '15550001111', '+4930111'])
      assert.deepEqual(errorsIn(error(1, MODEL, 'server', `from ${number}: 20000000 tokens`)), [
        'Error in turn 1: OpenAI (model) failed: from ..11: 20000000 tokens',
      ]);
  });

  it('blames no setting for a call in which something failed', () => {
    const failed = error(9, 'X#0', 'server');
    const slow = (key: string) => answered(8, 3, [key, 'X#0', 3]);
    const said = bot(8, 'y');
    const setting = 'turn detection (deciding whether the person has finished)';
    const blamed = (...events: Event[]) => errorsIn(user(5, 'x'), ...events).find(line => line.startsWith('Slowest'));
    assert.equal(blamed(slow('turn_detection'), said), `Slowest: turn 1, ${setting}, 3.0 of 3.0s.`);
    assert.equal(blamed(slow('turn_detection'), said, failed), undefined);
    assert.equal(blamed(slow('turn_detection'), end(9, false)), undefined);
    assert.equal(blamed(slow('llm_inference'), said, failed), 'Slowest: turn 1, X, 3.0 of 3.0s.');
    const again = 'Slowest: turn 1, an error of X, after which it tried again.';
    assert.equal(blamed(failed, slow('turn_detection'), said), again);
  });

  it('is not slow because of an error of a tool, or of a voice that is only slow', () => {
    const slow = error(3, 'X#0', 'unknown', 'TTS context 1 completed with no audio');
    const call = callOf({}, user(1, 'x'), error(2, MODEL, 'application', 'x'), slow, end(4, false, 'runner exiting'));
    assert.deepEqual(turnsOf(call), ['x / ']);
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
      const [tool = assert.fail()] = firstOf(
        callOf({}, user(1, 'x'), calls(2), ...(result ? [called(7, 5, 'find', result)] : [])),
      ).tools;
      assert.equal(toolTime(tool), text);
    });
  }

  const model = (seconds: number): PartRow => ['llm_inference', 'X#0', seconds];
  const pause = 'endpointing (the pause after which the person counts as finished, stop_secs), 0.8 of 1.2s';
  const sentence = 'first sentence (the voice waits for a whole one), 1.5 of 2.0s';
  const thought: Event = [1.5, 'wait', { kind: 'ttfat', processor: 'X#0', seconds: 1.6, thinking: 1.5 }];
  const retry = 'an error of OpenAI (model), after which it tried again';
  const causes: [about: string, cause: string | undefined, ...events: Event[]][] = [
    ['a tool', 'the tool find, 2.9 of 4.1s', answered(2, 4.1, ['function_handler', 'find', 2.9], model(1.2))],
    ['the pause', pause, answered(2, 1.2, ['endpointing_wait', 'config: x', 0.8], model(0.4))],
    ['a whole sentence', sentence, answered(2, 2, ['sentence_aggregation', 'config: x', 1.5], model(0.5))],
    ['a model that thinks', 'the model thought for 1.5 of 2.0s', thought, answered(2, 2, model(2))],
    ['a retry', retry, error(1.5, MODEL, 'server'), answered(2, 2, model(2))],
    ['a slow voice', 'Cartesia, 1.5 of 2.0s', answered(2, 2, model(0.5), ['speech_synthesis', VOICE, 1.5])],
    ['what is not measured', undefined, answered(2, 0.7, model(0.02))],
    ['what takes no time', undefined, answered(2, 0.03, model(0.02))],
    ['no measurement', undefined, bot(2, 'x')],
  ];
  for (const [about, cause, ...events] of causes) {
    it(`is slow because of ${about}`, () => {
      const call = callOf({}, user(1, 'x'), ...events);
      assert.equal(causeOf(firstOf(call), 0, call), cause);
    });
  }
});

describe('how a call ended', () => {
  const phone = { by: 'phone' };
  const exits = end(2, false, 'runner exiting');
  const stopped: Event = [2, 'end', { reason: 'the bot was stopped' }];
  const refused: Event = [
    1,
    'error',
    { processor: VOICE, category: 'authentication', message: 'secret', usable: false },
  ];
  const failed = (category: string, message: string): Event[] => [
    error(1, VOICE, category, message),
    end(2, false, `${VOICE} failed`),
  ];
  for (const [how, start, ...events] of [
    ['the caller hung up', phone, end(2, true, 'runner exiting')],
    ['the person left', {}, end(2, true)],
    ['the bot hung up', phone, exits],
    ['the bot hung up', phone, user(1), bot(1), exits],
    ['the bot hung up without an answer', phone, user(1, 'x'), exits],
    ['stopped by botcli dev', { started_by: 'dev' }, stopped],
    ['the bot was stopped', {}, stopped],
    ['nobody said anything', {}, [2, 'end', { reason: 'idle timeout' }]],
    ['error: Cartesia (voice) refused the key', {}, refused, end(2, true)],
    ['error: Cartesia (voice) refused the key', {}, ...failed('unknown', 'Error code: 401 - Incorrect API key')],
    ['error: Cartesia (voice) refused the access', {}, ...failed('unknown', 'Error code: 403')],
    [
      'error: Cartesia (voice) has no credit left',
      {},
      ...failed('rate_limit', 'Error code: 429 - You exceeded your current quota'),
    ],
    ['error: Cartesia (voice) failed', {}, ...failed('unknown', 'Error code: 500 - request req_4011')],
    ["error: OpenAI (speech-to-text) didn't answer", phone, end(2, false, "OpenAISTTService#0 doesn't answer a ping")],
    ['it goes on, or the bot was killed', {}, bot(1, 'x')],
  ] as [string, object, ...Event[]][]) {
    it(how, () => assert.equal(howItEnded(callOf(start, ...events)), how));
  }
});

describe('what a call cost', () => {
  const llm = { kind: 'llm', processor: MODEL, model: 'gpt-4.1-2025-04-14', prompt_tokens: 1_000_000 };
  const speech = { kind: 'tts', processor: VOICE, model: 'sonic-3.6', characters: 640 };

  it('is the sum of the prices that are known, with their date', () => {
    const call = callOf({}, [1, 'usage', llm], [2, 'usage', { ...llm, completion_tokens: 1000 }], [3, 'usage', speech]);
    const cost = costOf(call);
    assert.deepEqual(cost, { dollars: 4.008, date: '2026-06-21', unknown: ['sonic-3.6'] });
    assert.deepEqual([moneyOf(cost), usageOf(call)], ['>$4.00', '2000000 tokens in, 1000 out, 640 characters spoken']);
  });

  it('counts cached tokens and those of audio at their own prices', () => {
    const text = { model: 'gpt-realtime-2.1', completion_tokens: 100_000, cache_read_input_tokens: 300_000 };
    const audio = { input_audio_tokens: 500_000, cache_read_input_audio_tokens: 100_000, output_audio_tokens: 100_000 };
    // 300,000 tokens of text, 200,000 cached ones, 400,000 of audio, 100,000 cached ones, and 100,000 that were spoken
    const expected = 0.3 * 4 + 0.2 * 0.4 + 0.4 * 32 + 0.1 * 0.4 + 0.1 * 64;
    const { dollars } = costOf(callOf({}, [1, 'usage', { ...llm, ...text, ...audio }]));
    assert(Math.abs(dollars - expected) < 1e-9);
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

it('a time is named as people do', () => {
  const now = new Date(2026, 10, 27, 9, 0);
  const times = [new Date(2026, 10, 27, 0, 5), new Date(2026, 10, 26, 23, 59), new Date(2026, 9, 3, 14, 5)];
  assert.deepEqual(
    times.map(time => whenOf(time, now)),
    ['00:05 today', '23:59 yesterday', '14:05 3 Oct'],
  );
});
