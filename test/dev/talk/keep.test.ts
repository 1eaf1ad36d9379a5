import assert from 'node:assert/strict';
import fc from 'fast-check';
import { parse } from 'yaml';
import type { Turn } from '../../../src/dev/talk/conversation.ts';
import { criterionFrom, promptFor, scenarioText } from '../../../src/dev/talk/keep.ts';

type ToolCall = Turn['calls'][number];

const call = (name: string, given: Record<string, unknown> = {}, seconds = 0.1): ToolCall => {
  return { name, arguments: given, result: { ok: true }, seconds };
};

const turn = (said: string, answer: string, ...calls: ToolCall[]): Turn => {
  return { said, answer, written: answer, last: answer, calls };
};

const textOf = (turns: readonly Turn[], greeting = 'Hi!', criteria: string[] = [], hasJudge = true): string =>
  scenarioText({ name: 'booking', greeting, turns }, { criteria, hasJudge });

/** What the framework reads: its reader knows YAML 1.1. */
const turnsIn = (text: string) => parse(text, { version: '1.1' }).scenarios[0].turns;

const FRIDAY = turn(
  'a table for two on friday',
  'On Friday I have six or half past eight. Which do you prefer?',
  call('check_availability', { day: 'friday', people: 2 }),
);

describe('a kept conversation', () => {
  it('is a scenario that a person can read and edit', () =>
    assert.equal(
      textOf([turn('hello', 'Hello!'), FRIDAY], 'Hi!', ['', 'the bot offers 18:00 or 20:30 on Friday']),
      `# Kept from \`botcli talk\`. \`botcli test booking\` runs it. Edit it as you like:
#
# - \`eval:\` says what a reply must do, in any wording.
# - \`args:\` must match exactly. Delete those that may change.
# - \`within_ms:\` limits how long after the message the call may come.
name: booking

judge:
  eval:
    factory: evals.judge.language_model

scenarios:
  - name: conversation
    turns:
      # The greeting may say anything. Add \`eval:\` if it must say something.
      # The bot said: Hi!
      - expect:
          - event: response

      - user: hello
        expect:
          - event: response
            eval: "says the same as: Hello!"

      - user: a table for two on friday
        expect:
          - event: function_call
            calls:
              - name: check_availability
                args:
                  day: friday
                  people: 2
            within_ms: 30000
          - event: response
            eval: the bot offers 18:00 or 20:30 on Friday
`,
    ));

  it('has no criteria without a judge, but says what the bot said', () => {
    const text = textOf([turn('hello', 'Hello!\nHow are you?')], 'Hi!', [], false);
    assert.doesNotMatch(text, /judge|\beval:/);
    assert(
      text.includes('\n# - A `response` may say anything. Add `text_contains:` with a word that it must contain.\n'),
    );
    assert(text.includes('# The greeting may say anything. Add `text_contains:` if it must say something.\n'));
    assert(text.includes('expect:\n          # The bot said: Hello! How are you?\n          - event: response\n'));
  });

  const called = (calls: object[], within = 30000) => ({ event: 'function_call', calls, within_ms: within });
  const says = (words: string, more = {}) => ({ event: 'response', eval: `says the same as: ${words}`, ...more });
  const both = [
    { name: 'one', args: { at: 1.5 } },
    { name: 'two', args: { is: true, no: null } },
  ];
  const [one, two] = both.map(({ name, args }) => call(name, args)) as [ToolCall, ToolCall];
  const slow = [called([{ name: 'slow' }], 110000), says('Done.', { within_ms: 140000 })];
  const book = turn('book it', 'One moment. Booked.', call('book'));
  const booked = [called([{ name: 'book' }]), says('Booked.')];
  const early = says('Goodbye!', { check_from: 'turn_start' });
  const goodbye = turn('bye', 'Goodbye!', call('end_call'));
  const acceptsEarly = '- `check_from: turn_start` also accepts a reply from before the call.';
  const fixed = { ...turn('bye', 'Goodbye!'), written: '', last: '' };
  const expectations: [about: string, turn: Turn, expected: object[] | undefined, comment?: string][] = [
    ['a turn without words or calls', turn('hm', ' '), undefined],
    ['a turn with only a call', turn('bye', '', call('end_call')), [called([{ name: 'end_call' }])]],
    ['several calls, in any order', turn('both', 'Done.', one, two), [called(both), says('Done.')]],
    ['a tool that took 40 seconds', turn('slow', 'Done.', call('slow', {}, 40)), slow],
    ['only the reply after the calls: words before them come and go', { ...book, last: 'Booked.' }, booked],
    ['an early reply if it is all', { ...goodbye, last: '' }, [called([{ name: 'end_call' }]), early], acceptsEarly],
    ['no fixed words before a reply', { ...book, written: 'Booked.', last: 'Booked.' }, booked],
    ['no fixed words, unheard', fixed, undefined, 'Not heard in text, because it is fixed: Goodbye!'],
  ];
  for (const [about, one, expected, comment = ''] of expectations) {
    it(`expects what the bot did: ${about}`, () => {
      const text = textOf([one]);
      assert.deepEqual(turnsIn(text)[1].expect, expected);
      assert(text.includes(`# ${comment}`));
      if (expected === booked) assert.match(promptFor([one], 0), /\n\nBooked\.$/);
    });
  }

  it('compares only arguments that are short values, and names the others', () => {
    const notes = 'They would like to sit next to the window, if that is possible at all';
    const odd = { lines: 'a\nb', huge: 2 ** 60, tiny: 1e-9, bell: 'a\u0007b' };
    const given = { day: 'friday', items: ['a'], who: { name: 'Ann' }, notes, ...odd };
    const text = textOf([turn('x', 'Done.', call('book', given))]);
    assert.deepEqual(turnsIn(text)[1].expect[0].calls, [{ name: 'book', args: { day: 'friday' } }]);
    assert.match(text, /\n +# Not compared: items, who, notes, lines, huge, tiny, bell\n +- name: book\n/);
  });

  it('begins with a message if the bot did not greet', () =>
    assert.equal(turnsIn(textOf([FRIDAY], ' '))[0].user, FRIDAY.said));

  it('keeps every word and argument, whatever it means in YAML', () => {
    const odd = ['yes', 'on', '=', '<<', '~', '12:30', '2026-11-27', '1e3', '!include x', '- a', 'a: b', 'a #b'];
    const words = [...odd, 'ü 🤖'];
    const given = Object.fromEntries(words.map((word, at) => [['no', 'y', 'a'][at] ?? `a${at}`, word]));
    const [, { user, expect: expected }] = turnsIn(textOf([turn(words.join('\n'), 'Done.', call('x', given))]));
    assert.equal(user, words.join('\n'));
    assert.deepEqual(expected[0].calls[0].args, given);
    const text = fc.string({ unit: 'grapheme', minLength: 1 });
    const value = fc.oneof(fc.string({ maxLength: 20 }), fc.integer(), fc.double(), fc.boolean());
    const check = (said: string, any: Record<string, unknown>) => {
      const [, read] = turnsIn(textOf([turn(said, said, call('x', any))]));
      assert.equal(typeof read.user, 'string');
      // YAML has no negative zero.
      for (const [key, found] of Object.entries(read.expect[0].calls[0].args ?? {})) assert(found === any[key]);
    };
    fc.assert(fc.property(text, fc.dictionary(fc.stringMatching(/^[a-z]\w*$/), value), check));
  });

  it('is on lines that cannot be read as keys of a scenario', () =>
    assert.doesNotMatch(textOf([turn('persona: x\nmodality: audio', 'persona: y')]), /^\s*(persona|modality):/m));
});

describe('the criterion that a model writes', () => {
  it('is asked for with what was said before, and the calls', () =>
    assert.equal(
      promptFor([turn('hello', 'Hello!'), FRIDAY], 1),
      `The conversation:

Person: hello
Bot: Hello!
Person: a table for two on friday
(The bot called check_availability({"day":"friday","people":2}), which returned {"ok":true}.)

The reply to write the check for:

On Friday I have six or half past eight. Which do you prefer?`,
    ));

  it('is asked for with at most four messages, and the start of a long result', () => {
    const turns = Array.from({ length: 9 }, (_, at) => turn(`said ${at}`, `heard ${at}`));
    const long = { ...call('read'), result: 'x'.repeat(2000) };
    const prompt = promptFor([...turns, turn('last', 'Done.', long)], 9);
    assert.deepEqual(prompt.match(/said \d|last/g), ['said 6', 'said 7', 'said 8', 'last']);
    assert(prompt.length < 900);
  });

  it('is one sentence', () => {
    const replies: [reply: string, criterion: string | undefined][] = [
      ['the bot names a price', 'the bot names a price'],
      ['  "The bot names\n a price."\n', 'The bot names a price.'],
      ['<think>Hm.\nWell.</think>\n\nThe bot names a price.', 'The bot names a price.'],
      ['Criterion: the bot names a price', 'the bot names a price'],
      ...['', 'Yes.', 'the bot '.repeat(100)].map((reply): [string, undefined] => [reply, undefined]),
    ];
    for (const [reply, criterion] of replies) assert.equal(criterionFrom(reply), criterion);
  });
});
