import assert from 'node:assert/strict';
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { generateProject } from '../support/projects.ts';
import { LOCAL, resolveFlags } from '../support/resolving.ts';
import { type Session, session } from '../support/session.ts';

const RECORDED = join(import.meta.dirname, 'recorded');
const recorded = (name: string) => readFileSync(join(RECORDED, `${name}.jsonl`), 'utf8');

const PROJECT = generateProject(resolveFlags({ ...LOCAL, journal: true }));
const FIRST = 'server/calls/2026-11-26T14-05-09Z-1f3a.jsonl';
const SECOND = 'server/calls/2026-11-27T02-29-52Z-c19c.jsonl';
const CALLS = { ...PROJECT, [FIRST]: recorded('speech-to-speech'), [SECOND]: recorded('phone-with-a-tool') };

/** A call with so many turns in which a tool is called, each with a long answer. */
function ofTurns(count: number): string {
  const [, head = '', turn = '', end = ''] =
    /^(.*\n)(\S+ "user"[^\n]*parking.*\n)(\S+ "end".*)$/s.exec(recorded('phone-with-a-tool')) ?? [];
  return head + turn.replace('behind the house', 'behind the house, '.repeat(40)).repeat(count) + end;
}

const itShows = (title: string, ...rest: Parameters<typeof session>) => it(title, session(...rest));

const json = async ({ succeed }: Session, line: string) => JSON.parse(await succeed(`${line} --json`));

it('the calls of a bot whose journal was turned off stay out of git and of the image', () => {
  const project = generateProject(resolveFlags({ ...LOCAL, journal: false }));
  for (const ending of ['jsonl', 'html']) {
    assert.match(project['.gitignore'] ?? '', new RegExp(`^server/calls/\\*\\.${ending}$`, 'm'));
    assert.match(project['server/.dockerignore'] ?? '', new RegExp(`^calls/\\*\\.${ending}$`, 'm'));
  }
});

