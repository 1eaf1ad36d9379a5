import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, rmdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { findTransport } from '../../src/catalog/index.ts';
import type { Facts } from '../../src/check/checks/facts.ts';
import { prepareNumber } from '../../src/dev/phone-number.ts';
import { createReporter } from '../../src/dev/surroundings.ts';
import { UserError } from '../../src/errors.ts';
import { openRecorded } from '../support/session.ts';
import { inTree } from '../support/trees.ts';
import { ACCOUNT, BEFORE, NUMBER, TOKEN, withTwilio } from '../support/twilio.ts';

type StandIn = Parameters<Parameters<typeof withTwilio>[0]>[0];

/**
 * How somebody runs it: what they answer to each question, and the number that they choose; empty if none. Without a
 * number or a choice, `botcli dev` opens no tunnel.
 */
type Person = Partial<Record<'transport' | 'sid' | 'token' | 'choice', string>> & {
  answers?: boolean[];
  number?: string | undefined;
  skip?: boolean;
};

/** Runs `botcli dev`: what it would do, what it says, and the questions that it asks. */
async function runAt(root: string, { origin }: StandIn, person: Person) {
  const { answers = [true], transport = 'tel_a', sid = ACCOUNT, token = TOKEN, skip = false, choice } = person;
  const { terminal: recorded, written } = openRecorded(root, { env: { XDG_CONFIG_HOME: root } });
  const asked: string[] = [];
  const confirm = async (question: string) => {
    asked.push(question);
    return answers[asked.length - 1] ?? assert.fail(`Nobody expected: ${question}`);
  };
  const choose = async (question: string, { choices }: { choices: readonly { value: string }[] }) => {
    asked.push([question, ...choices.map(({ value }) => value)].join(' | '));
    return choice ?? assert.fail(`Nobody expected: ${question}`);
  };
  const terminal = { ...recorded, confirm, choose };
  const hurry = new AbortController();
  const stop = { signal: new AbortController().signal, hurry: hurry.signal };
  const entries = Object.entries({ TWILIO_ACCOUNT_SID: sid, TWILIO_AUTH_TOKEN: token });
  const file = { entries: new Map(entries.map(([name, value]) => [name, { value }])) };
  const facts = { project: { root }, env: { file, shell: {} } } as unknown as Facts;
  const number = 'number' in person ? person.number : NUMBER;
  const way = { transport: findTransport(transport), tunnel: number !== undefined || choice !== undefined, number };
  const surroundings = { stop, report: createReporter(terminal, false), terminal };
  const prepared = await prepareNumber({ facts, way, asks: true, skip, origin }, surroundings);
  return { number: prepared, hurry, said: () => written.stdout + written.stderr, asked };
}

/** One project, in which `botcli dev` runs again and again with the same number. */
interface Desk {
  twilio: StandIn;
  run(person?: Person): ReturnType<typeof runAt>;
  /** A run that points the number at its bot. */
  point(person?: Person): ReturnType<typeof runAt>;
  file: string;
}

const itAtDesk = (title: string, use: (desk: Desk) => Promise<void>, settings: Record<string, unknown> = {}) => {
  const sit = (twilio: StandIn) =>
    inTree({}, async root => {
      const file = join(root, 'botcli', 'number-15551234567.json');
      const outputs: (() => string)[] = [];
      const run = async (person: Person = {}) => {
        const result = await runAt(root, twilio, person);
        outputs.push(result.said);
        return result;
      };
      const point = async (person?: Person) => {
        const result = await run(person);
        await result.number?.point(HOST);
        return result;
      };
      await use({ twilio, run, point, file });
      for (const said of outputs) assert(!said().includes(TOKEN), said());
      if (existsSync(file)) assert(!readFileSync(file, 'utf8').includes(TOKEN));
    });
  it(title, () => withTwilio(sit, settings));
};

const HOST = 'name-1.trycloudflare.com';
const voiceOf = ({ settings }: StandIn) => [settings.voice_url, settings.voice_method];
const IS_BACK = [BEFORE, 'GET'];

