import assert from 'node:assert/strict';
import { COMPANIONS, findTransport, services, transports } from '../../src/catalog/index.ts';
import { resolveConfig, type ScaffoldConfig } from '../../src/config/config.ts';
import { type ScaffoldOption, scaffoldOptions } from '../../src/config/options.ts';
import { converse } from '../../src/wizard/conversation.ts';
import { type Answers, runWizard, type Surroundings } from '../../src/wizard/index.ts';
import { initSteps } from '../../src/wizard/init-steps.ts';
import { rawConfigOf } from '../../src/wizard/raw-config.ts';
import { type Asked, type Deed, ENTER, ESC, sitDown } from '../support/person.ts';
import { session } from '../support/session.ts';
import { shellWords } from '../support/shell-words.ts';

const EMPTY: Surroundings = {
  problemOf: () => undefined,
  nameOf: directory => directory,
  hasBot: () => false,
  olderGuides: () => [],
};

/** What to do at a question, keyed by a part of it; Enter for all others. */
type Script = Readonly<Record<string, Deed>>;

const follow =
  (script: Script) =>
  ({ question }: Asked): Deed =>
    Object.entries(script).find(([part]) => question.includes(part))?.[1] ?? ENTER;

const BOT: Script = { 'want to build': 'bot', 'web client': 'none' };

async function decide(script: Script, given: Answers = {}, surroundings: Partial<Surroundings> = {}) {
  const { terminal, asked, written } = sitDown(follow(script));
  const decision = await runWizard(given, { ...EMPTY, ...surroundings }, terminal);
  return { ...decision, written: written(), questions: asked.map(({ question }) => question.split('\n').at(-1)) };
}

const START = ['In which directory? (. is this one)', 'How do you want to build?'];
const WEB = ['Project name', 'Where do people meet it?', 'Which web client?', 'Which transport?'];
const PHONE = ['Project name', 'Where do people meet it?', 'Which phone provider?'];
const LANGUAGE = 'Which language does it speak?';
const CASCADE = ['How does it think?', LANGUAGE, 'Speech-to-text', 'Language model', 'Text-to-speech'];
const END = ['Add cloud deployment files?', 'Noise cancellation in the cloud?', 'Add test conversations (evals)?'];
const OTHERS = 'Add others, e.g. for testing?';
const FEATURES = 'Add features, such as recording?';
const MAKE = 'Create this bot?';

