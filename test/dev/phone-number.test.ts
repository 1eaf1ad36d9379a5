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
import { ACCOUNT, BEFORE, type Fault, NUMBER, TOKEN, withTwilio } from '../support/twilio.ts';

type StandIn = Parameters<Parameters<typeof withTwilio>[0]>[0];

interface Person {
  /** What they answer to each question. */
  answers: boolean[];
  transport: string;
  number: string | undefined;
  /** The number that they choose; empty if none. Without it, `botcli dev` opens no tunnel unless it has a number. */
  choice: string;
  sid: string;
  token: string;
  skip: boolean;
}

/** One project, in which `botcli dev` runs again and again with the same number. */
interface Desk {
  twilio: StandIn;
  /** A run: what it would do, what it says, and the questions that it asks. */
  run(person?: Partial<Person>): Promise<{
    number: Awaited<ReturnType<typeof prepareNumber>>;
    hurry: AbortController;
    said(): string;
    asked: string[];
  }>;
  file: string;
}

const atDesk =
  (use: (desk: Desk) => Promise<void>, settings: Record<string, unknown> = {}) =>
  async (): Promise<void> =>
    withTwilio(
      twilio =>
        inTree({}, async root => {
          const file = join(root, 'botcli', 'number-15551234567.json');
          const outputs: (() => string)[] = [];
          const run: Desk['run'] = async ({
            answers = [true],
            transport = 'tel_a',
            sid = ACCOUNT,
            token = TOKEN,
            skip = false,
            ...more
          } = {}) => {
            const { terminal: recorded, written } = openRecorded(root, { env: { XDG_CONFIG_HOME: root } });
            const asked: string[] = [];
            const confirm = async (question: string) => {
              asked.push(question);
              return answers[asked.length - 1] ?? assert.fail(`Nobody expected: ${question}`);
            };
            const choose = async (question: string, { choices }: { choices: readonly { value: string }[] }) => {
              asked.push([question, ...choices.map(({ value }) => value)].join(' | '));
              return more.choice ?? assert.fail(`Nobody expected: ${question}`);
            };
            const terminal = { ...recorded, confirm, choose };
            const hurry = new AbortController();
            const stop = { signal: new AbortController().signal, hurry: hurry.signal };
            const entries = new Map([
              ['TWILIO_ACCOUNT_SID', { value: sid }],
              ['TWILIO_AUTH_TOKEN', { value: token }],
            ]);
            const facts = { project: { root }, env: { file: { entries }, shell: {} } } as unknown as Facts;
            const number = 'number' in more ? more.number : NUMBER;
            const tunnel = number !== undefined || more.choice !== undefined;
            const way = { transport: findTransport(transport), tunnel, number };
            const said = () => written.stdout + written.stderr;
            outputs.push(said);
            const surroundings = { stop, report: createReporter(terminal, false), terminal };
            const plan = { facts, way, asks: true, skip, origin: twilio.origin };
            return { number: await prepareNumber(plan, surroundings), hurry, said, asked };
          };
          await use({ twilio, run, file });
          for (const said of outputs) assert(!said().includes(TOKEN), said());
          if (existsSync(file)) assert(!readFileSync(file, 'utf8').includes(TOKEN));
        }),
      settings,
    );