describe('a phone number that botcli dev points at a bot', () => {
  itAtDesk('is read, asked about, changed, and put back exactly as it was', async ({ twilio, run, file }) => {
    const rest = { ...twilio.settings };
    const { number, said, asked } = await run();
    assert.deepEqual(asked, [`Point ${NUMBER} at your bot?`]);
    assert.equal(
      said(),
      `For a call to ${NUMBER}, Twilio now asks ${BEFORE} (GET).\n` +
        `While botcli dev runs, it would ask your bot. Then botcli sets ${BEFORE} (GET) again.\n` +
        "This way, the bot doesn't learn the caller's number; with a TwiML Bin, it does.\n",
    );
    assert.deepEqual(voiceOf(twilio), IS_BACK);
    await number?.point(HOST);
    assert.deepEqual([...voiceOf(twilio), number?.isPointed], [`https://${HOST}/`, 'POST', true]);
    if (process.platform !== 'win32') assert.equal(statSync(file).mode & 0o777, 0o600);
    await number?.restore();
    assert.deepEqual(twilio.settings, rest);
    assert.match(said(), new RegExp(`✓ For a call to \\${NUMBER}, Twilio asks ${BEFORE} \\(GET\\) again\\.\n`));
    assert(!existsSync(file));
    assert.equal(twilio.requests.length, 4);
  });

  const question = `Which number should reach the bot? |  | ${NUMBER}8 | ${NUMBER}`;
  itAtDesk('is chosen from those of the account', async ({ twilio, point }) => {
    const { number, asked } = await point({ number: undefined, choice: NUMBER, answers: [true, true] });
    assert.deepEqual(asked, [question, `Point ${NUMBER} at your bot?`]);
    assert.equal(twilio.settings.voice_url, `https://${HOST}/`);
    await number?.restore();
    assert.deepEqual(voiceOf(twilio), IS_BACK);
  });

  const unnamed = { number: undefined, choice: NUMBER, answers: [] };
  const hasNone = /^! botcli can't offer your Twilio numbers\. /;
  const staying: [about: string, person: Person, said: RegExp, requests: number, asked?: string[]][] = [
    ['the answer is no', { answers: [false] }, /The number stays as it is\.\n$/, 1, [`Point ${NUMBER} at your bot?`]],
    ['none is chosen', { ...unnamed, choice: '' }, /^$/, 1, [question]],
    ['nobody named one, and there is no tunnel', { number: undefined, answers: [] }, /^$/, 0],
    ['a key is refused', { ...unnamed, token: 'wrong' }, /^! botcli can't .*\. .*\(HTTP 401\)\n$/, 1],
    ["a key isn't one", { ...unnamed, sid: 'AC1' }, new RegExp(`${hasNone.source}TWILIO_ACCOUNT_SID isn't `), 0],
    ['a key is missing', { ...unnamed, token: '' }, /^$/, 0],
    ['--skip says so', { ...unnamed, skip: true }, /^$/, 0],
    ['calls come over another provider', { ...unnamed, transport: 'tel_b' }, /^$/, 0],
  ];
  for (const [about, person, message, requests, questions = []] of staying) {
    itAtDesk(`stays as it is if ${about}, and the bot goes on without`, async ({ twilio, run }) => {
      const { number, asked, said } = await run(person);
      assert.deepEqual([number, asked, twilio.requests.length], [undefined, questions, requests]);
      assert.match(said(), message);
      assert.deepEqual(voiceOf(twilio), IS_BACK);
    });
  }

  itAtDesk('leads to the call server if that answers the calls', async ({ twilio, point }) => {
    const { said } = await point({ transport: 'tel_a_rtc_sip_dialin' });
    assert.doesNotMatch(said(), /doesn't learn/);
    assert.equal(twilio.settings.voice_url, `https://${HOST}/call`);
  });

  itAtDesk('is put back if Twilio spells its address differently, or ignores it', async ({ twilio, run, point }) => {
    twilio.spell = url => url.replace('cloudflare.com/', 'cloudflare.com:443/');
    const { number } = await point();
    assert.deepEqual([twilio.settings.voice_url, number?.isPointed], [`https://${HOST}:443/`, true]);
    await number?.restore();
    assert.deepEqual(voiceOf(twilio), IS_BACK);
    const { number: next, said } = await run();
    twilio.spell = () => BEFORE;
    await next?.point(HOST);
    assert.deepEqual([...voiceOf(twilio), next?.isPointed], [BEFORE, 'POST', false]);
    assert.match(said(), /Could not point .* Twilio left it as it was\./);
    await next?.restore();
    assert.deepEqual(voiceOf(twilio), IS_BACK);
  });

  const OTHER = 'https://colleague.example.com/';
  const changes: [about: string, settings: Record<string, unknown>, found: string, voice: string[]][] = [
    ['changed it', { voice_url: OTHER }, `${OTHER} (POST)`, [OTHER, 'POST']],
    // Twilio would ask the old address again without the app.
    ['let a TwiML App take its calls', { voice_application_sid: 'AP3' }, 'a TwiML App takes its calls', IS_BACK],
  ];
  for (const [about, settings, found, voice] of changes) {
    itAtDesk(`stays if somebody else has ${about}, and botcli says what it was`, async ({ twilio, point, file }) => {
      const { number, said } = await point();
      Object.assign(twilio.settings, settings);
      await number?.restore();
      assert.deepEqual(voiceOf(twilio), voice);
      const kept = `! ${NUMBER} was changed meanwhile and stays: ${found}.`;
      assert(said().includes(`${kept} It was ${BEFORE} (GET).\n`), said());
      assert(!existsSync(file));
    });
  }

  const HOST_OF_OURS = 'voice.example.com/a@b:c@d';
  for (const [url, seen] of [
    [null, 'no address'],
    [`https://${HOST_OF_OURS}`, `https://${HOST_OF_OURS} (GET)`],
    [`https://me:hunter2@${HOST_OF_OURS}`, `https://me:…@${HOST_OF_OURS}`],
    [`https://me:hunter2@hunter2:hunter2@${HOST_OF_OURS}`, `https://me:…@${HOST_OF_OURS}`],
    [`https://hunter2@${HOST_OF_OURS}`, `https://…@${HOST_OF_OURS} (GET)`],
    [`https://:hunter2@${HOST_OF_OURS}`, `https://:…@${HOST_OF_OURS} (GET)`],
  ] as const) {
    const use = async ({ twilio, point }: Desk) => {
      const { number, said } = await point({ skip: true, answers: [] });
      await number?.restore();
      assert(said().includes(`Twilio now asks ${seen}`), said());
      assert(said().includes(`Twilio asks ${seen}`) && said().includes(' again'), said());
      assert.doesNotMatch(said(), /hunter2/);
      assert.deepEqual(voiceOf(twilio), [url ?? '', 'GET']);
    };
    itAtDesk(`has its address again, whose password is never shown: ${url}`, use, { voice_url: url });
  }

  const isNoAccount = /TWILIO_ACCOUNT_SID isn't the SID of an account/;
  const refusals: [about: string, person: Person, message: RegExp, settings?: Record<string, unknown>][] = [
    ['of another account', { number: '+15550000000' }, /of TWILIO_ACCOUNT_SID doesn't have the number \+1555/],
    ['that is only a part of one', { number: '+1555123456' }, /doesn't have the number/],
    ['with a refused key', { token: 'wrong' }, /it refuses TWILIO_AUTH_TOKEN \(HTTP 401\)/],
    ['with the two keys swapped', { sid: TOKEN, token: ACCOUNT }, isNoAccount],
    ['of an API key', { sid: `SK${'a'.repeat(32)}` }, isNoAccount],
    ['without a key', { token: '' }, /needs TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN/],
    ['of a SIP trunk', {}, /a SIP trunk takes its calls/, { trunk_sid: `TK${'1'.repeat(32)}` }],
    ['of a TwiML App', {}, /a TwiML App takes its calls/, { voice_application_sid: `AP${'1'.repeat(32)}` }],
    ['for faxes', {}, /it receives faxes/, { voice_receive_mode: 'fax' }],
    ['for texts', {}, /it takes no calls/, { capabilities: { voice: false } }],
    ['with an ID that is none', {}, /it names no number in its response/, { sid: '../Calls' }],
  ];
  for (const [about, person, message, settings] of refusals) {
    const use = async ({ twilio, run }: Desk) => {
      const refusal = (error: unknown) => error instanceof UserError && message.test(error.message);
      await assert.rejects(run({ ...person, answers: [] }), refusal);
      assert(twilio.requests.every(line => line.startsWith('GET ') && !line.includes(TOKEN)));
    };
    itAtDesk(`${about} is refused, and nothing is asked or changed`, use, settings);
  }

  // The requests are: find, change, read, change back.
  const faults = (['closed', 'busy', 'broken', 'lost'] as const).flatMap(fault =>
    ['pointed', 'looked up', 'put back'].flatMap((step, at) => [1, 3].map(times => ({ fault, step, at, times }))),
  );
  for (const { fault, step, at, times } of faults) {
    const title = `is put back, perhaps by the next run: ${fault} ${times}x when it is ${step}`;
    itAtDesk(title, async ({ twilio, run, point, file }) => {
      for (let time = 0; time < times; time++) twilio.faults.set(1 + at + time, fault);
      const { number, said } = await point();
      await number?.restore();
      const failure = new RegExp(`✗ Could not put \\${NUMBER} back\\. .*\n {2}Before, .*${BEFORE} \\(GET\\)`);
      assert.equal(failure.test(said()), existsSync(file));
      if (existsSync(file)) {
        twilio.faults.clear();
        const next = await run({ number: undefined });
        assert.deepEqual(next.asked, ['Put that back?']);
        assert.match(next.said(), /! An earlier botcli dev left \+15551234567 pointed at a bot\.\n {2}Before that/);
      }
      assert.deepEqual(voiceOf(twilio), IS_BACK);
      assert(!existsSync(file));
    });
  }

  itAtDesk('is no number if a network that wants a login responds, and botcli says that', async ({ twilio, run }) => {
    twilio.faults.set(0, 'broken');
    const message = "Twilio can't be asked about the number: its response isn't a JSON object (HTTP 200)";
    await assert.rejects(run({ answers: [] }), { message });
  });

  itAtDesk('that a killed run left is not taken for what was there before', async ({ twilio, run, point, file }) => {
    await point();
    const { number, said } = await run();
    const sets = 'Then botcli sets https://voice.example.com/answer (GET) again';
    assert(said().includes('now asks https://name-1') && said().includes(sets), said());
    await number?.point('name-2.trycloudflare.com');
    await number?.restore();
    assert.deepEqual(voiceOf(twilio), IS_BACK);
    assert(!existsSync(file));
  });

  itAtDesk('that another run has taken over stays, and so does what that run knows', async desk => {
    const { twilio, run, point, file } = desk;
    const first = await point();
    const second = (await run()).number;
    await second?.point('name-2.trycloudflare.com');
    await first.number?.restore();
    assert.equal(twilio.settings.voice_url, 'https://name-2.trycloudflare.com/');
    assert(existsSync(file));
    await second?.restore();
    assert.deepEqual(voiceOf(twilio), IS_BACK);
  });

  itAtDesk('is left if the answer is no, and offered again', async ({ twilio, run, point, file }) => {
    await point();
    for (let time = 0; time < 2; time++) await run({ number: undefined, answers: [false] });
    assert(existsSync(file));
    assert.equal(twilio.requests.length, 2);
  });

  itAtDesk('that a running botcli dev has pointed at its bot is not offered', async ({ twilio, run, point, file }) => {
    await point();
    writeFileSync(file, readFileSync(file, 'utf8').replace(/"pid": \d+/, `"pid": ${process.ppid}`));
    const { asked, said } = await run({ number: undefined, answers: [] });
    assert.deepEqual(asked, []);
    assert.equal(said(), `${NUMBER} is pointed at the bot of another botcli dev, process ${process.ppid}.\n`);
    assert.equal(twilio.requests.length, 2);
  });

  itAtDesk('stays without the keys, and botcli says so and goes on', async ({ run, point, file }) => {
    await point();
    const { said } = await run({ number: undefined, token: '' });
    assert.match(said(), /✗ Could not put \+15551234567 back\. The number needs TWILIO_ACCOUNT_SID .*\n {2}Before,/);
    assert(existsSync(file));
  });

  itAtDesk('stays as it is if nothing can remember it', async ({ twilio, point, file }) => {
    mkdirSync(file, { recursive: true });
    const { number, said } = await point();
    await number?.restore();
    assert.deepEqual(voiceOf(twilio), IS_BACK);
    assert.equal(twilio.requests.length, 1);
    const why = `${file} can't be written: it is a directory`;
    assert(said().startsWith(`✗ Could not point ${NUMBER} at the bot. ${why}\n`), said());
    rmdirSync(file);
  });

  itAtDesk('is put back after a change that is still on its way, and not before', async ({ twilio, run }) => {
    twilio.faults.set(1, 'held');
    const { number } = await run();
    const pointing = number?.point(HOST);
    await twilio.until(2);
    const restoring = number?.restore();
    twilio.release();
    await Promise.all([pointing, restoring]);
    assert.deepEqual(voiceOf(twilio), IS_BACK);
  });

  itAtDesk('is given up at a second Ctrl-C, and botcli says what it was', async ({ twilio, point, file }) => {
    twilio.faults.set(2, 'held');
    const { number, hurry, said } = await point();
    const restoring = number?.restore();
    await twilio.until(3);
    hurry.abort();
    await restoring;
    assert.match(said(), new RegExp(`✗ Could not put .* you stopped it\n {2}Before, Twilio asked ${BEFORE}`));
    assert(existsSync(file));
  });

  itAtDesk('in a file that is none of ours is ignored', async ({ run, point, file, twilio }) => {
    await point();
    const ours = readFileSync(file, 'utf8');
    const texts = ['', '{}', '{"before": {}, "set": []}', ours.slice(0, -9), ours.replace('PN1', '../')];
    const others = ['+15550000000', '+1/../15551234567', '\\u001b[2J', '15551234567'];
    for (const text of [...texts, ...others.map(other => ours.replace(NUMBER, other))]) {
      writeFileSync(file, text);
      assert.deepEqual((await run({ number: undefined, answers: [] })).asked, []);
    }
    assert.equal(twilio.requests.length, 2);
  });
});