// The questions of each path, and the configuration values they lead to.
const paths: [about: string, script: Script, questions: string[], expected?: Partial<ScaffoldConfig>][] = [
  ['a coding agent', {}, START],
  [
    'a web bot',
    BOT,
    [...START, ...WEB, 'Add another transport?', ...CASCADE, FEATURES, ...END, MAKE],
    { project_name: 'my-bot', bot_type: 'web', transports: ['rtc_local'], mode: 'cascade', client_framework: null },
  ],
  [
    'a web client; only React has a choice of servers',
    { ...BOT, 'web client': 'component', 'serves the client': 'fullstack' },
    [
      ...START,
      ...WEB.slice(0, 3),
      'What serves the client?',
      'Which transport?',
      'Add another transport?',
      ...CASCADE,
      FEATURES,
      ...END,
      MAKE,
    ],
    { client_framework: 'component', client_server: 'fullstack' },
  ],
  [
    'a client without a choice of servers',
    { ...BOT, 'web client': 'vanilla' },
    [...START, ...WEB, 'Add another transport?', ...CASCADE, FEATURES, ...END, MAKE],
    { client_framework: 'vanilla', client_server: 'bundler' },
  ],
  [
    'a phone bot: no client, and no direction if there is only one',
    { ...BOT, 'people meet': 'telephony', 'phone provider': 'tel_b', 'Add others': ['rtc_local', 'tel_d'] },
    [...START, ...PHONE, OTHERS, ...CASCADE, FEATURES, ...END, MAKE],
    { bot_type: 'telephony', transports: ['tel_b', 'rtc_local', 'tel_d'] },
  ],
  [
    'calls with a direction',
    { ...BOT, 'people meet': 'telephony', 'phone provider': 'rtc_hosted_pstn', 'Who calls': 'dial-out' },
    [...START, ...PHONE, 'Who calls whom?', OTHERS, ...CASCADE, FEATURES, ...END, MAKE],
    { transports: ['rtc_hosted_pstn_dialout'], daily_pstn_mode: 'dial-out', twilio_daily_sip_mode: null },
  ],
  [
    'realtime: one service',
    { ...BOT, 'it think': 'realtime', 'Speech-to-speech': 'openai_realtime' },
    [
      ...[...START, ...WEB, 'Add another transport?', 'How does it think?', LANGUAGE],
      ...['Speech-to-speech', FEATURES, ...END, MAKE],
    ],
    { mode: 'realtime', realtime_service: 'openai_realtime', stt_service: null },
  ],
  [
    'a language: the services that know it',
    { ...BOT, 'Which language': 'sv', 'Speech-to-text': 'soniox_stt', 'Text-to-speech': 'soniox_tts' },
    [...START, ...WEB, 'Add another transport?', ...CASCADE, FEATURES, ...END, MAKE],
    { language: 'sv', stt_service: 'soniox_stt', tts_service: 'soniox_tts' },
  ],
  [
    'features: an avatar shows itself',
    { ...BOT, 'Add features': true, 'A face': 'tavus_video', 'Which features': ['recording', 'video_input'] },
    [
      ...START,
      ...WEB,
      'Add another transport?',
      ...CASCADE,
      FEATURES,
      'A face for the bot?',
      'Which features?',
      ...END,
      MAKE,
    ],
    { video_service: 'tavus_video', video_output: true, video_input: true, recording: true, transcription: false },
  ],
  [
    'features of a phone bot: no video',
    { ...BOT, 'people meet': 'telephony', 'Add features': true, 'Which features': ['enable_observability'] },
    [...START, ...PHONE, OTHERS, ...CASCADE, FEATURES, 'Which features?', ...END, MAKE],
    { enable_observability: true, video_input: false },
  ],
  [
    'no cloud files: no noise cancellation',
    { ...BOT, 'cloud deployment files': false, evals: true },
    [...START, ...WEB, 'Add another transport?', ...CASCADE, FEATURES, END[0] as string, END[2] as string, MAKE],
    { deploy_to_cloud: false, enable_noisecancel: false, enable_eval: true },
  ],
];