describe('botcli calls', () => {
  itShows('lists the calls, the last one first, from any directory of the project', CALLS, async here => {
    const rows = (await here.succeed('calls', { cwd: 'server' })).trim().split('\n');
    assert.deepEqual(
      rows.map(row => row.split('\t').filter((_, at) => at !== 1)),
      [
        ['2', 'phone ..11', '28s', '3', '6.3s (turn 3)', '>$0.0017', 'the caller hung up'],
        ['1', 'phone ..11', '12s', '3', '0.5s (turn 3)', '<$0.01', 'the caller hung up'],
      ],
    );
    assert.equal(await here.succeed('calls list'), await here.succeed('calls'));
    const { calls } = await json(here, 'calls');
    assert.deepEqual(
      calls.map((one: Record<string, unknown>) => [one.number, one.with, one.phone, one.turns, one.how_it_ended]),
      [
        [2, 'phone', '..11', 3, 'the caller hung up'],
        [1, 'phone', '..11', 3, 'the caller hung up'],
      ],
    );
  });

  const failed = '{"event": "error", "at": 6.1, "processor": "OpenAITTSService#0", "category": "rate_limit"}\n';
  const busy = recorded('phone-with-a-tool').replace(/(?=^.*"event": "end")/m, failed);
  itShows('says which calls had an error that they survived, and when', { ...PROJECT, [FIRST]: busy }, async here => {
    assert.match(await here.succeed('calls'), /\tthe caller hung up, after an error\n/);
    assert.match(await here.succeed('calls show'), /\nError after turn 3: OpenAI \(voice\) got too many requests\n/);
    const { summary } = await json(here, 'calls show');
    assert.equal(summary[0], 'Error after turn 3: OpenAI (voice) got too many requests');
  });

  const killed = recorded('phone-with-a-tool').replace(/^.*"event": "end".*\n/m, '');
  itShows('says where a file stops, as of a bot that was killed', { ...PROJECT, [FIRST]: killed }, async here => {
    const stops = /\n {4}The file stops here: the call goes on, or the bot was killed\.\nSlowest: /;
    assert.match(await here.succeed('calls show'), stops);
  });

  const mailed = { ...CALLS, 'mail/theirs.jsonl': recorded('phone-with-a-tool') };
  itShows('shows a call by its number, the last one, or its file, wherever that is', mailed, async here => {
    const last = await here.succeed('calls show');
    assert.match(last, /\n {3}3 you Please find parking\n {5}bot The answer is /);
    assert.match(last, /→ find_parking\(place="Please find parking"\) {2}2\.9s\n/);
    assert.match(last, /\nSlowest: turn 3, the tool find_parking, 2\.9 of 6\.3s\.\n/);
    assert.match(
      last,
      /tokens in, \d+ out, 6 s heard, 138 characters spoken: more than \$0\.0017 \(prices of 2026-06-21\)\.\n/,
    );
    const colored = await here.succeed('calls show', { env: { FORCE_COLOR: '1' } });
    assert(colored.includes('→ find_parking(place="Please find parking")  \u001b[2m2.9s\u001b[22m\n'));
    for (const word of ['2', 'last', SECOND]) assert.equal(await here.succeed(`calls show ${word}`), last);
    const theirs = await here.succeed('calls show mail/theirs.jsonl');
    assert.equal(theirs.split('\n').slice(1).join('\n'), last.split('\n').slice(1).join('\n'));
    const { turns } = await json(here, 'calls show 2');
    assert.deepEqual(
      [turns[2].you, turns[2].tools[0].name, turns[2].cause],
      ['Please find parking', 'find_parking', 'the tool find_parking, 2.9 of 6.3s'],
    );
  });

  itShows('says which word is no call', { ...CALLS, 'notes.txt': 'mine' }, async ({ fail, remove, succeed }) => {
    assert.match(await fail(2, 'calls show 7'), /^error: "7" isn't the number of a call\nList them: botcli calls\n/);
    assert.match(await fail(2, 'calls show 0'), /^error: "0" isn't the number of a call/);
    assert.match(await fail(2, 'calls show notes.txt'), /^error: "notes.txt" isn't the file of a call/);
    assert.match(await fail(2, 'calls show nothing'), /^error: "nothing" isn't the file of a call/);
    for (const path of [FIRST, SECOND]) remove(path);
    assert.match(await fail(1, 'calls show'), /^error: There are no calls in server\/calls\nA bot writes them down/);
    assert.equal(await succeed('calls'), '');
    assert.deepEqual(JSON.parse(await succeed('calls --json')), { calls: [] });
  });

  const priced = { ...CALLS, 'server/prices.json': '[{ "model": "gpt-4o-mini-tts", "characters": 1000000 }]' };
  itShows("uses the user's prices", priced, async here => {
    assert.match(await here.succeed('calls show'), /: about \$138\.00 \(/);
    here.write('server/prices.json', '{}');
    const wrong = /^error: server\/prices\.json must be a list of objects/;
    assert.match(await here.fail(2, 'calls'), wrong);
    for (const price of ['"characters": "15 USD"', '"characters": null', '"date": 2026']) {
      here.write('server/prices.json', `[{ "model": "gpt-4o-mini-tts", ${price} }]`);
      assert.match(await here.fail(2, 'calls'), wrong);
    }
  });

  itShows('has the usual times of the last calls', CALLS, async here => {
    const { calls, stages } = await json(here, 'calls stats --last 1');
    assert.deepEqual([calls, stages[0].label, stages[0].count], [1, 'whole answer', 2]);
    const { turns, without_an_answer, interrupted } = await json(here, 'calls stats');
    assert.deepEqual([turns, without_an_answer, interrupted], [6, 0, 0]);
    const table = await here.succeed('calls stats');
    assert.match(table, /^whole answer\t4\t/);
    assert.match(table, /\nCalls with an error: 0 of 2\. Turns without an answer: 0 of 6\. Interrupted: 0\.\n$/);
    assert.match(await here.fail(2, 'calls stats --last x'), /^error: --last is "x"\. It must be a number of calls/);
  });

  /** A call in which everything has line breaks. */
  const broken = [
    { event: 'start', time: '2026-11-27T14:05:09Z', by: 'phone', number: '..1\n2' },
    { event: 'user', at: 2, text: 'One\ntwo' },
    { event: 'bot', at: 3, text: 'Three:\n\n- four' },
    { event: 'usage', at: 3, kind: 'llm', processor: 'OpenAILLMService#0', model: 'a\nb', prompt_tokens: 1 },
    { event: 'error', at: 4, processor: 'OpenAILLMService#0', category: 'unknown', message: 'It\nbroke' },
  ];
  const brokenFile = { ...PROJECT, [FIRST]: broken.map(event => `${JSON.stringify(event)}\n`).join('') };
  itShows('has a space for a line break', brokenFile, async here => {
    assert.match(await here.succeed('calls'), /^1\t.*\tphone \.\.1 2\t.*\n$/);
    const shown = await here.succeed('calls show');
    assert.match(shown, /^\S+ {2}.*, phone \.\.1 2, .*\n {3}1 you One two\n {5}bot Three: - four {2}/);
    assert.match(shown, /\nError after turn 1: OpenAI \(model\) failed: It broke\n.*\nNo price known: a b\./);
  });

  /** A call in which the clock was set back. */
  const odd = [
    { event: 'start', time: '2026-11-27T14:05:09Z' },
    { event: 'user', at: 2, text: 'x' },
    {
      ...{ event: 'answer', at: 3, seconds: 1, start: 'user_silence' },
      parts: [{ key: 'llm_inference', owner: 'OpenAILLMService#0', seconds: -1 }],
    },
    { event: 'bot', at: 119.6, text: 'y' },
  ];
  const oddFile = { ...PROJECT, [FIRST]: odd.map(event => `${JSON.stringify(event)}\n`).join('') };
  itShows('has the times of a call in which the clock was set back, and rounds its length', oddFile, async here => {
    assert.match(await here.succeed('calls stats'), /\nOpenAI\t1\t-1\.0s\t-1\.0s\t\n/);
    assert.match(await here.succeed('calls'), /\t2m 0s\t/);
    assert.match(await here.succeed('calls show'), /, 2m 0s, /);
  });

  /** A call of ten answers that took 1 to 10 seconds, and of three turns without one, the last of which may still come. */
  const counted = [
    { event: 'start', time: '2026-11-27T14:05:09Z' },
    ...Array.from({ length: 10 }, (_, at) => at + 1).flatMap(seconds => [
      { event: 'user', at: 2 * seconds, text: 'x' },
      {
        ...{ event: 'answer', at: 2 * seconds + 1, seconds, start: 'user_silence' },
        parts: [{ key: 'llm_inference', owner: 'OpenAILLMService#0', seconds }],
      },
      { event: 'bot', at: 2 * seconds + 1, text: 'y' },
    ]),
    ...[30, 40, 50].map(at => ({ event: 'answer', at, seconds: 3, start: 'user_silence', parts: [] })),
  ];
  const text = counted.map(event => `${JSON.stringify(event)}\n`).join('');
  itShows('counts the median, the 90th percentile and what failed', { ...PROJECT, [FIRST]: text }, async here => {
    const { stages, ...failures } = await json(here, 'calls stats');
    assert.deepEqual(stages, [
      { label: 'whole answer', count: 10, median: 5, p90: 9 },
      { label: 'OpenAI', count: 10, median: 5, p90: 9 },
    ]);
    const none = { calls: 1, calls_with_errors: 0, interrupted: 0 };
    assert.deepEqual(failures, { ...none, turns: 13, without_an_answer: 2 });
    here.write(FIRST, `${text}{"event": "end", "left": false, "reason": "OpenAISTTService#0 doesn't answer"}`);
    const { calls_with_errors, without_an_answer } = await json(here, 'calls stats');
    assert.deepEqual([calls_with_errors, without_an_answer], [1, 3]);
  });

  const otherwise = { ...CALLS, 'server/recordings/20261127-000000-000001.wav': '' };
  itShows('writes a page with all of a call, which loads nothing, and escapes what was said', otherwise, async here => {
    const said = recorded('phone-with-a-tool').replaceAll('Are you open?', '<script>alert(1)</script>&');
    here.write(SECOND, said);
    const { path, recording } = await json(here, 'calls open');
    assert.deepEqual([path, recording], [SECOND.replace('jsonl', 'html'), null]);
    const page = here.read(path);
    assert.doesNotMatch(page, /<script|https?:|url\(|@import|<link|<img/);
    assert.match(page, /<b>1 bot<\/b>.*<b>3 you<\/b> Please find parking/s);
    assert.match(page, /&#60;script&#62;alert\(1\)&#60;\/script&#62;&#38;/);
    assert.match(page, /<dt>find_parking 2\.9s \(your code\)<\/dt><dd class="code" style="margin-left:\d+\.\d%;width:/);
    // Again, the page is replaced.
    assert.equal(await here.succeed('calls open'), `✓ ${path}\n`);
  });

  itShows('plays the recording of a call', CALLS, async here => {
    // The name has the local time, which Swedes write like this: 2026-11-27 02:30:02.
    const local = new Date('2026-11-27T02:30:02Z').toLocaleString('sv');
    const name = `${local.replaceAll(/[-:]/g, '').replace(' ', '-')}-000001.wav`;
    mkdirSync(join(here.directory, 'server/recordings'));
    here.write(`server/recordings/${name}`, '');
    assert.equal((await json(here, 'calls open 2')).recording, `../recordings/${name}`);
    assert.match(
      here.read(SECOND.replace('jsonl', 'html')),
      new RegExp(`<audio controls preload="none" src="\\.\\./recordings/${name}"`),
    );
    assert.equal((await json(here, 'calls open 1')).recording, null);
  });

  const long = { ...PROJECT, [SECOND]: ofTurns(500), [FIRST]: recorded('phone-with-a-tool').slice(9) };
  itShows('shows a call of 500 turns, and says which files lack their beginning', long, async here => {
    const { stdout, stderr } = await here.run('calls show last');
    assert.match(stdout, /^ 502 you Please find parking$/m);
    assert.equal(stderr, "2026-11-26T14-05-09Z-1f3a.jsonl isn't listed: it lacks the beginning of a call\n");
    assert.equal(await here.succeed(`calls show ${SECOND}`), stdout);
  });

  itShows('reads no calls from outside the project', { ...PROJECT, 'server/calls': '-> ../..' }, async here => {
    const why = "server/calls isn't read: it leads outside the directory, through a symbolic link\n";
    assert((await here.run('calls')).stderr.startsWith(why));
  });

  const noted = { ...CALLS, 'server/calls/notes.txt': 'mine' };
  itShows('deletes only what is written about calls, if asked to', noted, async here => {
    assert.match(await here.fail(2, 'calls clear'), /^error: This command asks for confirmation/);
    assert.equal(await here.succeed('calls clear --skip'), '✓ Deleted 2 files in server/calls\n');
    assert.deepEqual([here.exists(FIRST), here.exists('server/calls/notes.txt')], [false, true]);
    assert.deepEqual(await json(here, 'calls clear'), { deleted: 0 });
  });

  const above = { 'my-bot/.botcli.json': PROJECT['.botcli.json'] ?? '', 'my bot/x': '' };
  itShows('needs one', above, async ({ fail, write }) => {
    assert.match(await fail(2, 'calls'), /\nDid you mean cd my-bot, then botcli calls\?\n/);
    write('my bot/.botcli.json', PROJECT['.botcli.json'] ?? '');
    const several = "There are projects in 'my bot', my-bot. Change to one of them, then run botcli";
    assert.match(await fail(2, 'calls'), new RegExp(`\\n${several} calls\\.\\n`));
    assert.match(await fail(2, 'test'), new RegExp(`\\n${several} test\\.\\n`));
    assert.match(await fail(2, 'dev'), /\nDid you mean botcli dev 'my bot' or botcli dev my-bot\?\n/);
  });

  itShows('has help of its own', {}, async ({ succeed }) => {
    assert.match(await succeed('calls --help'), /Without a\s+command, this lists them/);
    assert.match(await succeed('calls help'), /Without a\s+command, this lists them/);
  });
});