const itAtDesk = (title: string, ...rest: Parameters<typeof atDesk>) => it(title, atDesk(...rest));

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

  itAtDesk('stays as it is if the answer is no', async ({ twilio, run }) => {
    const { number, said } = await run({ answers: [false] });
    assert.equal(number, undefined);
    assert.match(said(), /The number stays as it is\.\n$/);
    assert.equal(twilio.requests.length, 1);
  });

  itAtDesk('is chosen from those of the account, unless the answer is none', async ({ twilio, run }) => {
    const question = `Which number should reach the bot? |  | ${NUMBER}8 | ${NUMBER}`;
    const none = await run({ number: undefined, choice: '', answers: [] });
    assert.deepEqual([none.number, none.asked, none.said()], [undefined, [question], '']);
    assert.equal(twilio.requests.length, 1);
    const { number, asked } = await run({ number: undefined, choice: NUMBER, answers: [true, true] });
    assert.deepEqual(asked, [question, `Point ${NUMBER} at your bot?`]);
    await number?.point(HOST);
    assert.equal(twilio.settings.voice_url, `https://${HOST}/`);
    await number?.restore();
    assert.deepEqual(voiceOf(twilio), IS_BACK);
  });

  const isNone = /^! botcli can't offer your Twilio numbers\. TWILIO_ACCOUNT_SID isn't /;
  const unasked: [about: string, person: Partial<Person>, said: RegExp][] = [
    ['with a refused key', { token: 'wrong' }, /^! botcli can't offer your Twilio numbers\. .*\(HTTP 401\)\n$/],
    ["with a key that isn't one", { sid: 'AC1' }, isNone],
    ['without a key', { token: '' }, /^$/],
    ['with --skip', { skip: true }, /^$/],
    ['for calls over another provider', { transport: 'tel_b' }, /^$/],
  ];
  for (const [about, person, message] of unasked) {
    itAtDesk(`is not offered ${about}, and the bot goes on without`, async ({ run }) => {
      const { number, asked, said } = await run({ number: undefined, choice: NUMBER, answers: [], ...person });
      assert.deepEqual([number, asked], [undefined, []]);
      assert.match(said(), message);
    });
  }

  itAtDesk('is not asked about at Twilio if nobody named one', async ({ twilio, run }) => {
    assert.equal((await run({ number: undefined, answers: [] })).number, undefined);
    assert.deepEqual(twilio.requests, []);
  });

  itAtDesk('leads to the call server if that answers the calls', async ({ twilio, run }) => {
    const { number, said } = await run({ transport: 'tel_a_rtc_sip_dialin' });
    assert.doesNotMatch(said(), /doesn't learn/);
    await number?.point(HOST);
    assert.equal(twilio.settings.voice_url, `https://${HOST}/call`);
  });

  itAtDesk('follows the tunnel to its next name', async ({ twilio, run }) => {
    const { number } = await run();
    for (const host of [HOST, 'name-2.trycloudflare.com']) await number?.point(host);
    assert.equal(twilio.settings.voice_url, 'https://name-2.trycloudflare.com/');
    assert.equal(twilio.requests.length, 3);
    await number?.restore();
    assert.deepEqual(voiceOf(twilio), IS_BACK);
  });

  itAtDesk('is put back if Twilio spells its address differently, or ignores it', async ({ twilio, run }) => {
    twilio.spell = url => url.replace('cloudflare.com/', 'cloudflare.com:443/');
    const { number } = await run();
    await number?.point(HOST);
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

  itAtDesk('stays if somebody else has changed it, and botcli says what it was', async ({ twilio, run, file }) => {
    const { number, said } = await run();
    await number?.point(HOST);
    twilio.settings.voice_url = 'https://colleague.example.com/';
    await number?.restore();
    assert.deepEqual(voiceOf(twilio), ['https://colleague.example.com/', 'POST']);
    const kept = `! ${NUMBER} was changed meanwhile and stays: https://colleague.example.com/ (POST).`;
    assert(said().includes(`${kept} It was ${BEFORE} (GET).\n`), said());
    assert(!existsSync(file));
  });

  itAtDesk('says so if somebody else has let a TwiML App take its calls', async ({ twilio, run, file }) => {
    const { number, said } = await run();
    await number?.point(HOST);
    twilio.settings.voice_application_sid = `AP${'3'.repeat(32)}`;
    await number?.restore();
    // Twilio would ask this address again without the app.
    assert.deepEqual(voiceOf(twilio), IS_BACK);
    const kept = `! ${NUMBER} was changed meanwhile and stays: a TwiML App takes its calls.`;
    assert(said().includes(`${kept} It was ${BEFORE} (GET).\n`), said());
    assert(!existsSync(file));
  });

  const HOST_OF_OURS = 'voice.example.com/a@b:c@d';
  for (const [url, seen] of [
    [null, 'no address'],
    [`https://${HOST_OF_OURS}`, `https://${HOST_OF_OURS} (GET)`],
    ...['me:hunter2@', 'me:hunter2@hunter2:hunter2@'].map(who => [
      `https://${who}${HOST_OF_OURS}`,
      `https://me:…@${HOST_OF_OURS}`,
    ]),
    [`https://hunter2@${HOST_OF_OURS}`, `https://…@${HOST_OF_OURS} (GET)`],
    [`https://:hunter2@${HOST_OF_OURS}`, `https://:…@${HOST_OF_OURS} (GET)`],
  ] as const) {
    itAtDesk(
      `has its address again, whose password is never shown: ${url}`,
      async ({ twilio, run }) => {
        const { number, said } = await run({ skip: true, answers: [] });
        await number?.point(HOST);
        await number?.restore();
        assert(said().includes(`Twilio now asks ${seen}`), said());
        assert(said().includes(`Twilio asks ${seen}`) && said().includes(' again'), said());
        assert.doesNotMatch(said(), /hunter2/);
        assert.deepEqual(voiceOf(twilio), [url ?? '', 'GET']);
      },
      { voice_url: url },
    );
  }

  const isNoAccount = /TWILIO_ACCOUNT_SID isn't the SID of an account/;
  const refusals: [about: string, person: Partial<Person>, settings: Record<string, unknown>, message: RegExp][] = [
    [
      'of another account',
      { number: '+15550000000' },
      {},
      /account of TWILIO_ACCOUNT_SID doesn't have the number \+1555/,
    ],
    ['that is only a part of one', { number: '+1555123456' }, {}, /doesn't have the number/],
    ['with a refused key', { token: 'wrong' }, {}, /it refuses TWILIO_AUTH_TOKEN \(HTTP 401\)/],
    ['with the two keys swapped', { sid: TOKEN, token: ACCOUNT }, {}, isNoAccount],
    ['of an API key', { sid: `SK${'a'.repeat(32)}` }, {}, isNoAccount],
    ['without a key', { token: '' }, {}, /needs TWILIO_ACCOUNT_SID and TWILIO_AUTH_TOKEN/],
    ['of a SIP trunk', {}, { trunk_sid: `TK${'1'.repeat(32)}` }, /a SIP trunk takes its calls/],
    ['of a TwiML App', {}, { voice_application_sid: `AP${'1'.repeat(32)}` }, /a TwiML App takes its calls/],
    ['for faxes', {}, { voice_receive_mode: 'fax' }, /it receives faxes/],
    ['for texts', {}, { capabilities: { voice: false } }, /it takes no calls/],
    ['with an ID that is none', {}, { sid: '../Calls' }, /it names no number in its response/],
  ];
  for (const [about, person, settings, message] of refusals) {
    itAtDesk(
      `${about} is refused, and nothing is asked or changed`,
      async ({ twilio, run }) => {
        const refusal = (error: unknown) => error instanceof UserError && message.test(error.message);
        await assert.rejects(run({ ...person, answers: [] }), refusal);
        assert(twilio.requests.every(line => line.startsWith('GET ') && !line.includes(TOKEN)));
      },
      settings,
    );
  }

  // The requests are: find, change, read, change back.
  const faults: Fault[] = ['closed', 'busy', 'broken', 'lost'];
  for (const fault of faults) {
    for (const [at, step] of ['pointed', 'looked up', 'put back'].entries()) {
      for (const times of [1, 3]) {
        itAtDesk(
          `is put back, perhaps by the next run: ${fault} ${times}x when it is ${step}`,
          async ({ twilio, run, file }) => {
            for (let time = 0; time < times; time++) twilio.faults.set(1 + at + time, fault);
            const { number, said } = await run();
            await number?.point(HOST);
            await number?.restore();
            if (existsSync(file)) {
              assert.match(
                said(),
                new RegExp(`✗ Could not put \\${NUMBER} back\\. .*\n {2}Before, .*${BEFORE} \\(GET\\)`),
              );
              twilio.faults.clear();
              const next = await run({ number: undefined });
              assert.deepEqual(next.asked, ['Put that back?']);
              assert.match(
                next.said(),
                /! An earlier botcli dev left \+15551234567 pointed at a bot\.\n {2}Before that/,
              );
            } else assert.doesNotMatch(said(), /Could not put/);
            assert.deepEqual(voiceOf(twilio), IS_BACK);
            assert(!existsSync(file));
          },
        );
      }
    }
  }

  itAtDesk('is no number if a network that wants a login responds, and botcli says that', async ({ twilio, run }) => {
    twilio.faults.set(0, 'broken');
    const refusal = {
      message: "Twilio can't be asked about the number: its response isn't a JSON object (HTTP 200)",
    };
    await assert.rejects(run({ answers: [] }), refusal);
  });

  itAtDesk('that a killed run left is not taken for what was there before', async ({ twilio, run, file }) => {
    await (await run()).number?.point(HOST);
    const { number, said } = await run();
    assert.match(
      said(),
      /now asks https:\/\/name-1.*\n.* Then botcli sets https:\/\/voice\.example\.com\/answer \(GET\)/,
    );
    await number?.point('name-2.trycloudflare.com');
    await number?.restore();
    assert.deepEqual(voiceOf(twilio), IS_BACK);
    assert(!existsSync(file));
  });

  itAtDesk('that another run has taken over stays, and so does what that run knows', async ({ twilio, run, file }) => {
    const first = (await run()).number;
    await first?.point(HOST);
    const second = (await run()).number;
    await second?.point('name-2.trycloudflare.com');
    await first?.restore();
    assert.equal(twilio.settings.voice_url, 'https://name-2.trycloudflare.com/');
    assert(existsSync(file));
    await second?.restore();
    assert.deepEqual(voiceOf(twilio), IS_BACK);
  });

  itAtDesk('is left if the answer is no, and offered again', async ({ twilio, run, file }) => {
    await (await run()).number?.point(HOST);
    for (let time = 0; time < 2; time++) await run({ number: undefined, answers: [false] });
    assert(existsSync(file));
    assert.equal(twilio.requests.length, 2);
  });

  itAtDesk('that a running botcli dev has pointed at its bot is not offered', async ({ twilio, run, file }) => {
    await (await run()).number?.point(HOST);
    const text = readFileSync(file, 'utf8');
    writeFileSync(file, text.replace(/"pid": \d+/, `"pid": ${process.ppid}`));
    const { asked, said } = await run({ number: undefined, answers: [] });
    assert.deepEqual(asked, []);
    assert.equal(said(), `${NUMBER} is pointed at the bot of another botcli dev, process ${process.ppid}.\n`);
    assert.equal(twilio.requests.length, 2);
  });

  itAtDesk('stays without the keys, and botcli says so and goes on', async ({ run, file }) => {
    await (await run()).number?.point(HOST);
    const { said } = await run({ number: undefined, token: '' });
    assert.match(said(), /✗ Could not put \+15551234567 back\. The number needs TWILIO_ACCOUNT_SID .*\n {2}Before,/);
    assert(existsSync(file));
  });

  itAtDesk('stays as it is if nothing can remember it', async ({ twilio, run, file }) => {
    mkdirSync(file, { recursive: true });
    const { number, said } = await run();
    await number?.point(HOST);
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

  itAtDesk('is given up at a second Ctrl-C, and botcli says what it was', async ({ twilio, run, file }) => {
    twilio.faults.set(2, 'held');
    const { number, hurry, said } = await run();
    await number?.point(HOST);
    const restoring = number?.restore();
    await twilio.until(3);
    hurry.abort();
    await restoring;
    assert.match(said(), new RegExp(`✗ Could not put .* you stopped it\n {2}Before, Twilio asked ${BEFORE}`));
    assert(existsSync(file));
  });

  itAtDesk('in a file that is none of ours is ignored', async ({ run, file, twilio }) => {
    await (await run()).number?.point(HOST);
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