describe('the wizard asks what matters', () => {
  for (const [about, script, questions, expected] of paths) {
    it(`for ${about}`, async () => {
      const { questions: asked, config } = await decide(script);
      assert.deepEqual(asked, questions);
      const found = config && Object.fromEntries(Object.keys(expected ?? {}).map(key => [key, config[key as never]]));
      assert.deepEqual(found, expected);
    });
  }

  it('nothing about how to build if the directory contains a bot', async () => {
    assert.deepEqual((await decide({}, { directory: '.' }, { hasBot: () => true })).questions, []);
  });

  it('whether to refresh the guides that an older botcli wrote, and Enter does', async () => {
    const older = { hasBot: () => true, olderGuides: () => ['AGENTS.md'] };
    assert.equal((await decide({}, { directory: '.' }, older)).refresh, true);
    assert.equal((await decide({ Refresh: false }, { directory: '.' }, older)).refresh, false);
    assert.equal((await decide({}, { directory: 'botcli-quickstart', build: 'decided' }, older)).refresh, true);
  });

  it('about video input only for services that see images', async () => {
    for (const { id, sees = false } of services.realtime) {
      const { terminal, asked } = sitDown(
        follow({ ...BOT, 'it think': 'realtime', 'Speech-to-speech': id, 'Add features': true }),
      );
      await runWizard({}, EMPTY, terminal);
      const values = asked.find(({ question }) => question === 'Which features?')?.values;
      assert.equal(values?.includes('video_input'), sees, id);
    }
  });

  it('about services that know the language', async () => {
    const { terminal, asked } = sitDown(follow({ ...BOT, 'Which language': 'sv' }));
    await runWizard({}, EMPTY, terminal);
    const offered = asked.filter(({ question }) => /^(Speech-to-text|Text-to-speech)$/.test(question));
    const ids = offered.flatMap(({ values = [] }) => values);
    assert(ids.includes('deepgram_stt') && ids.includes('elevenlabs_tts'));
    assert(!ids.includes('deepgram_flux_stt') && !ids.includes('deepgram_tts'));
  });

  it('about every value of an option that lists its values', async () => {
    const phone = { ...BOT, 'people meet': 'telephony' };
    const scripts: Script[] = [
      { ...BOT, 'web client': 'component', 'Add features': true },
      { ...BOT, 'it think': 'realtime' },
      { ...phone, 'phone provider': 'rtc_hosted_pstn' },
      { ...phone, 'phone provider': 'tel_a_rtc_sip' },
    ];
    const offered = new Set<string>();
    for (const script of scripts) {
      const { terminal, asked } = sitDown(follow(script));
      await runWizard({}, EMPTY, terminal);
      for (const { values = [] } of asked) offered.add([...values].sort().join(' '));
    }
    for (const { key, values = [] } of scaffoldOptions as readonly ScaffoldOption[]) {
      if (key === 'transports' || values.length === 0) continue;
      // The avatar is optional, and English is the default language.
      const choices =
        key === 'video_service' ? ['none', ...values] : values.map(value => (value === 'en' ? 'default' : value));
      assert(offered.has([...choices].sort().join(' ')), key);
    }
  });

  it('about every transport of the catalog, and then about compatible ones', async () => {
    for (const type of ['web', 'telephony']) {
      const seen = new Set<string>();
      const first = sitDown(follow({ ...BOT, 'people meet': type }));
      await runWizard({}, EMPTY, first.terminal);
      const question = first.asked.find(one => /phone provider|Which transport/.test(one.question));
      for (const id of question?.values ?? []) {
        seen.add(id);
        const second = sitDown(follow({ ...BOT, 'people meet': type, 'phone provider': id, 'Which transport': id }));
        await runWizard({}, EMPTY, second.terminal);
        const others =
          second.asked.find(one => /^Add (another transport|others, e\.g\. for testing)\?$/.test(one.question))
            ?.values ?? [];
        const family = transports.find(row => row.id === id || row.generic === id)?.family ?? 'web';
        for (const other of others) assert(COMPANIONS[family].includes(findTransport(other).family), `${id} ${other}`);
        assert.equal(others.includes(id), false);
      }
      const expected = transports.filter(row => (row.family === 'web') === (type === 'web'));
      assert.deepEqual([...seen].sort(), [...new Set(expected.map(row => row.generic ?? row.id))].sort());
    }
  });
});

describe('Esc', () => {
  it('goes back through every question to the first, and quits there', async () => {
    const script = follow({ ...BOT, 'Add features': true });
    let isBack = false;
    const { terminal, asked } = sitDown(one => {
      isBack ||= one.question.includes(MAKE);
      return isBack ? ESC : script(one);
    });
    await assert.rejects(runWizard({}, EMPTY, terminal), { exitCode: 130 });
    const questions = asked.map(({ question }) => question);
    const last = questions.findIndex(question => question.includes(MAKE));
    assert.deepEqual(questions.slice(last + 1), questions.slice(0, last).reverse());
  });

  it('keeps the answers as defaults', async () => {
    const answers = { ...BOT, directory: 'a', 'Project name': 'b', 'Language model': 'groq_llm', evals: true };
    const { config } = await backTo('directory', answers, ENTER);
    assert.deepEqual([config?.project_name, config?.llm_service, config?.enable_eval], ['b', 'groq_llm', true]);
  });

  it('and a different choice drop the answers that are no longer relevant', async () => {
    const phone = {
      ...BOT,
      'people meet': 'telephony',
      'phone provider': 'tel_a',
      'Add others': ['tel_b', 'rtc_local'],
    };
    const web = await backTo('people meet', phone, 'web');
    assert.deepEqual([web.config?.bot_type, web.config?.transports], ['web', ['rtc_local']]);
    const local = await backTo('phone provider', phone, 'tel_b');
    assert.deepEqual(local.config?.transports, ['tel_b', 'rtc_local']);
    const calls = { ...BOT, 'people meet': 'telephony', 'phone provider': 'tel_a_rtc_sip', 'Who calls': 'dial-out' };
    const streams = await backTo('phone provider', calls, 'tel_a');
    assert.deepEqual([streams.config?.transports, streams.config?.twilio_daily_sip_mode], [['tel_a'], null]);
  });

  it('and the first choice again restore its answers', async () => {
    // The words of each question, in turn, and what is done there; from then on, Enter.
    const deeds: [part: string, deed: Deed][] = [
      ['directory', ENTER],
      ['want to build', 'bot'],
      ['Project name', ENTER],
      ['people meet', 'web'],
      ['web client', 'vanilla'],
      ['Which transport', ESC],
      ['web client', ESC],
      ['people meet', 'telephony'],
      ['phone provider', ESC],
      ['people meet', 'web'],
    ];
    const { terminal } = sitDown(({ question }, at) => {
      const [part, deed] = deeds[at] ?? ['', ENTER];
      assert(question.includes(part), question);
      return deed;
    });
    assert.equal((await runWizard({}, EMPTY, terminal)).config?.client_framework, 'vanilla');
  });
});

/** Answers everything, goes back from the last question to one, answers that in another way, and takes all that follows. */
function backTo(part: string, script: Script, deed: Deed) {
  let way: 'on' | 'back' | 'through' = 'on';
  const { terminal } = sitDown(asked => {
    if (way === 'on' && asked.question.includes(MAKE)) way = 'back';
    if (way !== 'back') return way === 'on' ? follow(script)(asked) : ENTER;
    if (!asked.question.includes(part)) return ESC;
    way = 'through';
    return deed;
  });
  return runWizard({}, EMPTY, terminal);
}

describe('the command that the wizard prints', () => {
  it(
    'gives the same configuration',
    session({}, async ({ succeed }) => {
      for (const [, script, , expected] of paths) {
        if (!expected) continue;
        const { config, written } = await decide(script);
        const line = written.slice(written.indexOf('botcli init')).trim();
        for (const one of line.split('\n')) assert(one.length <= 80, one);
        assert.deepEqual(JSON.parse(await succeed([...shellWords(line).slice(1), '--dry-run'])), config);
      }
    }),
  );

  it('is also printed when the user declines the bot', async () => {
    const { terminal, written } = sitDown(follow({ ...BOT, [MAKE]: false }));
    await assert.rejects(runWizard({}, EMPTY, terminal), { exitCode: 1, message: 'Declined. Nothing was written.' });
    assert.match(written(), /\nbotcli init my-bot -t rtc_local/);
  });
});

describe('every combination of answers', () => {
  it('is a valid configuration', async () => {
    for (let seed = 1; seed <= 400; seed += 1) {
      const random = createRandom(seed);
      const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)] as Item;
      const { terminal } = sitDown((one, at) => {
        if (one.question.includes('want to build')) return 'bot';
        if (one.question.includes(MAKE)) return true;
        if (at < 60 && at > 0 && random() < 0.2) return ESC;
        if (Array.isArray(one.proposed)) return (one.values ?? []).filter(() => random() < 0.4);
        if (one.values) return pick(one.values);
        return typeof one.proposed === 'boolean' ? random() < 0.5 : ENTER;
      });
      const given = { directory: 'my-bot', build: 'bot' } as const;
      // Esc on the first question quits.
      const answers = await converse(initSteps, given, EMPTY, terminal).catch(() => undefined);
      if (answers) assert.doesNotThrow(() => resolveConfig({ flags: rawConfigOf(answers), directoryName: 'x' }));
    }
  });
});

/** Numbers from 0 to 1, the same for the same seed. */
function createRandom(seed: number): () => number {
  let state = seed * 7919;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2 ** 31;
    return state / 2 ** 31;
  };
}
